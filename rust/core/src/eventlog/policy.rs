//! Which records tell of a failure of the harness itself: policy, as data.

use serde_json::{Map, Value};

/// Events whose `will_retry: false` is how they normally end, not a give-up.
///
/// `poll.comment_settled`: a comment was dealt with, so nothing is left to retry (level info).
///
/// The list excuses `will_retry: false` only: at level `error` these events are candidates like any other.
pub const NORMAL_OUTCOMES: &[&str] = &["poll.comment_settled"];

/// Events of the diagnosis itself, which never diagnoses itself.
const OWN_EVENTS: &str = "diagnosis.";

/// What a record is to self-diagnosis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidacy {
    /// No failure, or one of the diagnosis' own events.
    No,
    /// A harness failure: level `error`, or `will_retry: false`.
    Yes,
    /// `will_retry: false` on an event named in [`NORMAL_OUTCOMES`]: skipped, and counted.
    NormalOutcome,
}

/// Judges one record.
#[must_use]
pub fn candidacy(record: &Map<String, Value>) -> Candidacy {
    judge(
        record.get("event").and_then(Value::as_str).unwrap_or_default(),
        record.get("level").and_then(Value::as_str) == Some("error"),
        record.get("will_retry") == Some(&Value::Bool(false)),
    )
}

/// The policy over the three facts that it depends on.
pub(super) fn judge(event: &str, is_error: bool, gave_up: bool) -> Candidacy {
    if event.starts_with(OWN_EVENTS) {
        Candidacy::No
    } else if is_error {
        Candidacy::Yes
    } else if gave_up && NORMAL_OUTCOMES.contains(&event) {
        Candidacy::NormalOutcome
    } else if gave_up {
        Candidacy::Yes
    } else {
        Candidacy::No
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn policy() {
        let cases = [
            (json!({"event": "poll.scope_error", "level": "error", "will_retry": true}), Candidacy::Yes),
            (json!({"event": "poll.gave_up", "level": "info", "will_retry": false}), Candidacy::Yes),
            (json!({"level": "error"}), Candidacy::Yes),
            (json!({"event": 7, "will_retry": false}), Candidacy::Yes),
            (json!({"event": "diagnosis.failed", "level": "error", "will_retry": false}), Candidacy::No),
            (json!({"event": "diagnosis", "level": "error"}), Candidacy::Yes),
            (json!({"event": "poll.cycle", "level": "warning", "error": "error"}), Candidacy::No),
            (json!({"event": "poll.cycle", "level": "ERROR"}), Candidacy::No),
            (json!({"event": "poll.cycle", "will_retry": "false"}), Candidacy::No),
            (json!({"event": "poll.cycle", "will_retry": 0}), Candidacy::No),
            (json!({"event": "poll.cycle", "will_retry": null}), Candidacy::No),
            (json!({"event": "poll.comment_settled", "will_retry": false}), Candidacy::NormalOutcome),
            (json!({"event": "poll.comment_settled", "level": "error", "will_retry": false}), Candidacy::Yes),
            (json!({"event": "poll.comment_settled", "will_retry": true}), Candidacy::No),
            (json!({}), Candidacy::No),
        ];
        for (record, want) in cases {
            assert_eq!(candidacy(record.as_object().unwrap()), want, "{record}");
        }
    }
}
