//! What was found: spans with a kind, merged and written once. Placeholders already in the text are atoms.

use std::collections::BTreeMap;
use std::ops::Range;

/// What a placeholder stands for; [`Kind::as_str`] is the name inside `<redacted:…>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    /// An `owner/repo` name given to `with_names`.
    Repo,
    /// The login name of the identity.
    User,
    /// A host name: the identity's, or an internal one.
    Host,
    /// The identity's home directory.
    Home,
    /// An IPv4 or IPv6 address.
    Ip,
    /// A hardware address.
    Mac,
    /// An e-mail address or an ssh target.
    Email,
    /// A path inside somebody's directory, on a Windows drive or a network share.
    Path,
    /// A cookie's value.
    Cookie,
    /// A value of the identity's environment.
    Env,
    /// A password or passphrase.
    Password,
    /// An access token of any make.
    Token,
    /// A private, signing or API key.
    Key,
}

impl Kind {
    /// Every kind, in ascending weight: where findings overlap, the heavier names the placeholder.
    pub(super) const ALL: [Self; 13] = [
        Self::Repo,
        Self::User,
        Self::Host,
        Self::Home,
        Self::Ip,
        Self::Mac,
        Self::Email,
        Self::Path,
        Self::Cookie,
        Self::Env,
        Self::Password,
        Self::Token,
        Self::Key,
    ];

    /// The name inside the placeholder and the key in `counts`.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Repo => "repo",
            Self::User => "user",
            Self::Host => "host",
            Self::Home => "home",
            Self::Ip => "ip",
            Self::Mac => "mac",
            Self::Email => "email",
            Self::Path => "path",
            Self::Cookie => "cookie",
            Self::Env => "env",
            Self::Password => "password",
            Self::Token => "token",
            Self::Key => "key",
        }
    }
}

/// A finding: bytes `start..end` are to be replaced by `kind`'s placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

impl Span {
    pub(super) fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by, ..self }
    }
}

/// The findings of one pass.
#[derive(Debug, Default)]
pub(super) struct Spans(pub(super) Vec<Span>);

impl Spans {
    pub(super) fn push(&mut self, start: usize, end: usize, kind: Kind) {
        if start < end {
            self.0.push(Span { start, end, kind });
        }
    }
}

const OPEN: &[u8] = b"<redacted:";

/// The length of the placeholder that starts `bytes`, or 0.
pub(super) fn atom_len(bytes: &[u8]) -> usize {
    let Some(rest) = bytes.strip_prefix(OPEN) else { return 0 };
    Kind::ALL
        .iter()
        .map(|kind| kind.as_str().as_bytes())
        .find(|name| rest.starts_with(name) && rest.get(name.len()) == Some(&b'>'))
        .map_or(0, |name| OPEN.len() + name.len() + 1)
}

/// Only placeholders and punctuation: nothing is left to hide.
pub(super) fn is_spent(mut bytes: &[u8]) -> bool {
    let mut seen = false;
    while let Some((&first, rest)) = bytes.split_first() {
        let atom = atom_len(bytes);
        if atom > 0 {
            seen = true;
            bytes = bytes.get(atom..).unwrap_or_default();
        } else if first.is_ascii_alphanumeric() || first >= 0x80 {
            return false;
        } else {
            bytes = rest;
        }
    }
    seen
}

/// A text after one pass, and where its new placeholders stand.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) placeholders: Vec<Range<usize>>,
}

/// Replaces the spans of `text`; `None` when nothing changes. Placeholders are cut out of spans that only
/// touch them and swallowed by spans that hold more.
pub(super) fn write(
    text: &str,
    mut spans: Vec<Span>,
    counts: &mut BTreeMap<&'static str, usize>,
) -> Option<Written> {
    if spans.is_empty() {
        return None;
    }
    for span in &mut spans {
        span.start = text.floor_char_boundary(span.start);
        span.end = text.ceil_char_boundary(span.end);
    }
    trim_to_atoms(text, &mut spans);
    spans.retain(|s| s.start < s.end && !is_spent(text.as_bytes().get(s.start..s.end).unwrap_or_default()));
    if spans.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut placeholders = Vec::new();
    let mut done = 0;
    for span in merge(spans) {
        out.push_str(text.get(done..span.start).unwrap_or_default());
        let at = out.len();
        out.push_str("<redacted:");
        out.push_str(span.kind.as_str());
        out.push('>');
        placeholders.push(at..out.len());
        *counts.entry(span.kind.as_str()).or_default() += 1;
        done = span.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Some(Written { text: out, placeholders })
}

/// How many lines around a new placeholder may read differently because of it.
const REACH: usize = 1;

/// The parts of `text` that have to be looked at again: the lines around each placeholder, merged.
pub(super) fn neighbourhoods(text: &str, placeholders: &[Range<usize>]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut windows: Vec<Range<usize>> = Vec::new();
    let mut line_end = 0;
    for placeholder in placeholders {
        if placeholder.start < line_end {
            continue;
        }
        line_end = placeholder.end
            + memchr::memchr(b'\n', bytes.get(placeholder.end..).unwrap_or_default()).unwrap_or(bytes.len());
        let head = bytes.get(..placeholder.start).unwrap_or_default();
        let tail = bytes.get(placeholder.end..).unwrap_or_default();
        let start = memchr::memrchr_iter(b'\n', head).nth(REACH).map_or(0, |n| n + 1);
        let end = memchr::memchr_iter(b'\n', tail).nth(REACH).map_or(bytes.len(), |n| placeholder.end + n);
        match windows.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => windows.push(start..end),
        }
    }
    windows
}

/// Overlapping spans become one; the heaviest kind names it.
fn merge(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|s| (s.start, s.end));
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => {
                // A path that is the home directory and nothing more says so.
                let same = (last.start, last.end) == (span.start, span.end);
                let home =
                    same && last.kind.min(span.kind) == Kind::Home && last.kind.max(span.kind) <= Kind::Path;
                last.end = last.end.max(span.end);
                last.kind = if home { Kind::Home } else { last.kind.max(span.kind) };
            }
            _ => merged.push(span),
        }
    }
    merged
}

/// A span that begins or ends inside a placeholder is cut back to the placeholder's edge.
fn trim_to_atoms(text: &str, spans: &mut [Span]) {
    let bytes = text.as_bytes();
    let atoms: Vec<(usize, usize)> = memchr::memmem::find_iter(bytes, OPEN)
        .map(|at| (at, at + atom_len(bytes.get(at..).unwrap_or_default())))
        .filter(|(start, end)| start < end)
        .collect();
    if atoms.is_empty() {
        return;
    }
    let holding = |i: usize| {
        let next = atoms.partition_point(|&(start, _)| start < i);
        next.checked_sub(1).and_then(|n| atoms.get(n)).copied().filter(|&(_, end)| i < end)
    };
    for span in spans {
        if let Some((_, end)) = holding(span.start) {
            span.start = end;
        }
        if let Some((start, _)) = holding(span.end) {
            span.end = start;
        }
    }
}
