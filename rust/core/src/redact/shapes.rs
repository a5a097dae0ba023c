//! Secrets told by their shape or by the line before: the last resort, so only shapes that nothing else has.

use memchr::memmem;

use super::anchors::Hit;
use super::keys::classify;
use super::operand::read;
use super::span::{Kind, Spans};
use super::text::{Text, is_word};
use super::values::{is_placeholder, looks_secret};

pub(super) const ANCHORS: &[&str] = &[
    ".atlasv1.",
    ":AA",
    "\tTRUE\t",
    "\tFALSE\t",
    ":\n",
    ":\r\n",
    "cat ",
    "type ",
    "base64 -d",
    "base64 --decode",
    "print-access-token",
    "auth token",
    "pbpaste",
    "openssl rand",
    "IDENTIFIED BY ",
    "identified by ",
    "NetworkCredential(",
    "auth=(",
    "BasicAuth(",
    "basic_auth(",
    "jdbc:oracle:thin:",
    "\"d\"",
];

pub(super) fn scan(text: Text<'_>, hits: &[Hit], spans: &mut Spans) {
    discord_tokens(text, spans);
    for hit in hits {
        let (start, end) = (hit.start, hit.end);
        match text.at(start) {
            b'.' => terraform_token(text, start, spans),
            b':' if text.at(start + 1) == b'A' => telegram_token(text, start, spans),
            b':' => announced(text, start, spans),
            b'\t' => cookie_jar(text, end, spans),
            b'I' | b'i' => quoted_at(text, end, 0, spans),
            b'j' => oracle(text, end, spans),
            _ if text.before(end) == b'(' => quoted_at(text, end, 1, spans),
            b'"' => private_exponent(text, end, spans),
            _ => printed_file(text, start, end, spans),
        }
    }
}

/// `.atlasv1.` between 14 and about 60 characters.
fn terraform_token(text: Text<'_>, at: usize, spans: &mut Spans) {
    let start = text.run_back(at, 20, |b| b.is_ascii_alphanumeric());
    let end = text.run(at + 9, 100, |b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'='));
    if at - start >= 10 && end - at > 40 {
        spans.push(start, end, Kind::Token);
    }
}

fn in_token(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')
}

/// Discord bots: 24, 6 and 27 characters with dots between.
fn discord_tokens(text: Text<'_>, spans: &mut Spans) {
    for dot in memchr::memchr_iter(b'.', text.0) {
        if text.at(dot + 7) != b'.' {
            continue;
        }
        let start = text.run_back(dot, 32, in_token);
        let end = text.run(dot + 8, 48, in_token);
        let head = text.slice(start, dot);
        let mixed =
            |part: &[u8]| part.iter().any(u8::is_ascii_uppercase) && part.iter().any(u8::is_ascii_lowercase);
        let middle = text.run(dot + 1, 6, in_token) == dot + 7;
        if middle
            && (23..=28).contains(&head.len())
            && end - dot > 34
            && mixed(head)
            && mixed(text.slice(dot + 8, end))
        {
            spans.push(start, end, Kind::Token);
        }
    }
}

/// Telegram bots: digits, `:AA`, 33 more characters.
fn telegram_token(text: Text<'_>, at: usize, spans: &mut Spans) {
    let start = text.run_back(at, 12, |b| b.is_ascii_digit());
    let end = text.run(at + 1, 64, in_token);
    if (7..=11).contains(&(at - start)) && (33..=40).contains(&(end - at - 1)) && !is_word(text.before(start))
    {
        spans.push(start, end, Kind::Token);
    }
}

/// The n-th of the quoted strings that follow one another from `i`.
fn quoted_at(text: Text<'_>, i: usize, n: usize, spans: &mut Spans) {
    let mut at = i;
    for k in 0..=n {
        let open = text.run(at, 16, |b| matches!(b, b' ' | b','));
        let value = read(text, open);
        if value.quote == 0 || value.start != open + 1 {
            return;
        }
        if k == n && !is_placeholder(text.slice(value.start, value.end)) {
            spans.push(value.start, value.end, Kind::Password);
        }
        at = value.end + 1;
    }
}

/// `user/password@` of an Oracle thin URL.
fn oracle(text: Text<'_>, user: usize, spans: &mut Spans) {
    let in_part = |b: u8| b > b' ' && !matches!(b, b'/' | b'@' | b'"' | b'\'' | b':');
    let slash = text.run(user, 64, in_part);
    let sign = text.run(slash + 1, 96, in_part);
    if slash > user
        && text.at(slash) == b'/'
        && text.at(sign) == b'@'
        && !is_placeholder(text.slice(slash + 1, sign))
    {
        spans.push(slash + 1, sign, Kind::Password);
    }
}

/// `"d": "…"` of a JSON Web Key.
fn private_exponent(text: Text<'_>, end: usize, spans: &mut Spans) {
    let colon = text.skip_blanks(end);
    let open = text.skip_blanks(colon + 1);
    let close = text.run(open + 1, 1024, in_token);
    let near = text.slice(end.saturating_sub(1024), end + 1024);
    let jwk = memmem::find(near, b"\"kty\"").is_some();
    if text.at(colon) == b':' && text.at(open) == b'"' && close - open >= 40 && jwk {
        spans.push(open + 1, close, Kind::Key);
    }
}

/// After `⇥TRUE⇥` of a Netscape cookie file: expiry, name, value.
fn cookie_jar(text: Text<'_>, stamp: usize, spans: &mut Spans) {
    let stamp_end = text.run(stamp, 16, |b| b.is_ascii_digit());
    let name_end = text.run(stamp_end + 1, 128, |b| b > b' ');
    let end = text.run(name_end + 1, 8192, |b| b > b' ');
    if stamp_end > stamp && text.at(stamp_end) == b'\t' && text.at(name_end) == b'\t' {
        spans.push(name_end + 1, end, Kind::Cookie);
    }
}

const ANNOUNCERS: [&[u8]; 9] = [
    b"password",
    b"Password",
    b"token",
    b"Token",
    b"passphrase",
    b"secret key",
    b"unseal key",
    b"API key",
    b"api key",
];

/// `… use the following password …:` and then a line with nothing but the password.
fn announced(text: Text<'_>, colon: usize, spans: &mut Spans) {
    let line = text.slice(text.line_start(colon, 200), colon);
    if ANNOUNCERS.iter().any(|word| memmem::find(line, word).is_some()) {
        lone_line(text, colon + 1, spans);
    }
}

/// `$ cat token.txt` and then the token.
fn printed_file(text: Text<'_>, start: usize, end: usize, spans: &mut Spans) {
    if is_word(text.before(start)) {
        return;
    }
    let line_end = text.line_end(end, 256);
    let names = text.slice(end, line_end).split(|b| !in_token(*b));
    if text.before(end) != b' ' || names.into_iter().any(|w| w == b"id_rsa" || classify(w).is_some()) {
        lone_line(text, line_end, spans);
    }
}

/// The next line that is not blank, when it is one word that could be a secret.
fn lone_line(text: Text<'_>, from: usize, spans: &mut Spans) {
    let start = text.run(from, 16, |b| b.is_ascii_whitespace());
    let end = text.run(start, 512, |b| b > b' ');
    let value = text.slice(start, end);
    let alone = matches!(text.at(text.skip_blanks(end)), 0 | b'\n' | b'\r');
    let hexadecimal = value.len() >= 16 && value.iter().all(u8::is_ascii_hexdigit);
    let dense = hexadecimal || looks_secret(value, 10);
    if start > from && alone && dense && !is_placeholder(value) {
        spans.push(start, end, Kind::Password);
    }
}
