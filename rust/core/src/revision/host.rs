//! What the caller says of the machine: the core reads neither its environment nor its clock.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The clock and the directories of the user.
#[derive(Debug, Clone)]
pub struct Host {
    /// Tells the time now, on the clock that stamps files: usually `SystemTime::now`.
    pub clock: fn() -> SystemTime,
    /// The user's home directory, for `~/` in settings and for the user's own ignore file.
    pub home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, where set.
    pub config_home: Option<PathBuf>,
}

impl Host {
    /// Where git looks for `ignore` and `attributes` when no setting names them.
    pub(super) fn git_config_dir(&self) -> Option<PathBuf> {
        let own = self.config_home.as_ref().filter(|path| !path.as_os_str().is_empty());
        own.map(|path| path.join("git")).or_else(|| self.home.as_ref().map(|home| home.join(".config/git")))
    }

    /// A path as git reads it from a setting: `~/` is the home, others are relative to `base`.
    pub(super) fn expand(&self, path: &Path, base: &Path) -> Option<PathBuf> {
        match path.strip_prefix("~") {
            Ok(rest) => self.home.as_ref().map(|home| home.join(rest)),
            Err(_) => Some(base.join(path)),
        }
    }
}
