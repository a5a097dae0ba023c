//! Command → is it exactly one standalone verification run, and which.
//!
//! A verification run is one simple command that runs a listed test, type or lint tool over the real code and
//! whose exit status is the tool's. Compounds, pipelines, background jobs, anything that hides the status, and
//! forms that only list, describe, rehearse, initialise or watch are not.

mod environment;
mod runners;
mod scripts;
mod tool_table;
mod tools;

use serde::Serialize;

use crate::shell::{self, Command, Piece, Redirect, RedirectKind, RedirectTarget, Simple, Word};

/// The answer about one command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Check {
    /// Exactly one verification run.
    Verification(Verification),
    /// Not one, or not provably one.
    NotOne {
        /// One clause for a person.
        reason: String,
    },
}

/// A recognised verification run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub struct Verification {
    /// What is run: `npm test`, `go vet`, `pytest`, `ruff check`, `.pi/verify` …
    pub tool: String,
    /// The decoded arguments after it; a word that the shell expands is given as written.
    pub arguments: Vec<String>,
    /// Tool and arguments, shell-quoted where needed, without runner, `rtk` and assignments: equal for two
    /// spellings of the same check.
    pub canonical: String,
}

impl Check {
    /// The run, if it is one.
    #[must_use]
    pub fn verification(&self) -> Option<&Verification> {
        match self {
            Self::Verification(run) => Some(run),
            Self::NotOne { .. } => None,
        }
    }
}

/// Why a command is not a verification run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Not {
    #[error("{0}")]
    Shell(#[from] shell::CannotProve),
    #[error("nothing runs")]
    Empty,
    #[error("it is more than one plain command")]
    Compound,
    #[error("it runs in the background")]
    Background,
    #[error("its exit status is inverted")]
    Negated,
    #[error("a redirection may hide its output or input")]
    Redirection,
    #[error("a word of it is only known when it runs")]
    Dynamic,
    #[error("setting `{0}` may change what runs")]
    Variable(String),
    #[error("`{0}` is not a known check")]
    Unknown(String),
    #[error("`{tool}` with `{argument}` is not known to check")]
    Argument { tool: String, argument: String },
    #[error("`{tool}` needs `{missing}` to be a check")]
    Missing { tool: &'static str, missing: &'static str },
}

/// Recognises one command line. Never executes anything; linear in the length of the text.
#[must_use]
pub fn recognise(text: &str) -> Check {
    match prove(text) {
        Ok(run) => Check::Verification(run),
        Err(not) => Check::NotOne { reason: not.to_string() },
    }
}

fn prove(text: &str) -> Result<Verification, Not> {
    let script = shell::parse(text)?;
    let statement = match script.statements.as_slice() {
        [] => return Err(Not::Empty),
        [only] => only,
        _ => return Err(Not::Compound),
    };
    if statement.background {
        return Err(Not::Background);
    }
    if statement.negated {
        return Err(Not::Negated);
    }
    let Command::Simple(simple) = &statement.command else { return Err(Not::Compound) };
    if statement.semicolon {
        return Err(Not::Compound);
    }
    if !statement.redirects.iter().all(keeps_output) {
        return Err(Not::Redirection);
    }
    command(simple)
}

/// `2>&1`, `>&2` and no input at all.
fn keeps_output(redirect: &Redirect) -> bool {
    let RedirectTarget::Word(word) = &redirect.target else { return false };
    match redirect.kind {
        RedirectKind::Duplicate => matches!(word.literal(), Some("1" | "2")),
        RedirectKind::Input => word.literal() == Some("/dev/null"),
        RedirectKind::Output | RedirectKind::Here => false,
    }
}

fn command(simple: &Simple) -> Result<Verification, Not> {
    if simple.words.is_empty() {
        return Err(Not::Empty);
    }
    simple.assignments.iter().try_for_each(environment::accept)?;
    let words = simple.words.iter().map(settle).collect::<Result<Vec<Word>, Not>>()?;
    let words = match words.as_slice() {
        // `rtk` runs the command that follows and keeps its status.
        [first, rest @ ..] if first.literal() == Some("rtk") => rest,
        all => all,
    };
    let (tool, arguments) = recognise_words(words)?;
    let arguments: Vec<String> = arguments.iter().map(written).collect();
    let mut canonical = tool.clone();
    for argument in &arguments {
        canonical.push(' ');
        canonical.push_str(&quote(argument));
    }
    Ok(Verification { tool, arguments, canonical })
}

/// The tool that the words run, and its arguments.
fn recognise_words(words: &[Word]) -> Result<(String, Vec<Word>), Not> {
    let (first, rest) = words.split_first().ok_or(Not::Empty)?;
    let name = first.literal().ok_or(Not::Dynamic)?;
    if let Some(found) = scripts::recognise(name, rest)? {
        return Ok(found);
    }
    if let Some(inner) = runners::unwrap(name, rest)? {
        return inner_tool(inner);
    }
    let name = tools::local_name(name);
    tools::recognise(name, rest)
}

/// What a runner such as `uv run` runs: a tool, or one more runner in front of it.
fn inner_tool(words: &[Word]) -> Result<(String, Vec<Word>), Not> {
    let (first, rest) = words.split_first().ok_or(Not::Empty)?;
    let name = first.literal().ok_or(Not::Dynamic)?;
    if let Some(module) = runners::module(name, rest)? {
        let (tool, rest) = module.split_first().ok_or(Not::Empty)?;
        return tools::recognise(tool.literal().ok_or(Not::Dynamic)?, rest);
    }
    // `npx vitest@3` runs `vitest`.
    let name = name
        .split_once('@')
        .map_or(name, |(name, _)| if name.is_empty() { first.literal().unwrap_or_default() } else { name });
    tools::recognise(name, rest)
}

/// A pattern of file names that cannot match an option is as good as a file name.
fn settle(word: &Word) -> Result<Word, Not> {
    if word.literal().is_some() {
        return Ok(word.clone());
    }
    let runs = |piece: &Piece| {
        matches!(piece, Piece::Substitution { .. } | Piece::Process(_) | Piece::Arithmetic(_))
    };
    if word.pieces.iter().any(runs) || word.splits() {
        return Err(Not::Dynamic);
    }
    let only_pattern = word.pieces.iter().all(|piece| matches!(piece, Piece::Text(_) | Piece::Glob(_)));
    let telling =
        word.pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if text.contains(['.', '/'])));
    if only_pattern && telling && !word.prefix().starts_with('-') {
        Ok(Word::text(written(word)))
    } else {
        Ok(word.clone())
    }
}

/// A word as it would be typed, quotes aside.
fn written(word: &Word) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Glob(c) => c.to_string(),
        Piece::Brace => String::from("{"),
        Piece::Tilde => String::from("~"),
        Piece::Parameter { name, .. } => format!("${{{name}}}"),
        Piece::Arithmetic(_) | Piece::Substitution { .. } | Piece::Process(_) => String::from("$(…)"),
    };
    word.pieces.iter().map(piece).collect()
}

/// Single quotes around anything that is not plainly one word.
fn quote(argument: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-./=:,@%+~^".contains(&b);
    if !argument.is_empty() && argument.bytes().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::{recognise, runners, scripts, tools};

    #[test]
    fn every_entry_holds_its_examples() {
        let mut wrong = Vec::new();
        let entries = tools::examples().into_iter().chain(runners::examples()).chain(scripts::examples());
        let mut count = 0;
        for (name, yes, no) in entries {
            assert!(!yes.is_empty() && !no.is_empty(), "{name}: no examples");
            count += 1;
            for (commands, wanted) in [(yes, true), (no, false)] {
                for command in commands {
                    let answer = recognise(command);
                    if answer.verification().is_some() != wanted {
                        wrong.push(format!("{name}: {command:?} should be {wanted}: {answer:?}"));
                    }
                }
            }
        }
        assert!(count > 20);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
