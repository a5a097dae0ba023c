//! The protocol as a state machine: which trial is due, what has been recorded, what ended it.

use serde::{Deserialize, Serialize};

use super::error::{MeasureError, MeasureErrorKind as Kind};
use super::report::Report;
use super::spec::{DEADLINE_SLACK_SECONDS, MeasureSpec};
use super::trial::{Arm, Outcome, Sample, Trial};

/// A measurement under way. It is plain data: a host may store it between trials.
///
/// The arms alternate, and so does which of them goes first (A B · B A · A B), so that neither a steady drift nor
/// the place within a pair favours one. The first trial that does not count ends the measurement: a report never
/// holds a selection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Plan {
    spec: MeasureSpec,
    revision: Option<String>,
    samples: Vec<Sample>,
    failure: Option<MeasureError>,
}

impl Plan {
    /// A plan for `spec`, with nothing run yet.
    ///
    /// # Errors
    /// [`Kind::InvalidSpec`] when the request is outside the protocol's bounds.
    pub fn new(spec: MeasureSpec) -> Result<Self, MeasureError> {
        spec.check()?;
        Ok(Self { spec, revision: None, samples: Vec::new(), failure: None })
    }

    /// How many trials there are in all.
    #[must_use]
    pub fn trials(&self) -> usize {
        self.spec.runs * self.arms()
    }

    /// When the host must stop the whole measurement: the slack and every trial's own timeout, in seconds.
    #[must_use]
    pub fn deadline_seconds(&self) -> u64 {
        let trials = u64::try_from(self.trials()).unwrap_or(u64::MAX);
        DEADLINE_SLACK_SECONDS.saturating_add(trials.saturating_mul(self.spec.timeout_seconds))
    }

    /// The trial that is due; `None` when all are done or one has ended the measurement.
    #[must_use]
    pub fn next(&self) -> Option<Trial> {
        if self.failure.is_some() || self.samples.len() >= self.trials() {
            return None;
        }
        let arm = self.arm_at(self.samples.len());
        let command = match (arm, &self.spec.baseline_command) {
            (Arm::Baseline, Some(command)) => command,
            _ => &self.spec.command,
        };
        Some(Trial {
            position: self.samples.len() + 1,
            arm,
            run: self.samples.len() / self.arms() + 1,
            command: command.clone(),
            timeout_seconds: self.spec.timeout_seconds,
        })
    }

    /// Records what the host saw of the trial that was due.
    ///
    /// # Errors
    /// The first of the reasons in [`MeasureErrorKind`](super::MeasureErrorKind) why the trial does not count; the
    /// measurement has then ended. [`Kind::NoTrialDue`] when there was nothing to record, which changes nothing.
    pub fn record(&mut self, outcome: &Outcome) -> Result<(), MeasureError> {
        let Some(trial) = self.next() else {
            return Err(MeasureError::new(Kind::NoTrialDue, "no trial is due"));
        };
        let accepted = outcome.accept(&self.spec, trial.position);
        match accepted.and_then(|(sample, revision)| self.admit(sample, revision)) {
            Ok(()) => Ok(()),
            Err(error) => {
                let error = error.at(trial.position);
                self.failure = Some(error.clone());
                Err(error)
            }
        }
    }

    /// Ends the measurement between two trials, as a host does on cancellation.
    pub fn cancel(&mut self) {
        if self.next().is_some() {
            self.failure = Some(MeasureError::new(Kind::Cancelled, "cancelled"));
        }
    }

    /// The report, once every trial counts.
    ///
    /// # Errors
    /// What ended the measurement; [`Kind::Incomplete`] before the last trial; [`Kind::Overflow`] when the samples
    /// are too far apart for finite figures.
    pub fn report(&self) -> Result<Report, MeasureError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        match &self.revision {
            Some(revision) if self.samples.len() == self.trials() => {
                Report::of(&self.spec, revision, &self.arm(Arm::Candidate), &self.arm(Arm::Baseline))
            }
            _ => {
                let message = format!("{} of {} trials recorded", self.samples.len(), self.trials());
                Err(MeasureError::new(Kind::Incomplete, message))
            }
        }
    }

    fn admit(&mut self, sample: Sample, revision: String) -> Result<(), MeasureError> {
        if self.revision.as_ref().is_some_and(|first| *first != revision) {
            return Err(MeasureError::new(Kind::RevisionChanged, "the working tree changed between trials"));
        }
        // The trials' own times are the least that can have passed; the host's timer sees the rest.
        let passed: f64 = self.samples.iter().chain([&sample]).map(|s| s.duration_ms / 1000.0).sum();
        if passed > seconds(self.deadline_seconds()) {
            return Err(MeasureError::new(Kind::DeadlineExceeded, "the measurement passed its deadline"));
        }
        self.revision = Some(revision);
        self.samples.push(sample);
        Ok(())
    }

    fn arms(&self) -> usize {
        if self.spec.baseline_command.is_some() { 2 } else { 1 }
    }

    fn arm_at(&self, index: usize) -> Arm {
        let pair_is_swapped = index / 2 % 2 == 1;
        let second = index % 2 == 1;
        if self.spec.baseline_command.is_some() && second == pair_is_swapped {
            Arm::Baseline
        } else {
            Arm::Candidate
        }
    }

    fn arm(&self, arm: Arm) -> Vec<Sample> {
        let with_index = self.samples.iter().enumerate();
        with_index.filter(|(index, _)| self.arm_at(*index) == arm).map(|(_, sample)| *sample).collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 30 + 20 × 60 seconds")]
fn seconds(whole: u64) -> f64 {
    whole as f64
}

/// A plan as it is stored; reading it back checks what a plan promises.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    spec: MeasureSpec,
    revision: Option<String>,
    samples: Vec<Sample>,
    failure: Option<MeasureError>,
}

impl From<Plan> for Stored {
    fn from(plan: Plan) -> Self {
        Self { spec: plan.spec, revision: plan.revision, samples: plan.samples, failure: plan.failure }
    }
}

impl TryFrom<Stored> for Plan {
    type Error = MeasureError;

    fn try_from(stored: Stored) -> Result<Self, MeasureError> {
        let mut plan = Self::new(stored.spec)?;
        if stored.samples.len() > plan.trials() || stored.samples.is_empty() != stored.revision.is_none() {
            return Err(MeasureError::new(Kind::InvalidSpec, "not a stored measurement"));
        }
        plan.revision = stored.revision;
        plan.samples = stored.samples;
        plan.failure = stored.failure;
        Ok(plan)
    }
}
