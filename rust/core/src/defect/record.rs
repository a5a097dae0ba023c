//! The id of a whole event record.

use serde_json::{Map, Value};

use super::clean::bounded;
use super::mask::MASK;
use super::{DefectId, identify, template};

/// Fields that say when, where and for whom, never why.
const VOLATILE: &[&str] = &[
    "ts", "time", "timestamp", "event", "level", "source", "pid", "ppid", "tid", "host", "hostname",
    "holder", "cwd", "work_item", "scope", "provider", "repo", "repository", "url", "issue", "pr", "number",
    "actor", "author", "user", "login", "session", "branch", "worktree", "tmux_target", "pane", "attempt",
    "attempts", "retries", "count", "duration", "elapsed", "will_retry", "retry_at", "retry_after", "size",
    "bytes", "line", "port", "version", "fingerprint", "title", "body",
];

/// Fields that say why in words.
const REASONS: &[&str] = &["reason", "message", "msg", "detail", "details", "exception", "cause", "stderr"];

/// Fields whose number is the reason.
const CODES: &[&str] =
    &["exit_code", "exit", "returncode", "rc", "status", "status_code", "code", "errno", "signal"];

/// Fields that only say what set it off; they count where nothing says why.
const TRIGGERS: &[&str] = &["gh_event", "via", "trigger", "action"];

/// Shorter names are too likely to be words of the message.
const SHORTEST_NAME: usize = 3;

/// The id of the defect that a whole event record tells of.
///
/// Where the record has an `error`, that text counts, without the names (repository, scope, work item, …) that the
/// record itself carries in other fields. Elsewhere its other meaningful fields count: reasons and exit codes, not
/// ids, times, counters or work items; so the same cause on two work items is one defect.
#[must_use]
pub fn fingerprint_record(record: &Map<String, Value>) -> DefectId {
    let event = record.get("event").and_then(Value::as_str).unwrap_or_default();
    let error = match record.get("error") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => bounded(text).into_owned(),
        Some(other) => bounded(&other.to_string()).into_owned(),
    };
    let names = names(record);
    if !error.trim().is_empty() {
        let cause = without_place(&error, record);
        return identify(event, &template(&without_names(cause, &names)));
    }
    let explained = record.iter().any(|(key, value)| REASONS.contains(&key.as_str()) && !is_empty(value));
    let mut fields: Vec<String> = record
        .iter()
        .filter(|(key, _)| is_meaningful(key) && !(explained && TRIGGERS.contains(&key.as_str())))
        .filter_map(|(key, value)| Some(format!("{key}={}", meaning(key, value, &names)?)))
        .collect();
    fields.sort();
    identify(event, &fields.join("\n"))
}

fn is_meaningful(key: &str) -> bool {
    let id = ["id", "Id", "ID", "sha", "token", "_at", "_ms", "_s", "_path", "_dir", "file", "_seconds"];
    key != "error"
        && !VOLATILE.contains(&key)
        && (CODES.contains(&key) || !id.iter().any(|end| key.ends_with(end)))
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// What a field adds to the id; nothing for counters and for what is empty.
fn meaning(key: &str, value: &Value, names: &[String]) -> Option<String> {
    match value {
        Value::String(text) if text.trim().is_empty() => None,
        Value::String(text) if CODES.contains(&key) && text.len() <= 16 => Some(text.clone()),
        Value::String(text) => Some(template(&without_names(&bounded(text), names))),
        Value::Number(number) => CODES.contains(&key).then(|| number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Array(_) | Value::Object(_) => {
            Some(template(&without_names(&bounded(&value.to_string()), names)))
        }
        Value::Null => None,
    }
}

/// `issues of HOST/o/r: cause` → `cause`, where `HOST/o/r` is the record's own scope: one cause hits every query of
/// the same scope.
fn without_place<'e>(error: &'e str, record: &Map<String, Value>) -> &'e str {
    let scope = record.get("scope").and_then(Value::as_str).unwrap_or_default();
    let cause = error.split_once(scope).and_then(|(place, rest)| {
        let prose = place.len() <= 60 && place.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ');
        rest.strip_prefix(": ").filter(|cause| prose && !cause.trim().is_empty())
    });
    if scope.len() < SHORTEST_NAME { error } else { cause.unwrap_or(error) }
}

/// The names that a record carries and that its texts may repeat, longest first.
fn names(record: &Map<String, Value>) -> Vec<String> {
    const CARRIERS: &[&str] = &[
        "scope", "provider", "work_item", "repo", "repository", "actor", "author", "login", "session",
        "branch", "worktree", "tmux_target", "cwd", "host", "hostname", "delivery_id", "comment_id",
        "session_id", "run_id",
    ];
    let mut names = Vec::new();
    for value in CARRIERS.iter().filter_map(|key| record.get(*key).and_then(Value::as_str)) {
        names.push(value.to_owned());
        let bare = value.rsplit_once('#').map_or(value, |(bare, _)| bare);
        let bare = bare.split_once(' ').map_or(bare, |(_, rest)| rest);
        names.push(bare.to_owned());
        names.extend(bare.split_once(':').map(|(_, rest)| rest.to_owned()));
        let mut segments = bare.rsplit('/');
        if let (Some(repo), Some(owner)) = (segments.next(), segments.next()) {
            let owner = owner.rsplit(':').next().unwrap_or(owner);
            names.extend([format!("{owner}/{repo}"), format!("{owner}-{repo}"), repo.to_owned()]);
        }
    }
    names.retain(|name| name.len() >= SHORTEST_NAME && !name.bytes().all(|b| b.is_ascii_digit()));
    names.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    names.dedup();
    names
}

/// `text` with every whole occurrence of the names masked.
fn without_names(text: &str, names: &[String]) -> String {
    let mut text = text.to_owned();
    for name in names {
        if !text.contains(name.as_str()) {
            continue;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once(name.as_str()) {
            let part = |c: char| c.is_alphanumeric() || c == '_';
            let inside = before.ends_with(part) || after.starts_with(part);
            out.push_str(before);
            out.push_str(if inside { name } else { MASK });
            rest = after;
        }
        out.push_str(rest);
        text = out;
    }
    text
}
