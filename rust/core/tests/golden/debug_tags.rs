//! `debug_tags.json`: added lines of a diff, or lines of a new file, that carry a debug tag.

use serde_json::{Value, json};

use loop_core::{debug_tag_lines, debug_tags_in_diff};

pub(crate) fn run(input: &Value) -> Value {
    match input["diff"].as_str() {
        Some(diff) => debug_tags_in_diff(diff.as_bytes())
            .iter()
            .map(|tag| json!({"path": tag.path.to_str().unwrap(), "line": tag.line}))
            .collect(),
        None => json!(debug_tag_lines(input["text"].as_str().unwrap().as_bytes())),
    }
}
