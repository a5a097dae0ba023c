//! `in`: {"output"} → what the agent's answer was read as, or {"error": kind};
//! {"findings", "records", "fingerprint", "label", "environment"?, "keywords"?, "identity"?} → {"title", "body"}
//! or {"error": "incomplete"}.

use std::collections::BTreeMap;

use loop_core::{
    Evidence, Findings, FindingsErrorKind, Keywords, ReportOptions, compose_issue, parse_findings,
};
use serde_json::{Map, Value, json};

use crate::redactor;

pub(crate) fn run(case: &Value) -> Value {
    if let Some(output) = case["output"].as_str() {
        return match parse_findings(output) {
            Ok(answer) => serde_json::to_value(answer).unwrap(),
            Err(error) => json!({"error": match error.kind() {
                FindingsErrorKind::NoTitle => "no_title",
                FindingsErrorKind::NoReason => "no_reason",
                _ => "no_findings",
            }}),
        };
    }
    let findings: Findings = serde_json::from_value(case["findings"].clone()).unwrap();
    let records: Vec<Map<String, Value>> = serde_json::from_value(case["records"].clone()).unwrap();
    let configured: BTreeMap<String, String> =
        serde_json::from_value(case.get("keywords").cloned().unwrap_or(json!({}))).unwrap();
    let environment: Vec<(String, String)> =
        serde_json::from_value(case.get("environment").cloned().unwrap_or(json!([]))).unwrap();
    let redactor = redactor(case);
    let evidence = Evidence::gather(&records, records.len() as u64, "", &redactor);
    let options = ReportOptions {
        fingerprint: case["fingerprint"].as_str().unwrap(),
        label: case["label"].as_str().unwrap(),
        environment: &environment,
        keywords: &Keywords::new(&configured),
    };
    match compose_issue(&findings, &evidence, &options, &redactor) {
        Ok(report) => json!({"title": report.title.as_str(), "body": report.body.as_str()}),
        Err(_) => json!({"error": "incomplete"}),
    }
}
