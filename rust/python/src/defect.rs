//! Defect ids.

use pyo3::prelude::*;
use serde_json::{Map, Value};

/// The id (`v1:…`) of the defect that `event` with the text `error` tells of.
#[pyfunction]
pub(crate) fn fingerprint(py: Python<'_>, event: &str, error: &str) -> String {
    py.detach(|| loop_core::fingerprint(event, error).to_string())
}

/// What is left of `error` when everything that changes between two occurrences is masked.
#[pyfunction]
pub(crate) fn template(py: Python<'_>, error: &str) -> String {
    py.detach(|| loop_core::template(error))
}

/// The id of a whole event record (a mapping); one without `error` is told apart by its other fields.
#[pyfunction]
pub(crate) fn fingerprint_record(record: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(loop_core::fingerprint_record(&map(record)?).to_string())
}

/// The id under which the-loop 20.10.2 has this record in its ledger.
#[pyfunction]
pub(crate) fn legacy_fingerprint(record: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(loop_core::legacy_fingerprint(&map(record)?))
}

/// A Python mapping as a record.
pub(crate) fn map(record: &Bound<'_, PyAny>) -> PyResult<Map<String, Value>> {
    Ok(pythonize::depythonize(record)?)
}
