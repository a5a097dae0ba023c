//! Repository names that a log tells of, so that they can be masked in free text.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

/// Fields that hold the name of the repository being worked on.
const FIELDS: [&str; 7] = ["work_item", "scope", "provider", "repo", "repository", "url", "html_url"];

/// A field longer than this names no repository.
const MAX_FIELD: usize = 1_000;

/// The last two segments in front of an issue number, a page of a repository, or the end.
#[expect(clippy::unwrap_used, reason = "a constant pattern, run by every test of this room")]
static OWNER_REPO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:^|[:/ ])([A-Za-z0-9][A-Za-z0-9-]{0,38})/([A-Za-z0-9._-]{1,100}?)(?:\.git)?(?:[#?]|/(?:issues|pull|pulls|tree|blob|commit|actions)\b|$)",
    )
    .unwrap()
});

/// Every `owner/repo` that `records` are about.
#[must_use]
pub fn repository_names<'a>(records: impl IntoIterator<Item = &'a Map<String, Value>>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for record in records {
        for text in FIELDS.iter().filter_map(|key| record.get(*key)?.as_str()) {
            if text.len() > MAX_FIELD {
                continue;
            }
            if let Some(found) = OWNER_REPO.captures(text.trim_end_matches('/')) {
                let part = |n| found.get(n).map_or("", |m| m.as_str());
                names.insert(format!("{}/{}", part(1), part(2)));
            }
        }
    }
    names
}
