//! The existing host's formula, so that a ledger it wrote is honoured.
//!
//! Measured on the-loop 20.10.2, which runs on Python: fields that are no strings are written as Python writes them,
//! and the character classes are Python's, which differ from those of Rust's `regex`.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};
use sha1::{Digest, Sha1};

/// Deeper values are left out; JSON parsers stop here as well.
const DEEPEST: usize = 128;

struct Patterns {
    windows_path: Regex,
    path: Regex,
    digits: Regex,
    /// Python's `\w`: no combining marks and joiners, but every numeric character.
    word: Regex,
}

#[expect(clippy::unwrap_used, reason = "constant patterns, run by every test of this room")]
static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns {
    // Python's `\s` has the four separators 1C to 1F as well.
    windows_path: Regex::new(r"[A-Za-z]:\\[^\s\x1c-\x1f]+").unwrap(),
    path: Regex::new(r"(?:~|/)[\p{L}\p{N}_@./+~-]+").unwrap(),
    digits: Regex::new(r"\d+").unwrap(),
    word: Regex::new(r"^[\p{L}\p{N}_]").unwrap(),
});

/// The id under which the-loop 20.10.2 has this record in its ledger: 16 hex digits.
#[must_use]
pub fn legacy_fingerprint(record: &Map<String, Value>) -> String {
    let hash = Sha1::digest(format!("{}\n{}", field(record, "event"), mask(&field(record, "error"))));
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn mask(text: &str) -> String {
    let patterns = &*PATTERNS;
    let text = patterns.windows_path.replace_all(text, "<p>");
    let text = patterns.path.replace_all(&text, "<p>");
    let text = hex_runs(&text, &patterns.word);
    patterns.digits.replace_all(&text, "#").into_owned()
}

/// Replaces runs of eight and more hex digits that stand alone as words.
fn hex_runs<'t>(text: &'t str, word: &Regex) -> Cow<'t, str> {
    let mut out = String::new();
    let mut written = 0;
    let mut pos = 0;
    while let Some(start) = text.get(pos..).and_then(|rest| rest.find(|c: char| c.is_ascii_hexdigit())) {
        let start = pos + start;
        let rest = text.get(start..).unwrap_or_default();
        let end = start + rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let before = text.get(..start).unwrap_or_default().chars().next_back();
        let glued = before.is_some_and(|c| word.is_match(c.encode_utf8(&mut [0; 4])))
            || word.is_match(text.get(end..).unwrap_or_default());
        if end - start >= 8 && !glued {
            out.push_str(text.get(written..start).unwrap_or_default());
            out.push('#');
            written = end;
        }
        pos = end;
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(written..).unwrap_or_default());
    Cow::Owned(out)
}

/// A field as `str()` writes it; empty when it is missing.
fn field<'r>(record: &'r Map<String, Value>, key: &str) -> Cow<'r, str> {
    match record.get(key) {
        None => Cow::Borrowed(""),
        Some(Value::String(text)) => Cow::Borrowed(text),
        Some(value) => {
            let mut out = String::new();
            write_repr(&mut out, value, 0);
            Cow::Owned(out)
        }
    }
}

fn write_repr(out: &mut String, value: &Value, depth: usize) {
    match value {
        _ if depth > DEEPEST => {}
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(number) => write_number(out, number),
        Value::String(text) => write_string(out, text),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_repr(out, item, depth + 1);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (i, (key, item)) in fields.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_string(out, key);
                out.push_str(": ");
                write_repr(out, item, depth + 1);
            }
            out.push('}');
        }
    }
}

/// Python switches to an exponent of two digits at other sizes than Rust does.
fn write_number(out: &mut String, number: &serde_json::Number) {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else {
        out.push_str(&number.to_string());
        return;
    };
    let scientific = format!("{float:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let written = if float != 0.0 && !(-4..16).contains(&exponent) {
        write!(out, "{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
    } else {
        write!(out, "{float:?}")
    };
    debug_assert!(written.is_ok(), "a String takes everything");
}

fn write_string(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{a0}' | '\u{ad}' => {
                let hex = |digit: u32| char::from_digit(digit, 16).unwrap_or('0');
                out.extend(['\\', 'x', hex(u32::from(c) / 16), hex(u32::from(c) % 16)]);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
}
