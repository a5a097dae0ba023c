//! One JSON object, walked without building it: where its fields are, and where it ends.
//!
//! `serde_json` cannot serve here: it stops at a lone surrogate, at invalid UTF-8 and at a depth of 128.
//! This walk is strict about the object's own structure, which is what tells a whole record from a torn
//! one, and lenient inside strings and nested values. It never recurses.

use std::ops::Range;

use memchr::memchr2;

/// Where, and how, an object stopped being one. The offset is the first byte that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Torn(pub(super) usize);

/// One field of the walked object.
pub(super) struct Field<'a> {
    /// The name between its quotes, escapes and all.
    pub(super) key: &'a [u8],
    /// The value's text, a string's quotes included.
    pub(super) value: &'a [u8],
}

/// Walks the object that opens at `start` and tells `visit` each field; returns where it ends.
pub(super) fn walk<'a>(
    text: &'a [u8],
    start: usize,
    visit: &mut impl FnMut(Field<'a>),
) -> Result<usize, Torn> {
    let mut at = blank(text, start + 1);
    if byte(text, start) != Some(b'{') {
        return Err(Torn(start));
    }
    if byte(text, at) == Some(b'}') {
        return Ok(at + 1);
    }
    loop {
        let key = string(text, at)?;
        at = blank(text, key.end);
        if byte(text, at) != Some(b':') {
            return Err(Torn(at));
        }
        let value = value(text, blank(text, at + 1))?;
        at = blank(text, value.end);
        visit(Field { key: slice(text, key.start + 1..key.end - 1), value: slice(text, value) });
        match byte(text, at) {
            Some(b',') => at = blank(text, at + 1),
            Some(b'}') => return Ok(at + 1),
            _ => return Err(Torn(at)),
        }
    }
}

/// The value that begins at `at`.
pub(super) fn value(text: &[u8], at: usize) -> Result<Range<usize>, Torn> {
    match byte(text, at) {
        Some(b'"') => string(text, at),
        Some(b'{' | b'[') => nested(text, at),
        _ => scalar(text, at),
    }
}

/// The string that opens at `at`, its quotes included. Any escaped byte will do.
pub(super) fn string(text: &[u8], at: usize) -> Result<Range<usize>, Torn> {
    if byte(text, at) != Some(b'"') {
        return Err(Torn(at));
    }
    let mut from = at + 1;
    while let Some(found) = memchr2(b'"', b'\\', slice(text, from..text.len())) {
        let stop = from + found;
        if byte(text, stop) == Some(b'"') {
            return Ok(at..stop + 1);
        }
        from = stop + 2;
    }
    Err(Torn(text.len()))
}

/// The array or object that opens at `at`: brackets must pair, of both kinds for the first 128 levels.
fn nested(text: &[u8], at: usize) -> Result<Range<usize>, Torn> {
    let (mut depth, mut kinds, mut from) = (0_usize, 0_u128, at);
    while let Some(next) = byte(text, from) {
        match next {
            b'"' => {
                from = string(text, from)?.end;
                continue;
            }
            b'{' | b'[' => {
                depth += 1;
                if depth <= 128 {
                    kinds = kinds << 1 | u128::from(next == b'{');
                }
            }
            b'}' | b']' => {
                if depth <= 128 {
                    if (kinds & 1 == 1) != (next == b'}') {
                        return Err(Torn(from));
                    }
                    kinds >>= 1;
                }
                depth -= 1;
                if depth == 0 {
                    return Ok(at..from + 1);
                }
            }
            b',' | b':' => {}
            _ if is_blank(next) || is_scalar(next) => {}
            _ => return Err(Torn(from)),
        }
        from += 1;
    }
    Err(Torn(text.len()))
}

/// The number or literal at `at`. Python writes `NaN` and `Infinity`, so they are let through.
fn scalar(text: &[u8], at: usize) -> Result<Range<usize>, Torn> {
    let rest = slice(text, at..text.len());
    let length = rest.iter().position(|b| !is_scalar(*b)).unwrap_or(rest.len());
    let token = slice(rest, 0..length);
    let number = token.iter().all(|b| b.is_ascii_digit() || b"+-.eE".contains(b))
        && matches!(token, [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..]);
    let literal = matches!(token, b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity");
    if number || literal { Ok(at..at + length) } else { Err(Torn(at + length)) }
}

/// The first byte from `at` on that is no JSON white space.
pub(super) fn blank(text: &[u8], mut at: usize) -> usize {
    while byte(text, at).is_some_and(is_blank) {
        at += 1;
    }
    at
}

pub(super) fn byte(text: &[u8], at: usize) -> Option<u8> {
    text.get(at).copied()
}

pub(super) fn slice(text: &[u8], range: Range<usize>) -> &[u8] {
    text.get(range).unwrap_or_default()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Result<usize, Torn> {
        walk(text.as_bytes(), 0, &mut |_| {})
    }

    #[test]
    fn whole_objects_end_where_their_brace_closes() {
        let whole = [
            "{}",
            r#"{ "a" : "x\"}" , "b":-1.5e+3,"c":[{"d":"]"}, null],"e":true }"#,
            "{\"a\":\"\\ud800 \u{0} \t\"}",
            r#"{"a":NaN,"b":-Infinity}"#,
        ];
        for text in whole {
            assert_eq!(end(&format!("{text} tail")), Ok(text.len()), "{text}");
        }
    }

    #[test]
    fn the_first_byte_that_does_not_fit_is_named() {
        let torn = [
            ("", 0),
            ("x", 0),
            ("{", 1),
            (r#"{"a"{"b":1}"#, 4),
            (r#"{"a":{"b":1}"#, 12),
            (r#"{"a":"cut{"b":1}"#, 11),
            (r#"{"a":"cut\{"b":1}"#, 12),
            (r#"{"a":tr{"b":1}"#, 7),
            (r#"{"a":1{"b":1}"#, 6),
            (r#"{"a":1,{"b":1}"#, 7),
            (r#"{"a":[1}"#, 7),
            (r#"{"a":1,}"#, 7),
            (r#"{"a":-}"#, 6),
        ];
        for (text, at) in torn {
            assert_eq!(end(text), Err(Torn(at)), "{text}");
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(end(&deep), Ok(deep.len()));
        assert_eq!(end(&format!("{{\"a\":{}", "[".repeat(200_000))), Err(Torn(200_005)));
    }
}
