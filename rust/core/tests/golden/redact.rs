//! in: `{text, identity?: {home, user, host, env}, names?: […]}`, out: `{text, counts}`.

use serde_json::{Value, json};

pub(crate) fn run(case: &Value) -> Value {
    let names = case["names"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let scrubbed = crate::redactor(case).with_names(names).scrub(case["text"].as_str().unwrap());
    json!({"text": scrubbed.as_str(), "counts": scrubbed.counts()})
}
