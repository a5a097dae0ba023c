//! What may be asked for, and its bounds.

use serde::{Deserialize, Serialize};

use super::error::{MeasureError, MeasureErrorKind::InvalidSpec};

/// The fewest trials of one arm.
pub const RUNS_MIN: usize = 3;
/// The most trials of one arm.
pub const RUNS_MAX: usize = 10;
/// The shortest timeout of one command, in seconds.
pub const TIMEOUT_MIN_SECONDS: u64 = 1;
/// The longest timeout of one command, in seconds.
pub const TIMEOUT_MAX_SECONDS: u64 = 60;
/// One command's timeout when none is asked for, in seconds.
pub const TIMEOUT_DEFAULT_SECONDS: u64 = 30;
/// What the whole measurement may take beyond its commands' own timeouts, in seconds.
pub const DEADLINE_SLACK_SECONDS: u64 = 30;

/// The largest count that every JSON reader tells from its neighbours: 2⁵³ − 1.
const WORK_MAX: u64 = (1 << 53) - 1;
const COMMAND_MAX_BYTES: usize = 16 * 1024;
const UNIT_MAX_CHARS: usize = 32;

/// What a sample is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The trial's wall time in milliseconds, process and tool overhead included.
    #[default]
    Duration,
    /// The `value` that the command reports.
    Value,
}

/// A request to measure one command, or two against each other on one revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureSpec {
    /// The candidate's shell command.
    pub command: String,
    /// The command to compare with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_command: Option<String>,
    /// What every trial must report as `completed`; positive.
    pub expected_work: u64,
    /// Trials per arm, [`RUNS_MIN`] to [`RUNS_MAX`].
    #[serde(default = "default_runs")]
    pub runs: usize,
    /// What a sample is.
    #[serde(default)]
    pub metric: Metric,
    /// The unit of `value`; needed there, refused for durations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// One command's timeout, [`TIMEOUT_MIN_SECONDS`] to [`TIMEOUT_MAX_SECONDS`].
    #[serde(default = "default_timeout")]
    pub timeout_seconds: u64,
}

fn default_runs() -> usize {
    RUNS_MIN
}

fn default_timeout() -> u64 {
    TIMEOUT_DEFAULT_SECONDS
}

impl MeasureSpec {
    /// A request with every default.
    #[must_use]
    pub fn new(command: impl Into<String>, expected_work: u64) -> Self {
        Self {
            command: command.into(),
            baseline_command: None,
            expected_work,
            runs: default_runs(),
            metric: Metric::default(),
            unit: None,
            timeout_seconds: default_timeout(),
        }
    }

    pub(super) fn unit_name(&self) -> &str {
        self.unit.as_deref().unwrap_or("ms")
    }

    pub(super) fn check(&self) -> Result<(), MeasureError> {
        let refuse = |message: &str| Err(MeasureError::new(InvalidSpec, message));
        let runs_a_command =
            |text: &str| !text.trim().is_empty() && text.len() <= COMMAND_MAX_BYTES && !text.contains('\0');
        if !runs_a_command(&self.command) || !self.baseline_command.as_deref().is_none_or(runs_a_command) {
            return refuse("a command must hold 1 to 16384 bytes and no NUL");
        }
        if !(1..=WORK_MAX).contains(&self.expected_work) {
            return refuse("expected_work must be a positive whole number of less than 2^53");
        }
        if !(RUNS_MIN..=RUNS_MAX).contains(&self.runs) {
            return refuse("runs must be 3 to 10");
        }
        if !(TIMEOUT_MIN_SECONDS..=TIMEOUT_MAX_SECONDS).contains(&self.timeout_seconds) {
            return refuse("timeout_seconds must be 1 to 60");
        }
        match (self.metric, self.unit.as_deref()) {
            (Metric::Duration, None) => Ok(()),
            (Metric::Duration, Some(_)) => refuse("a duration is in ms: leave unit out"),
            (Metric::Value, Some(unit)) if is_unit(unit) => Ok(()),
            (Metric::Value, _) => refuse("metric value needs a unit of 1 to 32 printable characters"),
        }
    }
}

fn is_unit(unit: &str) -> bool {
    !unit.trim().is_empty() && unit.chars().count() <= UNIT_MAX_CHARS && !unit.chars().any(char::is_control)
}
