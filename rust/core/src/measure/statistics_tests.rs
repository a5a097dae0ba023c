//! Edges of `f64` and of small samples; reference values are worked out by hand or exact.
#![allow(clippy::float_cmp)]

use proptest::prelude::*;

use super::*;

const TINY: f64 = f64::from_bits(1);

fn close(a: f64, b: f64) -> bool {
    a == b || ((a - b) / b).abs() < 1e-14
}

#[test]
fn known_samples() {
    let summary = Summary::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
    assert_eq!((summary.count, summary.mean, summary.min, summary.max), (8, 5.0, 2.0, 9.0));
    assert!(close(summary.standard_deviation.unwrap(), (32.0_f64 / 7.0).sqrt()));
    assert_eq!(summary.median, 4.5);
    // |x − 4.5| sorted: .5 .5 .5 .5 .5 2.5 2.5 4.5
    assert_eq!(summary.robust_spread, 0.5 * MAD_SCALE);
    assert_eq!(summary.noise_floor, Some(2.0));
}

#[test]
fn one_sample_has_no_deviation_and_no_noise() {
    let summary = Summary::of(&[7.5]).unwrap();
    assert_eq!((summary.mean, summary.median, summary.robust_spread), (7.5, 7.5, 0.0));
    assert_eq!((summary.standard_deviation, summary.noise_floor), (None, None));
}

#[test]
fn equal_samples_have_exactly_no_spread() {
    for value in [0.1, -0.1, 0.0, 1e308, TINY, -f64::MAX] {
        let summary = Summary::of(&[value; 7]).unwrap();
        assert_eq!(summary.mean, value);
        assert_eq!(summary.standard_deviation, Some(0.0), "{value}");
        assert_eq!((summary.robust_spread, summary.noise_floor), (0.0, Some(0.0)));
    }
}

#[test]
fn a_large_offset_does_not_cancel_the_spread() {
    let summary = Summary::of(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]).unwrap();
    assert_eq!(summary.mean, 1e9 + 10.0);
    assert!(close(summary.standard_deviation.unwrap(), 30.0_f64.sqrt()));
}

#[test]
fn a_mean_that_had_to_be_rounded_does_not_widen_the_spread() {
    let large = 2.0_f64.powi(52);
    let summary = Summary::of(&[large, large + 1.0, large + 1.0]).unwrap();
    assert!(close(summary.standard_deviation.unwrap(), (1.0_f64 / 3.0).sqrt()));
}

#[test]
fn subnormal_samples_keep_their_spread() {
    let summary = Summary::of(&[1000.0 * TINY, 2000.0 * TINY, 3000.0 * TINY]).unwrap();
    assert_eq!(summary.mean, 2000.0 * TINY);
    assert_eq!(summary.standard_deviation, Some(1000.0 * TINY));
    assert_eq!(summary.median, 2000.0 * TINY);
}

#[test]
fn large_samples_do_not_overflow_while_the_result_is_finite() {
    let summary = Summary::of(&[1.5e308, 1.6e308, 1.7e308]).unwrap();
    assert!(close(summary.mean, 1.6e308));
    assert!((summary.standard_deviation.unwrap() / 1e307 - 1.0).abs() < 1e-12);
}

#[test]
fn a_spread_beyond_the_largest_double_is_an_error() {
    assert_eq!(Summary::of(&[f64::MAX, -f64::MAX]), Err(StatisticsError::Overflow));
    assert_eq!(Summary::of(&[f64::MAX, f64::MAX, -f64::MAX]), Err(StatisticsError::Overflow));
    assert_eq!(change(-f64::MAX, f64::MAX), Err(StatisticsError::Overflow));
}

#[test]
fn what_is_not_a_number_is_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(Summary::of(&[1.0, bad, 2.0]), Err(StatisticsError::NotFinite));
    }
    assert_eq!(Summary::of(&[]), Err(StatisticsError::Empty));
}

#[test]
fn one_outlier_moves_the_mean_and_not_the_median() {
    let calm = [100.0, 99.0, 101.0, 100.0, 102.0, 99.0, 100.0, 101.0, 98.0];
    let mut burst = calm.to_vec();
    burst.push(900.0);
    let summary = Summary::of(&burst).unwrap();
    assert_eq!((summary.mean, summary.median), (180.0, 100.0));
    assert!(summary.robust_spread < 3.0 && summary.standard_deviation.unwrap() > 250.0);
}

#[test]
fn the_noise_floor_sees_a_drift_and_leaves_the_middle_out() {
    assert_eq!(Summary::of(&[10.0, 11.0, 500.0, 14.0, 15.0]).unwrap().noise_floor, Some(4.0));
}

#[test]
fn a_change_from_zero_has_no_percentage() {
    assert_eq!(change(0.0, 3.0), Ok((3.0, None)));
    assert_eq!(change(-0.0, 0.0), Ok((0.0, None)));
    assert_eq!(change(TINY, 1.0), Ok((1.0, None)));
    assert_eq!(change(-4.0, -3.0), Ok((1.0, Some(25.0))));
    assert_eq!(change(200.0, 150.0), Ok((-50.0, Some(-25.0))));
}

proptest! {
    #[test]
    fn any_finite_samples_give_ordered_figures_or_overflow(
        bits in proptest::collection::vec(any::<u64>(), 1..20)
    ) {
        let samples: Vec<f64> =
            bits.into_iter().map(f64::from_bits).filter(|sample| sample.is_finite()).collect();
        match Summary::of(&samples) {
            Ok(s) => {
                prop_assert!(s.min <= s.mean && s.mean <= s.max);
                prop_assert!(s.min <= s.median && s.median <= s.max);
                prop_assert!(s.standard_deviation.is_none_or(|d| d.is_finite() && d >= 0.0));
                prop_assert!(s.robust_spread >= 0.0 && s.median_error() >= 0.0);
            }
            Err(StatisticsError::Empty) => prop_assert!(samples.is_empty()),
            Err(other) => prop_assert_eq!(other, StatisticsError::Overflow),
        }
    }

    #[test]
    fn scaling_by_a_power_of_two_scales_every_figure_exactly(
        samples in proptest::collection::vec(-1000.0..1000.0_f64, 2..12), power in -900..900_i32
    ) {
        let factor = 2.0_f64.powi(power);
        let scaled: Vec<f64> = samples.iter().map(|sample| sample * factor).collect();
        let (a, b) = (Summary::of(&samples).unwrap(), Summary::of(&scaled).unwrap());
        prop_assert_eq!(a.mean * factor, b.mean);
        prop_assert_eq!(a.standard_deviation.unwrap() * factor, b.standard_deviation.unwrap());
        prop_assert_eq!(a.robust_spread * factor, b.robust_spread);
    }

    #[test]
    fn mean_and_deviation_agree_with_exact_integers(
        offset in -1_000_000_000..1_000_000_000_i32, steps in proptest::collection::vec(0..5000_i32, 2..12)
    ) {
        let whole: Vec<i128> = steps.iter().map(|step| i128::from(offset) + i128::from(*step)).collect();
        let samples: Vec<f64> = steps.iter().map(|step| f64::from(offset) + f64::from(*step)).collect();
        let n = i128::try_from(whole.len()).unwrap();
        let (sum, squares) = (whole.iter().sum::<i128>(), whole.iter().map(|x| x * x).sum::<i128>());
        #[allow(clippy::cast_precision_loss)]
        let (mean, variance) = (sum as f64 / n as f64, (n * squares - sum * sum) as f64 / (n * (n - 1)) as f64);
        let summary = Summary::of(&samples).unwrap();
        prop_assert!((summary.mean - mean).abs() <= 1e-12 * mean.abs().max(1.0));
        let deviation = summary.standard_deviation.unwrap();
        prop_assert!((deviation - variance.sqrt()).abs() <= 1e-11 * variance.sqrt());
    }

    #[test]
    fn order_changes_nothing_but_the_noise_floor(
        mut samples in proptest::collection::vec(0.0..1e6_f64, 2..10)
    ) {
        let before = Summary::of(&samples).unwrap();
        samples.reverse();
        let after = Summary::of(&samples).unwrap();
        prop_assert_eq!(before.median, after.median);
        prop_assert_eq!(before.noise_floor, after.noise_floor);
        prop_assert!((before.mean - after.mean).abs() <= 1e-9 * before.mean.abs());
    }
}
