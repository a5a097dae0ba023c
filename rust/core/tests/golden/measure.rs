//! `in`: {"spec", "outcomes"} → {"order": arms in the order of running, `deadline_seconds`, "report"} or
//! {"error": kind, "trial"?}. An outcome is merged over a good one ("success", 10 ms, revision "r1"), and its
//! "json" is printed as standard output; without outcomes for all trials the report is asked for early.

use loop_core::{MeasureError, MeasureSpec, Outcome, Plan};
use serde_json::{Value, json};

pub(crate) fn run(case: &Value) -> Value {
    measure(case).unwrap_or_else(|error| {
        let mut out = json!({"error": error.kind()});
        if let Some(trial) = error.trial() {
            out["trial"] = trial.into();
        }
        out
    })
}

fn measure(case: &Value) -> Result<Value, MeasureError> {
    let spec: MeasureSpec = serde_json::from_value(case["spec"].clone()).unwrap();
    let mut plan = Plan::new(spec)?;
    let mut order = Vec::new();
    for outcome in case["outcomes"].as_array().unwrap() {
        order.extend(plan.next().map(|trial| trial.arm));
        plan.record(&complete(outcome))?;
    }
    Ok(json!({"order": order, "deadline_seconds": plan.deadline_seconds(), "report": plan.report()?}))
}

fn complete(outcome: &Value) -> Outcome {
    let mut whole = json!({
        "success": true, "stdout": "", "truncated": false, "duration_ms": 10.0,
        "revision_before": "r1", "revision_after": "r1",
    });
    for (key, value) in outcome.as_object().unwrap() {
        if key == "json" {
            whole["stdout"] = value.to_string().into();
        } else {
            whole[key] = value.clone();
        }
    }
    serde_json::from_value(whole).unwrap()
}
