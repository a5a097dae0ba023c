use serde_json::{Value, json};

/// Bash text → its tree, or why it cannot be proved.
pub(crate) fn run(case: &Value) -> Value {
    match loop_core::shell::parse(case.as_str().unwrap()) {
        Ok(script) => serde_json::to_value(script).unwrap(),
        Err(reason) => json!({"cannot_prove": reason.to_string()}),
    }
}
