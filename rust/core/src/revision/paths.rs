//! Paths in git's form (bytes with slashes, from the root) and in the caller's (from the workspace's directory).

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A path in git's form as one of the system.
pub(super) fn os_path(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

/// Where the workspace's directory lies in the working tree.
pub(super) struct Prefix(Vec<u8>);

impl Prefix {
    pub(super) fn of(directory: &Path, root: &Path) -> Self {
        let mut inside =
            directory.strip_prefix(root).unwrap_or(Path::new("")).as_os_str().as_bytes().to_vec();
        if !inside.is_empty() {
            inside.push(b'/');
        }
        Self(inside)
    }

    /// The path from the workspace's directory; `None` for one outside of it.
    pub(super) fn strip(&self, path: &[u8]) -> Option<PathBuf> {
        path.strip_prefix(&self.0[..]).map(|path| os_path(path).to_owned())
    }
}
