//! Authorization schemes and cookies: values that no name of their own announces.

use super::keys::classify;
use super::links::{close_name, in_name, operator};
use super::operand::read;
use super::span::{Kind, Spans};
use super::text::{Text, is_quote};
use super::values::{is_basic_pair, is_placeholder, looks_secret};

/// `Bearer X`, `Basic X`, `Digest …` wherever they stand.
pub(super) fn scheme(text: Text<'_>, name: &[u8], end: usize, spans: &mut Spans) -> Option<usize> {
    let at = text.skip_blanks(end);
    if at == end {
        return None;
    }
    let stop = text.run(at, 8192, |b| b.is_ascii_alphanumeric() || b"._~+/=-".contains(&b));
    let value = text.slice(at, stop);
    let digit = value.iter().any(u8::is_ascii_digit);
    if name.eq_ignore_ascii_case(b"bearer") {
        let word = value.iter().all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_'));
        if value.len() >= 8 && !is_placeholder(value) && (digit || (!word && value.len() >= 16)) {
            spans.push(at, stop, Kind::Token);
            return Some(stop);
        }
    } else if name.eq_ignore_ascii_case(b"basic") && is_basic_pair(value) {
        spans.push(at, stop, Kind::Password);
        return Some(stop);
    } else if name.eq_ignore_ascii_case(b"digest") && !value.is_empty() {
        let line = text.slice(at, text.line_end(at, 2048));
        for field in [&b"response"[..], b"nonce", b"cnonce"] {
            let Some(found) = memchr::memmem::find(line, field) else { continue };
            let value = read(text, (at + found + field.len() + 1).min(text.len()));
            if text.at(at + found + field.len()) == b'=' && value.end - value.start >= 16 {
                spans.push(value.start, value.end, Kind::Token);
            }
        }
        return Some(end);
    } else if name == b"PLAIN" || name == b"LOGIN" {
        let authorises =
            text.slice(end.saturating_sub(16), end).windows(4).any(|w| w.eq_ignore_ascii_case(b"AUTH"));
        if authorises && value.len() >= 8 && looks_secret(value, 8) {
            spans.push(at, stop, Kind::Password);
            return Some(stop);
        }
    }
    None
}

/// `Cookie: a=b; c=d`: values that look like sessions; attributes stay.
pub(super) fn cookies(text: Text<'_>, end: usize, spans: &mut Spans) -> Option<usize> {
    let (closed, was_quoted) = close_name(text, end);
    let at = operator(text, text.skip_blanks(closed), was_quoted)?;
    let from = text.run(at, 4, |b| is_quote(b) || b == b'\\');
    Some(cookie_pairs(text, from, spans))
}

/// Masks the values of `name=value; …` from `i` to the end of the line or the closing quote.
pub(super) fn cookie_pairs(text: Text<'_>, mut i: usize, spans: &mut Spans) -> usize {
    for _ in 0..64 {
        i = text.run(i, 8, |b| matches!(b, b' ' | b';'));
        let name_end = text.run(i, 128, |b| in_name(b) || matches!(b, b'%' | b'~' | b'[' | b']'));
        if text.at(name_end) != b'=' || name_end == i {
            break;
        }
        let name = text.slice(i, name_end).to_ascii_lowercase();
        let stop = text
            .run(name_end + 1, 8192, |b| !matches!(b, b';' | b'"' | b'\'' | b'\\' | b',' | b'<') && b > b' ');
        let value = text.slice(name_end + 1, stop);
        let attribute = [&b"path"[..], b"domain", b"expires", b"max-age", b"samesite", b"priority"]
            .contains(&name.as_slice());
        let named = classify(&name).is_some()
            || [&b"sid"[..], b"sess", b"auth"].iter().any(|n| memchr::memmem::find(&name, n).is_some());
        if !attribute
            && !is_placeholder(value)
            && ((named && value.len() >= 6) || looks_secret(value, 12) || value.len() >= 24)
        {
            spans.push(name_end + 1, stop, Kind::Cookie);
        }
        i = stop;
    }
    i
}
