//! Text + identity → text that may leave the machine, and how many of what kind were replaced.
//!
//! Scanners find spans in the raw text and again in the decoded view of every line that holds a disguise
//! (terminal codes, zero-width characters, `\uXXXX`, `%XX`, HTML entities); the spans are merged and
//! written once. That repeats until nothing more is found, which makes the result a fixed point:
//! scrubbing twice changes nothing. Each scanner is linear: anchored on rare bytes, expanded within
//! fixed bounds.

mod anchors;
mod assign;
mod blocks;
mod commands;
mod compose;
mod exact;
mod headers;
mod key_words;
mod keys;
mod links;
mod mail;
mod network;
mod operand;
mod paths;
mod prefix_table;
mod prefixes;
mod shapes;
mod span;
mod text;
mod urls;
mod values;
mod view;

use std::collections::BTreeMap;
use std::fmt;

use anchors::Hits;
pub(crate) use compose::Piece;
use span::Spans;
use text::Text;

/// Whose machine the text comes from. Empty strings mean unknown.
#[derive(Debug, Clone, Default)]
pub struct Identity {
    /// The home directory, absolute.
    pub home: String,
    /// The login name.
    pub user: String,
    /// The host name.
    pub host: String,
    /// The environment; only the values of sensitive-named variables are masked.
    pub env: BTreeMap<String, String>,
}

/// Text that may leave the machine: only [`Redactor::scrub`] makes one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scrubbed {
    text: String,
    counts: BTreeMap<&'static str, usize>,
}

impl Scrubbed {
    /// The masked text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The masked text, owned.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }

    /// How many values of each kind (the placeholder's name) were replaced.
    #[must_use]
    pub fn counts(&self) -> &BTreeMap<&'static str, usize> {
        &self.counts
    }

    /// How many values were replaced.
    #[must_use]
    pub fn total(&self) -> usize {
        self.counts.values().sum()
    }
}

impl fmt::Display for Scrubbed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A text is scrubbed until nothing changes, at most this often.
const PASSES: usize = 8;

/// A scrubber for one identity: build once, use for every text.
#[derive(Debug, Clone)]
pub struct Redactor {
    identity: Identity,
    names: Vec<String>,
    exact: exact::Exact,
}

impl Redactor {
    /// Prepares the exact values of `identity`.
    #[must_use]
    pub fn new(identity: &Identity) -> Self {
        Self { identity: identity.clone(), names: Vec::new(), exact: exact::Exact::new(identity, &[]) }
    }

    /// Also masks these `owner/repo` names, as `<redacted:repo>`.
    #[must_use]
    pub fn with_names<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.names.extend(names.into_iter().map(Into::into));
        self.exact = exact::Exact::new(&self.identity, &self.names);
        self
    }

    /// Masks `text`. Idempotent, linear in its length.
    #[must_use]
    pub fn scrub(&self, text: &str) -> Scrubbed {
        let mut counts = BTreeMap::new();
        let mut windows: Vec<_> = std::iter::once(0..text.len()).collect();
        let mut current: Option<String> = None;
        for _ in 0..PASSES {
            let input = current.as_deref().unwrap_or(text);
            let mut spans = Vec::new();
            for window in windows {
                let found = self.find(Text(input.get(window.clone()).unwrap_or_default().as_bytes()));
                spans.extend(found.0.into_iter().map(|s| s.shifted(window.start)));
            }
            let Some(written) = span::write(input, spans, &mut counts) else { break };
            windows = span::neighbourhoods(&written.text, &written.placeholders);
            current = Some(written.text);
        }
        Scrubbed { text: current.unwrap_or_else(|| text.to_owned()), counts }
    }

    fn find(&self, text: Text<'_>) -> Spans {
        let mut spans = Spans::default();
        self.scanners(text, &mut spans);
        view::disguised_lines(text, |view| {
            let mut seen = Spans::default();
            self.scanners(Text(&view.bytes), &mut seen);
            for span in seen.0 {
                let (start, end) = view.source(span.start, span.end);
                spans.push(start, end, span.kind);
            }
        });
        spans
    }

    fn scanners(&self, text: Text<'_>, spans: &mut Spans) {
        let hits = Hits::of(text);
        self.exact.scan(text, spans);
        prefixes::scan(text, &hits.prefixes, spans);
        assign::scan(text, &hits.assignments, spans);
        commands::scan(text, &hits.commands, spans);
        paths::scan(text, &hits.paths, spans);
        network::scan(text, &hits.network, spans);
        shapes::scan(text, &hits.shapes, spans);
        blocks::scan(text, spans);
        urls::scan(text, spans);
        mail::scan(text, spans);
    }
}
