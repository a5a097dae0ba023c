//! How a value hangs on its name: operators, tags, flags, connecting words.

use super::keys::{Key, Strength};
use super::text::{Text, is_quote, is_word};

/// How a value hangs on its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// `=`, `:`, `=>`, an XML tag, a pair of quoted strings.
    Operator,
    /// `<password>X</password>`.
    Element,
    /// `--password X`.
    Flag,
    /// `password "X"`, `token is X`, `(secret X)`.
    Words,
    /// `Password for user app: X` up to the end of the line.
    Prompt,
}

pub(super) fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')
}

/// The link between the name at `start..end` and the value that it returns the start of.
pub(super) fn link(text: Text<'_>, start: usize, end: usize, key: Key) -> Option<(Link, usize)> {
    let tag = matches!(text.before(start), b'<' | b':')
        && text.slice(start.saturating_sub(24), start).contains(&b'<');
    if tag && matches!(text.at(end), b'>' | b' ') {
        let close = text.run(end, 128, |b| b != b'>' && b != b'\n' && b != b'<');
        if text.at(close) == b'>' && text.before(close) != b'/' && text.before(close) != b'=' {
            return Some((Link::Element, text.skip_blanks(close + 1)));
        }
    }
    if text.before(start) == b'{' && text.before(start - 1) == b'$' {
        return text.starts_with(end, b":-").then_some((Link::Operator, end + 2));
    }
    let (closed, was_quoted) = close_name(text, end);
    let blank = text.skip_blanks(closed);
    if let Some(at) = operator(text, blank, was_quoted) {
        return Some((Link::Operator, at));
    }
    if text.at(closed) == b'(' && matches!(text.at(closed + 1), b'"' | b'\'') {
        return Some((Link::Words, closed + 1));
    }
    if matches!(text.slice(blank, blank + 2), b"==" | b"!=") {
        let at = text.skip_blanks(text.run(blank, 3, |b| matches!(b, b'=' | b'!')));
        return is_quote(text.at(at)).then_some((Link::Prompt, at));
    }
    if was_quoted {
        return attribute(text, blank).or_else(|| declaration(text, blank)).map(|at| (Link::Operator, at));
    }
    if blank == closed {
        return None;
    }
    if is_flag(text, start) {
        return Some((Link::Flag, blank)).filter(|_| text.at(blank) != b'-');
    }
    Some(words(text, start, blank, key))
}

/// Past what closes a name: quotes (escaped or not), brackets.
pub(super) fn close_name(text: Text<'_>, end: usize) -> (usize, bool) {
    let slashes = text.run(end, 8, |b| b == b'\\');
    let quoted = is_quote(text.at(slashes));
    let mut i = if quoted { slashes + 1 } else { end };
    if matches!(text.at(i), b']' | b')') && (text.at(i + 1) == b'=' || matches!(text.at(i + 1), b' ' | b':'))
    {
        i += 1;
    }
    if text.at(i) == b'?' && text.at(i + 1) == b':' {
        i += 1;
    }
    (i, quoted)
}

/// Past an operator and the blanks after it.
pub(super) fn operator(text: Text<'_>, i: usize, was_quoted: bool) -> Option<usize> {
    let after = match (text.at(i), text.at(i + 1)) {
        (b'=', b'=') | (b':', b'/') if text.at(i + 2) != b'/' || text.at(i + 1) == b'=' => return None,
        (b'=', b'>') | (b':' | b'?' | b'+', b'=') => i + 2,
        (b':', b':') => (text.at(i + 2) == b' ').then_some(i + 2)?,
        (b'=' | b':', _) | (b'|', b' ') => i + 1,
        (b',', _) if was_quoted => {
            return Some(text.skip_blanks(i + 1)).filter(|&at| is_quote(text.at(at)) || text.at(at) == b'\\');
        }
        _ => return None,
    };
    let at = text.skip_blanks(after);
    let block = matches!(text.at(at), b'|' | b'>') && text.slice(at, at + 3).contains(&b'\n');
    let next_line =
        text.run(at + usize::from(block), 96, |b| matches!(b, b' ' | b'\n' | b'\t' | b'\r' | b'-'));
    if block && next_line > at + 1 {
        return Some(next_line);
    }
    if matches!(text.at(at), b'\n' | b'\r') {
        let quoted = is_quote(text.at(next_line)) || text.starts_with(next_line, b"string(");
        let listed = text.slice(at, next_line).ends_with(b"- ");
        return (quoted || listed).then_some(next_line);
    }
    Some(at)
}

/// `name="token" value="X"`, `key="…" value="…"`, `name: X` with `value: Y` on the next line.
fn attribute(text: Text<'_>, i: usize) -> Option<usize> {
    let at = text.run(i, 64, |b| matches!(b, b' ' | b'\n' | b'\t' | b'\r' | b','));
    let name = ["value", "content", "password"].iter().find(|n| text.starts_like(at, n))?;
    let op = text.skip_blanks(at + name.len());
    matches!(text.at(op), b'=').then(|| text.skip_blanks(op + 1))
}

/// `variable "db_password" { … default = "X" }`.
fn declaration(text: Text<'_>, i: usize) -> Option<usize> {
    if text.at(i) != b'{' {
        return None;
    }
    let body = text.slice(i, i + 400);
    let body = body.get(..memchr::memchr(b'}', body).unwrap_or(body.len()))?;
    let at = i + memchr::memmem::find(body, b"default")?;
    let op = text.skip_blanks(at + b"default".len());
    (text.at(op) == b'=').then(|| text.skip_blanks(op + 1))
}

/// `--password`, `-Dsonar.login`, `/password` of a command line.
fn is_flag(text: Text<'_>, start: usize) -> bool {
    let dash = text.run_back(start, 2, |b| b == b'-');
    dash < start && !in_name(text.before(dash))
}

/// Connecting words: `token is X`, `TOKEN set to X`, `Password for user app: X`.
fn words(text: Text<'_>, start: usize, blank: usize, key: Key) -> (Link, usize) {
    const JOINTS: &[&str] = &[
        "is", "was", "set", "to", "value", "of", "as", "=", "now", "equals", "by", "with", "currently",
        "used", "using", "here", "following", "number",
    ];
    let mut at = blank;
    let mut joined = false;
    for _ in 0..4 {
        let end = text.run(at, 24, |b| !b.is_ascii_whitespace());
        let word = text.slice(at, end);
        let bare = word.strip_suffix(b":").unwrap_or(word);
        let digit = bare.len() <= 2 && bare.iter().all(u8::is_ascii_digit) && !bare.is_empty();
        let joint = digit || JOINTS.iter().any(|j| bare.eq_ignore_ascii_case(j.as_bytes()));
        if !joint {
            break;
        }
        at = text.skip_blanks(end);
        joined = true;
        if word.ends_with(b":") {
            return (if key.strength == Strength::Strong || digit { Link::Prompt } else { Link::Words }, at);
        }
    }
    if joined && key.strength == Strength::Strong && text.run(at, 8, |b| b > b' ') == at + 8 {
        let digits =
            text.slice(at, text.run(at, 64, |b| b > b' ')).iter().filter(|b| b.is_ascii_digit()).count();
        if digits >= 2 {
            return (Link::Prompt, at);
        }
    }
    let line = text.line_end(blank, 160);
    let rest = text.slice(blank, line);
    let opens = text.at(start).is_ascii_uppercase()
        && text.slice(text.line_start(start, 40), start).iter().all(|b| !is_word(*b));
    if let (true, Some(colon)) = (opens, memchr::memmem::find(rest, b": ")) {
        let value = text.skip_blanks(blank + colon + 1);
        let end = text.run(value, 128, |b| !b.is_ascii_whitespace());
        if text.skip_blanks(end) == line && rest.get(..colon).is_some_and(|w| w.len() < 48) {
            return (Link::Prompt, value);
        }
    }
    (Link::Words, at)
}
