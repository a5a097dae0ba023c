//! The id of a whole event record.

use serde_json::{Map, Value};

use super::{DefectId, fingerprint};

/// The id of a whole event record; one without `error` is told apart by its other meaningful fields.
#[must_use]
pub fn fingerprint_record(record: &Map<String, Value>) -> DefectId {
    let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
    fingerprint(text("event"), text("error"))
}
