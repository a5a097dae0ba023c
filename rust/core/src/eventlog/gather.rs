//! Candidates → one entry per defect, in bounded memory.

use std::collections::{HashMap, VecDeque};

use serde::Serialize;
use serde_json::{Map, Value};

use super::decode::{self, Decoded};
use super::lines::{Line, Visit};
use super::{Candidacy, Limits, candidacy};
use crate::defect::{DefectId, fingerprint_record, legacy_fingerprint};

/// What one defect's records may take together, in bytes of text; the last one is kept in any case.
const RECORDS_BYTES: usize = 32 << 10;

/// The longest text that is kept of a field, in bytes: beyond what a dossier shows.
const FIELD_BYTES: usize = 8 << 10;

/// How many ids of the existing host one defect is known by.
const LEGACY_MAX: usize = 64;

/// One defect and what a log says of it.
#[derive(Debug, Clone)]
pub struct Defect {
    /// Its id.
    pub id: DefectId,
    /// The ids under which the existing host has it.
    pub legacy: Vec<String>,
    /// The event's name.
    pub event: String,
    /// How many records told of it.
    pub count: u64,
    /// `ts` of the first of them, as it stands there; empty when it has none.
    pub first_seen: String,
    /// `ts` of the last one.
    pub last_seen: String,
    /// The last records, oldest first; long texts cut, nested values dropped.
    pub records: VecDeque<Map<String, Value>>,
}

/// What was read, and what was passed over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Bytes read.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
    /// Candidates found.
    pub candidates: u64,
    /// Records that look like give-ups and are normal outcomes.
    pub normal_outcomes: u64,
    /// Lines that hold something that is no record.
    pub torn: u64,
    /// Lines with bytes that are not UTF-8 or escapes that are no character; they were read all the same.
    pub invalid_text: u64,
    /// Lines longer than the limit, of which the beginning was read.
    pub too_long: u64,
    /// Lines that nest too deep.
    pub too_deep: u64,
    /// Lines that are JSON, but no object.
    pub not_object: u64,
    /// Rotated files that were read to their end.
    pub rotated: u64,
    /// The log is shorter than it was, or another one, and what was there is nowhere to be found.
    pub lost_track: bool,
    /// More is there: the limit of defects was reached.
    pub more: bool,
}

/// The defects of one harvest.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) defects: Vec<Defect>,
    index: HashMap<DefectId, usize>,
    pub(super) stats: Stats,
    /// The end of a last line without newline that was a whole record.
    pub(super) unended: Option<u64>,
}

impl Gathered {
    /// Takes one line. An unended line counts only as a whole record: it may still be being written, unless
    /// `finished` says that nobody writes to this file any more.
    pub(super) fn take(&mut self, line: Line<'_>, limits: &Limits, finished: bool) -> Visit {
        let decoded = if line.cut {
            Decoded { records: decode::head(line.bytes).into_iter().collect(), ..Decoded::default() }
        } else {
            decode::decode(line.bytes)
        };
        if !line.ended {
            if !finished && (line.cut || decoded.torn || decoded.records.len() != 1) {
                return Visit::On;
            }
            self.unended = Some(line.end);
        }
        let failures: Vec<_> = decoded
            .records
            .iter()
            .filter(|record| match candidacy(record) {
                Candidacy::Yes => true,
                Candidacy::NormalOutcome => {
                    self.stats.normal_outcomes += 1;
                    false
                }
                Candidacy::No => false,
            })
            .collect();
        let ids: Vec<_> = failures.iter().map(|record| fingerprint_record(record)).collect();
        let new = ids.iter().filter(|id| !self.index.contains_key(id)).count();
        if new > 0 && !self.defects.is_empty() && self.defects.len() + new > limits.defects {
            self.stats.more = true;
            return Visit::Stop;
        }
        for (record, id) in failures.into_iter().zip(ids) {
            self.add(record, id, limits);
        }
        self.stats.torn += u64::from(decoded.torn);
        self.stats.invalid_text += u64::from(decoded.invalid_text);
        self.stats.too_long += u64::from(line.cut);
        self.stats.too_deep += u64::from(decoded.too_deep);
        self.stats.not_object += u64::from(decoded.not_object);
        Visit::On
    }

    fn add(&mut self, record: &Map<String, Value>, id: DefectId, limits: &Limits) {
        self.stats.candidates += 1;
        let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
        let at = *self.index.entry(id.clone()).or_insert_with(|| {
            self.defects.push(Defect {
                id,
                legacy: Vec::new(),
                event: clipped(text("event")),
                count: 0,
                first_seen: clipped(text("ts")),
                last_seen: String::new(),
                records: VecDeque::new(),
            });
            self.defects.len() - 1
        });
        let Some(defect) = self.defects.get_mut(at) else { return };
        defect.count += 1;
        defect.last_seen = clipped(text("ts"));
        if defect.legacy.len() < LEGACY_MAX {
            let legacy = legacy_fingerprint(record);
            if !defect.legacy.contains(&legacy) {
                defect.legacy.push(legacy);
            }
        }
        defect.records.push_back(kept(record));
        while defect.records.len() > limits.records.max(1)
            || (defect.records.len() > 1 && defect.records.iter().map(size).sum::<usize>() > RECORDS_BYTES)
        {
            defect.records.pop_front();
        }
    }
}

/// The record without nested values and with long texts cut.
fn kept(record: &Map<String, Value>) -> Map<String, Value> {
    let small = |value: &Value| match value {
        Value::String(text) => Some(Value::String(clipped(text))),
        Value::Array(_) | Value::Object(_) => {
            let text = value.to_string();
            (text.len() <= FIELD_BYTES).then(|| value.clone())
        }
        other => Some(other.clone()),
    };
    record.iter().take(64).filter_map(|(key, value)| Some((clipped(key), small(value)?))).collect()
}

fn size(record: &Map<String, Value>) -> usize {
    record.iter().map(|(key, value)| key.len() + value.as_str().map_or(64, str::len)).sum()
}

fn clipped(text: &str) -> String {
    text.get(..text.floor_char_boundary(FIELD_BYTES)).unwrap_or_default().to_owned()
}
