//! The values of one identity, in every spelling they travel in, behind one automaton.

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::Identity;
use super::keys::{Strength, classify};
use super::paths;
use super::span::{Kind, Spans};
use super::text::{Text, is_word};
use super::values::{is_placeholder, is_quantity};

/// Login and host names that say nothing about anybody; they are masked only inside paths.
const COMMON: &[&str] = &[
    "root", "user", "admin", "administrator", "ubuntu", "debian", "runner", "node", "app", "dev", "test",
    "build", "ci", "docker", "vagrant", "git", "www", "www-data", "nobody", "daemon", "guest", "default",
    "home", "local", "localhost", "host", "server", "codespace", "vscode", "jenkins", "deploy", "python",
    "ec2-user", "azureuser", "runneradmin",
];

/// Shorter values of the environment are too common to be masked wherever they stand.
const SHORTEST: usize = 6;

/// What one pattern stands for.
#[derive(Debug, Clone, Copy)]
struct Meaning {
    kind: Kind,
    /// Must not touch letters or digits.
    whole: bool,
}

/// The automaton; `None` when the identity is empty.
#[derive(Debug, Clone, Default)]
pub(super) struct Exact {
    automaton: Option<AhoCorasick>,
    meanings: Vec<Meaning>,
}

impl Exact {
    pub(super) fn new(identity: &Identity, names: &[String]) -> Self {
        let mut patterns: Vec<(String, Meaning)> = Vec::new();
        let mut add = |value: &str, kind: Kind, whole: bool| {
            for spelling in spellings(value) {
                patterns.push((spelling, Meaning { kind, whole }));
            }
        };
        for name in names.iter().filter(|n| n.len() >= 3) {
            add(name, Kind::Repo, true);
        }
        if identity.home.len() >= 4 && identity.home != "/root" {
            let home = identity.home.trim_end_matches(['/', '\\']);
            add(home, Kind::Home, true);
            add(&home.replace('\\', "/"), Kind::Home, true);
            add(&home.replace(['/', '.'], "-"), Kind::Home, true);
        }
        for (name, kind) in [(&identity.user, Kind::User), (&identity.host, Kind::Host)] {
            let short = name.split('.').next().unwrap_or_default();
            for name in [name.as_str(), short] {
                if name.len() >= 3 && !COMMON.contains(&name.to_ascii_lowercase().as_str()) {
                    add(name, kind, true);
                }
            }
        }
        for value in secret_values(identity) {
            let short = value.len() < 10 && value.bytes().all(|b| b.is_ascii_alphanumeric());
            add(&value, Kind::Env, short);
        }
        let automaton = (!patterns.is_empty()).then(|| {
            AhoCorasick::builder()
                .kind(Some(AhoCorasickKind::DFA))
                .prefilter(false)
                .ascii_case_insensitive(true)
                .match_kind(MatchKind::LeftmostLongest)
                .build(patterns.iter().map(|(p, _)| p))
                .ok()
        });
        Self { automaton: automaton.flatten(), meanings: patterns.into_iter().map(|(_, m)| m).collect() }
    }

    pub(super) fn scan(&self, text: Text<'_>, spans: &mut Spans) {
        let Some(automaton) = &self.automaton else { return };
        for hit in automaton.find_iter(text.0) {
            let Some(meaning) = self.meanings.get(hit.pattern().as_usize()) else { continue };
            let loose = text.boundary_before(hit.start()) && !is_word(text.at(hit.end()));
            if loose && meaning.kind == Kind::Home {
                paths::below_home(text, hit.start(), hit.end(), spans);
            } else if loose || !meaning.whole {
                spans.push(hit.start(), hit.end(), meaning.kind);
            }
        }
    }
}

/// The values of the sensitive-named variables, their lines, and the password inside a pair or URL.
fn secret_values(identity: &Identity) -> BTreeSet<String> {
    let mut values = BTreeSet::new();
    for (name, value) in &identity.env {
        let value = value.trim();
        if let Some(password) = url_password(value) {
            values.insert(password.to_owned());
        }
        let named = classify(name.as_bytes());
        let telling = named.is_some_and(|key| {
            key.strength == Strength::Strong || value.bytes().any(|b| !b.is_ascii_alphabetic())
        });
        if !telling || !is_telling(value) {
            continue;
        }
        if let Some((user, password)) = value.split_once(':')
            && (user.len() < 64 && !user.contains(' '))
            && (is_telling(password) && !password.starts_with("//"))
        {
            values.insert(password.to_owned());
            values.insert(base64(value.as_bytes()));
        }
        for line in value.lines().filter(|line| line.len() >= 16 && line.len() < value.len()) {
            values.insert(line.to_owned());
        }
        values.insert(value.to_owned());
    }
    values
}

/// Long enough, and no flag, number, path or stand-in.
fn is_telling(value: &str) -> bool {
    let bytes = value.as_bytes();
    let path = value.starts_with('/') || value.starts_with("./") || value.starts_with("http");
    let name = bytes.len() < 8 && bytes.iter().all(u8::is_ascii_alphabetic);
    bytes.len() >= SHORTEST && !is_placeholder(bytes) && !is_quantity(bytes) && !path && !name
}

fn url_password(value: &str) -> Option<&str> {
    let (_, rest) = value.split_once("://")?;
    let (userinfo, _) = rest.split_once('@')?;
    let (_, password) = userinfo.split_once(':')?;
    is_telling(password).then_some(password)
}

/// The value itself, JSON-escaped, %-encoded (both cases, spaces also as `+`), HTML-escaped, shell-quoted.
fn spellings(value: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::from([value.to_owned()]);
    let json = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    all.insert(json.replace('/', "\\/"));
    all.insert(json);
    let percent: String = value.bytes().map(percent_encoded).collect();
    all.insert(percent.replace("%20", "+"));
    all.insert(percent.replace("%2F", "/"));
    all.insert(percent.replace('%', "%25"));
    all.insert(percent);
    all.insert(value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;"));
    all.insert(value.replace('\'', "'\\''"));
    all
}

fn percent_encoded(b: u8) -> String {
    if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~') {
        char::from(b).to_string()
    } else {
        format!("%{b:02X}")
    }
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, b| (word << 8) | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let six = usize::try_from((word >> (18 - 6 * i)) & 63).unwrap_or(0);
            let letter = ALPHABET.get(six).copied().unwrap_or(b'=');
            out.push(if i <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}
