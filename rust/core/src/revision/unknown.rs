//! Why a working tree's identity could not be told.

use std::path::{Path, PathBuf};

/// Why no fingerprint could be given; it never stands for any state of the tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}{}", .path.as_ref().map(|path| format!(": {}", path.display())).unwrap_or_default())]
pub struct Unknown {
    kind: UnknownKind,
    path: Option<PathBuf>,
}

/// The kinds of [`Unknown`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownKind {
    /// The path is in no repository with a working tree. Asking again does not help.
    #[error("no git working tree")]
    NoRepository,
    /// HEAD names no commit yet, so nothing can differ from it. The first commit changes that.
    #[error("no commit yet")]
    NoCommit,
    /// The deadline passed first. A later call starts from what this one learnt.
    #[error("out of time")]
    TimedOut,
    /// HEAD, the index or a file changed while it was read, twice in a row. Asking again may help.
    #[error("changed while it was read")]
    Changing,
    /// A file, a directory or the index could not be read.
    #[error("not readable")]
    Unreadable,
    /// The index is damaged, or names a path that no working tree can hold.
    #[error("not a valid index")]
    BadIndex,
    /// Git was needed, and is missing, failed or gave an answer of another shape.
    #[error("git gave no answer")]
    Git,
    /// Repositories are nested deeper than is followed.
    #[error("nested too deeply")]
    TooDeep,
    /// A fault of this library.
    #[error("internal fault")]
    Internal,
}

impl Unknown {
    pub(super) fn at(kind: UnknownKind, path: impl AsRef<Path>) -> Self {
        Self { kind, path: Some(path.as_ref().to_owned()) }
    }

    /// What kind of reason it is.
    #[must_use]
    pub fn kind(&self) -> UnknownKind {
        self.kind
    }

    /// The path that the reason is about, where there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

impl From<UnknownKind> for Unknown {
    fn from(kind: UnknownKind) -> Self {
        Self { kind, path: None }
    }
}
