//! Findings, prompts and reports.

use std::collections::BTreeMap;

use loop_core::{Findings, ReportOptions};
use pyo3::prelude::*;

use crate::redact::Redactor;
use crate::{control, dossier, error};

/// An issue that may be posted.
#[pyclass(frozen, get_all, module = "the_loop_core._core")]
pub(crate) struct Report {
    /// At most 120 characters.
    title: String,
    /// Markdown under GitHub's bound.
    body: String,
}

/// Reads an agent's answer: `{"defect": True, "title", "summary", "root_cause", "suggested_fix"}`, or
/// `{"defect": False, "reason"}` when the harness did nothing wrong. Raises `FindingsError`.
#[pyfunction]
pub(crate) fn parse_findings<'py>(py: Python<'py>, output: &str) -> PyResult<Bound<'py, PyAny>> {
    let answer = py.detach(|| loop_core::parse_findings(output)).map_err(|e| error::findings(&e))?;
    Ok(pythonize::pythonize(py, &answer)?)
}

/// The prompt for the debugging agent: the dossier of `evidence`, the version and place of the-loop, and the
/// reporting instructions.
#[pyfunction]
#[pyo3(signature = (evidence, redactor, *, version, location))]
pub(crate) fn agent_prompt(
    evidence: &Bound<'_, PyAny>,
    redactor: &Redactor,
    version: &str,
    location: &str,
) -> PyResult<String> {
    let dossier = dossier::evidence(evidence)?.render(redactor.core());
    Ok(loop_core::agent_prompt(&dossier, version, location))
}

/// Composes the issue for one defect from findings and evidence. `environment` describes the installation.
/// Raises `ReportError` when it cannot be built in full: then nothing may be posted.
#[pyfunction]
#[pyo3(signature = (findings, evidence, redactor, *, fingerprint, label, environment=None, keywords=None))]
pub(crate) fn compose_issue(
    findings: &Bound<'_, PyAny>,
    evidence: &Bound<'_, PyAny>,
    redactor: &Redactor,
    fingerprint: &str,
    label: &str,
    environment: Option<Vec<(String, String)>>,
    keywords: Option<BTreeMap<String, String>>,
) -> PyResult<Report> {
    let findings: Findings = pythonize::depythonize(findings)?;
    let evidence = dossier::evidence(evidence)?;
    let keywords = control::listened_to(keywords);
    let environment = environment.unwrap_or_default();
    let options = ReportOptions { fingerprint, label, environment: &environment, keywords: &keywords };
    let report = loop_core::compose_issue(&findings, &evidence, &options, redactor.core())
        .map_err(|e| error::report(&e))?;
    Ok(Report { title: report.title.into_string(), body: report.body.into_string() })
}

/// The hidden marker by which the issue of a defect is found again.
#[pyfunction]
pub(crate) fn defect_marker(fingerprint: &str) -> String {
    loop_core::defect_marker(fingerprint)
}
