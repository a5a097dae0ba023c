//! Candidate records → allow-listed, scrubbed evidence → the dossier that an agent and an issue may show.

mod fields;
mod names;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::redact::{Redactor, Scrubbed};

pub use names::repository_names;

/// How many records of one defect are shown: the last ones.
pub const RECORDS_MAX: usize = 20;

/// The longest dossier, in characters.
pub const DOSSIER_MAX_CHARS: usize = 6_000;

/// What is known of one defect: everything in it may leave the machine.
///
/// It is kept in a ledger between scans, so it is scrubbed and checked again whenever it is rendered.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// The event's dotted name.
    pub event: String,
    /// How many records told of the defect, over all scans.
    pub count: u64,
    /// `ts` of the first one, as the log has it; empty when unknown.
    pub first_seen: String,
    /// `ts` of the last one.
    pub last_seen: String,
    /// The last [`RECORDS_MAX`] records, oldest first, allow-listed fields only.
    pub records: Vec<Map<String, Value>>,
}

impl Evidence {
    /// Gathers the evidence of one defect from its last raw `records` (oldest first): of `count` in all, the first
    /// at `first_seen` (empty: that of the first record given).
    ///
    /// Repository names that the records tell of are masked in their free text too.
    #[must_use]
    pub fn gather(records: &[Map<String, Value>], count: u64, first_seen: &str, redactor: &Redactor) -> Self {
        let redactor = redactor.clone().with_names(repository_names(records));
        let kept: Vec<_> = last(records).iter().map(|record| fields::allowed(record, &redactor)).collect();
        let mut evidence = Self::of(kept, count);
        let first_seen = fields::timestamp(first_seen);
        if !first_seen.is_empty() {
            first_seen.clone_into(&mut evidence.first_seen);
        }
        evidence
    }

    /// Adds what a later scan saw of the same defect.
    pub fn merge(&mut self, later: Self) {
        let mut records = std::mem::take(&mut self.records);
        records.extend(later.records);
        let merged = Self::of(last(&records).to_vec(), self.count.saturating_add(later.count));
        let first_seen = std::mem::take(&mut self.first_seen);
        *self = merged;
        if !first_seen.is_empty() {
            self.first_seen = first_seen;
        }
    }

    /// The dossier as Markdown, at most [`DOSSIER_MAX_CHARS`] long: the oldest records are dropped first.
    #[must_use]
    pub fn render(&self, redactor: &Redactor) -> Scrubbed {
        // What comes from a ledger is text like any other: checked and scrubbed as if it were new.
        let records: Vec<_> = last(&self.records).iter().map(|r| fields::allowed(r, redactor)).collect();
        let safe = Self::of(records, self.count);
        let (first, last_seen) = (fields::timestamp(&self.first_seen), fields::timestamp(&self.last_seen));
        let mut lines: Vec<String> =
            safe.records.iter().filter_map(|record| serde_json::to_string(record).ok()).collect();
        loop {
            let text = page(&safe.event, self.count, first, last_seen, &lines);
            let scrubbed = redactor.scrub(&text);
            if scrubbed.as_str().chars().count() <= DOSSIER_MAX_CHARS || lines.is_empty() {
                return scrubbed;
            }
            lines.remove(0);
        }
    }

    fn of(records: Vec<Map<String, Value>>, count: u64) -> Self {
        let text = |record: Option<&Map<String, Value>>, key: &str| {
            record.and_then(|r| r.get(key)).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        Self {
            event: text(records.last(), "event"),
            count,
            first_seen: text(records.first(), "ts"),
            last_seen: text(records.last(), "ts"),
            records,
        }
    }
}

fn last(records: &[Map<String, Value>]) -> &[Map<String, Value>] {
    records.get(records.len().saturating_sub(RECORDS_MAX)..).unwrap_or_default()
}

fn page(event: &str, count: u64, first: &str, last: &str, lines: &[String]) -> String {
    let event = if event.is_empty() { "unnamed" } else { event };
    let seen = match (first, last) {
        ("", "") => String::new(),
        (first, last) if first == last => format!(", at {last}"),
        (first, last) => format!(", first {first}, last {last}"),
    };
    let shown = match lines.len() {
        0 => "No record could be shown.".to_owned(),
        1 if count == 1 => format!("```json\n{}\n```", lines.join("\n")),
        n => format!("The last {n}, oldest first:\n\n```json\n{}\n```", lines.join("\n")),
    };
    format!("- event: `{event}`\n- records: {count}{seen}\n\n{shown}\n")
}
