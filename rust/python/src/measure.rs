//! Controlled measurements.

use loop_core::{MeasureSpec, Outcome};
use pyo3::prelude::*;

use crate::error;

/// A measurement: which trial comes next, what came of each, and the report. `spec` is a mapping with `command`,
/// `expected_work` and what else a request may hold. Raises `MeasureError`.
#[pyclass(module = "the_loop_core._core")]
pub(crate) struct Plan {
    inner: loop_core::Plan,
}

#[pymethods]
impl Plan {
    #[new]
    fn new(spec: &Bound<'_, PyAny>) -> PyResult<Self> {
        let spec: MeasureSpec = pythonize::depythonize(spec)?;
        Ok(Self { inner: loop_core::Plan::new(spec).map_err(|e| error::measure(&e))? })
    }

    /// How many seconds the whole measurement may take.
    #[getter]
    fn deadline_seconds(&self) -> u64 {
        self.inner.deadline_seconds()
    }

    /// The next trial as a mapping; none when all were recorded or one did not count.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.inner.next().map(|trial| pythonize::pythonize(py, &trial)).transpose()?)
    }

    /// Takes what the host saw of the next trial, a mapping. Raises `MeasureError` when it does not count.
    fn record(&mut self, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        let outcome: Outcome = pythonize::depythonize(outcome)?;
        self.inner.record(&outcome).map_err(|e| error::measure(&e))
    }

    /// Ends the measurement without a report.
    fn cancel(&mut self) {
        self.inner.cancel();
    }

    /// The report as a mapping. Raises `MeasureError` unless every trial counted.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let report = self.inner.report().map_err(|e| error::measure(&e))?;
        Ok(pythonize::pythonize(py, &report)?)
    }
}
