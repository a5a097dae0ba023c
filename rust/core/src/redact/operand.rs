//! Where a value begins and ends, in whichever notation it is written.

use super::text::{Text, is_quote, is_word};

/// A value's extent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operand {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The quote character, or 0.
    pub(super) quote: u8,
    /// Backslashes before the quote: the value sits in an escaped string.
    pub(super) depth: usize,
}

/// Longest value that is followed.
const MAX: usize = 8192;

/// The value at `i`, behind wrappers (`Some(`, `b'…'`, `string(40) "…"`) and authorization schemes.
pub(super) fn read(text: Text<'_>, i: usize) -> Operand {
    let i = skip_wrappers(text, i);
    let slashes = text.run(i, 8, |b| b == b'\\');
    if is_quote(text.at(slashes)) {
        return quoted(text, slashes + 1, text.at(slashes), slashes - i);
    }
    let end = bare_end(text, i);
    Operand { start: i, end, quote: 0, depth: 0 }
}

/// After an opening quote at `start - 1`.
fn quoted(text: Text<'_>, start: usize, quote: u8, depth: usize) -> Operand {
    let start = skip_scheme(text, start);
    let tail = text.slice(start, start + MAX);
    for at in memchr::memchr2_iter(quote, b'\n', tail) {
        let end = start + at;
        if text.at(end) == b'\n' {
            break;
        }
        let slashes = end - text.run_back(end, 8, |b| b == b'\\');
        if slashes == depth || (slashes > depth && (slashes - depth).is_multiple_of(2) && depth == 0) {
            return Operand { start, end: end - depth, quote, depth };
        }
        if slashes < depth {
            return Operand { start, end, quote, depth };
        }
    }
    Operand { start, end: bare_end(text, start), quote: 0, depth }
}

fn skip_wrappers(text: Text<'_>, mut i: usize) -> usize {
    for _ in 0..3 {
        let name = text.run(i, 16, |b| b.is_ascii_alphabetic() || b == b'_');
        let wrapped =
            ["some", "secretstr", "secret", "string", "str", "just", "box", "ok", "b", "r", "u", "f", "l"];
        let known = wrapped.iter().any(|w| text.slice(i, name).eq_ignore_ascii_case(w.as_bytes()));
        if known && text.at(name) == b'(' {
            let digits = text.run(name + 1, 8, |b| b.is_ascii_digit());
            if digits > name + 1 && text.at(digits) == b')' {
                i = text.skip_blanks(digits + 1);
            } else {
                i = text.skip_blanks(name + 1);
            }
        } else if known && name - i == 1 && is_quote(text.at(name)) {
            i = name;
        } else if matches!(text.at(i), b'@' | b'$') && matches!(text.at(i + 1), b'"' | b'\'') {
            i += 1;
        } else if text.starts_with(i, b"!!str ") || text.starts_with(i, b"!!binary ") {
            i = text.skip_blanks(text.run(i, 9, |b| b != b' '));
        } else if text.at(i) == b'[' && (text.at(i + 1).is_ascii_alphabetic() || is_quote(text.at(i + 1))) {
            i += 1;
        }
    }
    skip_scheme(text, i)
}

/// `Bearer `, `Basic `, `token ` before the credential itself.
fn skip_scheme(text: Text<'_>, i: usize) -> usize {
    let schemes = [
        "bearer",
        "basic",
        "token",
        "apikey",
        "api-key",
        "key",
        "negotiate",
        "bot",
        "splunk",
        "genie_key",
        "genieKey",
        "hawk",
        "oauth",
    ];
    let word = text.run(i, 12, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    let blank = matches!(text.at(word), b' ' | b'+') || text.starts_with(word, b"%20");
    if blank && schemes.iter().any(|s| text.slice(i, word).eq_ignore_ascii_case(s.as_bytes())) {
        let next = if text.at(word) == b'%' { word + 3 } else { text.skip_blanks(word).max(word + 1) };
        if is_word(text.at(next)) {
            return next;
        }
    }
    i
}

/// End of an unquoted value.
fn bare_end(text: Text<'_>, start: usize) -> usize {
    let mut i = start;
    let stop = start + MAX;
    while i < stop {
        let b = text.at(i);
        let next = text.at(i + 1);
        let ends = match b {
            0..=b' ' | b'"' | b'\'' | b'`' | b'<' | b'>' | b';' | b'&' | b'|' | b',' | 0x7f => true,
            b'\\' => matches!(next, b'n' | b'r' | b't' | b'"' | b'\'' | b'\\' | b'u'),
            b')' | b']' | b'}' => !is_word(next) && !opened(text, start, i, b),
            b'^' => next == b'@',
            0xe2 => text.starts_with(i, "│".as_bytes()) || text.starts_with(i, "”".as_bytes()),
            _ => false,
        };
        if ends {
            break;
        }
        i += 1;
    }
    while i > start && matches!(text.before(i), b'.' | b':' | b'?') && !is_word(text.at(i)) {
        i -= 1;
    }
    i
}

/// The bracket at `i` closes one inside the value.
fn opened(text: Text<'_>, start: usize, i: usize, close: u8) -> bool {
    let open = match close {
        b')' => b'(',
        b']' => b'[',
        _ => b'{',
    };
    i - start <= 256 && text.slice(start, i).contains(&open)
}
