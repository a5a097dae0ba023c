//! Addresses of machines: IPv4, IPv6, MAC, internal host names, prompts.

use std::net::{Ipv4Addr, Ipv6Addr};

use memchr::memmem;

use super::anchors::Hit;
use super::span::{Kind, Spans};
use super::text::{Text, is_word};

pub(super) fn scan(text: Text<'_>, hits: &[Hit], spans: &mut Spans) {
    addresses(text, spans);
    for hit in hits {
        internal_host(text, hit.start, hit.end, spans);
    }
}

fn addresses(text: Text<'_>, spans: &mut Spans) {
    dotted(text, spans);
    colons(text, spans);
    dashed_macs(text, spans);
    for at in memmem::find_iter(text.0, b"inet 0x") {
        let end = text.run(at + 7, 9, |b| b.is_ascii_hexdigit());
        if end == at + 15 {
            spans.push(at + 5, end, Kind::Ip);
        }
    }
}

/// IPv4 and Cisco's `aabb.ccdd.eeff`, anchored on a dot between hex digits.
fn dotted(text: Text<'_>, spans: &mut Spans) {
    let mut done = 0;
    for dot in memchr::memchr_iter(b'.', text.0) {
        if dot < done || !text.before(dot).is_ascii_hexdigit() || !text.at(dot + 1).is_ascii_hexdigit() {
            continue;
        }
        let start = text.run_back(dot, 5, |b| b.is_ascii_hexdigit());
        let end = text.run(dot, 64, |b| b.is_ascii_hexdigit() || b == b'.');
        done = end;
        let end = if text.before(end) == b'.' { end - 1 } else { end };
        if !edges(text, start, end) {
            continue;
        }
        let run = text.slice(start, end);
        if is_ipv4(run) && !is_version(text, start, end) {
            spans.push(start, end, Kind::Ip);
        } else if is_cisco_mac(run) {
            spans.push(start, end, Kind::Mac);
        }
    }
}

fn edges(text: Text<'_>, start: usize, end: usize) -> bool {
    let left = text.before(start);
    let tail = text.at(end) == b'-' && text.at(end + 1).is_ascii_alphabetic();
    text.boundary_before(start)
        && !matches!(left, b'.' | b'+')
        && !is_word(text.at(end))
        && text.at(end) != b'_'
        && !tail
}

fn is_ipv4(run: &[u8]) -> bool {
    let Some(address) = std::str::from_utf8(run).ok().and_then(|s| s.parse::<Ipv4Addr>().ok()) else {
        return false;
    };
    !address.is_loopback() && !address.is_unspecified() && address.octets().first() != Some(&255)
}

fn is_cisco_mac(run: &[u8]) -> bool {
    run.len() == 14
        && run.split(|b| *b == b'.').all(|part| part.len() == 4)
        && run.iter().any(u8::is_ascii_alphabetic)
        && run.iter().any(u8::is_ascii_digit)
}

/// `v1.2.3.4`, `Version=1.2.3.4`, `pkg-1.2.3.4`, `Chrome/1.2.3.4`.
fn is_version(text: Text<'_>, start: usize, end: usize) -> bool {
    const NAMES: &[&str] = &[
        "version", "ver", "v", "release", "build", "driver", "firmware", "sdk", "runtime", "assembly",
        "upgrade", "oid",
    ];
    let left = text.before(start);
    if matches!(left, b'-' | b'_')
        && is_word(text.before(start - 1))
        && !text.slice(start.saturating_sub(4), start).ends_with(b"ip-")
    {
        return true;
    }
    if left == b'/' && is_word(text.before(start - 1))
        || left == b'=' && text.before(start.saturating_sub(1)) == b'='
    {
        return true;
    }
    if left == b'@' && text.before(start - 1).is_ascii_alphanumeric() && !matches!(text.at(end), b':' | b'/')
    {
        return text.slice(start, end).len() < 8;
    }
    let word_end = text.run_back(start, 4, |b| matches!(b, b' ' | b'=' | b':' | b'"' | b'\''));
    let word = text.slice(text.run_back(word_end, 12, |b| b.is_ascii_alphabetic()), word_end);
    NAMES.iter().any(|n| word.eq_ignore_ascii_case(n.as_bytes()))
}

/// IPv6 and colon-separated MACs, anchored on a colon.
fn colons(text: Text<'_>, spans: &mut Spans) {
    let member = |b: u8| b.is_ascii_hexdigit() || b == b':';
    let mut done = 0;
    for colon in memchr::memchr_iter(b':', text.0) {
        if colon < done || !(text.at(colon + 1).is_ascii_hexdigit() || text.at(colon + 1) == b':') {
            continue;
        }
        let start = text.run_back(colon, 4, |b| b.is_ascii_hexdigit());
        let mut end = text.run(colon, text.len(), member);
        done = end;
        if end - start > 48 || !text.boundary_before(start) && text.before(start) != b'%' {
            continue;
        }
        let groups = end;
        if text.at(end) == b'.' {
            end = text.run(end, 16, |b| b.is_ascii_digit() || b == b'.');
        }
        if is_mac(text.slice(start, groups), b':') && !is_word(text.at(groups)) {
            spans.push(start, groups, Kind::Mac);
        } else if let Some(end) = ipv6_end(text, start, end, groups) {
            spans.push(start, end, Kind::Ip);
        }
    }
}

fn ipv6_end(text: Text<'_>, start: usize, end: usize, groups: usize) -> Option<usize> {
    let candidates = [end, groups, groups.saturating_sub(1), groups.saturating_sub(5)];
    let end = *candidates.iter().find(|&&end| {
        let run = text.slice(start, end);
        let tail = text.at(end);
        run.len() >= 4
            && !(is_word(tail) || tail == b'_')
            && (end <= groups.saturating_sub(2)) == (end == candidates[3])
            && std::str::from_utf8(run)
                .ok()
                .and_then(|s| s.parse::<Ipv6Addr>().ok())
                .is_some_and(|a| !a.is_loopback() && !a.is_unspecified())
    })?;
    let run = text.slice(start, end);
    let filled = run.split(|b| *b == b':').filter(|part| !part.is_empty()).count();
    let first = run.split(|b| *b == b':').next().unwrap_or_default();
    let routed = first.len() >= 3 && first.iter().any(u8::is_ascii_digit)
        || run.starts_with(b"fe80")
        || run.starts_with(b"::ffff:");
    let digits = run.iter().any(u8::is_ascii_digit);
    (digits && (filled >= 3 || routed)).then_some(end)
}

fn is_mac(run: &[u8], separator: u8) -> bool {
    run.len() == 17
        && run
            .iter()
            .enumerate()
            .all(|(i, b)| if i % 3 == 2 { *b == separator } else { b.is_ascii_hexdigit() })
        && run.iter().any(|b| b.is_ascii_hexdigit() && *b != b'0')
}

fn dashed_macs(text: Text<'_>, spans: &mut Spans) {
    for dash in memchr::memchr_iter(b'-', text.0) {
        let Some(start) = dash.checked_sub(2) else { continue };
        if text.at(dash + 3) != b'-' || text.at(dash + 6) != b'-' {
            continue;
        }
        let run = text.slice(start, start + 17);
        let loose = text.boundary_before(start)
            && text.before(start) != b'-'
            && !is_word(text.at(start + 17))
            && text.at(start + 17) != b'-';
        if loose && is_mac(run, b'-') && run.iter().any(u8::is_ascii_alphabetic) {
            spans.push(start, start + 17, Kind::Mac);
        }
    }
}

/// Suffixes that only resolve inside somebody's network.
pub(super) const INTERNAL: &[&str] =
    &[".internal", ".corp", ".lan", ".intranet", ".localdomain", ".local", ".home.arpa", ".private", ".svc"];

/// Names everybody's machine has.
const SHARED_HOSTS: &[&[u8]] = &[
    b"host.docker.internal",
    b"gateway.docker.internal",
    b"metadata.google.internal",
    b"kubernetes.docker.internal",
];

fn internal_host(text: Text<'_>, at: usize, end: usize, spans: &mut Spans) {
    let next = text.at(end);
    if is_word(next) || matches!(next, b'_' | b'-' | b'(') || next == b'.' && is_word(text.at(end + 1)) {
        return;
    }
    let start = text.run_back(at, 128, |b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'));
    let name = text.slice(start, at);
    let suffix = text.slice(at, end);
    let located = text.slice(start.saturating_sub(3), start) == b"://" || text.before(start) == b'@';
    let file = matches!(text.before(start), b'/' | b'\\' | b'.' | b'_') && !located;
    if name.is_empty()
        || file
        || SHARED_HOSTS.contains(&text.slice(start, end))
        || name.iter().any(u8::is_ascii_uppercase)
    {
        return;
    }
    let port = next == b':' && text.at(end + 1).is_ascii_digit() && text.at(end + 2).is_ascii_digit();
    let numbered = name.iter().any(u8::is_ascii_digit) && name.contains(&b'-');
    let code = [&b".local"[..], b".private", b".svc"].contains(&suffix)
        || name.starts_with(b"com.")
        || name.starts_with(b"org.");
    if located || port || numbered || (name.contains(&b'.') && !code) {
        spans.push(start, end, Kind::Host);
    }
}
