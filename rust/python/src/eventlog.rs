//! The event log.

use std::path::PathBuf;

use loop_core::{Candidacy, Cursor, Limits};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::{defect, error};

/// Whether a record (a mapping) tells of a failure of the harness itself.
#[pyfunction]
pub(crate) fn is_candidate(record: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(loop_core::candidacy(&defect::map(record)?) == Candidacy::Yes)
}

/// One defect and what a log says of it.
#[pyclass(frozen, module = "the_loop_core._core")]
pub(crate) struct Defect {
    inner: loop_core::Defect,
}

#[pymethods]
impl Defect {
    /// Its id, `v1:…`.
    #[getter]
    fn id(&self) -> &str {
        self.inner.id.as_str()
    }

    /// The ids under which the existing host has it.
    #[getter]
    fn legacy(&self) -> Vec<String> {
        self.inner.legacy.clone()
    }

    /// The event's name.
    #[getter]
    fn event(&self) -> &str {
        &self.inner.event
    }

    /// How many records told of it.
    #[getter]
    fn count(&self) -> u64 {
        self.inner.count
    }

    /// `ts` of the first of them; empty when it has none.
    #[getter]
    fn first_seen(&self) -> &str {
        &self.inner.first_seen
    }

    /// `ts` of the last one.
    #[getter]
    fn last_seen(&self) -> &str {
        &self.inner.last_seen
    }

    /// The last records, oldest first, as mappings.
    #[getter]
    fn records<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize::pythonize(py, &self.inner.records)?)
    }
}

/// What one harvest brought in.
#[pyclass(frozen, module = "the_loop_core._core")]
pub(crate) struct Harvest {
    defects: Vec<Py<Defect>>,
    cursor: Cursor,
    stats: loop_core::Stats,
}

#[pymethods]
impl Harvest {
    /// The defects, in the order in which they were first met.
    #[getter]
    fn defects(&self, py: Python<'_>) -> Vec<Py<Defect>> {
        self.defects.iter().map(|defect| defect.clone_ref(py)).collect()
    }

    /// Where the next harvest goes on: a JSON-able mapping.
    #[getter]
    fn cursor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // By way of JSON, so that what a ledger gives back equals what was given.
        let json = serde_json::to_value(&self.cursor).map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(pythonize::pythonize(py, &json)?)
    }

    /// What was read, and what was passed over: names to counts.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize::pythonize(py, &self.stats)?)
    }
}

/// Reads what is new in the log at `path` since `cursor` (everything without one, or with one that is none) and
/// groups it by defect, at most `defects` of them. Other threads run meanwhile. Raises `LogError`.
#[pyfunction]
#[pyo3(signature = (path, cursor=None, *, defects=None))]
pub(crate) fn harvest(
    py: Python<'_>,
    path: PathBuf,
    cursor: Option<&Bound<'_, PyAny>>,
    defects: Option<usize>,
) -> PyResult<Harvest> {
    let cursor: Option<Cursor> = cursor.and_then(|cursor| pythonize::depythonize(cursor).ok());
    let mut limits = Limits::default();
    limits.defects = defects.unwrap_or(limits.defects);
    let harvest =
        py.detach(|| loop_core::harvest(&path, cursor.as_ref(), &limits)).map_err(|e| error::log(&e))?;
    let defects =
        harvest.defects.into_iter().map(|inner| Py::new(py, Defect { inner })).collect::<PyResult<_>>()?;
    Ok(Harvest { defects, cursor: harvest.cursor, stats: harvest.stats })
}

/// A log being read to its end, and on from there when called again.
#[pyclass(module = "the_loop_core._core")]
pub(crate) struct Tail {
    inner: loop_core::Tail,
}

#[pymethods]
impl Tail {
    /// Opens the log at `path`, to be read from its beginning. Raises `LogError`.
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Ok(Self { inner: loop_core::Tail::open(&path).map_err(|e| error::log(&e))? })
    }

    /// The next records as mappings, about a mebibyte's worth; empty at the end of the log for now.
    fn next_records<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let records = py.detach(|| self.inner.next_records()).map_err(|e| error::log(&e))?;
        Ok(pythonize::pythonize(py, &records)?)
    }
}
