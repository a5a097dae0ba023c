//! Where the working tree is not as staged.

use super::oid::ObjectId;
use super::read::Content;
use super::stamp::Stamp;

/// A path whose state in the working tree is not what the index says.
#[derive(Debug, Clone)]
pub(super) struct Deviation {
    /// Relative to the root, with slashes.
    pub(super) path: Box<[u8]>,
    /// The index has the path.
    pub(super) tracked: bool,
    pub(super) found: Found,
}

/// What there is instead.
#[derive(Debug, Clone)]
pub(super) enum Found {
    Gone,
    /// A directory, pipe, socket or device in the place of a file.
    Special {
        mode: u32,
    },
    /// A file or link.
    File {
        mode: u32,
        stamp: Stamp,
        /// Its bytes as they are.
        raw: Content,
        /// What git would store: not the same where a filter or line-end conversion applies.
        stored: ObjectId,
    },
    /// A submodule or another nested repository.
    Repository {
        full: blake3::Hash,
        content: blake3::Hash,
    },
}

impl Found {
    pub(super) fn file(mode: u32, stamp: Stamp, raw: Content) -> Self {
        Self::File { mode, stamp, raw, stored: raw.id }
    }
}
