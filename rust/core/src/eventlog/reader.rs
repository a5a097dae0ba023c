//! Any byte stream → its records, one after the other, whatever lies between them.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::{memchr, memchr_iter};

use super::blocks::{Block, Blocks, LongEnd};
use super::condense::Short;
use super::glance::Glance;
use super::prefilter;
use super::recover::{Piece, recover};
use super::repeat::{Repeats, Verdict};
use super::stats::Stats;
use super::walk::slice;

/// Which lines are looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    All,
    /// Those that may hold a candidate.
    Suspect,
}

/// What becomes of a last line without a newline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastLine {
    /// It is done with: the stream will not grow.
    Final,
    /// Whole records are taken; from the first fragment on it waits for the rest.
    MayGrow,
}

/// Where records go.
pub(super) trait Sink {
    /// Takes a record; breaking off leaves it unread.
    fn record(&mut self, text: &[u8], glance: &Glance<'_>, stats: &mut Stats) -> ControlFlow<(), Verdict>;

    /// Takes a line that differs only in its time from one on which `record` gave this verdict.
    fn again(&mut self, line: &[u8], verdict: Verdict, stats: &mut Stats);
}

/// Reads `stream`, whose first byte stands at `offset`, into `sink`. Returns where reading on would begin:
/// broken off if the sink did, at the record that it did not take.
pub(super) fn read<S: Sink>(
    stream: impl Read,
    offset: u64,
    lines: Lines,
    last_line: LastLine,
    max_line: usize,
    sink: &mut S,
    stats: &mut Stats,
) -> io::Result<ControlFlow<u64, u64>> {
    let mut blocks = Blocks::new(stream, offset, max_line);
    let mut reader = Reader { sink, stats, lines, last_line, done: offset, repeats: Repeats::new() };
    while let Some(block) = blocks.next()? {
        if reader.block(block).is_break() {
            reader.stats.bytes += reader.done - offset;
            return Ok(ControlFlow::Break(reader.done));
        }
    }
    reader.stats.bytes += reader.done - offset;
    reader.stats.pending += blocks.offset() - reader.done;
    Ok(ControlFlow::Continue(reader.done))
}

struct Reader<'a, S> {
    sink: &'a mut S,
    stats: &'a mut Stats,
    lines: Lines,
    last_line: LastLine,
    /// Everything before this offset needs no second look.
    done: u64,
    repeats: Repeats,
}

impl<S: Sink> Reader<'_, S> {
    fn block(&mut self, block: Block<'_>) -> ControlFlow<()> {
        match block {
            Block::Lines { offset, text } => self.whole_lines(offset, text),
            Block::Rest { offset, text } if self.last_line == LastLine::MayGrow => {
                self.growing_line(offset, text)
            }
            Block::Rest { offset, text } => {
                self.stats.lines += 1;
                self.line(offset, text).map_continue(|_| ())
            }
            Block::Long { done, end } => {
                done.iter().try_for_each(|object| self.short(object).map_continue(|_| ()))?;
                end.map_or(ControlFlow::Continue(()), |end| self.long_end(&end))
            }
        }
    }

    fn whole_lines(&mut self, offset: u64, text: &[u8]) -> ControlFlow<()> {
        match self.lines {
            Lines::All => self.every_line(offset, text),
            Lines::Suspect if self.repeats.is_worthwhile() => self.lines_not_seen_before(offset, text),
            Lines::Suspect => self.suspect_lines(offset, text),
        }?;
        self.done = offset + text.len() as u64;
        ControlFlow::Continue(())
    }

    fn every_line(&mut self, offset: u64, text: &[u8]) -> ControlFlow<()> {
        let mut from = 0;
        for end in memchr_iter(b'\n', text) {
            self.line(offset + from as u64, slice(text, from..end))?;
            self.stats.lines += 1;
            from = end + 1;
        }
        ControlFlow::Continue(())
    }

    fn suspect_lines(&mut self, offset: u64, text: &[u8]) -> ControlFlow<()> {
        let mut from = 0;
        let mut flow = ControlFlow::Continue(());
        while let Some(range) = prefilter::next_line(text, from) {
            let whole = slice(text, range.start..range.end + 1);
            flow = self.suspect_line(offset + range.start as u64, whole);
            if flow.is_break() {
                break;
            }
            from = range.end + 1;
        }
        let read = if flow.is_break() { from } else { text.len() };
        self.stats.lines += memchr_iter(b'\n', slice(text, 0..read)).count() as u64;
        flow
    }

    fn lines_not_seen_before(&mut self, offset: u64, text: &[u8]) -> ControlFlow<()> {
        let mut from = 0;
        while from < text.len() {
            let rest = slice(text, from..text.len());
            if let Some((length, verdict)) = self.repeats.guess(rest) {
                self.sink.again(slice(rest, 0..length - 1), verdict, self.stats);
                self.stats.lines += 1;
                from += length;
                continue;
            }
            let length = memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
            let whole = slice(rest, 0..length);
            if let Some(verdict) = self.repeats.find(whole) {
                self.sink.again(slice(whole, 0..length - 1), verdict, self.stats);
            } else if prefilter::next_line(whole, 0).is_none() {
                self.repeats.learn(whole, Verdict::Quiet);
            } else {
                self.suspect_line(offset + from as u64, whole)?;
            }
            self.stats.lines += 1;
            from += length;
        }
        ControlFlow::Continue(())
    }

    /// A line, newline included, that the prefilter did not pass over.
    fn suspect_line(&mut self, offset: u64, whole: &[u8]) -> ControlFlow<()> {
        let line = slice(whole, 0..whole.len() - 1);
        if let Some(verdict) = self.repeats.find(whole) {
            self.sink.again(line, verdict, self.stats);
        } else if let Some(verdict) = self.line(offset, line)? {
            self.repeats.learn(whole, verdict);
        }
        ControlFlow::Continue(())
    }

    /// A line that will not change any more. Gives the verdict on its record if it holds just one.
    fn line(&mut self, offset: u64, line: &[u8]) -> ControlFlow<(), Option<Verdict>> {
        let (mut pieces, mut last) = (0, None);
        recover(line, &mut |piece| {
            pieces += 1;
            match piece {
                Piece::Record(range, glance) => {
                    self.done = offset + range.start as u64;
                    last = Some(self.sink.record(slice(line, range), &glance, self.stats)?);
                }
                fragment => self.skip(&fragment),
            }
            ControlFlow::Continue(())
        })?;
        self.done = offset + line.len() as u64;
        ControlFlow::Continue(last.filter(|_| pieces == 1))
    }

    /// The last line, if more of it may come: its whole records are taken, a fragment is left.
    fn growing_line(&mut self, offset: u64, line: &[u8]) -> ControlFlow<()> {
        let mut broke = ControlFlow::Continue(());
        self.done = offset + line.len() as u64;
        let _ = recover(line, &mut |piece| match piece {
            Piece::Record(range, glance) => {
                let start = offset + range.start as u64;
                broke = self.sink.record(slice(line, range), &glance, self.stats).map_continue(|_| ());
                if broke.is_break() {
                    self.done = start;
                }
                broke
            }
            Piece::Torn(at) | Piece::Foreign(at) => {
                self.done = offset + at as u64;
                ControlFlow::Break(())
            }
        });
        broke
    }

    fn long_end(&mut self, end: &LongEnd) -> ControlFlow<()> {
        if !end.newline && self.last_line == LastLine::MayGrow {
            self.done = end.open.offset;
            return ControlFlow::Continue(());
        }
        self.stats.lines += 1;
        self.unclosed(&end.open, &end.tail)?;
        self.done = end.tail.offset + end.tail.text.len() as u64 + u64::from(end.newline);
        ControlFlow::Continue(())
    }

    /// What a long line leaves open may be torn with a record glued behind it, if need be in the raw tail.
    fn unclosed(&mut self, open: &Short, tail: &Short) -> ControlFlow<()> {
        if open.text.is_empty() || self.short(open)? > 0 {
            return ControlFlow::Continue(());
        }
        let seen = usize::try_from((open.offset + 1).saturating_sub(tail.offset)).unwrap_or(usize::MAX);
        let text = slice(&tail.text, seen.min(tail.text.len())..tail.text.len());
        // It begins within the torn object that was just counted.
        recover(text, &mut |piece| match piece {
            Piece::Record(range, glance) => {
                self.sink.record(slice(text, range), &glance, self.stats).map_continue(|_| ())
            }
            Piece::Torn(_) | Piece::Foreign(_) => ControlFlow::Continue(()),
        })
    }

    /// The records of a shortened object, and how many there were.
    fn short(&mut self, object: &Short) -> ControlFlow<(), u64> {
        let mut records = 0;
        self.done = object.offset;
        recover(&object.text, &mut |piece| {
            let Piece::Record(range, glance) = piece else {
                self.skip(&piece);
                return ControlFlow::Continue(());
            };
            records += 1;
            self.stats.shortened += 1;
            self.stats.skipped.too_long += u64::from(object.incomplete);
            let flow = self.sink.record(slice(&object.text, range), &glance, self.stats).map_continue(|_| ());
            // Offsets within a shortened text are unknown, so only its first record can be come back to.
            if flow.is_break() && records > 1 {
                self.stats.skipped.too_long += 1;
                return ControlFlow::Continue(());
            }
            flow
        })?;
        ControlFlow::Continue(records)
    }

    fn skip(&mut self, fragment: &Piece<'_>) {
        match fragment {
            Piece::Torn(_) => self.stats.skipped.torn += 1,
            Piece::Foreign(_) => self.stats.skipped.not_object += 1,
            Piece::Record(..) => {}
        }
    }
}
