//! Properties of the redactor that hold for every text.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::sync::LazyLock;

use loop_core::{Identity, Redactor};
use proptest::prelude::*;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(redactor);

fn redactor() -> Redactor {
    let env = [("DB_PASSWORD", "tin-otter-lamp"), ("API_TOKEN", "a+b(c)*d$e[9"), ("EDITOR", "emacs")];
    Redactor::new(&Identity {
        home: "/home/ottoline".into(),
        user: "ottoline".into(),
        host: "heron-box".into(),
        env: env.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
    })
    .with_names(["acme/lathe"])
}

/// Pieces that scanners anchor on, so that random texts meet them in every order.
const PIECES: &[&str] = &[
    "password",
    "=",
    ": ",
    "\"",
    "'",
    "\\\"",
    "token ",
    "ghp_",
    "Ab3dEf6hIj9kLm2nOp5qRs8t",
    "\n",
    " ",
    "/home/ottoline/src/x.rs",
    "C:\\Users\\Jane Doe\\x",
    "\\\\srv1\\share",
    "jane@corp.example",
    "10.1.2.3",
    "fe80::1",
    "<redacted:token>",
    "<redacted:",
    ">",
    "\u{1b}[31m",
    "\u{200b}",
    "\\u0041",
    "%41",
    "&amp;",
    "&#64;",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "MIIEvQIBADANBgkqhkiG9w0BAQ",
    "https://",
    "user:pa55word@host",
    "Bearer ",
    "Cookie: ",
    "sid=",
    ";",
    "$",
    "{",
    "}",
    "é",
    "中",
    "\u{ad}",
    "tin-otter-lamp",
    "ottoline",
    "heron-box",
    "acme/lathe",
    "~/",
    "@",
    ".",
    "-",
    ",",
    "curl -u ",
    "login ",
    "eyJhbGciOiJIUzI1NiJ9.",
    "<",
    "</",
    "Private-Lines: 1",
    "key",
    "secret",
    "::",
    "null",
    "--password ",
    "AUTH ",
    "cat token.txt",
    ".atlasv1.",
    "0",
    "a1b2c3d4e5f6a7b8",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![4 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => "\\PC{0,4}"],
        0..40,
    )
    .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn scrubbing_twice_changes_nothing(text in soup()) {
        let once = REDACTOR.scrub(&text);
        let twice = REDACTOR.scrub(once.as_str());
        prop_assert_eq!(twice.as_str(), once.as_str());
        prop_assert_eq!(twice.total(), 0);
    }

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        let _ = REDACTOR.scrub(&text);
    }

    #[test]
    fn no_finding_means_the_same_text(text in soup()) {
        let scrubbed = REDACTOR.scrub(&text);
        prop_assert_eq!(scrubbed.total() == 0, scrubbed.as_str() == text);
    }

    #[test]
    fn plain_words_are_kept(words in prop::collection::vec("[a-z]{1,12}", 0..30)) {
        let text = words.join(" ");
        let found = REDACTOR.scrub(&text);
        prop_assert_eq!(found.as_str(), &text);
    }

    #[test]
    fn values_of_the_environment_never_survive(before in soup(), after in soup()) {
        let text = format!("{before} tin-otter-lamp {after}");
        let scrubbed = REDACTOR.scrub(&text);
        prop_assert!(!scrubbed.as_str().contains("tin-otter-lamp"));
    }
}

#[test]
fn counts_are_by_kind() {
    let scrubbed = REDACTOR.scrub("ottoline@heron-box: /home/ottoline/notes 10.1.2.3 10.1.2.4");
    assert_eq!(scrubbed.counts().get("ip"), Some(&2));
    assert_eq!(scrubbed.total(), scrubbed.counts().values().sum::<usize>());
}
