//! A request and what a host saw of its trials → a validated report, or why there is none.
//!
//! `Plan::new` → (`next` → the host runs it → `record`)… → `report`. Nothing here runs a command or reads a clock.

mod error;
mod plan;
mod report;
mod spec;
mod statistics;
mod trial;

pub use error::{MeasureError, MeasureErrorKind};
pub use plan::Plan;
pub use report::{ArmReport, Comparison, REPORT_NOTE, Report};
pub use spec::{
    DEADLINE_SLACK_SECONDS, MeasureSpec, Metric, RUNS_MAX, RUNS_MIN, TIMEOUT_DEFAULT_SECONDS,
    TIMEOUT_MAX_SECONDS, TIMEOUT_MIN_SECONDS,
};
pub use statistics::{MAD_SCALE, MEDIAN_ERROR_SCALE, StatisticsError, Summary, change};
pub use trial::{Arm, Outcome, Sample, Trial};

#[cfg(test)]
mod tests;
