//! The command rooms are total: any text gets an answer, on a small stack too, and no trailing command slips through.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use loop_core::{check, readonly, shell};
use proptest::prelude::*;

/// Pieces that make shell grammar likely.
const FRAGMENTS: &[&str] = &[
    "ls", "rm", "cat a", "npm test", "git log", "find . -exec", "xargs", "sed", "awk", " ", "\n", "\t", ";",
    "&", "|", "&&", "||", "(", ")", "{", "}", "$(", "${", "$((", "))", "`", "'", "\"", "\\", "$x", "$", "#",
    "<", ">", ">>", "2>&1", "<<EOF\n", "EOF\n", "<(", "[[", "]]", "((", "if ", "then ", "fi", "for i in ",
    "do ", "done", "case x in ", "esac", "while ", "function f ", "time ", "!", "*", "?", "[a]", "~", "a=1 ",
    "-x", "--", "=", "é", "\u{200b}", "\u{0}", "%n", "/dev/null", "coproc ", "select ", "@", "^", ",", "..",
    "$'\\x41'", "$\"x\"", "{a,b}",
];

fn judge_all(text: &str) {
    let _ = shell::parse(text);
    let _ = readonly::judge(text);
    let _ = check::recognise(text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_gets_an_answer(text in any::<String>()) {
        judge_all(&text);
    }

    #[test]
    fn any_mix_of_shell_fragments_gets_an_answer(picks in proptest::collection::vec(0..FRAGMENTS.len(), 0..40)) {
        judge_all(&picks.iter().map(|pick| FRAGMENTS[*pick]).collect::<String>());
    }

    /// Whatever reads alone no longer reads when something that writes follows, in any of the ways to follow.
    #[test]
    fn a_writer_after_a_reader_is_seen(picks in proptest::collection::vec(0..FRAGMENTS.len(), 0..12)) {
        let text: String = picks.iter().map(|pick| FRAGMENTS[*pick]).collect();
        if readonly::judge(&text).read_only {
            for after in ["\nrm x\n", " ;\nrm x", " > out", "\ntouch y"] {
                let longer = format!("{text}{after}");
                // A comment or here-document at the end may swallow what follows on the same line, never a later one.
                if !longer.contains('#') && !longer.contains("<<") {
                    prop_assert!(!readonly::judge(&longer).read_only, "{longer:?}");
                }
            }
        }
    }

    /// A check is one command: nothing may come before or after it.
    #[test]
    fn a_check_stands_alone(picks in proptest::collection::vec(0..FRAGMENTS.len(), 1..6)) {
        let text: String = picks.iter().map(|pick| FRAGMENTS[*pick]).collect();
        for longer in [format!("{text}; npm test"), format!("{text} && pytest"), format!("pytest || {text}")] {
            prop_assert!(check::recognise(&longer).verification().is_none() || text.contains('#') || text.trim().is_empty(), "{longer:?}");
        }
    }
}

/// Nesting as deep as the length cap allows, closed and left open.
#[test]
fn deep_nesting_neither_panics_nor_exhausts_a_small_stack() {
    let pairs = [
        ("$(", ")"),
        ("(", ")"),
        ("{ ", "; }"),
        ("\"$(", ")\""),
        ("<(", ")"),
        ("${x:-", "}"),
        ("$((", "))"),
        ("[[ ( ", " ) ]]"),
        ("((", "))"),
        ("( (", ") )"),
        ("if ", "; then :; fi"),
        ("while ", "; do :; done"),
        ("case x in x) ", ";; esac"),
        ("for i in 1; do ", "; done"),
        ("! ", ""),
        ("time ", ""),
        ("a | ", ""),
        ("a && ", ""),
        ("f() { ", "; }"),
        ("a=(", ")"),
        ("{a,", "}"),
        ("`", "`"),
        ("[", "]"),
        ("coproc ", ""),
        ("x=$(", ")"),
        ("cat <<E\n$(", ")\nE\n"),
        ("a[$(", ")]=1"),
        ("sh -c '", "'"),
        ("env ", ""),
        ("[[ ! ", " ]]"),
        ("$((1+", "))"),
        ("\\", ""),
        ("\"", "\""),
    ];
    let work = move || {
        for (open, close) in pairs {
            for count in [30, 100, 1_000, shell::MAX_BYTES / (open.len() + close.len() + 1)] {
                judge_all(&open.repeat(count));
                judge_all(&format!("{}ls{}", open.repeat(count), close.repeat(count)));
                judge_all(&format!("echo {}ls{}", open.repeat(count), close.repeat(count)));
            }
        }
    };
    std::thread::Builder::new().stack_size(512 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_text_over_the_cap_is_refused_without_being_parsed() {
    let long = format!("ls {}", "a ".repeat(shell::MAX_BYTES));
    assert_eq!(shell::parse(&long), Err(shell::CannotProve::TooLong));
    assert!(!readonly::judge(&long).read_only);
}
