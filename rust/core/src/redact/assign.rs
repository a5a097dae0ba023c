//! The assignment scanner: a sensitive name, an operator in any notation, a value.

use super::anchors::Hit;
use super::headers::{cookies, scheme};
use super::keys::{Key, Strength, classify};
use super::links::{Link, close_name, in_name, link};
use super::operand::{Operand, read};
use super::span::{Kind, Spans, atom_len};
use super::text::{Text, is_quote};
use super::values::{
    is_basic_pair, is_expression, is_placeholder, is_prose, is_quantity, is_uuid, looks_secret,
};

pub(super) fn scan(text: Text<'_>, hits: &[Hit], spans: &mut Spans) {
    let mut done = 0;
    for hit in hits {
        if hit.start < done {
            continue;
        }
        let (start, end) = name_around(text, hit.start, hit.end, done);
        done = end;
        if end - start > 96 {
            continue;
        }
        done = done.max(at_name(text, start, end, spans));
    }
}

/// The whole name around a root; not left of `low`.
fn name_around(text: Text<'_>, start: usize, end: usize, low: usize) -> (usize, usize) {
    let mut from = text.run_back(start, (start - low).min(64), in_name);
    if text.before(from) == b'\\' && matches!(text.at(from), b'n' | b'r' | b't') && from < start {
        from += 1;
    }
    let mut to = text.run(end, 64, in_name);
    while to > end && matches!(text.before(to), b'-' | b'.') {
        to -= 1;
    }
    from = text.run(from, start - from, |b| matches!(b, b'-' | b'.'));
    (from, to)
}

/// Looks at one name; returns how far the text has been dealt with.
fn at_name(text: Text<'_>, start: usize, end: usize, spans: &mut Spans) -> usize {
    let name = text.slice(start, end);
    if let Some(done) = scheme(text, name, end, spans) {
        return done;
    }
    let (closed, _) = close_name(text, end);
    if !matches!(
        text.at(closed),
        b' ' | b'\t' | b'=' | b':' | b',' | b'|' | b'>' | b'?' | b'+' | b'\n' | b'{' | b'('
    ) {
        return end;
    }
    let atom_start = start.saturating_sub(b"<redacted:".len());
    if atom_len(text.slice(atom_start, end + 1)) > 0 {
        return end;
    }
    let Some(key) = classify(name) else { return end };
    if name.to_ascii_lowercase().ends_with(b"cookie")
        && let Some(done) = cookies(text, end, spans)
    {
        return done;
    }
    let Some((link, at)) = link(text, start, end, key) else { return end };
    let value = if link == Link::Element { element(text, at) } else { Some(read(text, at)) };
    let Some(mut value) = value else { return end };
    if value.quote == 0 && is_quote(text.at(value.end)) && text.before(value.end) == b'(' {
        value = read(text, value.end);
        if !looks_secret(text.slice(value.start, value.end), 12) {
            return end;
        }
    }
    accept(text, key, link, start, value, spans).unwrap_or({
        // A long value without a blank has been read once: reading it again for every name in it is quadratic.
        let long = value.quote == 0 && value.end - value.start > 256;
        if long { value.end } else { end }
    })
}

/// The text of an XML element, up to its closing tag or the end of the line.
fn element(text: Text<'_>, start: usize) -> Option<Operand> {
    let end = text.run(start, 4096, |b| b != b'<' && b >= b' ');
    let cut_off = matches!(text.at(end), 0 | b'\n' | b'\r') && !text.slice(start, end).contains(&b' ');
    let closed = text.starts_with(end, b"</") || cut_off;
    (closed && text.at(start) != b'@').then_some(Operand { start, end, quote: b'<', depth: 0 })
}

/// Judges a value and records it; returns its end.
fn accept(
    text: Text<'_>,
    key: Key,
    link: Link,
    start: usize,
    value: Operand,
    spans: &mut Spans,
) -> Option<usize> {
    let bytes = text.slice(value.start, value.end);
    let yes = match (link, key.strength) {
        (Link::Operator | Link::Element | Link::Flag, Strength::Strong) => {
            strong(text, key, link, start, value)
        }
        (Link::Operator | Link::Element | Link::Flag, Strength::Weak) => weak(key, bytes),
        (Link::Words, _) => by_words(text, key, start, value),
        (Link::Prompt, _) => {
            bytes.len() >= 6 && !is_placeholder(bytes) && !is_expression(bytes) && has_mix(bytes)
        }
    };
    if !yes {
        return None;
    }
    let mut end = value.end;
    if value.quote == 0 && link == Link::Operator {
        end = unquoted_words(text, start, value).unwrap_or(end);
    }
    spans.push(value.start, end, key.kind);
    if is_quote(value.quote) {
        end = continued(text, value, key, spans);
    }
    Some(end)
}

fn strong(text: Text<'_>, key: Key, link: Link, start: usize, value: Operand) -> bool {
    let bytes = text.slice(value.start, value.end);
    let plain = bytes.iter().all(u8::is_ascii_alphabetic);
    let glued = text.before(value.start) == b':' && text.at(start).is_ascii_lowercase() && !key.compound;
    if value.quote == 0 && plain && glued {
        return false;
    }
    let whole_number = bytes.iter().all(u8::is_ascii_digit);
    if bytes.len() < 4
        || is_placeholder(bytes)
        || (is_quantity(bytes) && !(whole_number && key.kind == Kind::Password))
    {
        return false;
    }
    if whole_number && (bytes.len() < 4 || key.kind == Kind::Password && bytes.len() < 5 && !key.compound) {
        return false;
    }
    if value.quote != 0 {
        return !is_prose(bytes) && !code_string(bytes);
    }
    if is_expression(bytes)
        || bytes.starts_with(b"/")
        || bytes.starts_with(b"./")
        || bytes.starts_with(b"sha256:")
    {
        return false;
    }
    if bytes.iter().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_')) {
        return plain_word(text, link, value);
    }
    true
}

/// A quoted string that holds code or a key path rather than a value.
fn code_string(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{{") || bytes.starts_with(b"/") && memchr::memchr_iter(b'/', bytes).count() > 1
}

/// An unquoted word of letters is a value when nothing but a delimiter follows it.
fn plain_word(text: Text<'_>, link: Link, value: Operand) -> bool {
    let bytes = text.slice(value.start, value.end);
    let camel = bytes.iter().skip(1).any(u8::is_ascii_uppercase) && bytes.iter().any(u8::is_ascii_lowercase);
    let after = text.skip_blanks(value.end);
    let closed = matches!(
        text.at(after),
        0 | b'\n'
            | b'\r'
            | b','
            | b';'
            | b'}'
            | b')'
            | b']'
            | b'&'
            | b'"'
            | b'\''
            | b'<'
            | b'#'
            | b'\\'
            | b'|'
    );
    let shell = text.at(value.start.saturating_sub(1)) == b'=';
    match link {
        Link::Flag => bytes.len() >= 6,
        _ if camel && bytes.iter().all(u8::is_ascii_alphabetic) && bytes.len() < 12 => closed && shell,
        _ => bytes.len() >= 5 && (closed || shell),
    }
}

fn weak(key: Key, bytes: &[u8]) -> bool {
    let hexadecimal = bytes.len() >= 16 && bytes.iter().all(u8::is_ascii_hexdigit);
    let least = match key.kind {
        Kind::Cookie => 12,
        _ if key.compound => 12,
        _ => 14,
    };
    if is_expression(bytes) {
        return false;
    }
    looks_secret(bytes, least)
        || (hexadecimal && !is_quantity(bytes))
        || (is_basic_pair(bytes) && bytes.len() >= 12)
        || (key.compound && is_uuid(bytes) && key.kind != Kind::Cookie)
}

/// Without an operator the value itself has to look secret.
fn by_words(text: Text<'_>, key: Key, start: usize, value: Operand) -> bool {
    let bytes = text.slice(value.start, value.end);
    if is_placeholder(bytes) || is_expression(bytes) || is_quantity(bytes) {
        return false;
    }
    let opening = text.slice(text.line_start(start, 64), start).iter().all(|b| !b.is_ascii_alphanumeric());
    if value.quote != 0 {
        let declared = key.compound && text.at(start).is_ascii_lowercase() || opening;
        return key.strength == Strength::Strong
            && bytes.len() >= 5
            && !is_prose(bytes)
            && (declared || has_mix(bytes));
    }
    if is_uuid(bytes) {
        return key.strength == Strength::Strong && key.compound;
    }
    let hexadecimal = bytes.iter().all(u8::is_ascii_hexdigit);
    if hexadecimal && bytes.len() < 32 {
        return false;
    }
    looks_secret(bytes, 12) && (key.strength == Strength::Strong || bytes.len() >= 20)
        || (has_mix(bytes) && bytes.len() >= 14 && key.compound && !is_uuid(bytes))
}

/// Letters together with digits or signs.
fn has_mix(bytes: &[u8]) -> bool {
    let letters = bytes.iter().any(u8::is_ascii_alphabetic);
    letters
        && bytes.iter().any(|b| b.is_ascii_digit() || b"!@#$%^&*+=?~".contains(b))
        && !bytes.contains(&b' ')
}

/// `JWT_SECRET=four plain words 7` on a line of a dotenv file: the end of the line.
fn unquoted_words(text: Text<'_>, start: usize, value: Operand) -> Option<usize> {
    let line_start = text.line_start(start, 64);
    let lead = text.slice(line_start, start);
    let name_end = value.start.checked_sub(1)?;
    let shell = text.at(name_end) == b'=' && (lead.is_empty() || lead == b"export ");
    let first = text.slice(value.start, value.end);
    if !shell || !first.iter().all(u8::is_ascii_alphabetic) {
        return None;
    }
    let line_end = text.line_end(value.end, 256);
    let rest = text.slice(value.end, line_end);
    let phrase = rest.iter().all(|b| b.is_ascii_alphanumeric() || *b == b' ') && rest.len() > 1;
    let shown = rest.split(|b| *b == b' ').filter(|w| !w.is_empty()).count();
    (phrase && (shown >= 2 || rest.iter().any(u8::is_ascii_digit))).then_some(line_end)
}

/// Adjacent string literals and the elements of a list belong to the same value.
fn continued(text: Text<'_>, value: Operand, key: Key, spans: &mut Spans) -> usize {
    let mut end = value.end;
    let list = matches!(text.before(value.start.saturating_sub(1 + value.depth)), b'[');
    for _ in 0..32 {
        let closed = end + value.depth + 1;
        let mut next = text.run(closed, 128, |b| b.is_ascii_whitespace());
        if list && text.at(next) == b',' {
            next = text.run(next + 1, 128, |b| b.is_ascii_whitespace());
        } else if next == closed {
            break;
        }
        let more = read(text, next);
        if more.quote != value.quote || text.at(next) != value.quote || more.end == more.start {
            break;
        }
        if matches!(text.at(text.skip_blanks(more.end + 1)), b':' | b'=')
            || (!list && text.at(closed) != b'\n' && text.at(closed) != b' ')
        {
            break;
        }
        spans.push(more.start, more.end, key.kind);
        end = more.end;
    }
    end
}
