//! Command → is it provably read-only, and if not, why.
//!
//! Everything is denied unless it is listed: commands, their sub-commands, each of their options, and the
//! variables that may be set. What cannot be read off the text (a command named by a variable, a word that may
//! turn into an option) is not proved. This is a guardrail, not a sandbox: the listed programs, their
//! configuration files and the inherited environment are trusted.

mod archives;
mod awk;
mod builtins;
mod environment;
mod find;
mod git;
mod infra;
mod packages;
mod programs;
mod sed;
mod sql;
mod system;
mod table;
mod text;
mod walk;
mod wrappers;

use serde::Serialize;

use crate::shell::{self, CannotProve, Script};

/// Whether a command is provably read-only, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// True only when every part of the command is known to read and nothing else.
    pub read_only: bool,
    /// One clause for a person: what stands in the way, or that nothing does.
    pub reason: String,
}

/// Why a command is not proved read-only.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Why {
    #[error("{0}")]
    Shell(#[from] CannotProve),
    #[error("nothing runs")]
    Empty,
    #[error("the command name is not literal")]
    DynamicCommand,
    #[error("`{0}` is not a known reader")]
    UnknownCommand(String),
    #[error("`{command}` with `{option}` is not known to only read")]
    Option { command: String, option: String },
    #[error("`{0}` has a word that may turn into an option")]
    DynamicOption(String),
    #[error("these arguments of `{0}` are not known to only read")]
    Arguments(String),
    #[error("setting `{0}` may change what runs")]
    Variable(String),
    #[error("a redirection writes")]
    Redirection,
    #[error("arithmetic over a variable that this command sets may run code")]
    Arithmetic,
    #[error("functions are not followed")]
    Function,
    #[error("a coprocess is not followed")]
    Coprocess,
    #[error("the nesting is too deep")]
    Depth,
}

/// Judges one command line. Never executes anything; linear in the length of the text.
#[must_use]
pub fn judge(text: &str) -> Verdict {
    match shell::parse(text).map_err(Why::from).and_then(|script| prove(&script)) {
        Ok(()) => Verdict { read_only: true, reason: String::from("every command in it only reads") },
        Err(why) => Verdict { read_only: false, reason: why.to_string() },
    }
}

/// Proves a parsed script read-only.
pub(crate) fn prove(script: &Script) -> Result<(), Why> {
    if script.statements.is_empty() {
        return Err(Why::Empty);
    }
    let mut walk = walk::Walk::default();
    walk.script(script)?;
    walk.finish()
}

#[cfg(test)]
mod tests {
    use super::{archives, awk, builtins, find, git, infra, judge, sed, sql, table, wrappers};

    /// Every row and parser carries commands that are readers and commands that are not.
    #[test]
    fn every_entry_holds_its_examples() {
        let rows = table::READERS.iter().copied().flatten().chain(git::rows()).chain(builtins::rows());
        let rows = rows.map(|row| (row.commands, row.yes, row.no));
        let parsers = [
            ("sed", sed::EXAMPLES),
            ("awk", awk::EXAMPLES),
            ("find", find::EXAMPLES),
            ("tar", archives::TAR_EXAMPLES),
            ("gh api", infra::GH_API_EXAMPLES),
            ("sqlite3", sql::EXAMPLES),
            ("wrappers", wrappers::EXAMPLES),
            ("builtins", builtins::EXAMPLES),
        ];
        let parsers = parsers.into_iter().map(|(name, (yes, no))| (name, yes, no));
        let mut wrong = Vec::new();
        let mut entries = 0;
        for (name, yes, no) in rows.chain(parsers) {
            assert!(!yes.is_empty() && !no.is_empty(), "{name}: no examples");
            entries += 1;
            for (commands, wanted) in [(yes, true), (no, false)] {
                for command in commands {
                    let verdict = judge(command);
                    if verdict.read_only != wanted {
                        wrong.push(format!("{name}: {command:?} should be {wanted}: {}", verdict.reason));
                    }
                }
            }
        }
        assert!(entries > 80, "{entries}");
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// Two rows for one command would hide each other.
    #[test]
    fn no_command_is_listed_twice() {
        let mut names: Vec<&str> =
            table::READERS.iter().copied().flatten().flat_map(|row| row.commands.split('|')).collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
