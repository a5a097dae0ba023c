//! The message word by word: what stays, what is masked.

use super::places::{address, package, path};
use super::quoted::argv;
use super::template::MASK;
use super::words::{self, Around, Fate};

/// `before` behind an arrow between two branches.
const BRANCHES: &str = "\u{3}";

/// `before` behind a status that opened the message.
const STATUS: &str = "\u{2}";

/// Names whose values are part of what failed.
const TELLING: &[&str] = &[
    "status", "code", "level", "lvl", "severity", "msg", "message", "error", "err", "reason", "cause", "rc",
    "ec", "exit", "exit_code", "exitcode", "signal", "errno", "kind", "type", "step", "event", "op",
    "action", "method", "class", "category", "phase", "stage", "outcome", "result", "cmd", "command", "tool",
    "exception", "syscall", "name_of",
];

/// Words in front of a bare name that is somebody's own.
const INTRODUCES: &[&str] = &[
    "endpoint", "no such container:", "no such image:", "no such volume:", "no such network:",
    "find session:", "find window:", "find pane:", "duplicate session:", "denied to", "invalid user",
    "password for", "illegal user", "in thread", "pod", "compose project", "for user", "by user",
    "from user", "role", "hostname", "already exists for",
];

/// Words that are no names.
const COMMON: &[&str] = &[
    "is", "was", "has", "does", "not", "and", "or", "the", "a", "an", "from", "to", "in", "of", "for",
    "with", "by", "on", "at", "could", "cannot", "did", "failed", "be", "are", "access", "read", "write",
];

pub(super) struct Scanner {
    pub(super) out: String,
    /// The word in front, lower case; empty behind something masked.
    pub(super) before: String,
    /// The name that the value being read is assigned to, lower case.
    pub(super) key: String,
    /// Whether quotes are the syntax of a structure: then they are passed over.
    pub(super) dict: bool,
    /// Nothing was written yet.
    pub(super) first: bool,
    /// A number was masked just now.
    pub(super) number: bool,
}

impl Scanner {
    pub(super) fn mask(&mut self) {
        self.number = false;
        self.out.push(MASK);
        self.before.clear();
        self.first = false;
    }

    fn introduces_own_name(&self) -> bool {
        if !matches!(
            self.before.as_str(),
            "endpoint"
                | "container"
                | "image"
                | "volume"
                | "network"
                | "session"
                | "window"
                | "pane"
                | "to"
                | "user"
                | "for"
                | "thread"
                | "pod"
                | "project"
                | "role"
                | "hostname"
        ) {
            return false;
        }
        let written = self.out.trim_end();
        written.len() < self.out.len()
            && INTRODUCES.iter().any(|words| {
                written
                    .len()
                    .checked_sub(words.len())
                    .and_then(|at| written.get(at..))
                    .is_some_and(|tail| tail.eq_ignore_ascii_case(words))
            })
    }

    pub(super) fn scan(&mut self, text: &str, depth: usize) {
        let mut at = 0;
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = text.get(at..).unwrap_or_default();
            let fresh = !self.out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if c.is_whitespace() {
                if !self.out.ends_with(' ') && !self.out.is_empty() {
                    self.out.push(' ');
                }
                self.key.clear();
                at += c.len_utf8();
                continue;
            }
            if c.is_ascii_alphabetic() && fresh {
                let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
                let next = rest.as_bytes().get(letters).copied().unwrap_or(b' ');
                let colon =
                    next == b':' && matches!(rest.as_bytes().get(letters + 1), None | Some(b' ' | b'\n'));
                if letters > 1
                    && (matches!(next, b' ' | b'\n' | b',' | b')' | b'(' | b']' | b'\'' | b'"' | b';')
                        || colon)
                {
                    self.letters(rest.get(..letters).unwrap_or_default());
                    at += letters;
                    if colon {
                        self.out.push(':');
                        at += 1;
                    }
                    continue;
                }
            }
            let arrow = rest.starts_with("->") || rest.starts_with("<-");
            if arrow && rest.get(2..).is_some_and(|r| r.starts_with(char::is_whitespace)) {
                self.arrow(rest);
                at += 2;
                continue;
            }
            if let Some(length) = masked_already(rest) {
                self.mask();
                at += length;
            } else if let Some((length, arguments)) = argv(rest) {
                self.argv(&arguments);
                at += length;
            } else if matches!(c, '\'' | '"' | '`' | '“' | '‘') && (fresh || c != '\'') {
                at += self.quoted(rest, c, depth);
            } else if let Some(length) =
                address(rest).filter(|_| fresh).or_else(|| path(rest).filter(|_| fresh))
            {
                self.mask();
                at += length;
            } else if word_char(c) {
                let length = word_length(rest);
                self.word(
                    rest.get(..length).unwrap_or_default(),
                    rest.get(length..).unwrap_or_default(),
                    depth,
                );
                at += length;
            } else {
                self.out.push(c);
                at += c.len_utf8();
            }
        }
    }

    /// Between the two sides of git's arrows stand names of branches; the one on the left is written already.
    fn arrow(&mut self, rest: &str) {
        let branches =
            self.out.contains("rejected]") || self.out.contains("branch") || rest.starts_with("<-");
        if branches && self.out.ends_with(' ') {
            let end = self.out.trim_end().len();
            let start = self.out.get(..end).and_then(|t| t.rfind([' ', '('])).map_or(0, |s| s + 1);
            if self.out.get(start..end).is_some_and(|w| w.starts_with(|c: char| c.is_ascii_lowercase())) {
                self.out.truncate(start);
                self.mask();
                self.out.push(' ');
            }
        }
        self.out.push_str(rest.get(..2).unwrap_or_default());
        if branches { BRANCHES } else { "->" }.clone_into(&mut self.before);
        self.first = false;
    }

    /// A word of nothing but letters.
    fn letters(&mut self, word: &str) {
        let own = self.before == BRANCHES && word.starts_with(|c: char| c.is_ascii_lowercase())
            || self.introduces_own_name() && !COMMON.contains(&word);
        if own || word == "localhost" {
            return self.mask();
        }
        if self.number && self.out.trim_end().ends_with(MASK) && words::unit(word) {
            self.out.truncate(self.out.trim_end().len());
            self.number = false;
            return;
        }
        self.number = false;
        self.first = false;
        self.out.push_str(word);
        self.before.clear();
        self.before.push_str(word);
        self.before.make_ascii_lowercase();
    }

    fn word(&mut self, whole: &str, after: &str, depth: usize) {
        if let Some((key, value)) =
            whole.split_once('=').filter(|(key, value)| name(key) && !value.starts_with('='))
        {
            self.plain(key, "=");
            self.out.push('=');
            self.key = key.to_ascii_lowercase();
            if value.is_empty() {
                return;
            }
            if telling(&self.key) {
                self.before = last_part(&self.key).to_owned();
                self.scan_value(value, after, depth);
            } else {
                self.mask();
                self.number = value.bytes().all(|b| b.is_ascii_digit() || b == b'.');
            }
            self.key.clear();
            return;
        }
        let bare = whole.trim_end_matches(['.', ',', ':', ';']);
        let tail = whole.get(bare.len()..).unwrap_or_default();
        // Behind git's arrow, and behind words that introduce somebody's own name.
        let branch = self.before == BRANCHES && bare.starts_with(|c: char| c.is_ascii_lowercase());
        if branch || self.introduces_own_name() && !COMMON.contains(&bare) && bare.len() > 1 {
            self.mask();
            self.out.push_str(tail);
            return;
        }
        // A unit belongs to its number.
        if self.number && self.out.trim_end().ends_with(MASK) && words::unit(bare) {
            self.out.truncate(self.out.trim_end().len());
            self.out.push_str(tail);
            self.number = false;
            return;
        }
        self.plain(whole, after);
    }

    fn scan_value(&mut self, value: &str, after: &str, _depth: usize) {
        if path(value).is_some() || address(value).is_some() {
            self.mask();
        } else {
            self.plain(value, after);
        }
    }

    fn plain(&mut self, word: &str, after: &str) {
        if let Some((package, _)) = package(word) {
            self.out.push_str(package);
            self.out.push('@');
            return self.mask();
        }
        let core = word.trim_end_matches(['.', ':', ',', '-', '/', '=', '#', '+']);
        let (core, tail) =
            if core.is_empty() { (word, "") } else { (core, word.get(core.len()..).unwrap_or_default()) };
        let lead = core.len() - core.trim_start_matches(['#', '$', '*', '+', '%', '@', '&', '.', '~']).len();
        let (head, core) = if lead == core.len() { ("", core) } else { core.split_at(lead) };
        let around = Around { before: &self.before, after, first: self.first };
        match words::fate(core, around) {
            Fate::Keep => {
                self.number = false;
                self.out.push_str(head);
                self.out.push_str(core);
                let status = self.first && core.bytes().all(|b| b.is_ascii_digit());
                self.before.clear();
                if status {
                    self.before.push_str(STATUS);
                } else {
                    let part = last_part(core);
                    self.before.extend(part.chars().map(|c| c.to_ascii_lowercase()));
                }
                self.first = false;
            }
            Fate::Mask => {
                if !matches!(head, "#" | "$" | "~" | "+") {
                    self.out.push_str(head);
                }
                self.mask();
                self.number = core.starts_with(|c: char| c.is_ascii_digit())
                    && core.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b':'));
                self.out.push_str(tail.trim_start_matches(['=', '/', '-', '+', '#']));
                return;
            }
            Fate::Digits => {
                self.out.push_str(head);
                let letters = core.len() - core.trim_end_matches(|c: char| c.is_ascii_digit()).len();
                if letters > 0 {
                    self.out.push_str(core.get(..core.len() - letters).unwrap_or_default());
                    self.mask();
                } else {
                    self.out.extend(core.chars().map(|c| if c.is_ascii_digit() { MASK } else { c }));
                    self.before.clear();
                }
                self.first = false;
            }
        }
        self.out.push_str(tail);
    }
}

pub(super) fn telling(key: &str) -> bool {
    TELLING.contains(&key) || TELLING.contains(&last_part(key))
}

/// The last part of a name: `exit_code` → `code`.
pub(super) fn last_part(name: &str) -> &str {
    name.rsplit(['_', '-', '.', ':', '/']).find(|part| !part.is_empty()).unwrap_or(name)
}

fn name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']'))
}

fn word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'_' | b'-'
                | b'.'
                | b'+'
                | b'@'
                | b'%'
                | b'#'
                | b'$'
                | b'~'
                | b'/'
                | b'\\'
                | b'='
                | b'&'
                | b'*'
                | b':'
        )
}

fn word_char(c: char) -> bool {
    u8::try_from(c).map_or_else(
        |_| c.is_alphanumeric(),
        |byte| if byte.is_ascii() { word_byte(byte) } else { c.is_alphanumeric() },
    )
}

/// The length of the word that `rest` begins with; an equals sign in front of a quote ends it.
fn word_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii() {
            if !word_byte(*byte) {
                break;
            }
            at += 1;
            if *byte == b'=' && at > 1 && matches!(bytes.get(at), None | Some(b'\'' | b'"' | b'`')) {
                break;
            }
        } else {
            let Some(c) = rest.get(at..).and_then(|r| r.chars().next()).filter(|c| c.is_alphanumeric())
            else {
                break;
            };
            at += c.len_utf8();
        }
    }
    at
}

/// The length of a placeholder of ours, so that a template of a template is the template.
fn masked_already(rest: &str) -> Option<usize> {
    if rest.starts_with("<*>") {
        return Some(3);
    }
    let name = rest.strip_prefix("<redacted:")?;
    let end = name.bytes().take(16).position(|b| b == b'>')?;
    Some("<redacted:".len() + end + 1)
}
