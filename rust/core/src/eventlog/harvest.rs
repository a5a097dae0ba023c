//! The edge: a log's path and a cursor → what is new, and the next cursor.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use super::cursor::{Cursor, LogFile};
use super::error::{At, LogError};
use super::group::{Defect, Groups};
use super::reader::{LastLine, Lines, Sink, read};
use super::rotation::{Begin, Part, plan};
use super::stats::{Limits, Stats};

/// What a scan found.
#[derive(Debug, Clone, PartialEq)]
pub struct Harvest {
    /// Each harness failure once, in the order of their first occurrence.
    pub defects: Vec<Defect>,
    /// Where the next scan begins.
    pub cursor: Cursor,
    /// What was read and skipped.
    pub stats: Stats,
}

/// Reads what is new in the log at `path` since `cursor` and groups its failures.
///
/// Without a cursor everything is new, rotated files included that still lie beside the log. With one, only
/// what was appended since is read; if the log was rotated meanwhile, first the rest of the file that the
/// cursor was made for, then those rotated after it, then the log. A last line without a newline is left to
/// the next scan unless it holds whole records only.
///
/// # Errors
/// When the log cannot be opened or read. Nothing in a log is an error, and nothing stops the reading.
pub fn harvest(path: &Path, cursor: Option<&Cursor>, limits: &Limits) -> Result<Harvest, LogError> {
    let mut groups = Groups::new(limits);
    let (cursor, stats) = scan(path, cursor, Begin::Rotated, Lines::Suspect, limits, &mut groups)?;
    Ok(Harvest { defects: groups.finish(), cursor, stats })
}

/// Groups the failures in a stream that ends, without cursor or file.
///
/// # Errors
/// When reading from the stream fails. `stats.more` tells that `Limits::defects` ended it early.
pub fn harvest_stream(stream: impl Read, limits: &Limits) -> io::Result<(Vec<Defect>, Stats)> {
    let (mut groups, mut stats) = (Groups::new(limits), Stats::default());
    let flow = read(stream, 0, Lines::Suspect, LastLine::Final, limits.line, &mut groups, &mut stats)?;
    stats.more = flow.is_break();
    Ok((groups.finish(), stats))
}

/// Reads on from `cursor` into `sink`; the next cursor.
pub(super) fn scan(
    path: &Path,
    cursor: Option<&Cursor>,
    begin: Begin,
    lines: Lines,
    limits: &Limits,
    sink: &mut impl Sink,
) -> Result<(Cursor, Stats), LogError> {
    let mut stats = Stats::default();
    let mut parts = plan(path, cursor, begin, &mut stats)?;
    if let ([only], Some(cursor)) = (parts.as_slice(), cursor)
        && only.from == cursor.offset
        && only.log.is_unchanged(cursor)
    {
        stats.pending = cursor.seen.saturating_sub(cursor.offset);
        return Ok((cursor.clone(), stats));
    }
    let last = parts.pop();
    for part in parts {
        if let ControlFlow::Break(offset) =
            read_part(&part, lines, LastLine::Final, limits, sink, &mut stats)?
        {
            stats.more = true;
            return Ok((part.log.cursor(offset, offset)?, stats));
        }
    }
    let Some(part) = last else { return Err(LogError::new(super::LogErrorKind::Missing, path)) };
    let flow = read_part(&part, lines, LastLine::MayGrow, limits, sink, &mut stats)?;
    stats.more = flow.is_break();
    let cursor = match flow {
        ControlFlow::Continue(offset) => part.log.cursor(offset, part.log.metadata.len()),
        ControlFlow::Break(offset) => part.log.cursor(offset, offset),
    }?;
    Ok((cursor, stats))
}

/// Reads a file up to the length that it had when it was opened, so that a busy writer cannot hold a scan.
fn read_part(
    Part { log, from }: &Part,
    lines: Lines,
    last_line: LastLine,
    limits: &Limits,
    sink: &mut impl Sink,
    stats: &mut Stats,
) -> Result<ControlFlow<u64, u64>, LogError> {
    let LogFile { path, file, metadata } = log;
    let mut file: &std::fs::File = file;
    file.seek(SeekFrom::Start(*from)).at(path)?;
    let stream = file.take(metadata.len().saturating_sub(*from));
    read(stream, *from, lines, last_line, limits.line, sink, stats).at(path)
}
