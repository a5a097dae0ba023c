//! A byte stream → the lines that could hold a candidate, in bounded memory.
//!
//! A log of a gigabyte holds a few failures: the stream is searched for the few byte strings without which no
//! line can be a candidate, and only lines with one of them are looked at.

use std::io::{self, Read};

use aho_corasick::AhoCorasick;
use memchr::{memchr, memchr_iter, memrchr};

/// How much is read at once.
const CHUNK: usize = 1 << 20;

/// A candidate's line holds one of these: the level's value or the retry's key as the host writes them, or an
/// escaped ASCII character, behind which either could hide.
const NEEDLES: [&str; 3] = ["\"error\"", "will_retry", "\\u00"];

/// One line worth looking at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// Without the newline; at most the limit long.
    pub(super) bytes: &'a [u8],
    /// Whether the line goes on beyond what is given.
    pub(super) cut: bool,
    /// Whether a newline ended it.
    pub(super) ended: bool,
    /// The offset behind it, newline included, from the stream's beginning.
    pub(super) end: u64,
}

/// What the visitor of a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    /// Go on behind this line.
    On,
    /// Stop in front of this line.
    Stop,
}

/// What was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Bytes that were consumed, up to the end of the last line that ended or was visited.
    pub(super) bytes: u64,
    /// Lines among them.
    pub(super) lines: u64,
    /// Whether a visitor stopped it.
    pub(super) stopped: bool,
}

/// Visits each line of `source` that could hold a candidate; the last line is visited even where no newline ends it.
pub(super) fn candidates(
    mut source: impl Read,
    limit: usize,
    mut visit: impl FnMut(Line<'_>) -> Visit,
) -> io::Result<Progress> {
    let needles = AhoCorasick::new(NEEDLES).map_err(io::Error::other)?;
    let mut buffer = Buffer::default();
    let mut read = Progress::default();
    loop {
        let more = buffer.fill(&mut source)?;
        buffer.skip_nuls();
        let whole =
            if more { memrchr(b'\n', buffer.rest()).map_or(0, |at| at + 1) } else { buffer.rest().len() };
        let block = buffer.rest().get(..whole).unwrap_or_default();
        let mut at = 0;
        while let Some(found) = needles.find(block.get(at..).unwrap_or_default()) {
            let hit = at + found.start();
            let start = memrchr(b'\n', block.get(..hit).unwrap_or_default()).map_or(0, |n| n + 1);
            let newline = memchr(b'\n', block.get(hit..).unwrap_or_default()).map(|n| hit + n);
            let end = newline.unwrap_or(block.len());
            let bytes = block.get(start..end).unwrap_or_default();
            let behind = end + usize::from(newline.is_some());
            let line = Line {
                bytes: bytes.get(..limit).unwrap_or(bytes),
                cut: bytes.len() > limit || buffer.dropped(start),
                ended: newline.is_some(),
                end: buffer.offset(behind),
            };
            if visit(line) == Visit::Stop {
                read.lines += count(block.get(..start).unwrap_or_default());
                read.bytes = buffer.offset(start);
                read.stopped = true;
                return Ok(read);
            }
            at = behind;
        }
        read.lines += count(block);
        read.bytes = buffer.offset(memrchr(b'\n', block).map_or(0, |n| n + 1)).max(read.bytes);
        if !more {
            return Ok(read);
        }
        buffer.consume(whole);
        buffer.bound(limit);
    }
}

fn count(block: &[u8]) -> u64 {
    memchr_iter(b'\n', block).count() as u64
}

/// What was read and not yet consumed. Of a line longer than the limit only the beginning is kept.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    begin: usize,
    /// The stream's offset of `begin`.
    at: u64,
    /// How many bytes of the line at `begin` were dropped behind `kept`, to keep it within the limit.
    gap: u64,
    kept: usize,
}

impl Buffer {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.begin..).unwrap_or_default()
    }

    /// Reads the next chunk; false at the end of the stream.
    fn fill(&mut self, source: &mut impl Read) -> io::Result<bool> {
        if self.begin > 0 {
            self.bytes.drain(..self.begin);
            self.begin = 0;
        }
        let before = self.bytes.len();
        source.take(CHUNK as u64).read_to_end(&mut self.bytes)?;
        Ok(self.bytes.len() > before)
    }

    /// Passes over NUL bytes in front of a line: a crash leaves whole blocks of them, and a record behind.
    fn skip_nuls(&mut self) {
        if self.gap == 0 {
            let nuls = self.rest().iter().take_while(|byte| **byte == 0).count();
            self.begin += nuls;
            self.at += nuls as u64;
        }
    }

    fn consume(&mut self, count: usize) {
        if count > 0 {
            self.at = self.offset(count);
            self.begin += count;
            self.gap = 0;
            self.kept = 0;
        }
    }

    /// Drops what goes beyond `limit` of the line being read.
    fn bound(&mut self, limit: usize) {
        // One byte more than the limit tells that something was cut.
        let most = self.begin + limit + 1;
        if self.bytes.len() > most {
            self.gap += (self.bytes.len() - most) as u64;
            self.kept = limit + 1;
            self.bytes.truncate(most);
        }
    }

    /// Whether bytes of the line that starts at `start` were dropped.
    fn dropped(&self, start: usize) -> bool {
        start == 0 && self.gap > 0
    }

    /// The stream's offset of a position in `rest`.
    fn offset(&self, position: usize) -> u64 {
        let gap = if position >= self.kept && self.gap > 0 { self.gap } else { 0 };
        self.at + position as u64 + gap
    }
}
