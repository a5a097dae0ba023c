//! The assignment scanner: a sensitive name, an operator in any notation, a value.

use super::anchors::Hit;
use super::keys::{Key, Strength, classify};
use super::operand::{Operand, read};
use super::span::{Kind, Spans, atom_len};
use super::text::{Text, is_quote, is_word};
use super::values::{
    is_basic_pair, is_expression, is_placeholder, is_prose, is_quantity, is_uuid, looks_secret,
};

/// How a value hangs on its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
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

fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')
}

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
    if text.before(from) == b'\\' && matches!(text.at(from), b'n' | b'r' | b't') && from + 1 <= start {
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
    if key.kind == Kind::Cookie && name.to_ascii_lowercase().ends_with(b"cookie") {
        if let Some(done) = cookies(text, end, spans) {
            return done;
        }
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
    accept(text, key, link, start, value, spans).unwrap_or(end)
}

/// The text of an XML element, up to its closing tag or the end of the line.
fn element(text: Text<'_>, start: usize) -> Option<Operand> {
    let end = text.run(start, 4096, |b| b != b'<' && b >= b' ');
    let closed = text.starts_with(end, b"</") || matches!(text.at(end), 0 | b'\n' | b'\r');
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
        return !(is_prose(bytes) && bytes.contains(&b' ')) && !code_string(bytes);
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
    bytes.starts_with(b"{{") || bytes.starts_with(b"/") && bytes.iter().filter(|b| **b == b'/').count() > 1
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

/// The link between the name at `start..end` and the value that it returns the start of.
fn link(text: Text<'_>, start: usize, end: usize, key: Key) -> Option<(Link, usize)> {
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
    words(text, start, blank, key)
}

/// Past what closes a name: quotes (escaped or not), brackets.
fn close_name(text: Text<'_>, end: usize) -> (usize, bool) {
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
fn operator(text: Text<'_>, i: usize, was_quoted: bool) -> Option<usize> {
    let after = match (text.at(i), text.at(i + 1)) {
        (b'=', b'=') | (b':', b'/') if text.at(i + 2) != b'/' || text.at(i + 1) == b'=' => return None,
        (b'=', b'>') | (b':', b'=') => i + 2,
        (b':', b':') => (text.at(i + 2) == b' ').then_some(i + 2)?,
        (b'=' | b':', _) => i + 1,
        (b'?' | b'+', b'=') => i + 2,
        (b',', _) if was_quoted => {
            return Some(text.skip_blanks(i + 1)).filter(|&at| is_quote(text.at(at)) || text.at(at) == b'\\');
        }
        (b'|', b' ') => i + 1,
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
fn words(text: Text<'_>, start: usize, blank: usize, key: Key) -> Option<(Link, usize)> {
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
            return Some((
                if key.strength == Strength::Strong || digit { Link::Prompt } else { Link::Words },
                at,
            ));
        }
    }
    if joined && key.strength == Strength::Strong && text.run(at, 8, |b| b > b' ') == at + 8 {
        let digits =
            text.slice(at, text.run(at, 64, |b| b > b' ')).iter().filter(|b| b.is_ascii_digit()).count();
        if digits >= 2 {
            return Some((Link::Prompt, at));
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
            return Some((Link::Prompt, value));
        }
    }
    Some((Link::Words, at))
}

/// `JWT_SECRET=four plain words 7` on a line of a dotenv file: the end of the line.
fn unquoted_words(text: Text<'_>, start: usize, value: Operand) -> Option<usize> {
    let line_start = text.line_start(start, 64);
    let lead = text.slice(line_start, start);
    let name_end = value.start.checked_sub(1)?;
    let shell = text.at(name_end) == b'=' && (lead.is_empty() || lead == b"export ");
    let first = text.slice(value.start, value.end);
    if !shell || !first.iter().all(|b| b.is_ascii_alphabetic()) {
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

/// `Bearer X`, `Basic X`, `Digest …` wherever they stand.
fn scheme(text: Text<'_>, name: &[u8], end: usize, spans: &mut Spans) -> Option<usize> {
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
fn cookies(text: Text<'_>, end: usize, spans: &mut Spans) -> Option<usize> {
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
