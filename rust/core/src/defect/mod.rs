//! Event + error text → one stable, versioned id for the defect.
//!
//! A text is taken apart as the log line it is (`clean`, `prefix`, `frames`), then one walk over what is left masks
//! what changes between two occurrences (`mask`, with `names`, `number`, `classify`, `shape`, `path`,
//! `time`, `argv` and the vocabulary in `words`). `docs/decisions/defect-ids.md` has the reasons.

mod argv;
mod classify;
mod clean;
mod frames;
mod legacy;
mod mask;
mod names;
mod number;
mod path;
mod prefix;
mod record;
mod shape;
mod time;
mod words;

use std::fmt;

pub use legacy::legacy_fingerprint;
pub use record::fingerprint_record;

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
///
/// Only the first and last 8 KiB of `error` are looked at; time is linear in them.
#[must_use]
pub fn fingerprint(event: &str, error: &str) -> DefectId {
    identify(event, &template(error))
}

fn identify(event: &str, template: &str) -> DefectId {
    let mut text = String::with_capacity(event.len() + template.len() + 1);
    text.push_str(event);
    text.push('\n');
    // A terminal breaks lines inside words too: white space does not count.
    text.extend(template.split_ascii_whitespace());
    let hash = blake3::hash(text.as_bytes()).to_hex();
    DefectId(format!("v1:{}", hash.get(..16).unwrap_or_default()))
}

/// What is left of `error` when everything that changes between two occurrences is masked with `<*>`: one line,
/// without log prefix, colour, stack frames and quotes.
#[must_use]
pub fn template(error: &str) -> String {
    let text = clean::clean(error);
    let mut lines: Vec<&str> = Vec::new();
    let mut first = true;
    let mut timed = false;
    for raw in text.split('\n') {
        let (line, time) = prefix::strip_seeing(raw, first);
        // A time that a terminal broke onto the next line is part of the message.
        let line = if time && !first && !timed { raw } else { line }.trim_end();
        timed |= first && time;
        first &= line.is_empty();
        lines.push(line);
    }
    let unwound = frames::unwind(&lines);
    let message = joined(&unwound.lines);
    let mut template = trimmed(&mask::mask(&message)).to_owned();
    if let Some(function) =
        unwound.function.filter(|_| unwound.innermost_last || says_only_its_class(&message))
    {
        template.push_str(" @ ");
        template.push_str(function);
    }
    if template.is_empty() { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { template }
}

/// The lines as one text; a line that a terminal broke after a hyphen goes on without a gap.
fn joined(lines: &[&str]) -> String {
    let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    for line in lines {
        let broken = text.ends_with('-')
            && text.as_bytes().iter().nth_back(1).is_some_and(u8::is_ascii_alphanumeric)
            && line.trim_start().starts_with(|c: char| c.is_ascii_alphanumeric());
        if broken {
            text.push_str(line.trim_start());
        } else {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        }
    }
    text
}

/// A template without what a prefix may have left at its start: `a.ts(1,2): error TS1: …` is the same as
/// `error TS1: …`, and a quoted message the same as a bare one.
fn trimmed(template: &str) -> &str {
    let mut rest = template.trim();
    loop {
        let next = rest
            .strip_prefix(mask::MASK)
            .unwrap_or(rest)
            .trim_start_matches([' ', ':', ',', '-', '|', ';', '#', '*', '!', ']', ')', '.']);
        let next = prefix::strip(next, true).trim();
        if next.is_empty() || next.len() == rest.len() {
            return rest;
        }
        rest = next;
    }
}

/// Whether the message ends in an exception's class without a word of explanation, or is one of Go's run-time
/// faults: then where it happened is all that tells it apart.
fn says_only_its_class(message: &str) -> bool {
    let last = message.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let word = last.rsplit(' ').next().unwrap_or_default();
    let class =
        ["Error", "Exception", "Timeout", "Interrupt", "Failure"].iter().any(|end| word.ends_with(end));
    let alone = word.len() == last.len() || word.contains('.');
    (class && alone && !word.contains(['(', '\'', '"', '/'])) || message.contains("[signal SIG")
}
