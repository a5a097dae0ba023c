//! A directory whose repository is looked at again and again.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use super::changed::{self, ChangedPaths};
use super::debug_tags;
use super::diff_scan::DebugTag;
use super::host::Host;
use super::layout::Layout;
use super::paths::Prefix;
use super::snapshot::{self, Snapshot};
use super::stamp::Deadline;
use super::unknown::{Unknown, UnknownKind};
use super::warm::Warm;

/// A 256-bit digest, shown as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What a known revision is told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// Differs with HEAD, with anything staged, and with any content, mode or link target of a file that is
    /// not ignored; in submodules and nested repositories too.
    pub revision: Digest,
    /// Differs with the files alone: staging and committing them leaves it as it was.
    pub content: Digest,
}

/// The identity of a working tree at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Revision {
    /// Two equal fingerprints mean the same HEAD, index and files.
    Known(Fingerprint),
    /// No statement: it equals nothing, not even itself.
    Unknown(Unknown),
}

/// A directory, with what is remembered of its repository in memory. Nothing is ever written.
pub struct Workspace {
    path: PathBuf,
    host: Host,
    warm: Mutex<Memory>,
}

/// The memory and the repository that it is of.
#[derive(Default)]
struct Memory {
    git_dir: PathBuf,
    warm: Warm,
}

/// One reading of the repository.
struct Read {
    layout: Layout,
    snapshot: Snapshot,
    prefix: Prefix,
}

impl Workspace {
    /// Looks at nothing yet: a directory that is missing or in no repository shows in the answers.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, host: Host) -> Self {
        Self { path: path.into(), host, warm: Mutex::default() }
    }

    /// The directory it was made for.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the working tree and gives its identity, or why it cannot be told by `deadline`.
    #[must_use]
    pub fn revision(&self, deadline: Instant) -> Revision {
        let known = self.read(Deadline(deadline)).map(|Read { snapshot, .. }| Fingerprint {
            revision: Digest(*snapshot.full.as_bytes()),
            content: Digest(*snapshot.content.as_bytes()),
        });
        known.map_or_else(Revision::Unknown, Revision::Known)
    }

    /// The paths that differ from HEAD, with the untracked ones that are not ignored.
    #[must_use]
    pub fn changed_paths(&self, deadline: Instant) -> ChangedPaths {
        let deadline = Deadline(deadline);
        let known = self.read(deadline).and_then(|Read { layout, snapshot, prefix }| {
            changed::all(&layout, &snapshot, &prefix, &self.host, deadline)
        });
        known.map_or_else(ChangedPaths::KeepAll, ChangedPaths::Known)
    }

    /// The lines added since HEAD that carry `[DEBUG-`, and those of up to 200 untracked files of up to 1 MB,
    /// sorted. None outside of a repository.
    ///
    /// # Errors
    /// Where the working tree or the diff could not be read in time.
    pub fn debug_tags(&self, deadline: Instant) -> Result<Vec<DebugTag>, Unknown> {
        let deadline = Deadline(deadline);
        match self.read(deadline) {
            Ok(Read { layout, snapshot, prefix }) => {
                debug_tags::find(&layout, &snapshot, &prefix, &self.host, deadline)
            }
            Err(reason) if reason.kind() == UnknownKind::NoRepository => Ok(Vec::new()),
            Err(reason) => Err(reason),
        }
    }

    /// Waits for another thread's reading, at most until the deadline.
    fn lock(&self, deadline: Deadline) -> Result<MutexGuard<'_, Memory>, Unknown> {
        loop {
            match self.warm.try_lock() {
                Ok(memory) => return Ok(memory),
                Err(TryLockError::Poisoned(memory)) => return Ok(memory.into_inner()),
                Err(TryLockError::WouldBlock) if deadline.has_passed() => {
                    return Err(UnknownKind::TimedOut.into());
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    fn read(&self, deadline: Deadline) -> Result<Read, Unknown> {
        let path = std::fs::canonicalize(&self.path)
            .map_err(|_| Unknown::at(UnknownKind::NoRepository, &self.path))?;
        let layout = Layout::discover(&path, &self.host, deadline)?;
        let mut memory = self.lock(deadline)?;
        if memory.git_dir != layout.git_dir {
            *memory = Memory { git_dir: layout.git_dir.clone(), warm: Warm::default() };
        }
        let snapshot = snapshot::take(&layout, &mut memory.warm, &self.host, 0, deadline)?;
        let prefix = Prefix::of(&path, &layout.root);
        Ok(Read { layout, snapshot, prefix })
    }
}
