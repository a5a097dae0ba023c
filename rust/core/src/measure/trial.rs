//! One trial: what is due, what the host saw, and whether it counts.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::{MeasureError, MeasureErrorKind as Kind};
use super::spec::{MeasureSpec, Metric};

/// The longest output that is read, in bytes: two or three counters need less than a hundred.
const OUTPUT_MAX_BYTES: usize = 64 * 1024;

/// Which of the two commands a trial runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// What is compared with.
    Baseline,
    /// What is measured.
    Candidate,
}

/// The next thing for a host to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trial {
    /// The place in the order of running, from 1.
    pub position: usize,
    /// Which command this is.
    pub arm: Arm,
    /// Which of the arm's runs this is, from 1.
    pub run: usize,
    /// The shell command.
    pub command: String,
    /// When to stop it.
    pub timeout_seconds: u64,
}

/// What a host saw of one trial. Only what it is sure of counts: `success` and a revision may be unknown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Did the command end by itself with success? `None` when the host cannot tell.
    pub success: Option<bool>,
    /// All of standard output.
    pub stdout: String,
    /// Was any of the output cut?
    pub truncated: bool,
    /// Wall time in milliseconds, process and tool overhead included.
    pub duration_ms: f64,
    /// The working tree's fingerprint before the command; `None` when unknown.
    pub revision_before: Option<String>,
    /// The same after it.
    pub revision_after: Option<String>,
    /// Did somebody stop it?
    #[serde(default)]
    pub cancelled: bool,
    /// Did its timeout stop it?
    #[serde(default)]
    pub timed_out: bool,
}

/// A trial that counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The place in the order of running, from 1.
    pub position: usize,
    /// The sample in the report's unit.
    pub value: f64,
    /// Wall time in milliseconds, whatever the metric.
    pub duration_ms: f64,
    /// The work that the command said it did.
    pub completed: u64,
    /// The work that it took from a cache: none, or the trial would not count.
    pub cached: u64,
}

/// What a command prints. Other fields are its own business; a field given twice is refused.
#[derive(Deserialize)]
struct Printed {
    completed: Option<Value>,
    cached: Option<Value>,
    value: Option<Value>,
}

impl Outcome {
    /// The sample and the revision that it was taken on, if the trial counts.
    pub(super) fn accept(
        &self,
        spec: &MeasureSpec,
        position: usize,
    ) -> Result<(Sample, String), MeasureError> {
        self.check_ending()?;
        let revision = self.revision()?;
        if !self.duration_ms.is_finite() || self.duration_ms < 0.0 {
            return Err(MeasureError::new(Kind::NotFinite, "the duration is not a time"));
        }
        let printed = read(&self.stdout)?;
        let completed = number(printed.completed.as_ref(), "completed")?;
        let cached = number(printed.cached.as_ref(), "cached")?;
        if printed.completed.as_ref().and_then(count) != Some(spec.expected_work) {
            let message = format!("completed {completed} of {} expected", spec.expected_work);
            return Err(MeasureError::new(Kind::WorkMismatch, message));
        }
        if cached != 0.0 {
            return Err(MeasureError::new(Kind::CacheHit, format!("{cached} came from a cache")));
        }
        let value = match spec.metric {
            Metric::Duration => self.duration_ms,
            Metric::Value => number(printed.value.as_ref(), "value")?,
        };
        let sample = Sample {
            position,
            value,
            duration_ms: self.duration_ms,
            completed: spec.expected_work,
            cached: 0,
        };
        Ok((sample, revision))
    }

    fn check_ending(&self) -> Result<(), MeasureError> {
        let refuse = |kind, message: &str| Err(MeasureError::new(kind, message));
        if self.cancelled {
            return refuse(Kind::Cancelled, "cancelled");
        }
        if self.timed_out {
            return refuse(Kind::TimedOut, "ran into its timeout");
        }
        match self.success {
            Some(true) if self.truncated => refuse(Kind::Truncated, "its output was truncated"),
            Some(true) => Ok(()),
            Some(false) => refuse(Kind::Failed, "the command failed"),
            None => refuse(Kind::UnknownOutcome, "the host did not report success"),
        }
    }

    fn revision(&self) -> Result<String, MeasureError> {
        let (Some(before), Some(after)) =
            (known(self.revision_before.as_deref()), known(self.revision_after.as_deref()))
        else {
            return Err(MeasureError::new(Kind::UnknownRevision, "the working tree's revision is unknown"));
        };
        if before != after {
            return Err(MeasureError::new(Kind::RevisionChanged, "the command changed the working tree"));
        }
        Ok(before.to_owned())
    }
}

/// Hosts that carry the word instead of nothing must not pass for a revision.
fn known(revision: Option<&str>) -> Option<&str> {
    let text = revision?.trim();
    (!text.is_empty() && !text.eq_ignore_ascii_case("unknown")).then_some(text)
}

fn read(stdout: &str) -> Result<Printed, MeasureError> {
    let refuse = |message: String| MeasureError::new(Kind::NotJson, message);
    let text = stdout.trim_matches([' ', '\t', '\r', '\n']);
    if text.len() > OUTPUT_MAX_BYTES {
        return Err(refuse(format!("printed more than {OUTPUT_MAX_BYTES} bytes")));
    }
    // A struct would also be read from an array.
    if !text.starts_with('{') {
        return Err(refuse("printed something else than one JSON object".to_owned()));
    }
    serde_json::from_str(text).map_err(|error| refuse(format!("printed no plain JSON object: {error}")))
}

fn number(value: Option<&Value>, name: &str) -> Result<f64, MeasureError> {
    let missing = || MeasureError::new(Kind::MissingCounter, format!("{name} is missing or not a number"));
    let number = value.and_then(Value::as_f64).ok_or_else(missing)?;
    if number.is_finite() {
        return Ok(number);
    }
    Err(MeasureError::new(Kind::NotFinite, format!("{name} is not finite")))
}

/// A positive whole number, also when written as `100.0`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a whole count")]
fn count(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        (number.fract() == 0.0 && (1.0..=9_007_199_254_740_991.0).contains(&number)).then_some(number as u64)
    })
}
