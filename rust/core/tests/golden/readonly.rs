use serde_json::Value;

/// A command → whether it is provably read-only, and why.
pub(crate) fn run(case: &Value) -> Value {
    serde_json::to_value(loop_core::readonly::judge(case.as_str().unwrap())).unwrap()
}
