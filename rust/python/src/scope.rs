//! Which commands cover a change.

use std::path::PathBuf;

use loop_core::{Command, DiskTree};
use pyo3::prelude::*;

/// The commands that cover `changed` (paths relative to `root`, or absolute) in the tree below `root`; `tools` are the
/// programs that are on PATH. Returns a mapping: `commands`, `open`, `uncovered`, `outside`.
#[pyfunction]
#[pyo3(signature = (root, changed, *, tools=None))]
pub(crate) fn scope(
    py: Python<'_>,
    root: PathBuf,
    changed: Vec<String>,
    tools: Option<Vec<String>>,
) -> PyResult<Bound<'_, PyAny>> {
    let tools = tools.unwrap_or_default();
    let found = py.detach(|| {
        let tree = DiskTree::new(root)?;
        let changed = changed.iter().map(String::as_str);
        Ok::<_, std::io::Error>(loop_core::scope(&tree, changed, &|tool| {
            tools.iter().any(|known| known == tool)
        }))
    })?;
    Ok(pythonize::pythonize(py, &found)?)
}

/// Whether the words of a check that was run satisfy `wanted`, one of `scope`'s commands.
#[pyfunction]
pub(crate) fn covers(run: Vec<String>, wanted: &Bound<'_, PyAny>) -> PyResult<bool> {
    let wanted: Command = pythonize::depythonize(wanted)?;
    let run: Vec<&str> = run.iter().map(String::as_str).collect();
    Ok(loop_core::covers(&run, &wanted))
}
