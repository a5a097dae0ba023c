//! The field allow-list: what of an event record may be shown, and in which form.

use serde_json::{Map, Value};

use crate::redact::Redactor;

/// The longest `error`, in characters, after scrubbing.
const ERROR_MAX_CHARS: usize = 800;

/// How much of a longer `error` is read at all: enough that no placeholder at the cut changes what is shown.
const ERROR_READ_CHARS: usize = 4_000;

/// How a field's value is checked. What does not pass is left out.
enum Shape {
    Timestamp,
    Level,
    /// A dotted or plain lower-case name: letters, digits, `_`, `-`, `.`, at most this long.
    Name(usize),
    /// A whole number within bounds.
    Count(i64, i64),
    Flag,
    Free,
}

/// Source: the-loop 20.10.2's allow-list, measured. Order is the order of display.
const ALLOWED: [(&str, Shape); 11] = [
    ("ts", Shape::Timestamp),
    ("event", Shape::Name(80)),
    ("level", Shape::Level),
    ("source", Shape::Name(40)),
    ("gh_event", Shape::Name(40)),
    ("harness", Shape::Name(20)),
    ("via", Shape::Name(20)),
    ("attempts", Shape::Count(0, 1_000_000)),
    ("will_retry", Shape::Flag),
    ("exit_code", Shape::Count(-1_024, 1_024)),
    ("error", Shape::Free),
];

/// What of `record` may be shown.
pub(super) fn allowed(record: &Map<String, Value>, redactor: &Redactor) -> Map<String, Value> {
    let mut shown = Map::new();
    for (key, shape) in &ALLOWED {
        if let Some(value) = record.get(*key).and_then(|value| checked(value, shape, redactor)) {
            shown.insert((*key).to_owned(), value);
        }
    }
    shown
}

fn checked(value: &Value, shape: &Shape, redactor: &Redactor) -> Option<Value> {
    match shape {
        Shape::Timestamp => Some(timestamp(value.as_str()?)).filter(|ts| !ts.is_empty()).map(Value::from),
        Shape::Level => {
            let level = value.as_str()?;
            ["debug", "info", "warning", "error"].contains(&level).then(|| Value::from(level))
        }
        Shape::Name(longest) => {
            let name = value.as_str()?;
            let plain =
                |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
            let named = !name.is_empty() && name.len() <= *longest && name.bytes().all(plain);
            named.then(|| Value::from(redactor.scrub(name).into_string()))
        }
        Shape::Count(least, most) => value.as_i64().filter(|n| (least..=most).contains(&n)).map(Value::from),
        Shape::Flag => value.as_bool().map(Value::from),
        Shape::Free => {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Null => return None,
                other => other.to_string(),
            };
            let scrubbed = redactor.scrub(&head(&text, ERROR_READ_CHARS)).into_string();
            Some(Value::from(head(&scrubbed, ERROR_MAX_CHARS)))
        }
    }
}

/// The first `most` characters, with an ellipsis in place of the last one where something was cut.
fn head(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// `text` when it is an ISO-8601 time in UTC as the host writes it, otherwise nothing.
pub(super) fn timestamp(text: &str) -> &str {
    let shape = b"0000-00-00T00:00:00";
    let bytes = text.as_bytes();
    let matches = bytes.len() >= shape.len()
        && bytes.len() <= 32
        && bytes.iter().zip(shape).all(|(b, s)| if *s == b'0' { b.is_ascii_digit() } else { b == s })
        && bytes
            .iter()
            .skip(shape.len())
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'Z' | b'+' | b'-' | b':'));
    if matches { text } else { "" }
}
