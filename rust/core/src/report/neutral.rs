//! Untrusted prose → Markdown that mentions nobody, closes nothing, hides nothing and loads nothing.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// One thing that Markdown on GitHub acts on, and what is written instead. Every replacement stays readable,
/// and none matches its own pattern: neutral text stays as it is.
struct Rule {
    pattern: &'static str,
    with: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "each rule's own case, run by the test below"))]
    example: (&'static str, &'static str),
}

const RULES: [Rule; 6] = [
    // HTML, comments and declarations; the placeholders of `redact` are no tags.
    Rule {
        pattern: r"<([!?/A-Za-z])",
        with: "< $1",
        example: ("a <!-- b --> <img src=x>", "a < !-- b --> < img src=x>"),
    },
    // Images and links, inline and by reference.
    Rule { pattern: r"!\[", with: "! [", example: ("![x](y)", "! [x] (y)") },
    Rule {
        pattern: r"\](\(|\[|:)",
        with: "] $1",
        example: ("[x](y) [x][y]\n[y]: z", "[x] (y) [x] [y]\n[y] : z"),
    },
    // Issues and pull requests, by number or by address: no closing, no cross-reference.
    Rule { pattern: r"#(\d)", with: "＃$1", example: ("fixes #1, o/r#2", "fixes ＃1, o/r＃2") },
    Rule { pattern: r"(?i)\bGH-(\d)", with: "GH ＃$1", example: ("closes GH-7", "closes GH ＃7") },
    Rule {
        pattern: r"(?i)\bhttps?://([\w.-]+/[\w.-]+/[\w.-]+/(?:issues|pull|pulls|discussions|commit)/\w)",
        with: "hxxps:// $1",
        example: ("see https://github.com/o/r/issues/1", "see hxxps:// github.com/o/r/issues/1"),
    },
];

#[expect(clippy::unwrap_used, reason = "constant patterns, run by every test of this room")]
static COMPILED: LazyLock<Vec<Regex>> =
    LazyLock::new(|| RULES.iter().map(|rule| Regex::new(rule.pattern).unwrap()).collect());

/// A mention; the sign in front of a scope (`@scope/package`) mentions a team all the same.
#[expect(clippy::unwrap_used, reason = "a constant pattern, run by every test of this room")]
static MENTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"@([A-Za-z0-9])").unwrap());

/// `text` without what no reader can see: control characters, zero-width and bidirectional marks.
pub(super) fn plain(text: &str) -> String {
    let hidden = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
                | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let text = text.replace("\r\n", "\n");
    text.chars()
        .map(|c| if matches!(c, '\u{2028}' | '\u{2029}' | '\r') { '\n' } else { c })
        .filter(|c| !hidden(*c))
        .collect()
}

/// Scrubbed prose → prose that nothing on GitHub acts on.
pub(super) fn neutral(text: &str) -> String {
    let mut text = text.to_owned();
    for (rule, pattern) in RULES.iter().zip(COMPILED.iter()) {
        text = pattern
            .replace_all(&text, |found: &Captures<'_>| {
                let whole = found.get(0).map_or(0..0, |m| m.range());
                if text.get(whole.start..).is_some_and(|rest| rest.starts_with("<redacted:")) {
                    return found.get(0).map_or_else(String::new, |m| m.as_str().to_owned());
                }
                let mut out = String::new();
                found.expand(rule.with, &mut out);
                out
            })
            .into_owned();
    }
    MENTION.replace_all(&text, "＠$1").into_owned()
}

/// `text` with a code fence that it leaves open closed, so that it cannot swallow what follows.
pub(super) fn closed_fences(text: &str) -> String {
    let mut open: Option<&str> = None;
    for line in text.lines() {
        let line = line.trim_start_matches(['>', ' ']);
        let Some(run) = fence(line) else { continue };
        match open {
            None => open = Some(run),
            Some(begun) if run.starts_with(begun) && line.trim_end() == run => open = None,
            Some(_) => {}
        }
    }
    open.map_or_else(|| text.to_owned(), |begun| format!("{text}\n{begun}"))
}

/// The run of three or more backticks or tildes that a line begins with.
fn fence(line: &str) -> Option<&str> {
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    line.get(..length).filter(|run| run.len() >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_does_what_its_example_says_and_is_stable() {
        for rule in &RULES {
            let (before, after) = rule.example;
            assert_eq!(neutral(before), after, "{}", rule.pattern);
            assert_eq!(neutral(after), after, "not stable: {}", rule.pattern);
        }
    }

    #[test]
    fn placeholders_are_no_tags() {
        assert_eq!(neutral("in <redacted:path>"), "in <redacted:path>");
    }

    #[test]
    fn an_open_fence_is_closed() {
        assert_eq!(closed_fences("a\n````sh\nb\n```"), "a\n````sh\nb\n```\n````");
        assert_eq!(closed_fences("```\nb\n```"), "```\nb\n```");
    }

    #[test]
    fn what_no_reader_sees_is_gone() {
        assert_eq!(plain("the\u{200b}-loop \u{202e}x\u{0}\r\ny\u{2028}z"), "the-loop x\ny\nz");
    }
}
