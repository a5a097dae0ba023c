//! What a case file cannot say: properties, stored state, and outcomes that JSON has no numbers for.
#![allow(clippy::float_cmp)]

use proptest::prelude::*;

use super::*;

fn seen(stdout: &str, duration_ms: f64) -> Outcome {
    Outcome {
        success: Some(true),
        stdout: stdout.to_owned(),
        truncated: false,
        duration_ms,
        revision_before: Some("r1".to_owned()),
        revision_after: Some("r1".to_owned()),
        cancelled: false,
        timed_out: false,
    }
}

fn two_arms(runs: usize) -> Plan {
    let spec = MeasureSpec { baseline_command: Some("old".to_owned()), runs, ..MeasureSpec::new("new", 5) };
    Plan::new(spec).unwrap()
}

const DONE: &str = r#"{"completed":5,"cached":0}"#;

#[test]
fn a_duration_that_is_no_time_ends_the_measurement() {
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        let mut plan = two_arms(3);
        assert_eq!(plan.record(&seen(DONE, bad)).unwrap_err().kind(), MeasureErrorKind::NotFinite);
        assert!(plan.next().is_none());
        assert_eq!(plan.report().unwrap_err().trial(), Some(1));
    }
}

#[test]
fn cancelling_between_trials_leaves_no_report_and_cannot_undo_one() {
    let mut plan = two_arms(3);
    plan.record(&seen(DONE, 1.0)).unwrap();
    plan.cancel();
    assert_eq!(plan.report().unwrap_err().kind(), MeasureErrorKind::Cancelled);
    let mut done = two_arms(3);
    while done.next().is_some() {
        done.record(&seen(DONE, 1.0)).unwrap();
    }
    done.cancel();
    assert!(done.report().is_ok());
    assert_eq!(done.record(&seen(DONE, 1.0)).unwrap_err().kind(), MeasureErrorKind::NoTrialDue);
    assert!(done.report().is_ok());
}

#[test]
fn the_defaults_cannot_expire_before_the_last_trial() {
    let mut plan = two_arms(10);
    assert_eq!(plan.deadline_seconds(), 30 + 20 * 30);
    while plan.next().is_some() {
        plan.record(&seen(DONE, 30_000.0)).unwrap();
    }
    assert!(plan.report().is_ok());
}

#[test]
fn a_stored_plan_that_breaks_its_own_promise_is_refused() {
    let mut stored = serde_json::to_value(two_arms(3)).unwrap();
    stored["spec"]["runs"] = 2.into();
    assert!(serde_json::from_value::<Plan>(stored).is_err());
    let mut stored = serde_json::to_value(two_arms(3)).unwrap();
    stored["revision"] = "r1".into();
    assert!(serde_json::from_value::<Plan>(stored).is_err());
}

#[test]
fn no_word_of_ours_calls_a_difference_an_improvement() {
    let mut plan = two_arms(3);
    while let Some(trial) = plan.next() {
        let ms = if trial.arm == Arm::Baseline { 90.0 } else { 10.0 };
        plan.record(&seen(DONE, ms)).unwrap();
    }
    let text = serde_json::to_string(&plan.report().unwrap()).unwrap().to_lowercase();
    for word in ["improve", "faster", "better", "significant "] {
        assert!(!text.contains(word), "{word}");
    }
}

proptest! {
    #[test]
    fn each_arm_gets_its_runs_and_a_steady_drift_cancels_over_whole_double_pairs(runs in RUNS_MIN..=RUNS_MAX) {
        let mut plan = two_arms(runs);
        let mut order = Vec::new();
        while let Some(trial) = plan.next() {
            order.push(trial.arm);
            plan.record(&seen(DONE, 1.0)).unwrap();
        }
        let places = |arm| order.iter().enumerate().filter(move |(_, a)| **a == arm).map(|(i, _)| i);
        prop_assert_eq!(places(Arm::Baseline).count(), runs);
        prop_assert_eq!(places(Arm::Candidate).count(), runs);
        let drift = places(Arm::Baseline).sum::<usize>().abs_diff(places(Arm::Candidate).sum::<usize>());
        prop_assert_eq!(drift, runs % 2);
    }

    #[test]
    fn storing_a_plan_between_trials_changes_nothing(times in proptest::collection::vec(0.0..3e4_f64, 6)) {
        let (mut kept, mut stored) = (two_arms(3), two_arms(3));
        for ms in times {
            kept.record(&seen(DONE, ms)).unwrap();
            stored.record(&seen(DONE, ms)).unwrap();
            stored = serde_json::from_str(&serde_json::to_string(&stored).unwrap()).unwrap();
        }
        prop_assert_eq!(kept.report().unwrap(), stored.report().unwrap());
    }

    #[test]
    fn any_output_is_taken_or_refused(stdout in ".{0,200}") {
        let mut plan = two_arms(3);
        if plan.record(&seen(&stdout, 1.0)).is_ok() {
            prop_assert!(stdout.contains('5'));
        }
    }

    #[test]
    fn swapping_the_arms_negates_the_differences(
        a in proptest::collection::vec(1.0..1e4_f64, 3..10), b in proptest::collection::vec(1.0..1e4_f64, 10)
    ) {
        let run = |baseline: &[f64], candidate: &[f64]| {
            let mut plan = two_arms(a.len());
            while let Some(trial) = plan.next() {
                let from = if trial.arm == Arm::Baseline { baseline } else { candidate };
                plan.record(&seen(DONE, from[trial.run - 1])).unwrap();
            }
            plan.report().unwrap().comparison.unwrap()
        };
        let (one, other) = (run(&a, &b), run(&b, &a));
        prop_assert_eq!(one.median_difference, -other.median_difference);
        prop_assert_eq!(one.inconclusive, other.inconclusive);
        prop_assert_eq!(one.ranges_overlap, other.ranges_overlap);
    }
}
