//! E-mail addresses and `user@host` of ssh targets and prompts.

use super::span::{Kind, Spans};
use super::text::{Text, is_word};

/// Last labels that are files, units or package tags rather than top-level domains.
const NOT_DOMAINS: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "js", "mjs", "cjs", "ts", "tsx", "css", "json", "map", "tgz",
    "gz", "zip", "whl", "so", "dll", "exe", "jar", "service", "socket", "timer", "target", "slice", "mount",
    "scope", "html", "xml", "yaml", "yml", "toml", "lock", "txt", "pdf", "cpp", "java", "plt", "git", "path",
];

pub(super) fn scan(text: Text<'_>, spans: &mut Spans) {
    for sign in memchr::memchr_iter(b'@', text.0) {
        let Some(start) = local_start(text, sign) else { continue };
        if let Some(end) = domain_end(text, start, sign) {
            spans.push(start, end, Kind::Email);
        }
    }
}

fn local_start(text: Text<'_>, sign: usize) -> Option<usize> {
    if text.before(sign) == b'"' {
        let open = text.run_back(sign - 1, 64, |b| b != b'"' && b != b'\n');
        let quoted = open < sign - 1
            && text.before(open) == b'"'
            && matches!(text.before(open - 1), b'<' | b' ' | b':' | b',' | 0);
        return quoted.then(|| open - 1);
    }
    let member = |b: u8| is_word(b) || b"._%+-'!#$*=^{}~&".contains(&b);
    let mut start = text.run_back(sign, 64, member);
    // `key=user@host`, `'user@host'`, `{user@host`: what separates is not part of the name.
    let last_break =
        text.slice(start, sign).iter().rposition(|b| matches!(b, b'=' | b'{' | b'}' | b'&' | b'$' | b'*'));
    if let Some(at) = last_break {
        start += at + 1;
    }
    start = text.run(start, sign - start, |b| !is_word(b));
    (start < sign && text.before(sign) != b'.').then_some(start)
}

fn domain_end(text: Text<'_>, start: usize, sign: usize) -> Option<usize> {
    let from = sign + 1;
    if text.at(from) == b'[' {
        let end = text.run(from + 1, 64, |b| {
            b.is_ascii_hexdigit() || matches!(b, b'.' | b':') || b.is_ascii_alphabetic()
        });
        return (text.at(end) == b']' && end > from + 4).then_some(end + 1);
    }
    let mut end = text.run(from, 253, |b| is_word(b) || matches!(b, b'.' | b'-' | b'_'));
    while end > from && !is_word(text.before(end)) {
        end -= 1;
    }
    let local = text.slice(start, sign);
    let domain = text.slice(from, end);
    if domain.is_empty()
        || (local == b"git" || local == b"hg" || local == b"ssh")
            && text.at(end) != b'\0'
            && matches!(text.at(end), b':' | b'/')
    {
        return None;
    }
    if is_mail_domain(domain) && text.at(end) != b'(' {
        return Some(target_end(text, end));
    }
    is_target(text, local, domain, end).then(|| target_end(text, end))
}

/// `user@host:/srv/x` is one target: the remote path goes with it.
fn target_end(text: Text<'_>, end: usize) -> usize {
    if text.at(end) != b':' || !matches!(text.at(end + 1), b'~' | b'/') || text.at(end + 2) == b'/' {
        return end;
    }
    text.run(end + 1, 512, |b| is_word(b) || matches!(b, b'/' | b'~' | b'.' | b'_' | b'-'))
}

fn is_mail_domain(domain: &[u8]) -> bool {
    let mut labels = domain.rsplit(|b| *b == b'.');
    let Some(top) = labels.next() else { return false };
    let second = labels.next().unwrap_or_default();
    let named = top.len() >= 2 && top.iter().all(|b| b.is_ascii_alphabetic() || *b >= 0x80)
        || top.starts_with(b"xn--");
    let scaled = second.ends_with(b"x") && second.iter().all(|b| b.is_ascii_digit() || *b == b'x');
    let lower = String::from_utf8_lossy(top).to_ascii_lowercase();
    named && !second.is_empty() && !scaled && !NOT_DOMAINS.contains(&lower.as_str())
}

/// `user@build-7:/srv`, `user@10.0.0.1`, `user@LAPTOP-X:~$`.
fn is_target(text: Text<'_>, local: &[u8], host: &[u8], end: usize) -> bool {
    if !local.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-')) {
        return false;
    }
    let quad =
        host.split(|b| *b == b'.').count() == 4 && host.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let machine =
        host.first().is_some_and(u8::is_ascii_alphabetic) && !host.contains(&b'.') && host.len() >= 2;
    let reached = text.at(end) == b':' && matches!(text.at(end + 1), b'~' | b'/');
    let remote = reached && !host.starts_with(b"sha") && host != b"npm";
    quad || machine && remote
}
