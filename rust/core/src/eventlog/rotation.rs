//! Which files hold what was not read yet, oldest first, when logs are rotated between two scans.

use std::cmp::Reverse;
use std::path::Path;

use super::cursor::{Cursor, LogFile};
use super::error::{LogError, LogErrorKind};
use super::stats::Stats;

/// Files that are read in one scan at most; older ones are counted as unreadable.
const MAX_FILES: usize = 128;
const COMPRESSED: &[&str] = &[".gz", ".xz", ".zst", ".bz2", ".lz4", ".zip", ".Z"];

/// A file and where to begin in it.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) log: LogFile,
    pub(super) from: u64,
}

/// What a first scan, without a cursor, begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    /// The rotated files that are still there.
    Rotated,
    /// The log itself.
    Log,
}

/// What a sibling's name says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Name {
    /// `.1` is newer than `.2`; `None` where the name carries a date, or nothing that is known.
    generation: Option<u32>,
    compressed: bool,
    /// The name has the form that a log rotation gives.
    known: bool,
}

struct Sibling {
    name: Name,
    log: LogFile,
}

/// The files to read, in order; the last one may still grow.
pub(super) fn plan(
    path: &Path,
    cursor: Option<&Cursor>,
    begin: Begin,
    stats: &mut Stats,
) -> Result<Vec<Part>, LogError> {
    let current = match (LogFile::open(path), cursor) {
        (Ok(log), _) => Some(log),
        // Rotated away, and nothing was written since.
        (Err(error), Some(_)) if error.kind() == LogErrorKind::Missing => None,
        (Err(error), _) => return Err(error),
    };
    let begins_in_current = match (&current, cursor) {
        (Some(log), Some(cursor)) => log.identity() == (cursor.device, cursor.inode) && log.continues(cursor),
        (_, None) => begin == Begin::Log,
        (None, Some(_)) => false,
    };
    let from = cursor.map_or(0, |cursor| cursor.offset);
    if begins_in_current {
        return Ok(current.into_iter().map(|log| Part { log, from }).collect());
    }
    let mut siblings = siblings(path, current.as_ref(), cursor, stats);
    let mut parts = Vec::new();
    if let Some(cursor) = cursor {
        let found = find(&siblings, cursor);
        if current.is_none() && found.is_none() {
            return Err(LogError::new(LogErrorKind::Missing, path));
        }
        let shorter = |log: &LogFile| {
            log.identity() == (cursor.device, cursor.inode) && log.metadata.len() < cursor.offset
        };
        stats.truncated = current.as_ref().is_some_and(shorter);
        stats.replaced = found.is_none() && !stats.truncated;
        if let Some(found) = found {
            let found = siblings.swap_remove(found);
            siblings.retain(|sibling| sibling.name.known && is_newer(sibling, &found));
            parts.push(Part { log: found.log, from });
        } else {
            siblings.retain(|sibling| sibling.name.known && sibling.log.modified() >= cursor.modified);
        }
    } else {
        siblings.retain(|sibling| sibling.name.known);
    }
    sort(&mut siblings);
    let excess = siblings.len().saturating_sub(MAX_FILES);
    stats.rotated_files_unreadable += excess as u64;
    parts.extend(siblings.into_iter().skip(excess).map(|sibling| Part { log: sibling.log, from: 0 }));
    stats.rotated_files_read = parts.len() as u64;
    parts.extend(current.map(|log| Part { log, from: 0 }));
    Ok(parts)
}

/// The rotated file that the cursor was made for: the same file under another name, or else a copy of it.
fn find(siblings: &[Sibling], cursor: &Cursor) -> Option<usize> {
    let same = |sibling: &Sibling| {
        sibling.log.identity() == (cursor.device, cursor.inode) && sibling.log.continues(cursor)
    };
    let copy = |sibling: &Sibling| cursor.offset > 0 && sibling.log.continues(cursor);
    siblings.iter().position(same).or_else(|| siblings.iter().position(copy))
}

fn is_newer(sibling: &Sibling, found: &Sibling) -> bool {
    match (sibling.name.generation, found.name.generation) {
        (Some(number), Some(of_found)) => number < of_found,
        _ => (sibling.log.modified(), &sibling.log.path) > (found.log.modified(), &found.log.path),
    }
}

/// Oldest first: dated files by when they were last written to, then numbered ones by number.
fn sort(siblings: &mut [Sibling]) {
    siblings.sort_by_cached_key(|sibling| {
        let dated = sibling.name.generation.is_none().then(|| sibling.log.modified());
        (dated.is_none(), dated, Reverse(sibling.name.generation), sibling.log.path.clone())
    });
}

/// The readable files beside the log whose names begin like its own.
fn siblings(
    path: &Path,
    current: Option<&LogFile>,
    cursor: Option<&Cursor>,
    stats: &mut Stats,
) -> Vec<Sibling> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let base = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let Some(name) = entry.file_name().to_str().and_then(|name| name_of(base, name)) else { continue };
        match LogFile::open(&entry.path()) {
            Ok(log) if name.compressed => {
                let unread = cursor.is_none_or(|cursor| log.modified() >= cursor.modified);
                stats.rotated_files_unreadable += u64::from(name.known && unread);
            }
            Ok(log) if current.is_none_or(|current| !current.is_same_file(&log)) => {
                found.push(Sibling { name, log });
            }
            Ok(_) => {}
            Err(error) => {
                let unreadable =
                    matches!(error.kind(), LogErrorKind::PermissionDenied | LogErrorKind::Unreadable);
                stats.rotated_files_unreadable += u64::from(name.known && unreadable);
            }
        }
    }
    found
}

/// Judges a name next to the log's: `None` if it is the log's own or begins differently.
///
/// Known forms for `events.jsonl`: `events.jsonl.1`, `events.jsonl-20261130`, `events.jsonl.2026-11-30_09`,
/// `events.1.jsonl`, `events-2026-11-30.jsonl`; each may be compressed.
fn name_of(base: &str, name: &str) -> Option<Name> {
    let uncompressed = COMPRESSED.iter().find_map(|ending| name.strip_suffix(ending));
    let (stem, ending) = base.rsplit_once('.').map_or((base, ""), |(stem, _)| (stem, &base[stem.len()..]));
    let full = uncompressed.unwrap_or(name);
    let mark = match full.strip_prefix(base) {
        Some(mark) => mark,
        None => full.strip_prefix(stem)?.strip_suffix(ending)?,
    };
    if mark.is_empty() && uncompressed.is_none() {
        return None;
    }
    let digits = mark.strip_prefix(['.', '-', '_']).unwrap_or_default();
    let generation = digits.parse().ok().filter(|_| digits.len() <= 3);
    let dated = digits.bytes().filter(u8::is_ascii_digit).count() >= 6
        && digits.bytes().all(|b| b.is_ascii_digit() || b"-_.:TZ+".contains(&b));
    Some(Name { generation, compressed: uncompressed.is_some(), known: generation.is_some() || dated })
}
