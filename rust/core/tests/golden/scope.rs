//! `in`: {"tree": {path: content, {"link": target} or, for "path/", anything}, "changed", "tools"?} → the scope;
//! the root is called "/w". {"run", "wanted"} → is the wanted command satisfied by the run (words).

use loop_core::{Command, MemoryTree, covers, scope};
use serde_json::{Value, json};

pub(crate) fn run(case: &Value) -> Value {
    if let Some(run) = case.get("run") {
        let wanted: Command = serde_json::from_value(case["wanted"].clone()).unwrap();
        return covers(&texts(run), &wanted).into();
    }
    let mut tree = MemoryTree::new("/w");
    for (path, content) in case["tree"].as_object().unwrap() {
        match content["link"].as_str() {
            Some(target) => tree.link(path, target),
            None => tree.add(path),
        }
    }
    let tools = texts(&case["tools"]);
    json!(scope(&tree, texts(&case["changed"]), &|tool| tools.contains(&tool)))
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap()).collect()
}
