//! `in`: {"body", "keywords"?, "dialect"} → null, a name, or a list of names; {"defang", "keywords"?} → text;
//! {"mark"} → text.

use std::collections::BTreeMap;

use loop_core::{Dialect, Keywords, Parsed, defang, is_self_authored, mark_self_authored, parse_command};
use serde_json::{Value, json};

pub(crate) fn run(case: &Value) -> Value {
    let configured: BTreeMap<String, String> =
        serde_json::from_value(case.get("keywords").cloned().unwrap_or(json!({}))).unwrap();
    let keywords = Keywords::new(&configured);
    if let Some(text) = case["defang"].as_str() {
        let out = defang(text, &keywords);
        for dialect in Dialect::ALL {
            assert_eq!(parse_command(&out, &keywords, dialect), Parsed::Nothing, "{out}");
        }
        return json!(out);
    }
    if let Some(text) = case["mark"].as_str() {
        let out = mark_self_authored(text);
        assert!(is_self_authored(&out));
        return json!(out);
    }
    let dialect = if case["dialect"] == "anywhere" { Dialect::Anywhere } else { Dialect::Opening };
    match parse_command(case["body"].as_str().unwrap(), &keywords, dialect) {
        Parsed::Nothing => Value::Null,
        Parsed::Command(name) => json!(name),
        Parsed::Ambiguous(names) => json!(names),
    }
}
