//! Which of the named commands a check that was run satisfies.
//!
//! Counts: the same words, and a wider run of the same tool — the same packages and more (`go test ./...`), a
//! project by another spelling (`tsc -p web`, `tsc -b web`), a directory above the files (`selene src`), a script in
//! `.pi/verify` where that is a directory — as long as every option is known not to narrow what is checked. An
//! unknown option, another module, an import path, a filter (`-run`, `--new`) or a part of the files does not count.

use super::go::is_seen;
use super::path::{join, plain, relative, within};
use super::{Command, VERIFY, has_extension};

/// An option and whether a value follows it. None of those listed narrows a check or changes its verdict.
type Options = &'static [(&'static str, bool)];

const GO_TEST: Options = &[
    ("-C", true),
    ("-a", false),
    ("-count", true),
    ("-cover", false),
    ("-covermode", true),
    ("-coverpkg", true),
    ("-coverprofile", true),
    ("-cpu", true),
    ("-failfast", false),
    ("-fullpath", false),
    ("-json", false),
    ("-p", true),
    ("-parallel", true),
    ("-race", false),
    ("-shuffle", true),
    ("-timeout", true),
    ("-trimpath", false),
    ("-v", false),
    ("-x", false),
];

const GOLANGCI_RUN: Options = &[
    ("--allow-parallel-runners", false),
    ("--allow-serial-runners", false),
    ("--color", true),
    ("--concurrency", true),
    ("--show-stats", false),
    ("--timeout", true),
    ("--verbose", false),
    ("-j", true),
    ("-v", false),
];

const TSC: Options = &[
    ("--build", false),
    ("--diagnostics", false),
    ("--extendeddiagnostics", false),
    ("--force", false),
    ("--incremental", false),
    ("--noemit", false),
    ("--pretty", false),
    ("--project", true),
    ("--verbose", false),
    ("-b", false),
    ("-f", false),
    ("-i", false),
    ("-p", true),
];

const STYLUA: Options = &[("--check", false), ("--color", true), ("--verbose", false), ("-v", false)];

const SELENE: Options = &[
    ("--color", true),
    ("--display-style", true),
    ("--no-summary", false),
    ("--quiet", false),
    ("-n", false),
    ("-q", false),
];

/// A run taken apart: its options with their values, and its operands.
struct Run<'a> {
    options: Vec<(String, Option<&'a str>)>,
    operands: Vec<&'a str>,
}

/// Does a successful run of `run` satisfy `wanted`? `run` is the check in canonical form: the tool's name and its
/// literal words, without assignments and runners.
#[must_use]
pub fn covers(run: &[&str], wanted: &Command) -> bool {
    if wanted.words.iter().eq(run.iter()) {
        return true;
    }
    let tool = wanted.words.first().map(String::as_str);
    match (tool, run) {
        (Some("go"), ["go", "-C", module, "test", rest @ ..]) => {
            plain(module).is_some_and(|module| go_covers(&module, rest, wanted))
        }
        (Some("go"), ["go", "test", rest @ ..]) => match rest {
            ["-C", module, rest @ ..] => plain(module).is_some_and(|module| go_covers(&module, rest, wanted)),
            _ => go_covers("", rest, wanted),
        },
        (Some("golangci-lint"), ["golangci-lint", "run", rest @ ..]) => golangci_covers(rest, wanted),
        (Some("tsc"), ["tsc", rest @ ..]) => tsc_covers(rest, wanted),
        (Some("stylua"), ["stylua", rest @ ..]) => {
            Run::read(rest, STYLUA, str::to_owned).is_some_and(|run| run.has("--check") && run.holds(wanted))
        }
        (Some("selene"), ["selene", rest @ ..]) => {
            Run::read(rest, SELENE, str::to_owned).is_some_and(|run| run.holds(wanted))
        }
        (Some(VERIFY), [program]) => relative_path(program).is_some_and(|program| within(&program, VERIFY)),
        _ => false,
    }
}

impl<'a> Run<'a> {
    /// Takes `words` apart; `None` for an option that is not listed, or without its value.
    fn read(words: &[&'a str], known: Options, spelling: fn(&str) -> String) -> Option<Self> {
        let mut run = Self { options: Vec::new(), operands: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                run.operands.push(word);
                continue;
            }
            let (name, attached) =
                word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
            let name = spelling(name);
            let (_, takes_value) = known.iter().find(|(known, _)| *known == name)?;
            let value = match (takes_value, attached) {
                (true, None) => Some(*words.next()?),
                (false, Some(_)) => return None,
                (_, attached) => attached,
            };
            run.options.push((name, value));
        }
        Some(run)
    }

    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(option, _)| option == name)
    }

    fn value(&self, names: &[&str]) -> Option<&'a str> {
        self.options.iter().rev().find(|(name, _)| names.contains(&name.as_str()))?.1
    }

    /// Is each wanted file an operand or in a directory that is one? A walk passes hidden names over.
    fn holds(&self, wanted: &Command) -> bool {
        let operands: Vec<String> =
            self.operands.iter().filter_map(|operand| relative_path(operand)).collect();
        let is_walked = |below: &str| !below.split('/').any(|name| name.starts_with('.'));
        wanted.files.iter().all(|file| {
            operands.iter().any(|operand| {
                operand == file || (within(file, operand) && is_walked(relative(file, operand)))
            })
        })
    }
}

/// A package pattern: a directory, and whether `/...` follows.
#[derive(PartialEq)]
struct Pattern {
    directory: String,
    is_wild: bool,
}

impl Pattern {
    fn read(text: &str) -> Option<Self> {
        let (directory, is_wild) = match text.strip_suffix("/...") {
            Some(directory) => (directory, true),
            None => (text, false),
        };
        let directory = relative_path(directory).filter(|directory| !directory.contains("..."))?;
        Some(Self { directory, is_wild })
    }

    fn includes(&self, other: &Self) -> bool {
        let is_below = within(&other.directory, &self.directory);
        self == other || (self.is_wild && is_below && is_seen(relative(&other.directory, &self.directory)))
    }
}

fn go_covers(module: &str, words: &[&str], wanted: &Command) -> bool {
    // Go takes one dash or two.
    let spelling =
        |name: &str| name.strip_prefix('-').filter(|n| n.starts_with('-')).unwrap_or(name).to_owned();
    let Some(run) = Run::read(words, GO_TEST, spelling) else { return false };
    let runs_nothing = run.value(&["-count"]).is_some_and(|count| !count.parse().is_ok_and(|n: u32| n > 0));
    // A second -C, or one after another option, is an error of the Go tool.
    if runs_nothing || run.has("-C") || module != wanted.module {
        return false;
    }
    let operands = if run.operands.is_empty() { vec!["."] } else { run.operands };
    // Anything else is an import path, which only the module's name could tell.
    let is_relative = |text: &&&str| **text == "." || text.starts_with("./");
    let ran: Vec<Pattern> =
        operands.iter().filter(is_relative).filter_map(|text| Pattern::read(text)).collect();
    let skip = if wanted.module.is_empty() { 2 } else { 4 };
    all_included(&ran, wanted.words.get(skip..))
}

fn golangci_covers(words: &[&str], wanted: &Command) -> bool {
    let Some(run) = Run::read(words, GOLANGCI_RUN, str::to_owned) else { return false };
    let operands = if run.operands.is_empty() { vec!["./..."] } else { run.operands };
    // A wildcard stops where another module begins.
    let reaches = |pattern: &Pattern| !pattern.is_wild || within(&pattern.directory, &wanted.module);
    let ran: Vec<Pattern> =
        operands.iter().filter_map(|text| Pattern::read(text)).filter(|pattern| reaches(pattern)).collect();
    all_included(&ran, wanted.words.get(2..))
}

fn all_included(ran: &[Pattern], wanted: Option<&[String]>) -> bool {
    wanted.is_some_and(|wanted| {
        wanted.iter().all(|text| {
            Pattern::read(text).is_some_and(|wanted| ran.iter().any(|pattern| pattern.includes(&wanted)))
        })
    })
}

fn tsc_covers(words: &[&str], wanted: &Command) -> bool {
    let Some(run) = Run::read(words, TSC, str::to_lowercase) else { return false };
    let Some(wanted) = wanted.words.last().and_then(|config| relative_path(config)) else { return false };
    let is_wanted = |project: &str| configuration(project).as_ref() == Some(&wanted);
    let project = run.value(&["-p", "--project"]);
    if run.has("-b") || run.has("--build") {
        return project.is_none()
            && (run.operands.iter().any(|project| is_wanted(project))
                || (run.operands.is_empty() && is_wanted(".")));
    }
    run.operands.is_empty() && is_wanted(project.unwrap_or("."))
}

/// The configuration file that `-p` or `-b` names: the file itself, or the plain one of a directory.
fn configuration(project: &str) -> Option<String> {
    let path = relative_path(project)?;
    Some(if has_extension(&path, &["json"]) { path } else { join(&path, "tsconfig.json") })
}

fn relative_path(path: &str) -> Option<String> {
    if path.starts_with('/') { None } else { plain(path) }
}
