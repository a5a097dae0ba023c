//! A byte stream → blocks of whole lines in one bounded buffer.

use std::io::{self, ErrorKind, Read};

use memchr::{memchr, memrchr};

use super::condense::{Condenser, Short};
use super::walk::slice;

/// Small enough to stay in a core's own cache while it is searched.
const BLOCK: usize = 256 * 1024;

/// What the stream gives next. Offsets count from the offset that [`Blocks::new`] was given.
pub(super) enum Block<'a> {
    /// Whole lines, none longer than allowed, the newline of the last one included.
    Lines { offset: u64, text: &'a [u8] },
    /// The last line, which no newline ends.
    Rest { offset: u64, text: &'a [u8] },
    /// Objects of a line that is longer than may be held, as they close.
    Long { done: Vec<Short>, end: Option<LongEnd> },
}

/// How a long line ends.
pub(super) struct LongEnd {
    /// An object that never closed; empty if all did.
    pub(super) open: Short,
    /// The line's last bytes as they are.
    pub(super) tail: Short,
    /// Whether a newline came.
    pub(super) newline: bool,
}

pub(super) struct Blocks<R> {
    stream: R,
    max_line: usize,
    buffer: Vec<u8>,
    /// The part of the buffer that holds unread bytes, and how many of them hold no newline.
    start: usize,
    end: usize,
    searched: usize,
    /// Where the byte at `start` stands in the stream.
    offset: u64,
    over: bool,
    long: Option<Condenser>,
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(stream: R, offset: u64, max_line: usize) -> Self {
        let buffer = vec![0; BLOCK];
        Self { stream, max_line, buffer, start: 0, end: 0, searched: 0, offset, over: false, long: None }
    }

    /// The next block; `None` at the end of the stream.
    pub(super) fn next(&mut self) -> io::Result<Option<Block<'_>>> {
        loop {
            if let Some(condenser) = self.long.take() {
                return self.next_of_long(condenser).map(Some);
            }
            let unread = slice(&self.buffer, self.start..self.end);
            // Every line in this much is short enough, whatever else was read already.
            let held = unread.len().min(self.max_line.saturating_add(1));
            if let Some(newline) = memrchr(b'\n', slice(unread, self.searched..held)) {
                let (offset, length) = (self.offset, self.searched + newline + 1);
                return Ok(Some(Block::Lines { offset, text: self.take(length) }));
            }
            self.searched = held;
            if held > self.max_line {
                self.long = Some(Condenser::new(self.offset, self.max_line));
            } else if self.over {
                let (offset, length) = (self.offset, self.searched);
                return Ok((length > 0).then(|| Block::Rest { offset, text: self.take(length) }));
            } else {
                self.fill()?;
            }
        }
    }

    /// Where the first byte not yet given stands.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The objects that the rest of the buffer closes.
    fn next_of_long(&mut self, mut condenser: Condenser) -> io::Result<Block<'_>> {
        let unread = slice(&self.buffer, self.start..self.end);
        let newline = memchr(b'\n', unread);
        let length = newline.unwrap_or(unread.len());
        let mut done = Vec::new();
        condenser.feed(slice(unread, 0..length), &mut done);
        self.take(newline.map_or(length, |at| at + 1));
        let mut end = None;
        if newline.is_some() || self.over {
            let (open, tail) = condenser.finish();
            end = Some(LongEnd { open, tail, newline: newline.is_some() });
        } else {
            self.fill()?;
            self.long = Some(condenser);
        }
        Ok(Block::Long { done, end })
    }

    fn take(&mut self, length: usize) -> &[u8] {
        let start = self.start;
        self.start += length;
        self.offset += length as u64;
        self.searched = 0;
        slice(&self.buffer, start..start + length)
    }

    /// Reads more, after making room for it.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let most = self.buffer.len().min(self.end + BLOCK);
        let room = self.buffer.get_mut(self.end..most).unwrap_or_default();
        match self.stream.read(room) {
            Ok(0) => self.over = true,
            Ok(read) => self.end += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
