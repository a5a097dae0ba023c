//! Names, messages and arguments between quotes.

use super::places::{address, looks_like_path, package, path};
use super::scanner::{Scanner, last_part, telling};

/// Words in front of a quoted name that is part of what failed: `no module named 'yaml'`.
const NAMED: &[&str] = &[
    "attribute", "module", "named", "import", "reading", "argument", "arguments", "option", "tool", "field",
    "table", "column", "script", "variable", "property", "method", "function", "class", "keyerror", "one",
    "type", "for", "coroutine", "binary", "program", "executable", "select", "version", "of", "codec",
    "token", "expected", "or", "and", "are", "to", "base", "package", "feature", "crate", "target", "from",
    "name", "import", "key", "undefined", "keyword", "constraint", "relation", "parameter", "flag", "linker",
    "command", "subcommand", "value", "trait", "struct", "enum", "macro", "symbol", "label", "import",
    "member", "setting", "resource", "server", "cli",
];

/// Words behind a quoted name that is part of what failed.
const NAMED_BEHIND: &[&str] = &[
    "object", "codec", "is not defined", "is defined", "has no", "is not in", "on `", "does not exist on",
    "violates", "required", "from",
];

/// What comes in front of a name that is somebody's own: `branch named 'x'`.
const OWN: &[&str] = &[
    "branch", "container", "host", "user", "path", "ref", "remote", "session", "pod", "node", "role",
    "database",
];

/// Programs whose first bare argument says what they do.
const PROGRAMS: &[&str] = &[
    "git", "gh", "docker", "npm", "pip", "cargo", "tmux", "kubectl", "go", "yarn", "pnpm", "uv", "make",
    "systemctl", "podman", "helm", "terraform",
];

impl Scanner {
    /// Something between quotes; how long it is with them.
    pub(super) fn quoted(&mut self, rest: &str, open: char, depth: usize) -> usize {
        let close = match open {
            '“' => '”',
            '‘' => '’',
            other => other,
        };
        let Some(inner) = closing(rest, open, close) else {
            self.out.push(open);
            return open.len_utf8();
        };
        let content = rest.get(open.len_utf8()..open.len_utf8() + inner).unwrap_or_default();
        let length = open.len_utf8() + inner + close.len_utf8();
        let behind = rest.get(length..).unwrap_or_default();
        self.content(content, behind, open, depth);
        length
    }

    fn content(&mut self, content: &str, behind: &str, open: char, depth: usize) {
        let trimmed = content.trim();
        if trimmed.is_empty() {
            self.mask();
            return;
        }
        if self.out.ends_with('=') && !self.key.is_empty() {
            let keep = telling(&self.key);
            self.before = last_part(&self.key).to_owned();
            self.key.clear();
            return if keep { self.nested(content, depth) } else { self.mask() };
        }
        // A name in a structure, or a value in one.
        let structural = self.dict
            && (behind.trim_start().starts_with([':', ',', '}', ']'])
                || self.out.trim_end().ends_with([':', '{', '[', ',']));
        if structural && depth < 4 {
            return self.nested(content, depth);
        }
        if trimmed.chars().count() <= 3 && !trimmed.chars().any(|c| c.is_alphanumeric() || c.is_whitespace())
        {
            // A sign: expected ',' or '}'.
            self.out.push(open);
            self.out.push_str(trimmed);
            self.out.push(open);
            self.before.clear();
            return;
        }
        let words: Vec<&str> = trimmed.split_whitespace().take(64).collect();
        if words.len() >= 4 && words.first().is_some_and(|first| PROGRAMS.contains(first)) {
            return self.argv(&words);
        }
        if let Some((package, _)) = package(trimmed) {
            self.out.push_str(package);
            self.out.push('@');
            return self.mask();
        }
        if path(trimmed).is_some() || address(trimmed).is_some() || looks_like_path(trimmed) {
            return self.mask();
        }
        let spaced = words.len();
        if spaced >= 3 && depth < 4 || (spaced == 2 && open == '`' && depth < 4) {
            return self.nested(content, depth);
        }
        if self.keeps(trimmed, behind, open) {
            self.out.push('\'');
            self.out.push_str(trimmed);
            self.out.push('\'');
            self.before.clear();
            self.first = false;
        } else {
            self.mask();
        }
    }

    fn nested(&mut self, content: &str, depth: usize) {
        if !self.out.ends_with(' ') {
            self.out.push(' ');
        }
        self.scan(content, depth + 1);
        self.out.push(' ');
    }

    /// Whether a quoted name is part of what failed.
    fn keeps(&self, content: &str, behind: &str, open: char) -> bool {
        if !identifier(content) {
            return content.strip_prefix("--").is_some_and(identifier);
        }
        if open == '`' {
            return !(self.before == "variant" || self.out.trim_end().ends_with("unknown field"));
        }
        let written = self.out.trim_end();
        let own = OWN.iter().any(|word| {
            let tail = written.strip_suffix("named").map_or(written, str::trim_end).trim_end_matches(':');
            tail.len() >= word.len()
                && tail.get(tail.len() - word.len()..).is_some_and(|t| t.eq_ignore_ascii_case(word))
        }) || written.ends_with("with the name");
        if own {
            return false;
        }
        let behind = behind.trim_start();
        NAMED.contains(&self.before.as_str())
            || NAMED_BEHIND.iter().any(|words| behind.starts_with(words))
            || written.ends_with("Error:")
            || written.ends_with("Error(")
            || written.ends_with("Exception:")
            || written.ends_with("No such file or directory:")
            || written.ends_with("exec:")
    }

    /// A command's list of arguments: the program, its subcommand and its flags stay.
    pub(super) fn argv(&mut self, arguments: &[&str]) {
        self.out.push_str(" argv ");
        let program = arguments.first().copied().unwrap_or_default();
        let mut subcommand = PROGRAMS.contains(&program);
        let mut skip = false;
        for (n, argument) in arguments.iter().enumerate() {
            let flag = argument.starts_with('-')
                && argument.trim_start_matches('-').bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
            if skip {
                skip = false;
                self.mask();
            } else if flag {
                self.out.push_str(argument);
                // `git -C folder` and `git -c name=value` come in front of the subcommand.
                skip = n > 0 && subcommand && argument.len() == 2;
            } else if (n == 0 || subcommand) && identifier(argument) {
                self.out.push_str(argument);
                subcommand = subcommand && n == 0;
            } else {
                self.mask();
            }
            self.out.push(' ');
        }
        self.before.clear();
        self.first = false;
    }
}

/// A name as it stands in code, without numbers that are drawn by chance.
fn identifier(text: &str) -> bool {
    let runs = text.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit));
    !runs
        && text.len() <= 60
        && text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '<'))
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '<' | '>' | '-' | '(' | ')' | ':'))
}

/// Where a quote closes: not at an apostrophe inside a word, and not behind a backslash.
fn closing(rest: &str, open: char, close: char) -> Option<usize> {
    let body = rest.get(open.len_utf8()..)?;
    let mut escaped = false;
    for (at, c) in body.char_indices().take(2000) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = body.get(at + 1..).is_some_and(|b| b.starts_with(close));
        } else if c == '\n' && open == '`' {
            return None;
        } else if c == close {
            let next = body.get(at + c.len_utf8()..).and_then(|b| b.chars().next());
            if close != '\'' || !next.is_some_and(char::is_alphanumeric) {
                return Some(at);
            }
        }
    }
    None
}

/// `['git', 'push', …]`, quoted as a whole or not: its length and the arguments.
pub(super) fn argv(rest: &str) -> Option<(usize, Vec<&str>)> {
    let quoted = rest.starts_with("'[") || rest.starts_with("\"[");
    let body = rest.get(usize::from(quoted)..)?.strip_prefix('[')?;
    if !body.starts_with(['\'', '"']) {
        return None;
    }
    let mut arguments = Vec::new();
    let mut at = 0;
    while arguments.len() < 64 {
        let quote = body.get(at..)?.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let inner = closing(body.get(at..)?, quote, quote)?;
        arguments.push(body.get(at + 1..at + 1 + inner)?);
        at += inner + 2;
        let after = body.get(at..)?;
        if let Some(end) = after.strip_prefix(']') {
            let closed = usize::from(quoted && end.starts_with(['\'', '"']));
            return Some((usize::from(quoted) + 1 + at + 1 + closed, arguments));
        }
        let more = after.strip_prefix(',')?;
        at += 1 + more.len() - more.trim_start().len();
    }
    None
}
