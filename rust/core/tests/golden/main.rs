//! Runs every case file in `tests/golden` through the room of the same name.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

mod check;
mod control;
mod debug_tags;
mod defect;
mod dossier;
mod eventlog;
mod measure;
mod readonly;
mod redact;
mod report;
mod scope;
mod shell;

use std::path::PathBuf;

use loop_core::{Identity, Redactor};

use serde_json::Value;

/// One room's way from a case's `in` to the value that must equal its `out`.
type Runner = fn(&Value) -> Value;

/// Room name → runner. A case file that is missing here fails `every_case_file_has_a_runner`.
const RUNNERS: &[(&str, Runner)] = &[
    ("check", check::run),
    ("control", control::run),
    ("debug_tags", debug_tags::run),
    ("defect", defect::run),
    ("dossier", dossier::run),
    ("eventlog", eventlog::run),
    ("measure", measure::run),
    ("readonly", readonly::run),
    ("redact", redact::run),
    ("report", report::run),
    ("scope", scope::run),
    ("shell", shell::run),
];

/// The redactor of a case's `identity`: {"home", "user", "host", "env"}, each optional.
fn redactor(case: &Value) -> Redactor {
    let own = &case["identity"];
    let text = |key: &str| own[key].as_str().unwrap_or_default().to_owned();
    Redactor::new(&Identity {
        home: text("home"),
        user: text("user"),
        host: text("host"),
        env: serde_json::from_value(own["env"].clone()).unwrap_or_default(),
    })
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

fn load(room: &str) -> Value {
    let path = folder().join(format!("{room}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn every_case_file_has_a_runner() {
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".json")?.to_owned()))
        .collect();
    files.sort();
    let mut wired: Vec<String> = RUNNERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    wired.sort();
    assert_eq!(files, wired, "case files and runners differ");
}

#[test]
fn cases() {
    let mut wrong = Vec::new();
    for (room, run) in RUNNERS {
        let cases = load(room)["cases"].as_array().cloned().unwrap_or_default();
        assert!(!cases.is_empty(), "{room}: no cases");
        for case in cases {
            let got = run(&case["in"]);
            if got != case["out"] {
                wrong.push(format!("{room} / {}\n  want {}\n  got  {got}", case["name"], case["out"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
