//! The working tree.

use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use loop_core::{ChangedPaths, Host, Revision};
use pyo3::prelude::*;

use crate::error;

/// A directory, with what is remembered of its repository in memory; nothing is ever written. `home` and
/// `config_home` (`XDG_CONFIG_HOME`) are where git's settings of the user are.
#[pyclass(frozen, module = "the_loop_core._core")]
pub(crate) struct Workspace {
    inner: loop_core::Workspace,
}

#[pymethods]
impl Workspace {
    #[new]
    #[pyo3(signature = (path, *, home=None, config_home=None))]
    #[expect(clippy::disallowed_methods, reason = "the clock is this face's to give")]
    fn new(path: PathBuf, home: Option<PathBuf>, config_home: Option<PathBuf>) -> Self {
        Self { inner: loop_core::Workspace::new(path, Host { clock: SystemTime::now, home, config_home }) }
    }

    /// The identity of the working tree: (`revision`, `content`), each 64 hexadecimal digits, else
    /// `RevisionError`. `content` differs with the files alone, `revision` with HEAD and what is staged as well.
    /// Waits at most `seconds`; other threads run meanwhile.
    #[pyo3(signature = (seconds=10.0))]
    fn revision(&self, py: Python<'_>, seconds: f64) -> Result<(String, String), PyErr> {
        match py.detach(|| self.inner.revision(deadline(seconds))) {
            Revision::Known(known) => Ok((known.revision.to_string(), known.content.to_string())),
            Revision::Unknown(reason) => Err(error::unknown(&reason)),
        }
    }

    /// The paths that differ from HEAD, with the untracked ones that are not ignored; none when git cannot say.
    #[pyo3(signature = (seconds=10.0))]
    fn changed_paths(&self, py: Python<'_>, seconds: f64) -> Option<Vec<PathBuf>> {
        match py.detach(|| self.inner.changed_paths(deadline(seconds))) {
            ChangedPaths::Known(paths) => Some(paths),
            ChangedPaths::KeepAll(_) => None,
        }
    }

    /// The added lines that carry `[DEBUG-`, as (path, line number).
    #[pyo3(signature = (seconds=10.0))]
    fn debug_tags(&self, py: Python<'_>, seconds: f64) -> PyResult<Vec<(PathBuf, usize)>> {
        let tags = py.detach(|| self.inner.debug_tags(deadline(seconds)));
        let tags = tags.map_err(|reason| error::unknown(&reason))?;
        Ok(tags.into_iter().map(|tag| (tag.path, tag.line)).collect())
    }
}

fn deadline(seconds: f64) -> Instant {
    let now = Instant::now();
    now.checked_add(Duration::try_from_secs_f64(seconds).unwrap_or_default()).unwrap_or(now)
}

/// The added lines of a diff in git's form that carry `[DEBUG-`, as (path, line number).
#[pyfunction]
pub(crate) fn debug_tags_in_diff(diff: &[u8]) -> Vec<(PathBuf, usize)> {
    loop_core::debug_tags_in_diff(diff).into_iter().map(|tag| (tag.path, tag.line)).collect()
}

/// The numbers of the lines of a text that carry `[DEBUG-`.
#[pyfunction]
pub(crate) fn debug_tag_lines(text: &[u8]) -> Vec<usize> {
    loop_core::debug_tag_lines(text)
}
