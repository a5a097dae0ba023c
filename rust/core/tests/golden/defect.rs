//! `in`: {"error", "event"?} → {"fingerprint", "template"}; {"record"} → {"fingerprint", "legacy"}.

use loop_core::{fingerprint, fingerprint_record, legacy_fingerprint, template};
use serde_json::{Value, json};

pub(crate) fn run(case: &Value) -> Value {
    if let Some(record) = case["record"].as_object() {
        return json!({"fingerprint": fingerprint_record(record).as_str(), "legacy": legacy_fingerprint(record)});
    }
    let (event, error) = (case["event"].as_str().unwrap_or_default(), case["error"].as_str().unwrap());
    let made = template(error);
    json!({"fingerprint": fingerprint(event, error).as_str(), "template": made})
}
