//! Why there is no report.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::statistics::StatisticsError;

/// What stopped a measurement. No kind is worth a silent retry: a report from selected trials would mislead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MeasureErrorKind {
    /// The request is outside the protocol's bounds; the caller's to mend.
    InvalidSpec,
    /// A trial's command failed.
    Failed,
    /// The host did not say that a trial succeeded.
    UnknownOutcome,
    /// A trial or the whole measurement was cancelled.
    Cancelled,
    /// A trial ran into its own timeout.
    TimedOut,
    /// The trials together took longer than the measurement's deadline.
    DeadlineExceeded,
    /// A trial's output was cut, so what it reported is not known.
    Truncated,
    /// The working tree had no known revision before or after a trial.
    UnknownRevision,
    /// The revision was not the same before and after every trial.
    RevisionChanged,
    /// Standard output was not one JSON object and nothing else.
    NotJson,
    /// `completed` or `cached` (or `value`, where it is the metric) is missing or not a number.
    MissingCounter,
    /// `completed` differs from the expected work.
    WorkMismatch,
    /// Some of the work came from a cache.
    CacheHit,
    /// A sample is not a finite number, or a duration is negative.
    NotFinite,
    /// The samples are too far apart for finite statistics.
    Overflow,
    /// A report was asked for before the last trial.
    Incomplete,
    /// An outcome was recorded when no trial was due.
    NoTrialDue,
}

/// A measurement that has no report, and which trial ended it.
#[derive(Debug, Error, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[error("{}{message}", .trial.map(|n| format!("trial {n}: ")).unwrap_or_default())]
pub struct MeasureError {
    kind: MeasureErrorKind,
    /// The trial's place in the order of running, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trial: Option<usize>,
    message: String,
}

impl MeasureError {
    pub(super) fn new(kind: MeasureErrorKind, message: impl Into<String>) -> Self {
        Self { kind, trial: None, message: message.into() }
    }

    pub(super) fn at(self, trial: usize) -> Self {
        Self { trial: Some(trial), ..self }
    }

    /// What happened.
    #[must_use]
    pub fn kind(&self) -> MeasureErrorKind {
        self.kind
    }

    /// The trial that ended the measurement: its place in the order of running, from 1.
    #[must_use]
    pub fn trial(&self) -> Option<usize> {
        self.trial
    }
}

impl From<StatisticsError> for MeasureError {
    fn from(error: StatisticsError) -> Self {
        let kind = match error {
            StatisticsError::Empty => MeasureErrorKind::Incomplete,
            StatisticsError::NotFinite => MeasureErrorKind::NotFinite,
            StatisticsError::Overflow => MeasureErrorKind::Overflow,
        };
        Self::new(kind, error.to_string())
    }
}
