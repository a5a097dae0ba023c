//! Where a scan ended: enough to go on there, and to notice that the file there is another one now.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;

use serde::{Deserialize, Serialize};

/// How many bytes before the offset are hashed.
const HASHED: u64 = 4096;

/// A place in a log. Its JSON form is stable: a ledger keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// The file's device and inode.
    pub device: u64,
    /// See `device`.
    pub inode: u64,
    /// How many bytes were read.
    pub offset: u64,
    /// Hash of up to 4 KiB in front of `offset`, 32 hex digits.
    pub hash: String,
}

impl Cursor {
    /// The cursor at `offset` of an open log.
    pub(super) fn at(file: &mut File, metadata: &Metadata, offset: u64) -> io::Result<Self> {
        Ok(Self { device: metadata.dev(), inode: metadata.ino(), offset, hash: hash_before(file, offset)? })
    }

    /// Whether this is the very file that the cursor was taken of.
    pub(super) fn is_of(&self, metadata: &Metadata) -> bool {
        self.device == metadata.dev() && self.inode == metadata.ino()
    }

    /// Whether two open files are one.
    pub(super) fn same_file(one: &Metadata, other: &Metadata) -> bool {
        one.dev() == other.dev() && one.ino() == other.ino()
    }

    /// Whether the bytes in front of the offset are those that were read: false for a file that was truncated,
    /// rewritten, or is another one under the same inode.
    pub(super) fn continues(&self, file: &mut File, metadata: &Metadata) -> bool {
        metadata.len() >= self.offset && hash_before(file, self.offset).is_ok_and(|hash| hash == self.hash)
    }
}

fn hash_before(file: &mut File, offset: u64) -> io::Result<String> {
    let length = offset.min(HASHED);
    file.seek(SeekFrom::Start(offset - length))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(blake3::hash(&bytes).to_hex().chars().take(32).collect())
}
