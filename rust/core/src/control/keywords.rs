//! The control keywords of a deployment, and where they stand in a text.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};

/// The commands that the host knows; the keyword of each is `the-loop <command>` unless configured.
const COMMANDS: [&str; 13] = [
    "start",
    "stop",
    "pause",
    "resume",
    "execute",
    "contribute",
    "cleanup",
    "do",
    "review",
    "add-collaborator",
    "remove-collaborator",
    "add-channel",
    "remove-channel",
];

/// Longer keywords than this are not keywords but a mistake in a config file.
const MAX_KEYWORD: usize = 200;

/// The keywords that are listened to.
#[derive(Debug, Clone)]
pub struct Keywords {
    /// Command name and the pattern of its keyword, longest keyword first.
    patterns: Vec<(String, Regex)>,
}

/// One keyword in a text: byte offsets and the command that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) command: &'a str,
}

impl Default for Keywords {
    fn default() -> Self {
        Self::new(&BTreeMap::new())
    }
}

impl Keywords {
    /// The host's keywords with `configured` (command → keyword) in their place; an empty keyword disables its
    /// command, an unknown command adds one.
    #[must_use]
    pub fn new(configured: &BTreeMap<String, String>) -> Self {
        let mut all: BTreeMap<String, String> =
            COMMANDS.iter().map(|name| ((*name).to_owned(), format!("the-loop {name}"))).collect();
        all.extend(configured.iter().map(|(name, keyword)| (name.clone(), keyword.trim().to_owned())));
        Self::of(all)
    }

    /// These keywords joined by the host's own: what no text of ours may contain, whatever is configured where
    /// it is read.
    #[must_use]
    pub fn with_defaults(&self) -> Self {
        let mut patterns = self.patterns.clone();
        patterns.extend(Self::default().patterns);
        patterns.sort_by_key(|(_, pattern)| std::cmp::Reverse(pattern.as_str().len()));
        Self { patterns }
    }

    fn of(all: BTreeMap<String, String>) -> Self {
        let mut patterns: Vec<(String, Regex)> = all
            .into_iter()
            .filter(|(_, keyword)| !keyword.is_empty() && keyword.len() <= MAX_KEYWORD)
            .filter_map(|(name, keyword)| {
                let pattern =
                    RegexBuilder::new(&regex::escape(&keyword)).case_insensitive(true).build().ok()?;
                Some((name, pattern))
            })
            .collect();
        patterns.sort_by_key(|(_, pattern)| std::cmp::Reverse(pattern.as_str().len()));
        Self { patterns }
    }

    /// Every whole-token keyword in `text`, in order, none overlapping another: of two that do, the one that
    /// starts first counts, then the longer one.
    pub(super) fn find(&self, text: &str) -> Vec<Hit<'_>> {
        let mut hits: Vec<Hit<'_>> = Vec::new();
        for (command, pattern) in &self.patterns {
            let mut from = 0;
            while let Some(found) = pattern.find_at(text, from) {
                let (start, end) = (found.start(), found.end());
                if is_token(text, start, end) {
                    hits.push(Hit { start, end, command });
                    from = end;
                } else {
                    from = start + text.get(start..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8);
                }
            }
        }
        hits.sort_by_key(|hit| (hit.start, std::cmp::Reverse(hit.end)));
        let mut end = 0;
        hits.retain(|hit| {
            let free = hit.start >= end;
            if free {
                end = hit.end;
            }
            free
        });
        hits
    }
}

/// A token ends where no word character, colon or hyphen goes on.
fn is_token(text: &str, start: usize, end: usize) -> bool {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-');
    let before = text.get(..start).and_then(|t| t.chars().next_back());
    let after = text.get(end..).and_then(|t| t.chars().next());
    !before.is_some_and(joins) && !after.is_some_and(joins)
}
