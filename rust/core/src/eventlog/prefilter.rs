//! Which lines of a block may hold a candidate: a few byte searches instead of parsing every line.
//!
//! A candidate has the string `error` as a value or `will_retry` with `false`. Both are spelt with plain
//! bytes unless an escape hides a letter of theirs, and every such escape begins with one of the last three
//! needles. So a line without a hit holds no candidate; a line with one is parsed, and may not hold one.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input, Match, Span, packed};
use memchr::{memchr, memrchr};

use super::walk::{byte, slice};

const ERROR: &str = "\"error\"";
const WILL_RETRY: &str = "\"will_retry\"";
/// Escapes of ASCII letters and the underscore.
const ESCAPES: [&str; 3] = ["\\u005", "\\u006", "\\u007"];

/// The fast way where the processor has the vector instructions for it, and the way that is always there.
static VECTOR: LazyLock<Option<packed::Searcher>> = LazyLock::new(|| packed::Searcher::new(needles()));
#[expect(clippy::unwrap_used, reason = "constant patterns, run by every test of this room")]
static PLAIN: LazyLock<AhoCorasick> = LazyLock::new(|| AhoCorasick::new(needles()).unwrap());

fn needles() -> [&'static str; 5] {
    let [upper, lower, rest] = ESCAPES;
    [ERROR, WILL_RETRY, upper, lower, rest]
}

fn find(block: &[u8], from: usize) -> Option<Match> {
    match &*VECTOR {
        Some(vector) => vector.find_in(block, Span::from(from..block.len())),
        None => PLAIN.find(Input::new(block).range(from..block.len())),
    }
}

/// The next line at or after `from` (the start of a line) that must be parsed, without its newline.
pub(super) fn next_line(block: &[u8], from: usize) -> Option<Range<usize>> {
    let hit = next_hit(block, from)?;
    let start = memrchr(b'\n', slice(block, from..hit)).map_or(from, |found| from + found + 1);
    let end = memchr(b'\n', slice(block, hit..block.len())).map_or(block.len(), |found| hit + found);
    Some(start..end)
}

fn next_hit(block: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let found = find(block, from)?;
        let after = blank(block, found.end());
        let colon = byte(block, after) == Some(b':');
        let hit = match found.pattern().as_usize() {
            // `"error"` before a colon is the name of a field.
            0 => !colon,
            1 => colon && byte(block, blank(block, after + 1)) == Some(b'f'),
            _ => true,
        };
        if hit {
            return Some(found.start());
        }
        // The last quote may open the next string of a torn line.
        from = found.end() - 1;
    }
}

fn blank(block: &[u8], mut at: usize) -> usize {
    while matches!(byte(block, at), Some(b' ' | b'\t' | b'\r')) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_may_hold_a_candidate() {
        let hits = [
            r#"{"level":"error"}"#,
            r#"{"level" : "error" }"#,
            r#"{"level":"\u0065rror"}"#,
            r#"{"level":"erro\u0072"}"#,
            r#"{"lev\u0065l":"error"}"#,
            r#"{"will_retry":false}"#,
            "{\"will_retry\"\t:\r false}",
            r#"{"will\u005Fretry":false}"#,
            r#"{"error":"x","level":"error"}"#,
        ];
        for line in hits {
            let block = format!("{{\"a\":1}}\n{line}\n{{}}\n");
            let at = "{\"a\":1}\n".len();
            assert_eq!(next_line(block.as_bytes(), 0), Some(at..at + line.len()), "{line}");
        }
    }

    #[test]
    fn lines_that_cannot() {
        let quiet = [
            r#"{"level":"warning","error":"no such error"}"#,
            r#"{"level":"info","error" : "x"}"#,
            r#"{"will_retry":true}"#,
            r#"{"will_retry": null}"#,
            r#"{"error":"\u001b[31m caf\u00e9"}"#,
        ];
        for line in quiet {
            assert_eq!(next_line(line.as_bytes(), 0), None, "{line}");
        }
    }
}
