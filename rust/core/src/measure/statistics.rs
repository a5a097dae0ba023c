//! Descriptive statistics of a handful of samples: pure, total, and careful at both ends of `f64`.
//!
//! Sources of the formulas:
//! - mean and sample standard deviation (n − 1): the corrected two-pass algorithm of T. F. Chan, G. H. Golub
//!   and R. J. `LeVeque`, "Algorithms for Computing the Sample Variance", The American Statistician 37 (1983),
//!   after scaling by a power of two so that squares neither overflow nor vanish;
//! - robust spread: 1.4826 × the median absolute deviation, P. J. Rousseeuw and C. Croux, "Alternatives to the
//!   Median Absolute Deviation", JASA 88 (1993): for normal samples it estimates the standard deviation;
//! - standard error of a median: √(π/2) · σ / √n, M. G. Kendall and A. Stuart, "The Advanced Theory of
//!   Statistics", vol. 1 (asymptotic, normal samples), with the robust spread for σ.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// 1 / Φ⁻¹(3/4): makes the median absolute deviation comparable with a standard deviation.
pub const MAD_SCALE: f64 = 1.482_602_218_505_602;

/// √(π/2): how much wider a median scatters than a mean does.
pub const MEDIAN_ERROR_SCALE: f64 = 1.253_314_137_315_500_3;

/// What samples could not be summarised for.
#[derive(Debug, Error, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StatisticsError {
    /// There is no sample.
    #[error("no samples")]
    Empty,
    /// A sample is NaN or infinite.
    #[error("a sample is not a finite number")]
    NotFinite,
    /// A result is too large for a double.
    #[error("the samples are too far apart for a finite result")]
    Overflow,
}

/// The shape of one arm's samples, all in the samples' own unit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many samples there are.
    pub count: usize,
    /// The arithmetic mean; never outside `min..=max`.
    pub mean: f64,
    /// The smallest sample.
    pub min: f64,
    /// The largest sample.
    pub max: f64,
    /// Sample standard deviation (n − 1); one sample has none.
    pub standard_deviation: Option<f64>,
    /// The middle sample, or the middle of the middle two.
    pub median: f64,
    /// [`MAD_SCALE`] × the median absolute deviation from the median.
    pub robust_spread: f64,
    /// |median of the first half − median of the second half| in the order of measuring, the middle sample of an
    /// odd number left out: how far the arm moved by itself. One sample has none.
    pub noise_floor: Option<f64>,
}

impl Summary {
    /// Summarises samples in the order in which they were measured.
    ///
    /// # Errors
    /// [`StatisticsError`]: no sample, a sample that is not finite, or a result beyond `f64::MAX`.
    pub fn of(samples: &[f64]) -> Result<Self, StatisticsError> {
        if samples.iter().any(|sample| !sample.is_finite()) {
            return Err(StatisticsError::NotFinite);
        }
        let sorted = sort(samples);
        let (Some(&min), Some(&max)) = (sorted.first(), sorted.last()) else {
            return Err(StatisticsError::Empty);
        };
        let median = middle(&sorted).ok_or(StatisticsError::Empty)?;
        let (mean, deviation) = moments(samples, min, max);
        let distances: Vec<f64> = samples.iter().map(|sample| (sample - median).abs()).collect();
        let spread = middle(&sort(&distances)).ok_or(StatisticsError::Empty)? * MAD_SCALE;
        Ok(Self {
            count: samples.len(),
            mean,
            min,
            max,
            standard_deviation: deviation.map(finite).transpose()?,
            median,
            robust_spread: finite(spread)?,
            noise_floor: halves(samples).map(finite).transpose()?,
        })
    }

    /// The standard error of the median, from the robust spread.
    #[must_use]
    pub fn median_error(&self) -> f64 {
        MEDIAN_ERROR_SCALE * (self.robust_spread / count_of(self.count).sqrt())
    }
}

/// `to − from` and the same as a percentage of |`from`|.
///
/// # Errors
/// [`StatisticsError::Overflow`] when the difference is beyond `f64::MAX`.
pub fn change(from: f64, to: f64) -> Result<(f64, Option<f64>), StatisticsError> {
    let difference = finite(to - from)?;
    // Divided before multiplied: the quotient is what may be unrepresentable (zero or a subnormal under it).
    let percent = difference / from.abs() * 100.0;
    Ok((difference, percent.is_finite().then_some(percent)))
}

fn finite(value: f64) -> Result<f64, StatisticsError> {
    if value.is_finite() { Ok(value) } else { Err(StatisticsError::Overflow) }
}

fn sort(samples: &[f64]) -> Vec<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The median of sorted samples; `midpoint` cannot overflow.
fn middle(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    let upper = *sorted.get(half)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    sorted.get(half.checked_sub(1)?).map(|lower| lower.midpoint(upper))
}

fn halves(samples: &[f64]) -> Option<f64> {
    let half = samples.len() / 2;
    let first = middle(&sort(samples.get(..half)?))?;
    let second = middle(&sort(samples.get(samples.len() - half..)?))?;
    Some((first - second).abs())
}

/// Mean and sample standard deviation; the latter may be infinite, which the caller refuses.
fn moments(samples: &[f64], min: f64, max: f64) -> (f64, Option<f64>) {
    let n = count_of(samples.len());
    let (down, up) = scales(min.abs().max(max.abs()));
    let mean = samples.iter().map(|sample| sample * down).sum::<f64>() / n;
    let (mut squares, mut rest) = (0.0, 0.0);
    for sample in samples {
        let distance = sample * down - mean;
        squares += distance * distance;
        rest += distance;
    }
    // `rest` is what rounding left in the mean; without rounding it is zero.
    let variance = ((squares - rest * rest / n) / (n - 1.0)).max(0.0);
    let deviation = if min.total_cmp(&max).is_eq() { 0.0 } else { variance.sqrt() * up };
    ((mean * up).clamp(min, max), (samples.len() > 1).then_some(deviation))
}

/// A power of two that brings `largest` near one, and its inverse; both exact, both normal.
fn scales(largest: f64) -> (f64, f64) {
    let exponent = (largest.to_bits() >> 52 & 0x7ff).clamp(1, 2045);
    (f64::from_bits((2046 - exponent) << 52), f64::from_bits(exponent << 52))
}

/// Counts here are small; past 2⁵³ the conversion would only round.
#[expect(clippy::cast_precision_loss, reason = "a count of samples held in memory")]
fn count_of(samples: usize) -> f64 {
    samples as f64
}

#[cfg(test)]
#[path = "statistics_tests.rs"]
mod tests;
