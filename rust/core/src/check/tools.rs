//! One tool and its arguments → a check or not, by [`super::tool_table`].

use super::Not;
use super::runners::refused;
use super::tool_table::{TOOLS, Tool};
use crate::shell::Word;
use crate::shell::options::{self, Scanned, Value};

/// A tool by the path of a project's own installation.
pub(super) fn local_name(name: &str) -> &str {
    const FOLDERS: &[&str] = &["node_modules/.bin/", ".venv/bin/", "venv/bin/"];
    let path = name.strip_prefix("./").unwrap_or(name);
    FOLDERS.iter().find_map(|folder| path.strip_prefix(folder)).unwrap_or(name)
}

/// Whether `name` is a tool that a package manager's `run` may start.
pub(super) fn knows(name: &str) -> bool {
    !matches!(name, "go" | "cargo" | "node")
        && TOOLS.iter().any(|tool| tool.names.split('|').any(|one| one == name))
}

/// Recognises a tool and returns what it is called with its sub-command, and its arguments.
pub(super) fn recognise(name: &str, words: &[Word]) -> Result<(String, Vec<Word>), Not> {
    let unknown = || Not::Unknown(name.to_owned());
    let named = |tool: &&Tool| tool.names.split('|').any(|one| one == name);
    // A toolchain may be named before anything else.
    let words = match words {
        [first, rest @ ..]
            if name == "cargo" && first.literal().is_some_and(|text| text.starts_with('+')) =>
        {
            rest
        }
        all => all,
    };
    for tool in TOOLS.iter().filter(named) {
        if tool.verb.is_empty() {
            check(tool, name, words)?;
            return Ok((name.to_owned(), words.to_vec()));
        }
        let (global, rest) =
            options::leading(tool.global, words).map_err(|refusal| refused(name, &refusal))?;
        let Some((verb, arguments)) = rest.split_first() else { return Err(unknown()) };
        if verb.literal() != Some(tool.verb) {
            continue;
        }
        if !configures_harmlessly(&global) {
            return Err(Not::Argument { tool: name.to_owned(), argument: String::from("--config") });
        }
        check(tool, name, arguments)?;
        let own = words.get(..words.len() - rest.len()).unwrap_or_default();
        return Ok((format!("{name} {}", tool.verb), own.iter().chain(arguments).cloned().collect()));
    }
    Err(unknown())
}

fn check(tool: &Tool, name: &str, words: &[Word]) -> Result<(), Not> {
    let refuse = |argument: &str| Not::Argument { tool: name.to_owned(), argument: argument.to_owned() };
    let end = words.iter().position(|word| word.literal() == Some("--")).unwrap_or(words.len());
    let (own, passed) = words.split_at_checked(end).unwrap_or((words, &[]));
    let own: Vec<Word> =
        if tool.names == "go" { own.iter().map(single_dash).collect() } else { own.to_vec() };
    // Node takes options only before the first file, and gives the rest to it.
    let stops = tool.names == "node";
    let scanned = if stops {
        options::leading(tool.options, &own).map(|(scanned, _)| scanned)
    } else {
        options::scan(tool.options, &own)
    };
    let scanned = scanned.map_err(|refusal| refused(name, &refusal))?;
    if let Some(allowed) = tool.passed {
        options::scan(allowed, passed.get(1..).unwrap_or_default())
            .map_err(|refusal| refused(name, &refusal))?;
    }
    if !tool.needs.is_empty() && !scanned.has(tool.needs) {
        return Err(Not::Missing { tool: tool.names, missing: tool.needs });
    }
    if let Some(first) = scanned.operand(0)
        && tool.not.split(' ').any(|refused| refused == first)
    {
        return Err(refuse(first));
    }
    if tool.names == "selene" && scanned.operands.is_empty() && passed.is_empty() {
        return Err(Not::Missing { tool: "selene", missing: "a file" });
    }
    if tool.names == "tsc" && scanned.operands.iter().any(|word| word.prefix().starts_with('@')) {
        return Err(refuse("@file"));
    }
    if !checks_something(&scanned) || !configures_harmlessly(&scanned) {
        return Err(refuse("that value"));
    }
    Ok(())
}

/// Go reads `--flag` as `-flag`.
fn single_dash(word: &Word) -> Word {
    match word.literal().and_then(|text| text.strip_prefix("--")) {
        Some(rest) if !rest.is_empty() => Word::text(format!("-{rest}")),
        _ => word.clone(),
    }
}

/// A filter that selects nothing, and no repetitions at all, check nothing.
pub(super) fn checks_something(scanned: &Scanned) -> bool {
    let nothing = |value: Value| match value {
        Value::Text(text) => matches!(
            text,
            "^$" | "NONE" | "^NONE$" | "none" | "XXX" | "xxx" | "^XXX$" | "^x$^" | "$^" | "a^" | "^_$" | "-"
        ),
        Value::Unknown | Value::Absent => false,
    };
    let everything = |value: Value| matches!(value, Value::Text("." | ".*" | "^.*$" | "Test" | "^Test"));
    !scanned.values("-run").any(nothing)
        && !scanned.values("-skip").any(everything)
        && !scanned.values("-count").any(|value| value == Value::Text("0"))
}

/// `--config` of cargo may name a program to run instead of the compiler.
fn configures_harmlessly(scanned: &Scanned) -> bool {
    const HARMLESS: &[&str] = &["net.", "term.", "build.jobs", "build.target-dir", "http.", "profile."];
    let is_setting = |text: &str| text.contains('=') && !text.contains('/');
    scanned.values("--config").all(|value| match value {
        Value::Text(text) if text.contains("build.") || text.contains("target.") || is_setting(text) => {
            HARMLESS.iter().any(|start| text.trim_start().starts_with(start))
        }
        Value::Text(_) => true,
        Value::Unknown | Value::Absent => false,
    })
}

#[cfg(test)]
pub(super) fn examples() -> Vec<(&'static str, &'static [&'static str], &'static [&'static str])> {
    TOOLS.iter().map(|tool| (tool.names, tool.yes, tool.no)).collect()
}
