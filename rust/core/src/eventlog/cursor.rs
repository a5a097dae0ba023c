//! How far a log was read, and whether a file is still the one that was read.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use super::error::{At, LogError, LogErrorKind};

/// How many bytes before the offset prove that a file is the one that was read.
const PROOF: u64 = 4096;

/// Where the next scan begins. Plain data with a stable JSON form; made by a scan, not by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// The file system and the file on it, as `stat` gives them.
    pub device: u64,
    /// See `device`.
    pub inode: u64,
    /// Bytes of the file that need no second look.
    pub offset: u64,
    /// BLAKE3 of up to 4,096 bytes before the offset, in hexadecimal.
    pub proof: String,
    /// Bytes of the file that were looked at: those beyond the offset are an unfinished last line.
    pub seen: u64,
    /// When the file had last been written to: seconds and nanoseconds since 1970.
    pub modified: (i64, i64),
}

/// An open log file, its own or a rotated one.
#[derive(Debug)]
pub(super) struct LogFile {
    pub(super) path: PathBuf,
    pub(super) file: File,
    pub(super) metadata: Metadata,
}

impl LogFile {
    /// Opens a regular file, and nothing else: without waiting for a FIFO's writer, and without a moment
    /// between looking and opening.
    pub(super) fn open(path: &Path) -> Result<Self, LogError> {
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
        let file = OpenOptions::new().read(true).custom_flags(flags).open(path).at(path)?;
        let metadata = file.metadata().at(path)?;
        if !metadata.is_file() {
            return Err(LogError::new(LogErrorKind::NotAFile, path));
        }
        Ok(Self { path: path.to_owned(), file, metadata })
    }

    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }

    pub(super) fn identity(&self) -> (u64, u64) {
        (self.metadata.dev(), self.metadata.ino())
    }

    pub(super) fn modified(&self) -> (i64, i64) {
        (self.metadata.mtime(), self.metadata.mtime_nsec())
    }

    /// The cursor for having done with everything before `offset`, and having looked at what is before `seen`.
    pub(super) fn cursor(&self, offset: u64, seen: u64) -> Result<Cursor, LogError> {
        let (device, inode) = self.identity();
        Ok(Cursor {
            device,
            inode,
            offset,
            proof: self.proof(offset).at(&self.path)?,
            seen,
            modified: self.modified(),
        })
    }

    /// Whether this file holds what was read when `cursor` was made, whatever file that was.
    pub(super) fn continues(&self, cursor: &Cursor) -> bool {
        self.metadata.len() >= cursor.offset
            && self.proof(cursor.offset).is_ok_and(|proof| proof == cursor.proof)
    }

    /// Whether all of the file was looked at when `cursor` was made, and nothing was written since.
    pub(super) fn is_unchanged(&self, cursor: &Cursor) -> bool {
        self.metadata.len() == cursor.seen && self.modified() == cursor.modified
    }

    fn proof(&self, offset: u64) -> io::Result<String> {
        let length = offset.min(PROOF);
        let mut bytes = vec![0; usize::try_from(length).unwrap_or_default()];
        self.file.read_exact_at(&mut bytes, offset - length)?;
        Ok(blake3::hash(&bytes).to_hex().to_string())
    }
}
