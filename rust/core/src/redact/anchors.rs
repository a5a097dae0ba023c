//! One pass over the text for every scanner that hangs on a word: where each word stands.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::text::Text;
use super::{commands, key_words, network, paths, prefix_table, shapes};

/// Whose word it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Prefixes,
    Assignments,
    Commands,
    Paths,
    Network,
    Shapes,
}

/// A word in the text; `index` is its place in the owner's table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) index: usize,
}

/// The hits of each scanner: leftmost first, the longest of those that start together, none overlapping.
#[derive(Debug, Default)]
pub(super) struct Hits {
    pub(super) prefixes: Vec<Hit>,
    pub(super) assignments: Vec<Hit>,
    pub(super) commands: Vec<Hit>,
    pub(super) paths: Vec<Hit>,
    pub(super) network: Vec<Hit>,
    pub(super) shapes: Vec<Hit>,
}

struct Anchors {
    automaton: AhoCorasick,
    /// Pattern → owner, index, the word as written.
    words: Vec<(Owner, usize, &'static str)>,
}

static ANCHORS: LazyLock<Anchors> = LazyLock::new(build);

#[expect(clippy::expect_used, reason = "constant patterns")]
fn build() -> Anchors {
    let mut words = Vec::new();
    let mut add = |owner, list: Vec<&'static str>| {
        words.extend(list.into_iter().enumerate().map(|(index, word)| (owner, index, word)));
    };
    add(Owner::Prefixes, prefix_table::RULES.iter().map(|rule| rule.prefix).collect());
    add(Owner::Assignments, key_words::ROOTS.to_vec());
    add(Owner::Commands, commands::words().collect());
    add(Owner::Paths, paths::ANCHORS.to_vec());
    add(Owner::Network, network::INTERNAL.to_vec());
    add(Owner::Shapes, shapes::ANCHORS.to_vec());
    let automaton = AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .ascii_case_insensitive(true)
        .prefilter(false)
        .build(words.iter().map(|(_, _, word)| word))
        .expect("the tables build");
    Anchors { automaton, words }
}

impl Hits {
    pub(super) fn of(text: Text<'_>) -> Self {
        let mut hits = Self::default();
        for found in ANCHORS.automaton.find_overlapping_iter(text.0) {
            let Some(&(owner, index, word)) = ANCHORS.words.get(found.pattern().as_usize()) else { continue };
            let hit = Hit { start: found.start(), end: found.end(), index };
            if owner != Owner::Assignments && text.slice(hit.start, hit.end) != word.as_bytes() {
                continue;
            }
            let list = match owner {
                Owner::Prefixes => &mut hits.prefixes,
                Owner::Assignments => &mut hits.assignments,
                Owner::Commands => &mut hits.commands,
                Owner::Paths => &mut hits.paths,
                Owner::Network => &mut hits.network,
                Owner::Shapes => &mut hits.shapes,
            };
            settle(list, hit);
        }
        hits
    }
}

/// Hits arrive by their ends: a longer or earlier one replaces those inside it.
fn settle(list: &mut Vec<Hit>, hit: Hit) {
    while list.last().is_some_and(|last| hit.start <= last.start) {
        list.pop();
    }
    if list.last().is_none_or(|last| last.end <= hit.start) {
        list.push(hit);
    }
}
