//! The answer of the debugging agent: raw JSON, fenced, or somewhere in prose.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// How much of an answer is read, in bytes; findings are expected within it.
const MAX_ANSWER: usize = 1 << 20;

/// How many opening braces are tried as the start of the findings.
const MAX_STARTS: usize = 200;

/// What an agent found. Text as the agent gave it: neither scrubbed nor safe to post.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Findings {
    /// One line that names the defect.
    pub title: String,
    /// What happens.
    pub summary: String,
    /// Why it happens, as a hypothesis.
    pub root_cause: String,
    /// What would mend it.
    pub suggested_fix: String,
}

/// The answer as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The harness is at fault.
    Defect(Findings),
    /// The harness did nothing wrong, and why: a user's cancel, for instance. Never posted.
    Dismissed(String),
}

impl Serialize for Answer {
    /// In the form that the agent was asked for: `{"defect": true, "title": …}` or `{"defect": false, "reason": …}`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Defect(findings) => {
                map.serialize_entry("defect", &true)?;
                map.serialize_entry("title", &findings.title)?;
                map.serialize_entry("summary", &findings.summary)?;
                map.serialize_entry("root_cause", &findings.root_cause)?;
                map.serialize_entry("suggested_fix", &findings.suggested_fix)?;
            }
            Self::Dismissed(reason) => {
                map.serialize_entry("defect", &false)?;
                map.serialize_entry("reason", reason)?;
            }
        }
        map.end()
    }
}

/// What was wrong with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingsErrorKind {
    /// No JSON object with a title or a verdict in it: ask again.
    NoFindings,
    /// The title is missing or blank: ask again.
    NoTitle,
    /// `"defect": false` without a reason: ask again.
    NoReason,
}

/// An answer that cannot be used; nothing of it may be posted.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{}", match kind {
    FindingsErrorKind::NoFindings => "the agent's answer holds no findings as JSON",
    FindingsErrorKind::NoTitle => "the agent's findings have no title",
    FindingsErrorKind::NoReason => "the agent dismissed the failure without a reason",
})]
pub struct FindingsError {
    kind: FindingsErrorKind,
}

impl FindingsError {
    /// What was wrong.
    #[must_use]
    pub fn kind(&self) -> FindingsErrorKind {
        self.kind
    }
}

/// Reads an agent's answer. Of several objects the last one that looks like findings counts: agents quote the
/// form that they were asked for before they fill it in.
///
/// # Errors
/// [`FindingsError`] when there is no object, no title, or no reason for a dismissal.
pub fn parse_findings(output: &str) -> Result<Answer, FindingsError> {
    let error = |kind| Err(FindingsError { kind });
    let Some(object) =
        objects(output).into_iter().rfind(|o| o.get("title").is_some() || o.get("defect").is_some())
    else {
        return error(FindingsErrorKind::NoFindings);
    };
    let text = |key: &str| prose(object.get(key));
    if object.get("defect") == Some(&Value::Bool(false)) {
        let reason = first_line(&text("reason"));
        return if reason.is_empty() {
            error(FindingsErrorKind::NoReason)
        } else {
            Ok(Answer::Dismissed(reason))
        };
    }
    let title = match object.get("title") {
        Some(Value::String(title)) => first_line(title),
        _ => String::new(),
    };
    if title.is_empty() {
        return error(FindingsErrorKind::NoTitle);
    }
    Ok(Answer::Defect(Findings {
        title,
        summary: text("summary"),
        root_cause: text("root_cause"),
        suggested_fix: text("suggested_fix"),
    }))
}

/// The JSON objects that stand in `output`, in order, none inside another.
fn objects(output: &str) -> Vec<Value> {
    let mut end = output.len().min(MAX_ANSWER);
    while !output.is_char_boundary(end) {
        end -= 1;
    }
    let mut rest = output.get(..end).unwrap_or_default();
    let mut found = Vec::new();
    for _ in 0..MAX_STARTS {
        let Some(start) = rest.find('{') else { break };
        rest = rest.get(start..).unwrap_or_default();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let read = stream.next();
        let used = if let Some(Ok(value)) = read {
            found.push(value);
            stream.byte_offset()
        } else {
            1
        };
        rest = rest.get(used..).unwrap_or_default();
    }
    found
}

/// A section as text: agents answer with strings, lists of strings, or nested objects.
fn prose(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(items)) => {
            items.iter().map(|item| format!("- {}", prose(Some(item)))).collect::<Vec<_>>().join("\n")
        }
        Some(other) => other.to_string(),
    }
}

fn first_line(text: &str) -> String {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned()
}
