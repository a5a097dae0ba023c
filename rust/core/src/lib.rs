//! Decisions that keep unattended coding agents honest.
//!
//! Every room turns plain text or bytes into one plain value; nothing here reads the environment, the
//! clock or the network outside the few named edges.
#![forbid(unsafe_code)]

pub mod check;
mod control;
mod defect;
mod dossier;
mod eventlog;
mod measure;
pub mod readonly;
mod redact;
mod report;
mod revision;
mod scope;
pub mod shell;

pub use control::{
    Dialect, Keywords, Parsed, SELF_AUTHORED_MARKER, defang, is_self_authored, mark_self_authored,
    parse_command,
};
pub use defect::{DefectId, fingerprint, fingerprint_record, legacy_fingerprint, template};
pub use dossier::{DOSSIER_MAX_CHARS, Evidence, RECORDS_MAX, repository_names};
pub use eventlog::{
    Candidacy, Cursor, Defect, Harvest, Limits, LogError, LogErrorKind, NORMAL_OUTCOMES, Skipped, Stats,
    Tail, candidacy, harvest, harvest_stream,
};
pub use measure::{
    Arm, ArmReport, Comparison, DEADLINE_SLACK_SECONDS, MAD_SCALE, MEDIAN_ERROR_SCALE, MeasureError,
    MeasureErrorKind, MeasureSpec, Metric, Outcome, Plan, REPORT_NOTE, RUNS_MAX, RUNS_MIN,
    Report as MeasureReport, Sample, StatisticsError, Summary, TIMEOUT_DEFAULT_SECONDS, TIMEOUT_MAX_SECONDS,
    TIMEOUT_MIN_SECONDS, Trial, change,
};
pub use redact::{Identity, Redactor, Scrubbed};
pub use report::{
    Answer, BODY_MAX_BYTES, Findings, FindingsError, FindingsErrorKind, Report, ReportError, ReportOptions,
    TITLE_MAX_CHARS, agent_prompt, compose_issue, defect_marker, parse_findings,
};
pub use revision::{
    ChangedPaths, DebugTag, Digest, Fingerprint, Host, Revision, Unknown, UnknownKind, Workspace,
    debug_tag_lines, debug_tags_in_diff,
};
pub use scope::{Choice, Command, DiskTree, Kind, MemoryTree, Scope, Tree, covers, scope};

/// The version of this crate, which every face reports as its own.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
