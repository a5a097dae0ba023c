//! Evidence and dossiers.

use loop_core::Evidence;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::error;
use crate::redact::Redactor;

/// Gathers the evidence of one defect from its last raw records (oldest first): of `count` in all, the first at
/// `first_seen`. Returns a JSON-able mapping: everything in it may leave the machine.
#[pyfunction]
#[pyo3(signature = (records, redactor, *, count, first_seen=""))]
pub(crate) fn gather_evidence<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyAny>,
    redactor: &Redactor,
    count: u64,
    first_seen: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let records: Vec<Map<String, Value>> = pythonize::depythonize(records)?;
    let evidence = py.detach(|| Evidence::gather(&records, count, first_seen, redactor.core()));
    Ok(pythonize::pythonize(py, &evidence)?)
}

/// Joins what an earlier and a later scan saw of the same defect.
#[pyfunction]
pub(crate) fn merge_evidence<'py>(
    py: Python<'py>,
    earlier: &Bound<'py, PyAny>,
    later: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut merged = evidence(earlier)?;
    merged.merge(evidence(later)?);
    Ok(pythonize::pythonize(py, &merged)?)
}

/// The dossier as Markdown, at most 6,000 characters: the oldest records are dropped first.
#[pyfunction]
#[pyo3(name = "render_dossier")]
pub(crate) fn render_dossier(
    py: Python<'_>,
    evidence: &Bound<'_, PyAny>,
    redactor: &Redactor,
) -> PyResult<String> {
    let evidence = self::evidence(evidence)?;
    Ok(py.detach(|| evidence.render(redactor.core()).into_string()))
}

/// Evidence that a ledger kept.
pub(crate) fn evidence(kept: &Bound<'_, PyAny>) -> PyResult<Evidence> {
    pythonize::depythonize(kept).map_err(|e| error::evidence(&e))
}
