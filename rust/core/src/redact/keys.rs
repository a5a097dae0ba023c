//! Which names say that their value is secret, decided by the name's segments.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::key_words::{
    BENIGN_LAST, KEY_BENIGN_OWNERS, KEY_OWNERS, NEUTRAL_LAST, STRONG, STRONG_ENDINGS, WEAK, WHOLE,
};
use super::span::Kind;

/// How much a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// Whatever stands there is secret, unless it is a placeholder.
    Strong,
    /// Secret only when it looks like one.
    Weak,
}

/// A sensitive name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) strength: Strength,
    pub(super) kind: Kind,
    /// The name is a compound such as `storePassword`, not the bare English word.
    pub(super) compound: bool,
}

/// What a name decided as a whole says; `None`: it is not sensitive.
pub(super) type Verdict = Option<(Strength, Kind)>;

/// What a segment is to a name that ends in it.
#[derive(Debug, Clone, Copy, Default)]
struct Role {
    verdict: Option<(Strength, Kind)>,
    benign: bool,
    neutral: bool,
    key_owner: bool,
    key_benign: bool,
}

/// Segment → role, from the tables above.
static ROLES: LazyLock<HashMap<&'static str, Role>> = LazyLock::new(|| {
    let mut roles: HashMap<&'static str, Role> = HashMap::new();
    for word in BENIGN_LAST {
        roles.entry(word).or_default().benign = true;
    }
    for word in NEUTRAL_LAST {
        roles.entry(word).or_default().neutral = true;
    }
    for word in KEY_OWNERS {
        roles.entry(word).or_default().key_owner = true;
    }
    for word in KEY_BENIGN_OWNERS {
        roles.entry(word).or_default().key_benign = true;
    }
    for (word, kind) in WEAK {
        roles.entry(word).or_default().verdict = Some((Strength::Weak, *kind));
    }
    for (word, kind) in STRONG {
        roles.entry(word).or_default().verdict = Some((Strength::Strong, *kind));
    }
    roles
});

static VERDICTS: LazyLock<HashMap<&'static str, Verdict>> = LazyLock::new(|| WHOLE.iter().copied().collect());

fn role(segment: &str) -> Role {
    ROLES.get(segment).copied().unwrap_or_default()
}

/// The name in lower case, one `_` between segments: `DB-Pass` → `db_pass`, `apiKeyV2` → `api_key_v2`, `APIKey` → `api_key`.
fn snake(name: &[u8]) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    let mut before = 0_u8;
    let mut bytes = name.iter().copied().peekable();
    while let Some(b) = bytes.next() {
        let after = bytes.peek().copied().unwrap_or(0);
        let hump = b.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || (before.is_ascii_uppercase() && after.is_ascii_lowercase()));
        if (hump || !b.is_ascii_alphanumeric()) && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if b.is_ascii_alphanumeric() {
            out.push(char::from(b.to_ascii_lowercase()));
        }
        before = b;
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}

/// What `name` says about its value, or `None`.
pub(super) fn classify(name: &[u8]) -> Option<Key> {
    let name = name.rsplit(|&b| b == b'.').find(|part| !part.is_empty())?;
    let whole = snake(name);
    let compound = whole.contains('_');
    let found = |(strength, kind)| Key { strength, kind, compound };
    if let Some(verdict) = decided(&whole) {
        return verdict.map(found);
    }
    let mut name = whole.as_str();
    while let Some((head, last)) = name.rsplit_once('_').filter(|(_, last)| is_neutral(last)) {
        name = if last.is_empty() { name.trim_end_matches('_') } else { head };
    }
    let (head, last) = name.rsplit_once('_').unwrap_or(("", name));
    let last = last.trim_end_matches(|c: char| c.is_ascii_digit());
    if last == "key" {
        return classify_key(head).map(|strength| found((strength, Kind::Key)));
    }
    let role = role(last);
    if let Some((strength, kind)) = role.verdict {
        let public = head.split('_').any(|s| matches!(s, "public" | "pub" | "csrf"));
        return Some(found((if public { Strength::Weak } else { strength }, kind)));
    }
    if role.benign {
        return None;
    }
    if let Some((_, kind)) = STRONG_ENDINGS.iter().find(|(n, _)| last.ends_with(n)) {
        return Some(found((Strength::Strong, *kind)));
    }
    if last.len() <= 12 && last.ends_with("pass") && !["bypass", "compass", "encompass"].contains(&last) {
        return Some(found((Strength::Strong, Kind::Password)));
    }
    head.split('_').find_map(inner).map(|kind| found((Strength::Weak, kind)))
}

/// The verdict of [`WHOLE`] on the name or on its last two or three segments.
fn decided(whole: &str) -> Option<Verdict> {
    let mut cuts = whole.rmatch_indices('_').map(|(i, _)| i + 1);
    let two = cuts.nth(1).and_then(|i| whole.get(i..));
    let three = cuts.next().and_then(|i| whole.get(i..));
    [Some(whole), three, two].into_iter().flatten().find_map(|name| VERDICTS.get(name).copied())
}

/// The kind of a segment that is secret wherever it stands in a name.
fn inner(segment: &str) -> Option<Kind> {
    match role(segment).verdict {
        Some((Strength::Strong, kind)) => Some(kind),
        _ => matches!(segment, "key" | "auth" | "pat").then_some(Kind::Key),
    }
}

fn is_neutral(segment: &str) -> bool {
    let digits = segment.strip_prefix('v').unwrap_or(segment);
    digits.bytes().all(|b| b.is_ascii_digit()) || role(segment).neutral
}

/// `head` is what stands before `key`.
fn classify_key(head: &str) -> Option<Strength> {
    let (owners, owner) = head.rsplit_once('_').unwrap_or(("", head));
    if owner == "public" || owner == "pub" {
        return (!owners.is_empty()).then_some(Strength::Weak);
    }
    let role = role(owner);
    if role.key_benign {
        return None;
    }
    Some(if role.key_owner { Strength::Strong } else { Strength::Weak })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let strong = [
            "DB_PASS", "apiKey", "x-api-key", "userPassword", "PGPASSWORD", "storepass", "_authToken",
            "api_key_v2",
        ];
        let weak = ["key", "auth", "TWILIO_KEY", "GITHUB_OAUTH", "MY_API_KEY_SHORT_LIVED", "sessionid"];
        let none = [
            "password_file", "token_ttl", "sort_key", "PublicKeyToken", "passwordEncoder", "keyboard",
            "bypass",
        ];
        for name in strong {
            assert_eq!(classify(name.as_bytes()).map(|k| k.strength), Some(Strength::Strong), "{name}");
        }
        for name in weak {
            assert_eq!(classify(name.as_bytes()).map(|k| k.strength), Some(Strength::Weak), "{name}");
        }
        for name in none {
            assert_eq!(classify(name.as_bytes()), None, "{name}");
        }
    }
}
