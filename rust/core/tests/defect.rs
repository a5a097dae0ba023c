//! What holds for every text, and for the case file as a whole.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use loop_core::{fingerprint, fingerprint_record, legacy_fingerprint, template};
use proptest::prelude::*;
use serde_json::{Value, json};

fn cases() -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/defect.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    file["cases"].as_array().unwrap().clone()
}

/// `one: a refused connection (2)` → its ids under `a refused connection`.
fn ids_by_title(kind: &str) -> BTreeMap<String, Vec<String>> {
    let mut titles: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        let Some((title, number)) = name.strip_prefix(kind).and_then(|rest| rest.rsplit_once(" (")) else {
            continue;
        };
        assert!(number.starts_with(|c: char| c.is_ascii_digit()), "{name}");
        titles
            .entry(title.to_owned())
            .or_default()
            .push(case["out"]["fingerprint"].as_str().unwrap().to_owned());
    }
    assert!(titles.len() > 20, "{kind}: {} titles", titles.len());
    titles
}

#[test]
fn cases_named_one_share_an_id_and_no_two_titles_do() {
    let mut owners = BTreeMap::new();
    for (title, ids) in ids_by_title("one: ") {
        let ids: BTreeSet<String> = ids.into_iter().collect();
        assert_eq!(ids.len(), 1, "{title}: {ids:?}");
        let id = ids.into_iter().next().unwrap();
        if let Some(other) = owners.insert(id, title.clone()) {
            panic!("{title} and {other} share an id");
        }
    }
}

#[test]
fn cases_named_apart_share_none() {
    for (title, ids) in ids_by_title("apart: ") {
        assert!(ids.len() > 1, "{title} has nothing to differ from");
        assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len(), "{title}: {ids:?}");
    }
}

#[test]
fn a_template_is_its_own_template() {
    for case in cases() {
        if let Some(once) = case["out"]["template"].as_str() {
            assert_eq!(template(once), once, "{}", case["name"]);
        }
    }
}

#[test]
fn the_event_counts() {
    assert_ne!(fingerprint("a", "disk full"), fingerprint("b", "disk full"));
    assert_ne!(fingerprint("a", "disk full"), fingerprint("a", ""));
}

/// Text of the characters and words that the rules look at.
fn log_like() -> impl Strategy<Value = String> {
    const PIECES: [&str; 40] = [
        " ",
        "\n",
        "\t",
        "'",
        "\"",
        "`",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        "<",
        "<*>",
        "=",
        ":",
        "::",
        "://",
        "/",
        "\\",
        ".",
        "-",
        "@",
        "#",
        "%",
        "*",
        "exit code",
        "error",
        "status",
        "pod",
        "branch",
        "could not apply",
        "File \"x\", line 1",
        "2031-02-03T04:05:06Z",
        "at a.b(c.js:1:2)",
        "goroutine 1 [x]:",
        "\u{1b}[31m",
        "ab12cd34",
        "é",
        "127",
    ];
    proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_panics(text in "(?s).{0,400}", pieces in log_like()) {
        for text in [text.as_str(), pieces.as_str()] {
            let made = template(text);
            prop_assert!(!made.contains(['\n', '\u{1b}']), "{made:?}");
            let record = json!({"event": text, "error": pieces, "scope": text, "reason": text});
            let record = record.as_object().unwrap();
            prop_assert_eq!(fingerprint_record(record).as_str().len(), 19);
            prop_assert_eq!(legacy_fingerprint(record).len(), 16);
        }
    }

    #[test]
    fn colour_and_line_ends_do_not_count(text in "[a-z ]{1,40}") {
        let plain = fingerprint("e", &text);
        let dressed = format!("\u{1b}[1;31m{text}\u{1b}[0m\r\n");
        prop_assert_eq!(plain, fingerprint("e", &dressed));
    }
}
