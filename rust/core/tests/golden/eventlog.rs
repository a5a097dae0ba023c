//! `in`: {"log": [part, …], "defects"?: most} → {"defects": […], "stats": what is neither zero nor false}.
//! A part is text, {"base64"}, or {"repeat": text, "times"}. Ids are the defect room's cases.

use std::io::Write;
use std::path::Path;

use loop_core::{Limits, harvest};
use serde_json::{Value, json};

pub(crate) fn run(case: &Value) -> Value {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    for part in case["log"].as_array().unwrap() {
        file.write_all(&bytes(part)).unwrap();
    }
    let mut limits = Limits::default();
    if let Some(defects) = case["defects"].as_u64() {
        limits.defects = usize::try_from(defects).unwrap();
    }
    found(file.path(), &limits)
}

fn found(path: &Path, limits: &Limits) -> Value {
    let harvest = harvest(path, None, limits).unwrap();
    let defects: Vec<Value> = harvest
        .defects
        .iter()
        .map(|defect| {
            json!({
                "event": defect.event,
                "count": defect.count,
                "first_seen": defect.first_seen,
                "last_seen": defect.last_seen,
                "legacy": defect.legacy,
                "last_record": defect.records.last(),
            })
        })
        .collect();
    json!({"defects": defects, "stats": telling(&serde_json::to_value(harvest.stats).unwrap())})
}

/// Without the counts that are zero.
fn telling(stats: &Value) -> Value {
    let kept = stats.as_object().unwrap().iter().filter_map(|(name, value)| match value {
        Value::Object(_) => Some((name.clone(), telling(value))).filter(|(_, inner)| *inner != json!({})),
        value if *value == json!(0) || *value == json!(false) => None,
        value => Some((name.clone(), value.clone())),
    });
    Value::Object(kept.collect())
}

fn bytes(part: &Value) -> Vec<u8> {
    if let Some(text) = part.as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(text) = part["repeat"].as_str() {
        return text.repeat(usize::try_from(part["times"].as_u64().unwrap()).unwrap()).into_bytes();
    }
    base64(part["base64"].as_str().unwrap())
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for digit in text.chars().filter(|digit| *digit != '=') {
        bits = bits << 6 | u32::try_from(DIGITS.find(digit).unwrap()).unwrap();
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held & 0xFF) as u8);
        }
    }
    out
}
