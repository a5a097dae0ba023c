//! The existing host's formula, so that a ledger it wrote is honoured.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};
use sha1::{Digest, Sha1};

/// Source: the-loop 20.10.2, measured.
#[expect(clippy::unwrap_used, reason = "constant patterns, run by every test of this room")]
static RULES: LazyLock<[(Regex, &str); 4]> = LazyLock::new(|| {
    [
        (Regex::new(r"[A-Za-z]:\\\S+").unwrap(), "<p>"),
        (Regex::new(r"(?:~|/)[\w@./+~-]+").unwrap(), "<p>"),
        (Regex::new(r"\b[0-9a-fA-F]{8,}\b").unwrap(), "#"),
        (Regex::new(r"\d+").unwrap(), "#"),
    ]
});

pub(super) fn mask(text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, with) in RULES.iter() {
        text = pattern.replace_all(&text, *with).into_owned();
    }
    text
}

/// The id under which the-loop 20.10.2 has this record in its ledger: 16 hex digits.
#[must_use]
pub fn legacy_fingerprint(record: &Map<String, Value>) -> String {
    let text = |key: &str| record.get(key).map_or_else(String::new, as_host_text);
    let hash = Sha1::digest(format!("{}\n{}", text("event"), mask(&text("error"))));
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// A field as the host reads it: text as it is, anything else as Python prints it.
fn as_host_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => printed(other, 0),
    }
}

/// How Python prints a JSON value. Deeper nesting than a record has is cut.
fn printed(value: &Value, depth: usize) -> String {
    if depth > 16 {
        return "...".to_owned();
    }
    let inner = |value: &Value| printed(value, depth + 1);
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(inner).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let pairs: Vec<_> =
                map.iter().map(|(key, value)| format!("{}: {}", quoted(key), inner(value))).collect();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}
