//! Event + error text → one stable, versioned id for the defect.

mod frames;
mod legacy;
mod lines;
mod places;
mod quoted;
mod scanner;
mod template;
mod words;

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
    template::template(error)
}

/// Fields that tell of a cause in records without `error`, in the order in which they are read. What names a work item,
/// a delivery, a person, a process or a time is not among them.
const CAUSES: [&str; 16] = [
    "reason", "cause", "message", "msg", "detail", "exception", "kind", "stage", "status", "exit_code",
    "code", "signal", "harness", "via", "ingress", "action",
];

/// How much of such a field is read, in bytes.
const CAUSE_BYTES: usize = 1024;

/// The id of a whole event record; one without `error` is told apart by its other fields that tell of a cause.
#[must_use]
pub fn fingerprint_record(record: &Map<String, Value>) -> DefectId {
    let event = record.get("event").and_then(Value::as_str).unwrap_or_default();
    match record.get("error") {
        Some(Value::String(error)) if !error.trim().is_empty() => fingerprint(event, error),
        Some(error @ (Value::Object(_) | Value::Array(_) | Value::Number(_))) => {
            fingerprint(event, &error.to_string())
        }
        _ => fingerprint(event, &causes(record)),
    }
}

fn causes(record: &Map<String, Value>) -> String {
    let mut text = String::new();
    for key in CAUSES {
        let value = match record.get(key) {
            Some(Value::String(value)) => value.clone(),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => value.to_string(),
            _ => continue,
        };
        let value = value.get(..value.floor_char_boundary(CAUSE_BYTES)).unwrap_or_default();
        // Set apart by lines, so that the code that a number is keeps its name in front of it.
        text.extend([key, ": ", value, "\n"]);
    }
    text
}
