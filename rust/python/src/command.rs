//! Shell commands: what they are, whether they check something, whether they only read.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The tree of a bash text as a mapping. Raises `CommandError` when what it does cannot be proved.
#[pyfunction]
pub(crate) fn parse_shell<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let script =
        py.detach(|| loop_core::shell::parse(text)).map_err(|reason| crate::error::command(&reason))?;
    // By way of JSON: pairs are lists in it, and tuples otherwise.
    let json = serde_json::to_value(&script).map_err(|e| PyValueError::new_err(e.to_string()))?;
    Ok(pythonize::pythonize(py, &json)?)
}

/// Whether a command is exactly one standalone verification run, and which: a mapping.
#[pyfunction]
pub(crate) fn recognise_check<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let check = py.detach(|| loop_core::check::recognise(text));
    Ok(pythonize::pythonize(py, &check)?)
}

/// Whether a command is provably read-only, and why: a mapping.
#[pyfunction]
pub(crate) fn judge_readonly<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let verdict = py.detach(|| loop_core::readonly::judge(text));
    Ok(pythonize::pythonize(py, &verdict)?)
}
