//! Which records tell of a failure of the harness itself.

use serde_json::{Map, Value};

/// Events that are normal outcomes although they carry `will_retry: false`: the host settles a comment that it
/// has nothing more to do for. They are counted as passed over, not hidden.
pub const NORMAL_OUTCOMES: [&str; 1] = ["poll.comment_settled"];

/// The events of self-diagnosis itself, which never start another diagnosis.
const OWN_EVENTS: &str = "diagnosis.";

/// Whether a record is a candidate for diagnosis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidacy {
    /// Nothing failed.
    No,
    /// The harness failed: `level` is `error`, or `will_retry` is false.
    Yes,
    /// It looks like a give-up and is listed in [`NORMAL_OUTCOMES`].
    NormalOutcome,
}

/// Applies the policy to one record. A record without an event is no candidate.
#[must_use]
pub fn candidacy(record: &Map<String, Value>) -> Candidacy {
    let Some(event) = record.get("event").and_then(Value::as_str) else { return Candidacy::No };
    if event.starts_with(OWN_EVENTS) {
        return Candidacy::No;
    }
    if record.get("level").and_then(Value::as_str) == Some("error") {
        return Candidacy::Yes;
    }
    match record.get("will_retry") {
        Some(Value::Bool(false)) if NORMAL_OUTCOMES.contains(&event) => Candidacy::NormalOutcome,
        Some(Value::Bool(false)) => Candidacy::Yes,
        _ => Candidacy::No,
    }
}
