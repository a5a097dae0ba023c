//! The only place where an error of the core becomes a Python exception.

use loop_core::{
    FindingsError, FindingsErrorKind, LogError, LogErrorKind, MeasureError, ReportError, Unknown,
};
use pyo3::PyErr;

mod python {
    use pyo3::import_exception;

    import_exception!(the_loop_core.errors, CommandError);
    import_exception!(the_loop_core.errors, EvidenceError);
    import_exception!(the_loop_core.errors, FindingsError);
    import_exception!(the_loop_core.errors, LogError);
    import_exception!(the_loop_core.errors, MeasureError);
    import_exception!(the_loop_core.errors, ReportError);
    import_exception!(the_loop_core.errors, RevisionError);
}

pub(crate) fn findings(error: &FindingsError) -> PyErr {
    let kind = match error.kind() {
        FindingsErrorKind::NoTitle => "no_title",
        FindingsErrorKind::NoReason => "no_reason",
        _ => "no_findings",
    };
    python::FindingsError::new_err((kind, error.to_string()))
}

pub(crate) fn report(error: &ReportError) -> PyErr {
    python::ReportError::new_err(("incomplete", error.to_string()))
}

/// Evidence that came back from a ledger in the wrong shape.
pub(crate) fn evidence(error: &pythonize::PythonizeError) -> PyErr {
    python::EvidenceError::new_err(("invalid", format!("the evidence has the wrong shape: {error}")))
}

pub(crate) fn log(error: &LogError) -> PyErr {
    let kind = match error.kind() {
        LogErrorKind::Missing => "missing",
        LogErrorKind::NotAFile => "not_a_file",
        _ => "unreadable",
    };
    python::LogError::new_err((kind, error.to_string()))
}

pub(crate) fn measure(error: &MeasureError) -> PyErr {
    let kind = serde_json::to_value(error.kind()).ok();
    let kind = kind.as_ref().and_then(serde_json::Value::as_str).unwrap_or("failed").to_owned();
    python::MeasureError::new_err((kind, error.to_string(), error.trial()))
}

pub(crate) fn unknown(reason: &Unknown) -> PyErr {
    python::RevisionError::new_err(("unknown", reason.to_string()))
}

pub(crate) fn command(reason: &loop_core::shell::CannotProve) -> PyErr {
    python::CommandError::new_err(("cannot_prove", reason.to_string()))
}
