//! Credentials inside URLs.

use memchr::memmem;

use super::span::{Kind, Spans};
use super::text::Text;
use super::values::{is_placeholder, looks_secret};

/// Longest authority that is followed.
const MAX: usize = 1024;

pub(super) fn scan(text: Text<'_>, spans: &mut Spans) {
    let mut done = 0;
    for at in memmem::find_iter(text.0, b"://") {
        if at < done {
            continue;
        }
        let start = at + 3;
        let Some((colon, sign)) = userinfo(text, start) else {
            numeric_host(text, start, spans);
            continue;
        };
        done = sign;
        let user = text.slice(start, colon.unwrap_or(sign));
        let secret_user = looks_secret(user, 12)
            || (user.len() >= 12
                && user.iter().any(u8::is_ascii_digit)
                && user.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-'));
        if secret_user || is_long_hex(user) {
            spans.push(start, colon.unwrap_or(sign), Kind::Token);
        }
        if let Some(colon) = colon {
            let password = text.slice(colon + 1, sign);
            if !is_placeholder(password) && !stands_for_password(password) {
                spans.push(colon + 1, sign, Kind::Password);
            }
        }
    }
}

/// `xxx`, `PASSWORD`, `${DB_PASS}`: what documentation writes there.
fn stands_for_password(value: &[u8]) -> bool {
    value.starts_with(b"$") && value.ends_with(b"}")
        || value.starts_with(b"x-oauth-basic")
        || value.starts_with(b"<")
}

fn is_long_hex(value: &[u8]) -> bool {
    value.len() >= 20 && value.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-')
}

/// The colon and the `@` of `user:password@`; a raw `/`, `?` or `#` may stand in the password.
fn userinfo(text: Text<'_>, start: usize) -> Option<(Option<usize>, usize)> {
    let in_url = |b: u8| b > b' ' && !matches!(b, b'"' | b'\'' | b'>' | b'`' | b'\\' | 0x7f);
    let stop = text.run(start, MAX, |b| in_url(b) && !matches!(b, b'/' | b'?' | b'#'));
    let authority = text.slice(start, stop);
    let colon = memchr::memchr(b':', authority).map(|n| start + n);
    if let Some(sign) = memchr::memrchr(b'@', authority) {
        let sign = start + sign;
        let later = text.run(sign + 1, 96, |b| in_url(b) && b != b'@' && b != b'?');
        let host = text.slice(sign + 1, stop);
        let bare = stop < later && text.at(later) == b'@' && !host.iter().any(|b| matches!(b, b'.' | b':'));
        return Some((colon.filter(|&c| c < sign), if bare { later } else { sign }));
    }
    let colon = colon?;
    let port = text.run(colon + 1, 6, |b| b.is_ascii_digit());
    let is_port = port > colon + 1 && port == stop;
    let sign = text.run(colon, 96, |b| in_url(b) && b != b'@');
    (!is_port && text.at(sign) == b'@').then_some((Some(colon), sign))
}

/// `http://3572912278/`: an address written as one number.
fn numeric_host(text: Text<'_>, start: usize, spans: &mut Spans) {
    let end = text.run(start, 12, |b| b.is_ascii_digit());
    if (8..=10).contains(&(end - start))
        && matches!(text.at(end), b'/' | b':' | b'?' | b' ' | 0 | b'"' | b'\'')
    {
        spans.push(start, end, Kind::Ip);
    }
}
