//! What a scan read, what it took and what it skipped: bounds, counts.

use serde::{Deserialize, Serialize};

/// Bounds of one scan. The defaults keep it under 64 MB whatever the log holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// A line up to this many bytes is held as it is; of a longer one, long strings keep their first eighth
    /// of it and long nested values become `null`. Default 1 MiB.
    pub line: usize,
    /// Distinct defects of one scan; the cursor stays before the first one too many. Default 256.
    pub defects: usize,
    /// Records kept of each defect, the last ones. Default 20.
    pub records: usize,
    /// Error texts of each defect, the first ones, for which a legacy id is worked out. Default 64.
    pub legacy: usize,
    /// Bytes for all kept records together, estimated; beyond them a defect keeps fewer. Default 16 MiB.
    pub kept: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line: 1 << 20, defects: 256, records: 20, legacy: 64, kept: 16 << 20 }
    }
}

/// What a scan saw. Lines that the prefilter passes over are counted in `lines` and nowhere else.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stats {
    /// Bytes read and done with.
    pub bytes: u64,
    /// Lines among them.
    pub lines: u64,
    /// Records looked at.
    pub parsed: u64,
    /// Records that tell of a harness failure.
    pub candidates: u64,
    /// Records and fragments that were passed over, and why.
    pub skipped: Skipped,
    /// Records kept in spite of invalid UTF-8, which reads as U+FFFD.
    pub invalid_utf8: u64,
    /// Records kept although longer than `Limits::line`, with their long values cut.
    pub shortened: u64,
    /// Bytes of an unfinished last line, which the next scan reads again.
    pub pending: u64,
    /// Rotated files that were read before the log itself.
    pub rotated_files_read: u64,
    /// Rotated files that may hold unread records and are compressed or cannot be opened.
    pub rotated_files_unreadable: u64,
    /// The log became shorter than what was read of it.
    pub truncated: bool,
    /// What was read is no longer in the log and in no rotated file: read from the start.
    pub replaced: bool,
    /// The scan stopped at `Limits::defects`; scan again from the cursor.
    pub more: bool,
}

/// Counts of what was passed over.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Skipped {
    /// Objects that break off.
    pub torn: u64,
    /// Stretches that are no object.
    pub not_object: u64,
    /// Records of a line over `Limits::line` with more fields than can be held: the last ones are unknown.
    pub too_long: u64,
    /// Events that end in `will_retry: false` when all is well.
    pub normal_outcome: u64,
}
