//! Candidate records → one defect each, however often it occurred, in bounded memory.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use serde_json::{Map, Value};

use super::build::{MAX_ERROR, MAX_VALUES, build};
use super::glance::Glance;
use super::policy::Candidacy;
use super::reader::Sink;
use super::repeat::{Verdict, timestamp};
use super::stats::{Limits, Stats};
use crate::defect::{DefectId, fingerprint, fingerprint_record, legacy_fingerprint};

/// A harness failure and what the log says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Defect {
    /// The same for every occurrence.
    pub id: DefectId,
    /// The ids under which the existing host's ledger may know it: the first few distinct ones.
    pub legacy: Vec<String>,
    /// The `event` of its records.
    pub event: String,
    /// How often it occurred.
    pub count: u64,
    /// The `ts` of the first and of the last occurrence in the log; empty where the record has none.
    pub first_seen: String,
    /// See `first_seen`.
    pub last_seen: String,
    /// The last records, oldest first, each of bounded size.
    pub records: Vec<Map<String, Value>>,
}

/// Texts of `event` and `error` that were seen before, and their group: spares parsing and fingerprinting
/// what a retry loop writes thousands of times. Bounded in number and size.
const MEMO_ENTRIES: usize = 4096;
const MEMO_KEY: usize = 1024;
/// A record is kept as it stands up to this size, else rebuilt within bounds.
const KEEP_AS_IS: usize = 4096;
/// What a value costs in memory beyond its text, about.
const VALUE_COST: usize = 160;

/// The defects found so far.
pub(super) struct Groups<'a> {
    limits: &'a Limits,
    found: Vec<Group>,
    by_id: HashMap<DefectId, usize>,
    memo: HashMap<Vec<u8>, usize>,
    memo_key: Vec<u8>,
    kept: usize,
}

struct Group {
    defect: Defect,
    /// The last records as text, and what each costs to keep.
    last: VecDeque<(Vec<u8>, usize)>,
    /// How many legacy ids were worked out.
    texts: usize,
}

impl<'a> Groups<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self {
            limits,
            found: Vec::new(),
            by_id: HashMap::new(),
            memo: HashMap::new(),
            memo_key: Vec::new(),
            kept: 0,
        }
    }

    /// The defects in the order of their first occurrence.
    pub(super) fn finish(self) -> Vec<Defect> {
        let finish = |group: Group| Defect {
            records: group.last.into_iter().map(|(text, _)| build(&text).record).collect(),
            ..group.defect
        };
        self.found.into_iter().map(finish).collect()
    }

    /// The group of a candidate; breaks off at a defect too many.
    fn group(&mut self, glance: &Glance<'_>, text: &[u8]) -> ControlFlow<(), usize> {
        self.memo_key.clear();
        // With an error text that is not blank, the id follows from it and the event alone.
        if let Some(error @ [b'"', b'!' | b'#'..=b'[' | b']'..=b'~', ..]) = glance.error {
            self.memo_key.extend_from_slice(glance.event.unwrap_or_default());
            self.memo_key.push(0);
            self.memo_key.extend_from_slice(error);
            if let Some(index) = self.memo.get(&self.memo_key) {
                return ControlFlow::Continue(*index);
            }
        }
        let (mut record, id) = identify(glance, text);
        let index = match self.by_id.get(&id) {
            Some(index) => *index,
            None => self.add(id, &record, glance)?,
        };
        if let Some(group) = self.found.get_mut(index) {
            group.add_legacy(&mut record, glance, self.limits.legacy);
        }
        if !self.memo_key.is_empty() && self.memo_key.len() <= MEMO_KEY {
            if self.memo.len() >= MEMO_ENTRIES {
                self.memo.clear();
            }
            self.memo.insert(self.memo_key.clone(), index);
        }
        ControlFlow::Continue(index)
    }

    fn add(
        &mut self,
        id: DefectId,
        record: &Map<String, Value>,
        glance: &Glance<'_>,
    ) -> ControlFlow<(), usize> {
        let full = self.found.len() >= self.limits.defects || self.kept >= self.limits.kept;
        if full && !self.found.is_empty() {
            return ControlFlow::Break(());
        }
        let defect = Defect {
            id: id.clone(),
            legacy: Vec::new(),
            event: record.get("event").and_then(Value::as_str).unwrap_or_default().to_owned(),
            count: 0,
            first_seen: glance.timestamp().into_owned(),
            last_seen: String::new(),
            records: Vec::new(),
        };
        let index = self.found.len();
        self.found.push(Group { defect, last: VecDeque::new(), texts: 0 });
        self.by_id.insert(id, index);
        ControlFlow::Continue(index)
    }

    /// Keeps a record as one of its defect's last.
    fn keep(&mut self, index: usize, timestamp: &str, text: &[u8]) {
        let Some(group) = self.found.get_mut(index) else { return };
        group.defect.count += 1;
        timestamp.clone_into(&mut group.defect.last_seen);
        let mut slot = Vec::new();
        let room = self.limits.records.max(1);
        while group.last.len() >= room || (self.kept >= self.limits.kept && !group.last.is_empty()) {
            let (oldest, cost) = group.last.pop_front().unwrap_or_default();
            slot = oldest;
            self.kept = self.kept.saturating_sub(cost);
        }
        slot.clear();
        if text.len() <= KEEP_AS_IS {
            slot.extend_from_slice(text);
        } else {
            slot = serde_json::to_vec(&build(text).record).unwrap_or_default();
        }
        let cost = cost(&slot);
        self.kept += cost;
        group.last.push_back((slot, cost));
    }
}

impl Group {
    /// The existing host's id, which takes the whole error text into account. Worked out for the first few
    /// distinct texts only: what that host reported it reported early.
    fn add_legacy(&mut self, record: &mut Map<String, Value>, glance: &Glance<'_>, max: usize) {
        if self.texts >= max {
            return;
        }
        self.texts += 1;
        if let Some(error) = glance.error_text(usize::MAX) {
            record.insert("error".to_owned(), Value::String(error));
        }
        let legacy = legacy_fingerprint(record);
        if !self.defect.legacy.contains(&legacy) {
            self.defect.legacy.push(legacy);
        }
    }
}

impl Sink for Groups<'_> {
    fn record(&mut self, text: &[u8], glance: &Glance<'_>, stats: &mut Stats) -> ControlFlow<(), Verdict> {
        let verdict = match glance.candidacy() {
            Candidacy::No => Verdict::Harmless,
            Candidacy::NormalOutcome => Verdict::NormalOutcome,
            Candidacy::Yes => Verdict::Defect(self.group(glance, text)?),
        };
        stats.invalid_utf8 += u64::from(std::str::from_utf8(text).is_err());
        self.count(verdict, &glance.timestamp(), text, stats);
        ControlFlow::Continue(verdict)
    }

    fn again(&mut self, line: &[u8], verdict: Verdict, stats: &mut Stats) {
        if verdict == Verdict::Quiet {
            return;
        }
        let timestamp = std::str::from_utf8(timestamp(line)).unwrap_or_default();
        self.count(verdict, timestamp, line, stats);
    }
}

impl Groups<'_> {
    fn count(&mut self, verdict: Verdict, timestamp: &str, text: &[u8], stats: &mut Stats) {
        match verdict {
            Verdict::Quiet => return,
            Verdict::Harmless => {}
            Verdict::NormalOutcome => stats.skipped.normal_outcome += 1,
            Verdict::Defect(index) => {
                self.keep(index, timestamp, text);
                stats.candidates += 1;
            }
        }
        stats.parsed += 1;
    }
}

/// A candidate's id, and of its record at least `event` and `error`.
fn identify(glance: &Glance<'_>, text: &[u8]) -> (Map<String, Value>, DefectId) {
    match glance.error_text(MAX_ERROR) {
        // With an error text the id follows from it and the event alone, so the rest need not be built.
        Some(error) if !error.trim().is_empty() && glance.has_event() => {
            let event = glance.event_text();
            let id = fingerprint(&event, &error);
            (Map::from_iter([("event".to_owned(), event.into()), ("error".to_owned(), error.into())]), id)
        }
        _ => {
            let record = build(text).record;
            let id = fingerprint_record(&record);
            (record, id)
        }
    }
}

/// What a kept record will take as a value tree, about.
fn cost(text: &[u8]) -> usize {
    text.len() + VALUE_COST * memchr::memchr_iter(b',', text).count().min(MAX_VALUES)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn with_an_error_text_the_id_follows_from_it_and_the_event() {
        let record =
            json!({"event": "a.failed", "level": "error", "exit_code": 3, "error": "boom", "attempts": 2});
        assert_eq!(fingerprint_record(record.as_object().unwrap()), fingerprint("a.failed", "boom"));
    }

    #[test]
    fn every_record_has_the_id_that_it_has_alone() {
        let mut log = String::new();
        for error in [r#""x""#, r#""""#, r#"" ""#, r#""\n""#, r#""\u0078""#, "null", "7", r#"{"code":1}"#] {
            for reason in ["first", "second", "first"] {
                let record =
                    format!(r#"{{"event":"a","level":"error","reason":"{reason}","error":{error}}}"#);
                log.push_str(&record);
                log.push('\n');
            }
        }
        let (defects, stats) = crate::harvest_stream(log.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(stats.candidates, 24);
        for defect in defects {
            for record in &defect.records {
                assert_eq!(fingerprint_record(record), defect.id, "{record:?}");
                assert!(defect.legacy.contains(&legacy_fingerprint(record)), "{record:?}");
            }
        }
    }
}
