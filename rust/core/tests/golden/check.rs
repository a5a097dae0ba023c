use serde_json::Value;

/// A command → `verification` with tool, arguments and canonical form, or `not_one` with the reason.
pub(crate) fn run(case: &Value) -> Value {
    serde_json::to_value(loop_core::check::recognise(case.as_str().unwrap())).unwrap()
}
