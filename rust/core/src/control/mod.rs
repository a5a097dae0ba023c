//! Comment body → control command, ambiguity or nothing; text → text in which no command is left.

mod keywords;
mod marker;

use std::collections::BTreeSet;

pub use keywords::Keywords;
pub use marker::{SELF_AUTHORED_MARKER, is_self_authored, mark_self_authored};

/// Which of the host's two grammars reads a comment. Source: the-loop 11 and 20, measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// A keyword anywhere in the body, as a whole token (the-loop 11).
    Anywhere,
    /// A keyword that opens the body; further ones count at the start of a line (the-loop 20).
    Opening,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 2] = [Self::Anywhere, Self::Opening];
}

/// What a comment asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed {
    /// No control command.
    Nothing,
    /// Exactly one command, by its name (`start`), however often it stands there.
    Command(String),
    /// Two or more different commands, sorted by name: do nothing.
    Ambiguous(Vec<String>),
}

/// Reads the control command of a comment. Linear in the body's length.
#[must_use]
pub fn parse_command(body: &str, keywords: &Keywords, dialect: Dialect) -> Parsed {
    let body = body.trim_start();
    let mut found = keywords.find(body);
    if dialect == Dialect::Opening {
        if found.first().is_none_or(|first| first.start != 0) {
            return Parsed::Nothing;
        }
        found.retain(|hit| hit.start == 0 || body.as_bytes().get(hit.start - 1) == Some(&b'\n'));
    }
    let mut names: Vec<String> =
        found.iter().map(|hit| hit.command).collect::<BTreeSet<_>>().into_iter().map(str::to_owned).collect();
    match names.len() {
        0 => Parsed::Nothing,
        1 => Parsed::Command(names.remove(0)),
        _ => Parsed::Ambiguous(names),
    }
}

/// What stands in a defanged keyword instead of its first white space (or after its first letter). A colon
/// on either side keeps what is left from being a token of its own.
const DEFANGED: &str = ":defanged:";

/// How often [`defang`] looks again: breaking one keyword can only uncover another that it contained.
const DEFANG_PASSES: usize = 4;

/// Breaks every control keyword in `text`, so that [`parse_command`] finds nothing in it in either dialect.
///
/// `the-loop start` becomes `the-loop:defanged:start`. Text without a keyword comes back as it was.
#[must_use]
pub fn defang(text: &str, keywords: &Keywords) -> String {
    let mut text = text.to_owned();
    for _ in 0..DEFANG_PASSES {
        let found = keywords.find(&text);
        if found.is_empty() {
            break;
        }
        let mut out = String::with_capacity(text.len() + found.len() * DEFANGED.len());
        let mut done = 0;
        for hit in &found {
            let token = text.get(hit.start..hit.end).unwrap_or_default();
            out.push_str(text.get(done..hit.start).unwrap_or_default());
            out.push_str(&broken(token));
            done = hit.end;
        }
        out.push_str(text.get(done..).unwrap_or_default());
        text = out;
    }
    text
}

fn broken(token: &str) -> String {
    if let Some((head, tail)) = token.split_once(char::is_whitespace) {
        return format!("{head}{DEFANGED}{}", tail.trim_start());
    }
    let mut rest = token.chars();
    let first = rest.next().map(String::from).unwrap_or_default();
    format!("{first}{DEFANGED}{}", rest.as_str())
}
