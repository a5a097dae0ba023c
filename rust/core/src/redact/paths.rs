//! Paths that name a person or a machine: below a home, on a Windows drive, on a share.

use super::anchors::Hit;
use super::span::{Kind, Spans};
use super::text::{Text, is_quote, is_word};

pub(super) const ANCHORS: &[&str] = &[
    "/home/", "/Users/", "/root/", "/media/", ":\\", ":/", "\\\\", "~", "/var/folders/", "/Volumes/",
    "/run/user/",
];

/// Source files whose last two components stay: they tell where in the code, not whose machine.
const CODE: &[&str] = &[
    "rs", "py", "pyi", "js", "mjs", "cjs", "ts", "tsx", "jsx", "c", "h", "cc", "cpp", "cxx", "hpp", "go",
    "java", "kt", "rb", "php", "cs", "fs", "swift", "scala", "sh", "bash", "ps1", "exe", "vue", "svelte",
    "ex", "exs", "erl", "hs", "ml", "lua", "pl", "zig",
];

/// First components below a drive that belong to the system.
const SYSTEM: &[&str] =
    &["windows", "program files", "program files (x86)", "programdata", "hostedtoolcache", "msys64", "tools"];

pub(super) fn scan(text: Text<'_>, hits: &[Hit], spans: &mut Spans) {
    let mut done = 0;
    for hit in hits {
        let at = hit.start;
        if at < done {
            continue;
        }
        let start = match text.at(at) {
            b':' => drive_start(text, at),
            b'\\' => share_start(text, at),
            b'~' => tilde_start(text, at),
            _ => posix_start(text, at, done),
        };
        let Some(start) = start else { continue };
        let end = path_end(text, start, at);
        done = end;
        if is_personal(text, start, at, end) {
            let kept = kept_tail(text.slice(start, end));
            spans.push(start, end - kept, Kind::Path);
        }
    }
}

/// The identity's home from `start` to `end` and the path that goes on from there, wherever homes are on this machine.
pub(super) fn below_home(text: Text<'_>, start: usize, end: usize, spans: &mut Spans) {
    let whole = path_end(text, start, start);
    if matches!(text.at(end), b'/' | b'\\') && whole > end + 1 {
        let kept = kept_tail(text.slice(start, whole));
        spans.push(start, (whole - kept).max(end), Kind::Path);
    } else {
        spans.push(start, end, Kind::Home);
    }
}

/// The path's first slash, left of the anchor; `None` inside a URL's path.
fn posix_start(text: Text<'_>, at: usize, low: usize) -> Option<usize> {
    let member = |b: u8| {
        b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/' | b'$' | b'%') || b >= 0x80
    };
    let run = text.run_back(at, (at - low).min(64), member);
    let slash = text.run(run, at - run, |b| b != b'/');
    if text.before(run) == b':' && text.starts_with(run, b"//") {
        let file = text.slice(run.saturating_sub(5), run).eq_ignore_ascii_case(b"file:");
        return file.then(|| run - 5);
    }
    // `example.org/home/…` is an address; `-I/home/…` and `/nfs/home/…` are paths.
    let word = text.slice(run, slash);
    let host = word.contains(&b'.') && word.iter().all(|b| is_word(*b) || matches!(b, b'.' | b'-'));
    let root = text.slice(slash, at);
    let method = text.slice(slash.saturating_sub(7), slash);
    let requested = [&b"GET "[..], b"POST ", b"PUT ", b"HEAD ", b"PATCH ", b"DELETE "]
        .iter()
        .any(|m| method.ends_with(m));
    (!host && !requested && root.len() <= 48 && (text.at(at) != b'~')).then_some(slash)
}

/// The drive letter, or the start of `file:///C:/…` and `\\?\C:\…`.
fn drive_start(text: Text<'_>, at: usize) -> Option<usize> {
    let letter = at.checked_sub(1)?;
    if text.at(at + 1) == b'/' && text.at(at + 2) == b'/' {
        let file = text.slice(at.saturating_sub(4), at).eq_ignore_ascii_case(b"file");
        return file.then(|| at - 4);
    }
    let lone = text.at(letter).is_ascii_alphabetic() && text.boundary_before(letter);
    lone.then_some(letter)
}

/// `\\host\share`: two backslashes (four when escaped), a host, a backslash.
fn share_start(text: Text<'_>, at: usize) -> Option<usize> {
    let start = text.run_back(at, 4, |b| b == b'\\');
    let host = text.run(at, 8, |b| b == b'\\');
    let slashes = host - start;
    let end =
        text.run(host, 64, |b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'$' | b'_' | b'?'));
    let next = text.run(end, 4, |b| b == b'\\');
    let share = is_word(text.at(next)) || text.at(next) == b'_';
    let shaped = (slashes == 2 && next == end + 1)
        || (slashes == 4 && next == end + 2)
        || slashes == 2 && text.at(host) == b'?';
    let loose = !is_word(text.before(start)) && text.before(start) != b':';
    (loose && shaped && share && (end - host >= 2 || text.at(host) == b'?')).then_some(start)
}

/// `~/x` and `~name/x` at the beginning of a word.
fn tilde_start(text: Text<'_>, at: usize) -> Option<usize> {
    let left = text.before(at);
    if is_word(left) || matches!(left, b'~' | b'/' | b')' | b']' | b'.' | b'-' | b'_' | b'^') {
        return None;
    }
    let name = text.run(at + 1, 40, |b| is_word(b) || matches!(b, b'.' | b'_' | b'-'));
    let named = name > at + 1 && (text.at(at + 1).is_ascii_alphabetic() || text.at(at + 1) >= 0x80);
    let slash = text.at(name) == b'/' && text.at(name + 1) > b' ' && !is_quote(text.at(name + 1));
    let dotfile = name == at + 1 && text.at(name + 1) == b'.' && {
        let end = text.run(name, 96, |b| is_word(b) || matches!(b, b'.' | b'_' | b'-' | b'/'));
        memchr::memchr_iter(b'/', text.slice(name, end)).count() <= 2
    };
    (slash && (named || name == at + 1) && !dotfile).then_some(at)
}

/// End of the path that begins at `start`; a quoted path may hold spaces.
fn path_end(text: Text<'_>, start: usize, anchor: usize) -> usize {
    let quote = text.before(start);
    let windows = matches!(text.at(anchor), b':' | b'\\');
    if is_quote(quote) {
        let close =
            text.run(anchor + 1, 1024, |b| b != quote && b != b'\n' && b != b'\\' || windows && b == b'\\');
        if text.at(close) == quote || text.at(close) == b'\\' {
            let inner = text.slice(anchor + 1, close);
            if !inner.contains(&b':') || !inner.contains(&b' ') {
                return if inner.contains(&b':') { bare_end(text, start, anchor) } else { close };
            }
        }
    }
    bare_end(text, start, anchor)
}

fn bare_end(text: Text<'_>, start: usize, anchor: usize) -> usize {
    let windows = matches!(text.at(anchor), b':' | b'\\');
    let mut i = anchor + 1;
    let stop = start + 2048;
    while i < stop {
        let b = text.at(i);
        let ends = match b {
            0..=0x1f
            | b'"'
            | b'\''
            | b'`'
            | b'<'
            | b'>'
            | b'|'
            | b','
            | b';'
            | b')'
            | b']'
            | b'}'
            | b'('
            | b'*'
            | b'?'
            | b'&'
            | b'='
            | b':' => true,
            b'\\' => !windows && text.at(i + 1) != b' ' || windows && matches!(text.at(i + 1), b'"' | b'\''),
            b' ' => text.before(i) != b'\\' && !spaced(text, i, windows),
            0xe2 => {
                text.starts_with(i, "│".as_bytes())
                    || text.starts_with(i, "”".as_bytes())
                    || text.starts_with(i, "’".as_bytes())
            }
            _ => false,
        };
        if ends {
            break;
        }
        i += 1;
    }
    while i > anchor + 1 && matches!(text.before(i), b'.' | b'!' | b' ') {
        i -= 1;
    }
    i
}

/// A space inside a component: the next word begins with a capital and the path goes on right after it.
fn spaced(text: Text<'_>, i: usize, windows: bool) -> bool {
    let next = text.run(i + 1, 32, |b| is_word(b) || matches!(b, b'.' | b'-' | b'_' | b'('));
    let capital = text.at(i + 1).is_ascii_uppercase() || text.at(i + 1) >= 0x80;
    capital && (text.at(next) == b'/' || windows && text.at(next) == b'\\')
}

/// Does the path name somebody? System folders and a bare drive do not.
fn is_personal(text: Text<'_>, start: usize, anchor: usize, end: usize) -> bool {
    let path = text.slice(start, end);
    let first = text.at(anchor);
    let body = text.slice(anchor, end);
    if first == b':' {
        if path.starts_with(b"file") || path.starts_with(b"FILE") {
            let inner = path.get(7..).unwrap_or_default();
            let system = [
                &b"/usr/"[..],
                b"/etc/",
                b"/opt/",
                b"/lib",
                b"/bin",
                b"/proc/",
                b"/sys/",
                b"/tmp/",
                b"/dev/",
            ];
            return inner.len() > 2
                && !system.iter().any(|s| inner.starts_with(s))
                && !inner.starts_with(b"{")
                && !inner.starts_with(b"$");
        }
        let parts: Vec<&[u8]> =
            body.split(|b| matches!(b, b'\\' | b'/' | b':')).filter(|p| !p.is_empty()).collect();
        let top = parts.first().map(|p| String::from_utf8_lossy(p).to_ascii_lowercase()).unwrap_or_default();
        let programs = top.starts_with("program");
        return !SYSTEM.contains(&top.as_str())
            && !programs
            && (parts.len() >= 2)
            && top.bytes().next().is_some_and(|b| is_word(b) || b == b'_');
    }
    if first == b'\\' || first == b'~' {
        return true;
    }
    let name = body.split(|b| *b == b'/').find(|p| !p.is_empty()).unwrap_or_default();
    let rest = body.get(name.len() + 2..).unwrap_or_default();
    let owner = if name == b"root" { name } else { rest };
    owner.first().is_some_and(|b| is_word(*b) || matches!(b, b'_' | b'.'))
}

/// How many trailing bytes may stay: `/src/ring.c`, never more than two fifths of the path.
fn kept_tail(path: &[u8]) -> usize {
    let separator = |b: &u8| matches!(b, b'/' | b'\\');
    let extension =
        path.iter().rposition(|b| *b == b'.').and_then(|dot| path.get(dot + 1..)).unwrap_or_default();
    let extension = String::from_utf8_lossy(extension).to_ascii_lowercase();
    if !CODE.contains(&extension.as_str()) || path.contains(&b' ') {
        return 0;
    }
    let Some(file) = path.iter().rposition(separator) else { return 0 };
    let folder = path.get(..file).and_then(|head| head.iter().rposition(separator));
    let depth = path.iter().filter(|b| separator(b)).count();
    let cuts = [folder.filter(|_| depth >= 5), Some(file).filter(|_| depth >= 4)];
    cuts.into_iter()
        .flatten()
        .map(|cut| path.len() - cut)
        .find(|kept| kept * 5 <= path.len() * 2)
        .unwrap_or(0)
}
