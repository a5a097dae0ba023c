//! Command lines whose short options or positions carry a secret.

use super::anchors::Hit;
use super::headers::cookie_pairs;
use super::span::{Kind, Spans};
use super::text::{Text, is_quote, is_word};
use super::values::{is_expression, is_placeholder, looks_secret};

/// What an argument of a tool holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// The argument after this flag.
    After(&'static str),
    /// `user:password` after this flag.
    PairAfter(&'static str),
    /// `user:password` in the argument that begins like this.
    PairGlued(&'static str),
    /// Cookies after this flag.
    CookiesAfter(&'static str),
    /// The rest of an argument that begins like this.
    Glued(&'static str),
    /// `user@host` as the first argument that is no flag.
    Target,
    /// The n-th argument (from 0) that is no flag.
    Position(usize),
    /// The n-th argument, when it looks secret.
    SecretPosition(usize),
}

use Slot::{After, CookiesAfter, Glued, PairAfter, PairGlued, Position, SecretPosition, Target};

/// Tool → where its secrets stand.
const TOOLS: &[(&str, &[Slot])] = &[
    (
        "curl",
        &[
            PairGlued("-u"),
            PairAfter("-u"),
            PairAfter("--user"),
            PairAfter("-U"),
            PairAfter("--proxy-user"),
            CookiesAfter("-b"),
            CookiesAfter("--cookie"),
        ],
    ),
    ("http", &[PairAfter("-a"), PairAfter("--auth")]),
    ("https", &[PairAfter("-a"), PairAfter("--auth")]),
    ("ssh", &[Target]),
    ("scp", &[Target]),
    ("sftp", &[Target]),
    ("rsync", &[Target]),
    ("snmp-server community", &[Position(0)]),
    ("mysql", &[Glued("-p")]),
    ("mysqldump", &[Glued("-p")]),
    ("mysqladmin", &[Glued("-p")]),
    ("mariadb", &[Glued("-p")]),
    ("sshpass", &[After("-p"), Glued("-p")]),
    ("docker login", &[After("-p")]),
    ("podman login", &[After("-p")]),
    ("az login", &[After("-p")]),
    ("oc login", &[After("-p")]),
    ("helm registry login", &[After("-p")]),
    ("redis-cli", &[After("-a")]),
    ("mongosh", &[After("-p")]),
    ("mongo", &[After("-p")]),
    ("mongodump", &[After("-p")]),
    ("ldapsearch", &[After("-w")]),
    ("ldapadd", &[After("-w")]),
    ("ldapmodify", &[After("-w")]),
    ("smbclient", &[PairAfter("-U")]),
    ("sqlcmd", &[After("-P")]),
    ("bcp", &[After("-P")]),
    ("rabbitmqctl add_user", &[Position(1)]),
    ("rabbitmqctl change_password", &[Position(1)]),
    ("htpasswd", &[Position(2)]),
    ("net user", &[Position(1)]),
    ("net use", &[Position(2)]),
    ("snyk auth", &[Position(0)]),
    ("ngrok authtoken", &[Position(0)]),
    ("ngrok config add-authtoken", &[Position(0)]),
    ("doppler configure set token", &[Position(0)]),
    ("vault login", &[SecretPosition(0)]),
    ("vault operator unseal", &[SecretPosition(0)]),
    ("zip", &[After("-P")]),
    ("unzip", &[After("-P")]),
    ("7z", &[Glued("-p")]),
    ("steamcmd +login", &[Position(1)]),
    ("LOGIN", &[Position(1)]),
];

/// The words of this scanner: the tools, then what is handled by hand.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|(name, _)| *name).chain(["AUTH", "login ", "machine ", "--password-stdin"])
}

pub(super) fn scan(text: Text<'_>, hits: &[Hit], spans: &mut Spans) {
    let mut done = 0;
    for hit in hits {
        if hit.start < done {
            continue;
        }
        let loose =
            text.boundary_before(hit.start) && !is_word(text.at(hit.end)) || text.before(hit.end) == b' ';
        match TOOLS.get(hit.index) {
            Some((name, slots)) => {
                let called = loose && matches!(text.at(hit.end), b' ' | b'\t');
                if called && (*name != "LOGIN" || is_imap(text, hit.start)) {
                    done = arguments(text, hit.end, slots, spans);
                }
            }
            None if text.before(hit.end) == b' ' => netrc(text, hit.end, spans),
            None if text.before(hit.end) == b'n' => piped(text, hit.start, spans),
            None if loose => redis_auth(text, hit.end, spans),
            None => {}
        }
    }
}

/// `a1 LOGIN user password`: a tag stands before the verb.
fn is_imap(text: Text<'_>, at: usize) -> bool {
    let tag = text.slice(text.line_start(at, 24), at);
    tag.ends_with(b" ") && tag.iter().any(u8::is_ascii_digit)
}

/// One argument: its extent without quotes.
#[derive(Clone, Copy)]
struct Argument {
    start: usize,
    end: usize,
    next: usize,
}

fn argument(text: Text<'_>, i: usize) -> Option<Argument> {
    let i = text.skip_blanks(i);
    let b = text.at(i);
    if matches!(b, 0 | b'\n' | b'|' | b';' | b'\r') {
        return None;
    }
    if is_quote(b) {
        let end = text.run(i + 1, 1024, |c| c != b && c != b'\n');
        return Some(Argument { start: i + 1, end, next: end + 1 });
    }
    let end = text.run(i, 1024, |c| !c.is_ascii_whitespace() && !matches!(c, b'|' | b'"' | b'`' | 0));
    (end > i).then_some(Argument { start: i, end, next: end })
}

/// Walks a tool's arguments; returns where it stopped.
fn arguments(text: Text<'_>, from: usize, slots: &[Slot], spans: &mut Spans) -> usize {
    let mut at = from;
    let mut position = 0;
    let mut flag: Vec<u8> = Vec::new();
    for _ in 0..40 {
        let Some(argument) = argument(text, at) else { break };
        at = argument.next;
        let word = text.slice(argument.start, argument.end);
        if word.starts_with(b"-") {
            for slot in slots {
                let (Glued(start) | PairGlued(start)) = slot else { continue };
                if word.starts_with(start.as_bytes())
                    && word.len() >= start.len() + 4
                    && !word.starts_with(b"--")
                {
                    let glued = Argument { start: argument.start + start.len(), ..argument };
                    if matches!(slot, Glued(_)) {
                        mask(text, glued.start, glued.end, Kind::Password, spans);
                    } else {
                        pair(text, &glued, spans);
                    }
                }
            }
            flag = word.to_vec();
            continue;
        }
        for slot in slots {
            match slot {
                After(name) if flag == name.as_bytes() => {
                    mask(text, argument.start, argument.end, Kind::Password, spans);
                }
                PairAfter(name) if flag == name.as_bytes() => pair(text, &argument, spans),
                CookiesAfter(name) if flag == name.as_bytes() => {
                    cookie_pairs(text, argument.start, spans);
                }
                Position(n) if flag.is_empty() && *n == position => {
                    mask(text, argument.start, argument.end, Kind::Password, spans);
                }
                Target if is_target(word) => mask(text, argument.start, argument.end, Kind::Email, spans),
                SecretPosition(n) if flag.is_empty() && *n == position && looks_secret(word, 12) => {
                    mask(text, argument.start, argument.end, Kind::Token, spans);
                }
                _ => {}
            }
        }
        if flag.is_empty() {
            position += 1;
        }
        flag.clear();
    }
    from
}

/// `user@host`, not the `git@` of a forge.
fn is_target(word: &[u8]) -> bool {
    let sign = word.iter().position(|b| *b == b'@').unwrap_or(0);
    sign > 0
        && !word.starts_with(b"git@")
        && word.iter().all(|b| b.is_ascii_alphanumeric() || b"@.-_:/~".contains(b))
}

fn pair(text: Text<'_>, argument: &Argument, spans: &mut Spans) {
    let word = text.slice(argument.start, argument.end);
    if let Some(colon) = word.iter().position(|b| matches!(b, b':' | b'%')) {
        mask(text, argument.start + colon + 1, argument.end, Kind::Password, spans);
        if looks_secret(word.get(..colon).unwrap_or_default(), 16) {
            spans.push(argument.start, argument.start + colon, Kind::Token);
        }
    }
}

fn mask(text: Text<'_>, start: usize, end: usize, kind: Kind, spans: &mut Spans) {
    let value = text.slice(start, end);
    if value.len() >= 3 && !is_placeholder(value) && !is_expression(value) && !value.starts_with(b"$") {
        spans.push(start, end, kind);
    }
}

/// `login X password Y` and `machine … password Y` of a netrc file, on one line or several.
fn netrc(text: Text<'_>, from: usize, spans: &mut Spans) {
    let word_at = |i: usize| {
        let start = text.run(i, 64, |b| b.is_ascii_whitespace());
        (start, text.run(start, 256, |b| !b.is_ascii_whitespace()))
    };
    let (_, name_end) = word_at(from);
    let (start, end) = word_at(name_end);
    if matches!(text.slice(start, end), b"password" | b"account") {
        let (start, end) = word_at(end);
        mask(text, start, end, Kind::Password, spans);
    }
}

/// `AUTH "password"` and `"AUTH" "password"` of Redis.
fn redis_auth(text: Text<'_>, end: usize, spans: &mut Spans) {
    let after = text.run(end, 2, is_quote);
    let blank = text.skip_blanks(after);
    let quote = text.at(blank);
    if blank == after || !is_quote(quote) {
        return;
    }
    let close = text.run(blank + 1, 256, |b| b != quote && b != b'\n');
    if text.at(close) == quote {
        mask(text, blank + 1, close, Kind::Password, spans);
        let second = text.skip_blanks(close + 1);
        if text.at(second) == quote {
            let end = text.run(second + 1, 256, |b| b != quote && b != b'\n');
            mask(text, second + 1, end, Kind::Password, spans);
        }
    }
}

/// `echo 'X' | docker login --password-stdin`.
fn piped(text: Text<'_>, at: usize, spans: &mut Spans) {
    let line = text.line_start(at, 512);
    let head = text.slice(line, at);
    let Some(echo) = memchr::memmem::find(head, b"echo ").or_else(|| memchr::memmem::find(head, b"printf "))
    else {
        return;
    };
    let verb = text.run(line + echo, 8, |b| b != b' ');
    let mut next = verb;
    while let Some(argument) = argument(text, next) {
        if !text.slice(argument.start, argument.end).starts_with(b"-") {
            mask(text, argument.start, argument.end, Kind::Password, spans);
            return;
        }
        next = argument.next;
    }
}
