//! Why a log could not be read at all. Nothing that stands in a log is an error.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

/// A log that cannot be opened or read; says which and what to do.
#[derive(Debug, thiserror::Error)]
#[error("event log {}: {}{}", path.display(), kind.advice(), system(source.as_ref()))]
pub struct LogError {
    kind: LogErrorKind,
    path: PathBuf,
    source: Option<io::Error>,
}

/// What is wrong, from the caller's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LogErrorKind {
    /// There is no such file, and no rotated file that the cursor knows. Nothing to scan yet; try later.
    Missing,
    /// A directory, FIFO, socket or device. Never opened for reading, so it cannot block.
    NotAFile,
    /// The user running the scan may not read it.
    PermissionDenied,
    /// The system failed to read it; the cursor is unchanged, so scanning again loses nothing.
    Unreadable,
}

impl LogErrorKind {
    fn advice(self) -> &'static str {
        match self {
            Self::Missing => {
                "there is no such file; check the path, or wait until the host has written a record"
            }
            Self::NotAFile => "is not a regular file; name the file that the host appends to",
            Self::PermissionDenied => "permission denied; let the user who runs the scan read it",
            Self::Unreadable => "reading failed; try again",
        }
    }
}

impl LogError {
    pub(super) fn new(kind: LogErrorKind, path: &Path) -> Self {
        Self { kind, path: path.to_owned(), source: None }
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> LogErrorKind {
        self.kind
    }

    /// The file concerned.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// What the system said, in brackets.
fn system(source: Option<&io::Error>) -> String {
    source.map_or_else(String::new, |source| format!(" ({source})"))
}

/// Attaches the path to an I/O failure.
pub(super) trait At<T> {
    fn at(self, path: &Path) -> Result<T, LogError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, LogError> {
        self.map_err(|source| {
            let kind = match source.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => LogErrorKind::Missing,
                io::ErrorKind::PermissionDenied => LogErrorKind::PermissionDenied,
                // Opening a socket.
                _ if source.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => LogErrorKind::NotAFile,
                _ => LogErrorKind::Unreadable,
            };
            LogError { kind, path: path.to_owned(), source: Some(source) }
        })
    }
}
