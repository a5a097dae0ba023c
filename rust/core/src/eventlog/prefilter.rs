//! Which lines of a block may hold a candidate: a few byte searches instead of parsing every line.
//!
//! A candidate has the string `error` as a value or `will_retry` with `false`. Both are spelt with plain
//! bytes unless an escape `\u005…` to `\u007…` hides a letter of theirs. So a line with none of these holds
//! no candidate; a line with one is parsed, and may not hold one.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input, Match, Span, packed};
use memchr::{memchr, memrchr};

use super::walk::{byte, slice};

/// What is searched for: rare bytes of the three, as few as the vector search needs to be fast.
const NEEDLES: [&str; 3] = ["rror\"", "_retry\"", "\\u"];

/// The fast way where the processor has the vector instructions for it, and the way that is always there.
static VECTOR: LazyLock<Option<packed::Searcher>> = LazyLock::new(|| packed::Searcher::new(NEEDLES));
#[expect(clippy::unwrap_used, reason = "constant patterns, run by every test of this room")]
static PLAIN: LazyLock<AhoCorasick> = LazyLock::new(|| AhoCorasick::new(NEEDLES).unwrap());

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
        let hit = match found.pattern().as_usize() {
            0 => is_error_value(block, found.range()),
            1 => is_false_retry(block, found.range()),
            _ => matches!(slice(block, found.end()..found.end() + 3), [b'0', b'0', b'5'..=b'7']),
        };
        if hit {
            return Some(found.start());
        }
        // The last quote may open the next string of a torn line.
        from = found.end() - 1;
    }
}

/// Whether `rror"` ends the string `error`, and not as the name of a field.
fn is_error_value(block: &[u8], found: Range<usize>) -> bool {
    slice(block, 0..found.start).ends_with(b"\"e") && byte(block, blank(block, found.end)) != Some(b':')
}

/// Whether `_retry"` ends the name `will_retry` before something that begins like `false`.
fn is_false_retry(block: &[u8], found: Range<usize>) -> bool {
    let colon = blank(block, found.end);
    slice(block, 0..found.start).ends_with(b"\"will")
        && byte(block, colon) == Some(b':')
        && byte(block, blank(block, colon + 1)) == Some(b'f')
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
