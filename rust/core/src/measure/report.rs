//! What was measured, described and not judged.

use serde::Serialize;

use super::error::MeasureError;
use super::spec::{MeasureSpec, Metric};
use super::statistics::{Summary, change};
use super::trial::Sample;

/// What every report says of itself; a model reads it beside the figures.
pub const REPORT_NOTE: &str = "Descriptive figures of commands run on one revision. Counters are the commands' own. \
Range overlap is not a significance test, and a difference is not a cause.";

/// How many standard errors of the median difference count as uncertain.
const UNCERTAIN_ERRORS: f64 = 2.0;

/// A finished measurement: every trial counted, all on one revision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What a sample is.
    pub metric: Metric,
    /// The unit of every figure but counts, percentages and durations.
    pub unit: String,
    /// The work that every trial completed.
    pub expected_work: u64,
    /// The working tree's fingerprint before and after every trial.
    pub revision: String,
    /// The measured command.
    pub candidate: ArmReport,
    /// The command to compare with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<ArmReport>,
    /// Candidate against baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// [`REPORT_NOTE`].
    pub note: &'static str,
}

/// One command's trials.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmReport {
    /// The shell command.
    pub command: String,
    /// The trials in the order of running.
    pub samples: Vec<Sample>,
    /// Their shape.
    #[serde(flatten)]
    pub summary: Summary,
}

/// The candidate's figures less the baseline's; percentages are of the baseline's magnitude.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// Difference of the means.
    pub mean_difference: f64,
    /// The same in percent; none where the baseline is zero or too small to divide by.
    pub mean_change_percent: Option<f64>,
    /// Difference of the medians.
    pub median_difference: f64,
    /// The same in percent; none where the baseline is zero or too small to divide by.
    pub median_change_percent: Option<f64>,
    /// Do the arms' ranges from least to greatest sample share a point?
    pub ranges_overlap: bool,
    /// The larger of the arms' noise floors.
    pub noise_floor: f64,
    /// Two standard errors of the difference of the medians.
    pub uncertainty: f64,
    /// Is the difference of the medians within the noise floor or the uncertainty?
    pub inconclusive: bool,
}

impl Report {
    /// Without samples of a baseline, there is no comparison.
    pub(super) fn of(
        spec: &MeasureSpec,
        revision: &str,
        candidate: &[Sample],
        baseline: &[Sample],
    ) -> Result<Self, MeasureError> {
        let candidate = ArmReport::of(&spec.command, candidate)?;
        let baseline =
            spec.baseline_command.as_deref().map(|command| ArmReport::of(command, baseline)).transpose()?;
        let comparison = baseline
            .as_ref()
            .map(|baseline| Comparison::of(&baseline.summary, &candidate.summary))
            .transpose()?;
        Ok(Self {
            metric: spec.metric,
            unit: spec.unit_name().to_owned(),
            expected_work: spec.expected_work,
            revision: revision.to_owned(),
            candidate,
            baseline,
            comparison,
            note: REPORT_NOTE,
        })
    }
}

impl ArmReport {
    fn of(command: &str, samples: &[Sample]) -> Result<Self, MeasureError> {
        let values: Vec<f64> = samples.iter().map(|sample| sample.value).collect();
        Ok(Self { command: command.to_owned(), samples: samples.to_vec(), summary: Summary::of(&values)? })
    }
}

impl Comparison {
    fn of(baseline: &Summary, candidate: &Summary) -> Result<Self, MeasureError> {
        let (mean_difference, mean_change_percent) = change(baseline.mean, candidate.mean)?;
        let (median_difference, median_change_percent) = change(baseline.median, candidate.median)?;
        let noise_floor = floor(baseline).max(floor(candidate));
        let errors = baseline.median_error().hypot(candidate.median_error());
        let (uncertainty, _) = change(0.0, UNCERTAIN_ERRORS * errors)?;
        Ok(Self {
            mean_difference,
            mean_change_percent,
            median_difference,
            median_change_percent,
            ranges_overlap: baseline.min <= candidate.max && candidate.min <= baseline.max,
            noise_floor,
            uncertainty,
            inconclusive: median_difference.abs() <= noise_floor.max(uncertainty),
        })
    }
}

fn floor(arm: &Summary) -> f64 {
    arm.noise_floor.unwrap_or(f64::INFINITY)
}
