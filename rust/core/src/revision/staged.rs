//! The index as one reading found it: its entries, their digest, and the file they came from.

use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};

use super::index::{Entry, Index, IndexError, PackedTime, mode, parse_listing};
use super::layout::Layout;
use super::paths::os_path;
use super::read::look;
use super::stamp::{Deadline, Stamp};
use super::unknown::{Unknown, UnknownKind};

/// The largest index that is read. A million paths take about 100 MB.
const INDEX_LIMIT: u64 = 1 << 30;

/// A read index.
pub(super) struct Staged {
    pub(super) index: Index,
    /// The facts of the index file; `None` where there was none.
    pub(super) stamp: Option<Stamp>,
    /// When the index was written: entries younger than this are compared by content.
    pub(super) written: PackedTime,
    digest: OnceLock<blake3::Hash>,
    /// Whether every entry stages a content: no conflict, no `git add -N`.
    pub(super) is_plain: bool,
    /// Whether some entry stands for a whole directory outside a sparse checkout.
    has_folded: bool,
}

impl Staged {
    /// Reads the index of `layout`, through git where its form asks for it.
    pub(super) fn read(layout: &Layout, deadline: Deadline) -> Result<Self, Unknown> {
        let path = layout.git_dir.join("index");
        let Some((file, stamp)) = open(&path)? else {
            return Ok(Self::new(Index::empty(layout.format), None));
        };
        let parsed = match Index::parse(file, stamp.size, layout.format) {
            Ok(index) if index.entries().iter().any(|entry| is_unfolded(&index, entry, layout)) => {
                Err(IndexError::NeedsGit)
            }
            other => other,
        };
        match parsed {
            Ok(index) => Ok(Self::new(index, Some(stamp))),
            Err(IndexError::NeedsGit) => {
                let listing = layout.git(&layout.root).args(["ls-files", "-z", "-t", "--stage"]);
                let limit = usize::try_from(INDEX_LIMIT).unwrap_or(usize::MAX);
                let listing = listing.output(limit, deadline)?;
                let index = parse_listing(&listing, layout.format).map_err(|_| UnknownKind::Git)?;
                Ok(Self::new(index, Some(stamp)))
            }
            Err(IndexError::Unreadable) => Err(Unknown::at(UnknownKind::Unreadable, path)),
            Err(IndexError::Malformed) => Err(Unknown::at(UnknownKind::BadIndex, path)),
        }
    }

    fn new(index: Index, stamp: Option<Stamp>) -> Self {
        let is_plain = index.entries().iter().all(Entry::is_staged);
        let has_folded = index.entries().iter().any(|entry| entry.mode == mode::DIRECTORY);
        let written = stamp.map_or_else(PackedTime::default, |stamp| PackedTime::of(stamp.mtime));
        Self { index, stamp, written, digest: OnceLock::new(), is_plain, has_folded }
    }

    /// Whether the index is still as it was read: the same file, and its folded directories still absent.
    pub(super) fn is_current(&self, layout: &Layout) -> bool {
        current_stamp(layout).is_ok_and(|stamp| stamp == self.stamp)
            && !(self.has_folded
                && self.index.entries().iter().any(|entry| is_unfolded(&self.index, entry, layout)))
    }

    /// The digest of everything staged: the records of the plain entries, in order.
    pub(super) fn digest(&self) -> blake3::Hash {
        *self.digest.get_or_init(|| {
            let mut hasher = blake3::Hasher::new();
            self.update_with_records(&mut hasher, 0, self.index.entries().len());
            hasher.finalize()
        })
    }

    /// Hashes the records of the plain entries from `start` up to `end`.
    pub(super) fn update_with_records(&self, hasher: &mut blake3::Hasher, start: usize, end: usize) {
        if self.is_plain {
            hasher.update(self.index.records(start, end));
            return;
        }
        for entry in
            self.index.entries().get(start..end).unwrap_or(&[]).iter().filter(|entry| entry.is_staged())
        {
            hasher.update(self.index.record(entry));
        }
    }
}

/// The facts of the index file now.
fn current_stamp(layout: &Layout) -> Result<Option<Stamp>, UnknownKind> {
    use std::os::fd::AsFd;
    use std::os::unix::ffi::OsStrExt;
    look(CWD.as_fd(), layout.git_dir.join("index").as_os_str().as_bytes())
}

fn open(path: &Path) -> Result<Option<(File, Stamp)>, Unknown> {
    let unreadable = || Unknown::at(UnknownKind::Unreadable, path);
    let file = match openat(CWD, path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty()) {
        Ok(file) => file,
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(_) => return Err(unreadable()),
    };
    let stamp = Stamp::of(&fstat(&file).map_err(|_| unreadable())?);
    if stamp.file_type() != FileType::RegularFile || stamp.size > INDEX_LIMIT {
        return Err(unreadable());
    }
    Ok(Some((File::from(file), stamp)))
}

/// A sparse index keeps directories outside the checkout as one entry each. Where one of them is there
/// all the same, its files must be compared, so git has to list them.
fn is_unfolded(index: &Index, entry: &Entry, layout: &Layout) -> bool {
    entry.mode == mode::DIRECTORY && layout.root.join(os_path(index.path(entry))).symlink_metadata().is_ok()
}
