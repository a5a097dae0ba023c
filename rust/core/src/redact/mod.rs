//! Text + identity → text that may leave the machine, and how many of what kind were replaced.

mod compose;

use std::collections::BTreeMap;
use std::fmt;

pub(crate) use compose::Piece;

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
}

impl fmt::Display for Scrubbed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A scrubber for one identity: build once, use for every text.
#[derive(Debug, Clone)]
pub struct Redactor {
    exact: Vec<(String, &'static str)>,
}

impl Redactor {
    /// Prepares the exact values of `identity`.
    #[must_use]
    pub fn new(identity: &Identity) -> Self {
        let own = [(&identity.home, "home"), (&identity.user, "user"), (&identity.host, "host")];
        Self { exact: own.into_iter().filter(|(v, _)| !v.is_empty()).map(|(v, k)| (v.clone(), k)).collect() }
    }

    /// Also masks these `owner/repo` names, as `<redacted:repo>`.
    #[must_use]
    pub fn with_names<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.exact.splice(0..0, names.into_iter().map(|name| (name.into(), "repo")));
        self
    }

    /// Masks `text`. Idempotent, linear in its length.
    #[must_use]
    pub fn scrub(&self, text: &str) -> Scrubbed {
        let mut text = text.to_owned();
        let mut counts = BTreeMap::new();
        for (value, kind) in &self.exact {
            let found = text.matches(value.as_str()).count();
            if found > 0 {
                text = text.replace(value.as_str(), &format!("<redacted:{kind}>"));
                *counts.entry(*kind).or_default() += found;
            }
        }
        Scrubbed { text, counts }
    }
}
