//! Builtins of the shell that read, or change only the shell that is about to end.

use super::programs::refused;
use super::table::{self, ANY, Operands, Reader};
use super::walk::Walk;
use super::{Why, environment};
use crate::shell::options::{self, Value};
use crate::shell::{self, Word};

const READERS: &[Reader] = &[
    Reader {
        commands: "cd|pushd|popd|dirs|pwd|echo|true|false|:|type|times|exit|return|break|continue|shift|caller|help|logout",
        options: ANY,
        operands: Operands::Any,
        yes: &["cd \"$x\"", "pushd src", "type -a ls", ":", "exit 1"],
        no: &["eval ls", "source a", ". a", "trap 'rm x' EXIT", "enable -n test"],
    },
    Reader {
        commands: "jobs|wait|hash|umask|ulimit|alias",
        options: "-l -n -p -r -s -S -H -a -u -c -d -f -m -t -v",
        operands: Operands::AtMost(0),
        yes: &["jobs -l", "wait", "ulimit -a", "ulimit -n", "umask", "alias"],
        no: &["jobs -x rm a", "alias ls=rm", "ulimit -n 9", "hash -p x ls", "umask 0"],
    },
    Reader {
        commands: "history",
        options: "",
        operands: Operands::AtMost(1),
        yes: &["history", "history 20"],
        no: &["history -w", "history -c", "history -a x", "fc -s"],
    },
    Reader {
        commands: "declare|typeset",
        options: "-p -f -F",
        operands: Operands::Check(|scanned| {
            scanned.has("-p -f -F")
                && scanned.operands.iter().all(|word| word.literal().is_some_and(environment::is_identifier))
        }),
        yes: &["declare -p HOME", "declare -F"],
        no: &[
            "declare x=1",
            "declare -i x",
            "declare 'a[$(touch x)]=1'",
            "typeset -x PATH",
            "readonly x=1",
            "local x",
        ],
    },
    Reader {
        commands: "compgen",
        options: "-a -b -c -d -e -f -g -j -k -s -u -v -A:",
        operands: Operands::AtMost(1),
        yes: &["compgen -c", "compgen -A function"],
        no: &["compgen -W '$(touch x)'", "compgen -F f", "compgen -C x", "complete -C x y"],
    },
];

const NAMES: &[&str] =
    &["test", "[", "printf", "read", "export", "set", "shopt", "let", "mapfile", "readarray", "unset"];

/// Settings that only change globbing or how a script ends.
const SHOPT: &[&str] = &[
    "globstar", "nullglob", "dotglob", "nocaseglob", "failglob", "nocasematch", "lastpipe", "inherit_errexit",
];

/// Whether `name` is a builtin of this file.
pub(super) fn knows(name: &str) -> bool {
    NAMES.contains(&name) || row(name).is_some()
}

fn row(name: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.commands.split('|').any(|one| one == name))
}

/// Judges the arguments of a builtin.
pub(super) fn judge(walk: &mut Walk, name: &str, arguments: &[Word]) -> Result<(), Why> {
    if let Some(reader) = row(name) {
        return table::apply(reader, name, arguments);
    }
    let refuse = || Why::Arguments(name.to_owned());
    match name {
        "test" | "[" => test(arguments),
        "printf" => printf(walk, arguments),
        "read" => {
            let scanned = scan(name, "-r -s -a: -d: -i: -n: -N: -p: -t: -u:", arguments)?;
            let arrays = scanned
                .values("-a")
                .map(|value| if let Value::Text(text) = value { Some(text) } else { None });
            let names: Option<Vec<&str>> =
                scanned.operands.iter().map(|word| word.literal()).chain(arrays).collect();
            sets(walk, &names.ok_or_else(refuse)?)
        }
        "mapfile" | "readarray" => {
            let scanned = scan(name, "-t -d: -n: -O: -s: -u:", arguments)?;
            let names: Option<Vec<&str>> = scanned.operands.iter().map(|word| word.literal()).collect();
            sets(walk, &names.ok_or_else(refuse)?)
        }
        "unset" => {
            let scanned = scan(name, "-v", arguments)?;
            scanned
                .operands
                .iter()
                .try_for_each(|word| environment::settable(word.literal().unwrap_or_default()))
        }
        "export" => {
            if matches!(arguments, [only] if only.literal() == Some("-p")) {
                return Ok(());
            }
            arguments.iter().try_for_each(|word| match word.literal().and_then(|text| text.split_once('=')) {
                Some((name, value)) if environment::harmless(name, value) => Ok(()),
                Some((name, _)) => Err(Why::Variable(name.to_owned())),
                None => Err(refuse()),
            })
        }
        "set" => set(walk, arguments),
        "shopt" => {
            let scanned = scan(name, "-s -u -p -q", arguments)?;
            let harmless = |word: &&Word| word.literal().is_some_and(|setting| SHOPT.contains(&setting));
            if scanned.has("-s -u") && !scanned.operands.iter().all(harmless) {
                Err(refuse())
            } else {
                Ok(())
            }
        }
        "let" => arguments.iter().try_for_each(|word| {
            let expression = shell::arithmetic(word.literal().ok_or_else(refuse)?)?;
            walk.arithmetic(&expression)
        }),
        _ => Err(refuse()),
    }
}

fn scan<'w>(name: &str, allowed: &'static str, arguments: &'w [Word]) -> Result<options::Scanned<'w>, Why> {
    options::scan(allowed, arguments).map_err(|refusal| refused(name, refusal))
}

/// Variables that get values from elsewhere.
fn sets(walk: &mut Walk, names: &[&str]) -> Result<(), Why> {
    walk.sets_unknown();
    names.iter().try_for_each(|name| environment::settable(name))
}

/// `-v` and `-R` take a variable reference, and evaluate its subscript.
fn test(arguments: &[Word]) -> Result<(), Why> {
    let evaluates = |word: &Word| word.prefix().contains('[') && word.prefix().contains(['$', '`', '(']);
    let refers = arguments.iter().any(|word| word.literal().is_none_or(|text| matches!(text, "-v" | "-R")));
    let plain = arguments.windows(2).all(|pair| match pair {
        [option, name] if matches!(option.literal(), Some("-v" | "-R")) => {
            name.literal().is_some_and(environment::is_identifier)
        }
        _ => true,
    });
    if (refers && arguments.iter().any(evaluates)) || !plain { Err(Why::Arithmetic) } else { Ok(()) }
}

fn printf(walk: &mut Walk, arguments: &[Word]) -> Result<(), Why> {
    let refuse = || Why::Arguments(String::from("printf"));
    let Some((first, rest)) = arguments.split_first() else { return Ok(()) };
    match first.literal() {
        Some("-v") => sets(walk, &[rest.first().and_then(Word::literal).ok_or_else(refuse)?]),
        Some(text) if text.starts_with("-v") => Err(refuse()),
        Some("--") => printf_format(rest),
        Some(_) => printf_format(arguments),
        // An unknown format could be `-v` or hold `%n`, and what follows could be a variable's name.
        None if rest.is_empty() && !first.splits() => Ok(()),
        None => Err(Why::DynamicOption(String::from("printf"))),
    }
}

/// `%n` assigns to the variable that an argument names, and evaluates its subscript.
fn printf_format(words: &[Word]) -> Result<(), Why> {
    let refuse = || Why::Arguments(String::from("printf"));
    let Some(format) = words.first() else { return Ok(()) };
    let mut rest = format.literal().ok_or_else(refuse)?;
    while let Some((_, conversion)) = rest.split_once('%') {
        let letter =
            conversion.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #'.*hlLjzt".contains(c));
        if letter.starts_with('n') {
            return Err(refuse());
        }
        // `%%` is one conversion.
        rest = letter.strip_prefix('%').unwrap_or(letter);
    }
    Ok(())
}

fn set(walk: &mut Walk, arguments: &[Word]) -> Result<(), Why> {
    let mut rest = arguments;
    while let [word, after @ ..] = rest {
        let text = word.literal().ok_or_else(|| Why::DynamicOption(String::from("set")))?;
        rest = after;
        match text {
            "--" => {
                walk.sets_unknown();
                return Ok(());
            }
            _ if text.starts_with(['-', '+'])
                && text.ends_with('o')
                && text.bytes().skip(1).all(|b| b"euxfo".contains(&b)) =>
            {
                match after.first().map(Word::literal) {
                    None => {}
                    Some(Some("pipefail" | "errexit" | "nounset" | "xtrace" | "noglob" | "posix")) => {
                        rest = after.get(1..).unwrap_or_default();
                    }
                    Some(_) => return Err(Why::Arguments(String::from("set"))),
                }
            }
            _ if text.starts_with(['-', '+']) && text.bytes().skip(1).all(|b| b"euxf".contains(&b)) => {}
            _ => return Err(Why::Option { command: String::from("set"), option: text.to_owned() }),
        }
    }
    Ok(())
}

#[cfg(test)]
pub(super) fn rows() -> &'static [Reader] {
    READERS
}

/// What the tests run.
#[cfg(test)]
pub(super) const EXAMPLES: (&[&str], &[&str]) = (
    &[
        "test -f a",
        "[ \"$x\" = y ]",
        "[ -v x ]",
        "printf '%s\\n' \"$x\"",
        "printf -v s '%03d' 7",
        "read -r line",
        "export LC_ALL=C",
        "set -euo pipefail",
        "shopt -s globstar",
        "let x=1+2",
        "mapfile -t lines < a",
        "unset x",
        "set -- a b",
        "while read -r l; do echo \"$l\"; done < a",
        "export -p",
    ],
    &[
        "test -v 'a[$(touch x)]'",
        "printf -v PATH x",
        "printf -v 'a[$(touch x)]' y",
        "printf \"$x\" y z",
        "printf 'x%n' PATH",
        "printf %5n 'a[$(touch x)]'",
        "printf -- %n PATH",
        "read -r PATH",
        "read -e x",
        "export PATH=/x",
        "export PAGER=sh",
        "set -a",
        "set -k",
        "shopt -s expand_aliases",
        "let 'a[$(x)]'",
        "mapfile -C 'rm x' a",
        "readarray PATH",
        "unset 'a[$(touch x)]'",
        "unset PATH",
        "read 'a[$(x)]'",
        "export x",
    ],
);
