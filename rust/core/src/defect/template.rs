//! What is left of a message when everything that changes between two occurrences is masked.

use super::words::{self, Around, Fate};
use super::{frames, lines};

/// Stands for something masked while the template is made; `<*>` in the result.
const MASK: char = '\u{1}';

/// `before` behind an arrow between two branches.
const BRANCHES: &str = "\u{3}";

/// `before` behind a status that opened the message.
const STATUS: &str = "\u{2}";

/// The template of an error text. Linear in its length, of which only the beginning and the end are read.
pub(super) fn template(error: &str) -> String {
    let said = frames::without_frames(lines::messages(error));
    let text = without_subjects(&said.lines);
    let dict = ["{'", "{\"", "[{", "': '", "\": \"", "\":"].iter().any(|sign| text.contains(sign));
    let mut scanner = Scanner {
        out: String::with_capacity(text.len()),
        before: String::new(),
        key: String::new(),
        dict,
        first: true,
        number: false,
    };
    scanner.scan(&text, 0);
    let message = collapsed(&scanner.out);
    if said.function.is_empty() { message } else { format!("{message} in {}", said.function) }
}

/// The lines as one text, without what git quotes of a commit: `could not apply 1a2b3c... subject`.
fn without_subjects(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let lower = line.to_ascii_lowercase();
        let cut = lower.find("could not apply ").and_then(|at| Some(at + lower.get(at..)?.find("... ")? + 3));
        text.push_str(cut.and_then(|at| line.get(..at)).unwrap_or(line));
        text.push('\n');
    }
    text
}

/// Names whose values are part of what failed.
const TELLING: &[&str] = &[
    "status",
    "code",
    "level",
    "lvl",
    "severity",
    "msg",
    "message",
    "error",
    "err",
    "reason",
    "cause",
    "rc",
    "ec",
    "exit",
    "exit_code",
    "exitcode",
    "signal",
    "errno",
    "kind",
    "type",
    "step",
    "event",
    "op",
    "action",
    "method",
    "class",
    "category",
    "phase",
    "stage",
    "outcome",
    "result",
    "cmd",
    "command",
    "tool",
    "exception",
    "syscall",
    "name_of",
];

/// Words in front of a quoted name that is part of what failed: `no module named 'yaml'`.
const NAMED: &[&str] = &[
    "attribute",
    "module",
    "named",
    "import",
    "reading",
    "argument",
    "arguments",
    "option",
    "tool",
    "field",
    "table",
    "column",
    "script",
    "variable",
    "property",
    "method",
    "function",
    "class",
    "keyerror",
    "one",
    "type",
    "for",
    "coroutine",
    "binary",
    "program",
    "executable",
    "select",
    "version",
    "of",
    "codec",
    "token",
    "expected",
    "or",
    "and",
    "are",
    "to",
    "base",
    "package",
    "feature",
    "crate",
    "target",
    "from",
    "name",
    "import",
    "key",
    "undefined",
    "keyword",
    "constraint",
    "relation",
    "parameter",
    "flag",
    "linker",
    "command",
    "subcommand",
    "value",
    "trait",
    "struct",
    "enum",
    "macro",
    "symbol",
    "label",
    "import",
    "member",
    "setting",
    "resource",
    "server",
    "cli",
];

/// Words behind a quoted name that is part of what failed.
const NAMED_BEHIND: &[&str] = &[
    "object",
    "codec",
    "is not defined",
    "is defined",
    "has no",
    "is not in",
    "on `",
    "does not exist on",
    "violates",
    "required",
    "from",
];

/// Words in front of a bare name that is somebody's own.
const INTRODUCES: &[&str] = &[
    "endpoint",
    "no such container:",
    "no such image:",
    "no such volume:",
    "no such network:",
    "find session:",
    "find window:",
    "find pane:",
    "duplicate session:",
    "denied to",
    "invalid user",
    "password for",
    "illegal user",
    "in thread",
    "pod",
    "compose project",
    "for user",
    "by user",
    "from user",
    "role",
    "hostname",
    "already exists for",
];

/// Words that are no names.
const COMMON: &[&str] = &[
    "is", "was", "has", "does", "not", "and", "or", "the", "a", "an", "from", "to", "in", "of", "for",
    "with", "by", "on", "at", "could", "cannot", "did", "failed", "be", "are", "access", "read", "write",
];

/// What comes in front of a name that is somebody's own: `branch named 'x'`.
const OWN: &[&str] = &[
    "branch",
    "container",
    "host",
    "user",
    "path",
    "ref",
    "remote",
    "session",
    "pod",
    "node",
    "role",
    "database",
];

/// Programs whose first bare argument says what they do.
const PROGRAMS: &[&str] = &[
    "git",
    "gh",
    "docker",
    "npm",
    "pip",
    "cargo",
    "tmux",
    "kubectl",
    "go",
    "yarn",
    "pnpm",
    "uv",
    "make",
    "systemctl",
    "podman",
    "helm",
    "terraform",
];

struct Scanner {
    out: String,
    /// The word in front, lower case; empty behind something masked.
    before: String,
    /// The name that the value being read is assigned to, lower case.
    key: String,
    /// Whether quotes are the syntax of a structure: then they are passed over.
    dict: bool,
    /// Nothing was written yet.
    first: bool,
    /// A number was masked just now.
    number: bool,
}

impl Scanner {
    fn mask(&mut self) {
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

    fn scan(&mut self, text: &str, depth: usize) {
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

    /// Something between quotes; how long it is with them.
    fn quoted(&mut self, rest: &str, open: char, depth: usize) -> usize {
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
    fn argv(&mut self, arguments: &[&str]) {
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

/// `name@1.2.3` or `@scope/name@^4`: the package, and its version.
fn package(word: &str) -> Option<(&str, &str)> {
    if !word.as_bytes().contains(&b'@') {
        return None;
    }
    let (name, version) = word.rsplit_once('@')?;
    let bare = name.strip_prefix('@').unwrap_or(name);
    let named = !bare.is_empty()
        && bare
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.' | b'/'));
    let numbered =
        version.trim_start_matches(['^', '~', 'v', '=', '>', '<']).starts_with(|c: char| c.is_ascii_digit())
            && version.contains('.');
    (named && numbered && version.matches('.').count() < 4).then_some((name, version))
}

fn telling(key: &str) -> bool {
    TELLING.contains(&key) || TELLING.contains(&last_part(key))
}

/// The last part of a name: `exit_code` → `code`.
fn last_part(name: &str) -> &str {
    name.rsplit(['_', '-', '.', ':', '/']).find(|part| !part.is_empty()).unwrap_or(name)
}

fn name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '[' | ']'))
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

/// The length of a URL.
fn address(rest: &str) -> Option<usize> {
    if !rest.as_bytes().first()?.is_ascii_alphabetic() {
        return None;
    }
    let scheme = rest
        .bytes()
        .take(14)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'))
        .count();
    if scheme < 2 || !rest.get(scheme..)?.starts_with("://") {
        return None;
    }
    let body = rest.get(scheme + 3..)?;
    let length = body
        .find(|c: char| {
            c.is_whitespace() || matches!(c, '\'' | '"' | '<' | '>' | '`' | ',' | ';' | ')' | ']' | '}')
        })
        .unwrap_or(body.len());
    let length = body.get(..length)?.trim_end_matches(['.', ':']).len();
    Some(scheme + 3 + length)
}

/// The length of an absolute or dotted path, blanks in it and `:line:column` behind it included.
fn path(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    if !matches!(bytes.first(), Some(b'/' | b'~' | b'.' | b'\\')) && bytes.get(1) != Some(&b':') {
        return None;
    }
    let drive = matches!(bytes, [letter, b':', b'\\' | b'/', next, ..] if letter.is_ascii_alphabetic() && !matches!(next, b'/' | b' '));
    let unc = rest.starts_with("\\\\")
        && bytes.get(2).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'?' | b'.'));
    let home = matches!(bytes, [b'~', b'/', ..]);
    let posix = matches!(bytes, [b'/', next, ..] if next.is_ascii_alphanumeric() || matches!(next, b'.' | b'_' | b'@' | b'~' | b'-'));
    let dotted = rest.starts_with("./")
        || rest.starts_with("../")
        || rest.starts_with(".\\")
        || rest.starts_with("..\\");
    if !(drive || unc || home || posix || dotted) {
        return None;
    }
    let skip = usize::from(drive) * 2;
    let mut length = skip + segment(rest.get(skip..)?);
    // `/home/a/My Projects/x`: a blank goes on with the path where a separator follows soon.
    for _ in 0..4 {
        let Some(more) = blank_segment(rest.get(length..)?) else { break };
        length += more;
    }
    let place = rest.get(length..)?;
    if let Some(line) = place.strip_prefix('(') {
        let digits = line.bytes().take_while(|b| b.is_ascii_digit() || *b == b',').count();
        if digits > 0 && line.get(digits..)?.starts_with(')') {
            length += digits + 2;
        }
    }
    let trimmed = rest.get(..length)?.trim_end_matches(['.', ',', ':']).len();
    (trimmed > 1).then_some(trimmed)
}

fn segment(text: &str) -> usize {
    text.find(|c: char| {
        !(c.is_alphanumeric()
            || matches!(
                c,
                '_' | '-'
                    | '.'
                    | '@'
                    | '+'
                    | '~'
                    | '%'
                    | '='
                    | '#'
                    | '$'
                    | ':'
                    | '/'
                    | '\\'
                    | '?'
                    | '&'
                    | '*'
            ))
    })
    .unwrap_or(text.len())
}

fn blank_segment(text: &str) -> Option<usize> {
    let mut length = 0;
    for _ in 0..3 {
        let word = text.get(length..)?.strip_prefix(' ')?;
        if !word.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '(' | '-'))
        {
            return None;
        }
        let end = word
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '(' | ')')))
            .unwrap_or(word.len());
        length += 1 + end;
        if word.get(end..)?.starts_with(['/', '\\']) {
            return Some(length + segment(text.get(length..)?));
        }
    }
    None
}

/// A quoted path, relative or with blanks.
fn looks_like_path(text: &str) -> bool {
    text.contains(['/', '\\'])
        && !text.contains(": ")
        && text.split_whitespace().count() < 6
        && !text.starts_with('-')
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
fn argv(rest: &str) -> Option<(usize, Vec<&str>)> {
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

/// Runs of masked things become one, brackets around nothing else go, blanks are squeezed.
fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            MASK => {
                let joiner = out.trim_end_matches(joins);
                if joiner.ends_with(MASK) {
                    out.truncate(joiner.len());
                } else {
                    out.push(MASK);
                }
            }
            ')' | ']' | '}' => {
                let open = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                let inner = out.trim_end_matches([' ', MASK]);
                if inner.ends_with(open) {
                    out.truncate(inner.len() - 1);
                    if !out.ends_with(' ') {
                        out.push(' ');
                    }
                } else {
                    out.push(c);
                }
            }
            ' ' if out.ends_with(' ') => {}
            c => out.push(c),
        }
    }
    let said = out
        .trim_start_matches([MASK, ' ', ':', ',', '|', '-'])
        .trim_end_matches([MASK, ' ', '.', ',', ':', '-']);
    let mut result = String::with_capacity(said.len() + 32);
    for part in said.split_inclusive(MASK) {
        match part.strip_suffix(MASK) {
            Some(words) => {
                result.push_str(words);
                result.push_str("<*>");
            }
            None => result.push_str(part),
        }
    }
    result
}

/// What may stand between two masked things that are one.
fn joins(c: char) -> bool {
    matches!(
        c,
        ' ' | ','
            | ':'
            | ';'
            | '|'
            | '/'
            | '&'
            | '+'
            | '.'
            | '='
            | '_'
            | '@'
            | '#'
            | '$'
            | '*'
            | '~'
            | '^'
            | '-'
    )
}
