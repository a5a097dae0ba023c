//! Control commands.

use std::collections::BTreeMap;

use loop_core::{Dialect, Keywords, Parsed};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Reads the control command of a comment: `None`, one command's name, or — two or more different commands, so
/// do nothing — the list of their names.
///
/// `keywords` maps commands to the keywords of a deployment, an empty one disabling its command; `dialect` is
/// `opening` (the-loop 20) or `anywhere` (the-loop 11).
#[pyfunction]
#[pyo3(signature = (body, keywords=None, dialect="opening"))]
pub(crate) fn parse_command(
    py: Python<'_>,
    body: &str,
    keywords: Option<BTreeMap<String, String>>,
    dialect: &str,
) -> PyResult<Py<PyAny>> {
    let dialect = match dialect {
        "opening" => Dialect::Opening,
        "anywhere" => Dialect::Anywhere,
        _ => return Err(PyValueError::new_err("dialect must be 'opening' or 'anywhere'")),
    };
    Ok(match loop_core::parse_command(body, &listened_to(keywords), dialect) {
        Parsed::Nothing => py.None(),
        Parsed::Command(name) => name.into_pyobject(py)?.into_any().unbind(),
        Parsed::Ambiguous(names) => names.into_pyobject(py)?.into_any().unbind(),
    })
}

/// Breaks every control keyword in `text`, so that no dialect finds a command in it.
#[pyfunction]
#[pyo3(signature = (text, keywords=None))]
pub(crate) fn defang(text: &str, keywords: Option<BTreeMap<String, String>>) -> String {
    loop_core::defang(text, &listened_to(keywords))
}

/// Whether the-loop wrote this body.
#[pyfunction]
pub(crate) fn is_self_authored(body: &str) -> bool {
    loop_core::is_self_authored(body)
}

/// Adds the visible attribution and the hidden marker; a body that has the marker comes back as it was.
#[pyfunction]
pub(crate) fn mark_self_authored(body: &str) -> String {
    loop_core::mark_self_authored(body)
}

/// The keywords of a deployment.
pub(crate) fn listened_to(configured: Option<BTreeMap<String, String>>) -> Keywords {
    Keywords::new(&configured.unwrap_or_default())
}
