//! The edge to the file system: one log, wherever rotation has put it since the last harvest.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

use super::gather::{Defect, Gathered, Stats};
use super::{Cursor, Limits, lines};

/// How many files beside the log are looked at after a rotation.
const MAX_SIBLINGS: usize = 200;

/// What one harvest brought in.
#[derive(Debug)]
pub struct Harvest {
    /// In the order in which they were first met.
    pub defects: Vec<Defect>,
    /// Where the next harvest goes on.
    pub cursor: Cursor,
    /// What was read, and what was passed over.
    pub stats: Stats,
}

/// What was wrong with a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogErrorKind {
    /// There is none: nothing has been logged yet, or the path is wrong.
    Missing,
    /// It is a directory, a FIFO or a device: the path is wrong.
    NotAFile,
    /// Permission or I/O: try again, or mend the permissions.
    Unreadable,
}

/// A log that could not be read.
#[derive(Debug, Error)]
#[error("{path}: {}", match kind {
    LogErrorKind::Missing => "there is no such file".to_owned(),
    LogErrorKind::NotAFile => "is not a regular file".to_owned(),
    LogErrorKind::Unreadable => source.as_ref().map_or_else(String::new, ToString::to_string),
})]
pub struct LogError {
    kind: LogErrorKind,
    path: PathBuf,
    source: Option<io::Error>,
}

impl LogError {
    fn of(path: &Path, source: io::Error) -> Self {
        let missing = source.kind() == io::ErrorKind::NotFound;
        let kind = if missing { LogErrorKind::Missing } else { LogErrorKind::Unreadable };
        Self { kind, path: path.to_owned(), source: Some(source) }
    }

    /// What was wrong.
    #[must_use]
    pub fn kind(&self) -> LogErrorKind {
        self.kind
    }
}

/// Reads what is new in the log at `path` since `cursor` (everything without one) and groups it by defect.
///
/// A log that was renamed away is read to its end, then what followed it, then the log itself. What a copy has kept
/// of a truncated log is read there.
///
/// # Errors
/// [`LogError`] when there is no regular file that can be read. Nothing that stands in it is an error.
pub fn harvest(path: &Path, cursor: Option<&Cursor>, limits: &Limits) -> Result<Harvest, LogError> {
    let failed = |source| LogError::of(path, source);
    let (mut log, metadata) = open_log(path)?;
    let mut gathered = Gathered::default();
    let mut from = 0;
    if let Some(cursor) = cursor {
        if cursor.is_of(&metadata) && cursor.continues(&mut log, &metadata) {
            from = cursor.offset;
        } else {
            let rotated = rotated(path, &metadata, cursor);
            gathered.stats.lost_track = rotated.is_empty();
            for (mut file, metadata, from) in rotated {
                gathered.stats.rotated += 1;
                let offset = read(&mut file, &metadata, from, limits, true, &mut gathered).map_err(failed)?;
                if gathered.stats.more {
                    let cursor = Cursor::at(&mut file, &metadata, offset).map_err(failed)?;
                    return Ok(Harvest { defects: gathered.defects, cursor, stats: gathered.stats });
                }
            }
        }
    }
    let offset = read(&mut log, &metadata, from, limits, false, &mut gathered).map_err(failed)?;
    let cursor = Cursor::at(&mut log, &metadata, offset).map_err(failed)?;
    Ok(Harvest { defects: gathered.defects, cursor, stats: gathered.stats })
}

/// Opens the log itself.
pub(super) fn open_log(path: &Path) -> Result<(File, Metadata), LogError> {
    open(path).map_err(|source| LogError::of(path, source))?.ok_or_else(|| LogError {
        kind: LogErrorKind::NotAFile,
        path: path.to_owned(),
        source: None,
    })
}

/// Opens a regular file, without waiting for the other end of a FIFO; none for anything else.
fn open(path: &Path) -> io::Result<Option<(File, Metadata)>> {
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).map_err(io::Error::other)?;
    let file = File::options().read(true).custom_flags(nonblocking).open(path)?;
    let metadata = file.metadata()?;
    Ok(metadata.is_file().then_some((file, metadata)))
}

/// Reads `file` from an offset to where it ended when it was opened; the offset to go on from.
fn read(
    file: &mut File,
    metadata: &Metadata,
    from: u64,
    limits: &Limits,
    finished: bool,
    gathered: &mut Gathered,
) -> io::Result<u64> {
    file.seek(SeekFrom::Start(from))?;
    gathered.unended = None;
    let source = file.take(metadata.len().saturating_sub(from));
    let progress = lines::candidates(source, limits.line, |line| gathered.take(line, limits, finished))?;
    let end = gathered.unended.filter(|_| !progress.stopped).unwrap_or(progress.bytes);
    gathered.stats.bytes += end;
    gathered.stats.lines += progress.lines;
    Ok(from + end)
}

/// The files that hold what came between `cursor` and the log as it is now, oldest first, each with the offset to
/// read it from; empty when the cursor's place is nowhere to be found.
fn rotated(path: &Path, log: &Metadata, cursor: &Cursor) -> Vec<(File, Metadata, u64)> {
    let mut siblings: Vec<(SystemTime, PathBuf)> = siblings(path);
    siblings.sort();
    let mut files: Vec<_> = siblings
        .into_iter()
        .filter_map(|(_, path)| open(&path).ok()?)
        .filter(|(_, metadata)| !Cursor::same_file(metadata, log))
        .collect();
    // The very file under another name, else (copied, then truncated) one that begins with the same bytes.
    let renamed = files.iter_mut().position(|(file, now)| cursor.is_of(now) && cursor.continues(file, now));
    let found = renamed.or_else(|| {
        let mut copies = files.iter_mut().filter(|_| cursor.offset > 0);
        copies.position(|(file, now)| cursor.continues(file, now))
    });
    let Some(found) = found else { return Vec::new() };
    files
        .into_iter()
        .skip(found)
        .enumerate()
        .map(|(n, (file, metadata))| (file, metadata, if n == 0 { cursor.offset } else { 0 }))
        .collect()
}

/// Files beside the log whose names begin as its own does: `events.jsonl.1`, `events-20260301.jsonl`.
fn siblings(path: &Path) -> Vec<(SystemTime, PathBuf)> {
    let (Some(folder), Some(name), Some(stem)) = (path.parent(), path.file_name(), path.file_stem()) else {
        return Vec::new();
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries
        .flatten()
        .filter(|entry| {
            let other = entry.file_name();
            other != name && other.as_encoded_bytes().starts_with(stem.as_encoded_bytes())
        })
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .take(MAX_SIBLINGS)
        .collect()
}
