//! `in`: {"records", "count"?, "later"?, "identity"?} → {"evidence", "dossier"}.

use loop_core::Evidence;
use serde_json::{Map, Value, json};

use crate::redactor;

pub(crate) fn run(case: &Value) -> Value {
    let redactor = redactor(case);
    let records =
        |key: &str| -> Vec<Map<String, Value>> { serde_json::from_value(case[key].clone()).unwrap() };
    let first = records("records");
    let count = case["count"].as_u64().unwrap_or(first.len() as u64);
    let mut evidence =
        Evidence::gather(&first, count, case["first_seen"].as_str().unwrap_or_default(), &redactor);
    if case.get("later").is_some() {
        let later = records("later");
        evidence.merge(Evidence::gather(&later, later.len() as u64, "", &redactor));
    }
    json!({"evidence": evidence, "dossier": evidence.render(&redactor).as_str()})
}
