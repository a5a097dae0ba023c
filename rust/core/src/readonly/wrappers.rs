//! Commands that run other commands: what they run is judged in turn.

use super::programs::refused;
use super::walk::Walk;
use super::{Why, builtins, environment, find};
use crate::shell::options::{self, Scanned, Value};
use crate::shell::{self, Word};

/// Wrapper, its options, and how many operands come before the command.
const SIMPLE: &[(&str, &str, usize)] = &[
    ("nice", "-n: -# --adjustment:", 0),
    ("ionice", "-c: -n: -t --class: --classdata: --ignore", 0),
    ("stdbuf", "-i: -o: -e: --input: --output: --error:", 0),
    ("time", "-p -v -f: -l -h --portability --verbose --format:", 0),
    ("gtime", "-p -v -f: --portability --verbose --format:", 0),
    ("timeout", "-k: -s: -v -f -p --kill-after: --signal: --preserve-status --foreground --verbose", 1),
    ("gtimeout", "-k: -s: -v -f -p --kill-after: --signal: --preserve-status --foreground --verbose", 1),
];

const ENV: &str = "-i -0 -u: -v -C: --unset: --ignore-environment --null --chdir: --debug";

const XARGS: &str = "-# -0 -r -t -a: -d: -E: -e? -I: -i? -J: -L: -l? -n: -P: -s: -x --null --no-run-if-empty --max-args: --max-procs: --delimiter: \
     --replace? --arg-file: --max-lines? --verbose --exit --max-chars: --eof?";

/// Applets whose every option only reads, in the small implementations too.
const BUSYBOX: &str = "ls cat head tail wc grep egrep fgrep stat du df uname id whoami basename dirname realpath readlink md5sum sha1sum sha256sum cut \
     tr od hexdump echo printf true false test ps free uptime nproc which";

/// What `rtk` passes on unchanged; its own verbs run anything.
const RTK: &str = "ls tree git grep rg find gh docker kubectl wc diff";

/// Forms that other shells read as something else than bash does.
const BASH_ONLY: &[&str] =
    &["[[", "((", "$'", "&>", "|&", "<<<", "<(", ">(", "function", "select", "time", "coproc"];

const NAMES: &[&str] =
    &["env", "genv", "xargs", "gxargs", "command", "builtin", "exec", "sh", "bash", "dash", "busybox", "rtk"];

/// Whether `name` runs other commands in a way that this file follows.
pub(super) fn knows(name: &str) -> bool {
    NAMES.contains(&name) || SIMPLE.iter().any(|(simple, _, _)| *simple == name)
}

/// Judges a wrapper and what it runs.
pub(super) fn judge(walk: &mut Walk, name: &str, arguments: &[Word]) -> Result<(), Why> {
    if let [only] = arguments
        && matches!(only.literal(), Some("--version" | "--help"))
        && !matches!(name, "command" | "builtin" | "exec")
    {
        return Ok(());
    }
    match name {
        "env" | "genv" => env(walk, arguments),
        "xargs" | "gxargs" => xargs(walk, arguments),
        "command" => command(walk, arguments),
        "builtin" => match arguments {
            [first, rest @ ..] if first.literal().is_some_and(builtins::knows) => {
                builtins::judge(walk, first.literal().unwrap_or_default(), rest)
            }
            _ => Err(Why::Arguments(String::from(name))),
        },
        // Without a command it only applies redirections, which are judged as such.
        "exec" if arguments.is_empty() => Ok(()),
        "exec" => walk.command(arguments),
        "sh" | "bash" | "dash" => shell(walk, name, arguments),
        "busybox" => allowed_inner(walk, name, BUSYBOX, arguments),
        "rtk" => allowed_inner(walk, name, RTK, arguments),
        _ => simple(walk, name, arguments),
    }
}

fn simple(walk: &mut Walk, name: &str, arguments: &[Word]) -> Result<(), Why> {
    let refuse = || Why::Arguments(name.to_owned());
    let (_, allowed, operands) = SIMPLE.iter().find(|(simple, _, _)| *simple == name).ok_or_else(refuse)?;
    let (_, rest) = options::leading(allowed, arguments).map_err(|refusal| refused(name, refusal))?;
    let (before, inner) = rest.split_at_checked(*operands).ok_or_else(refuse)?;
    if inner.is_empty() || before.iter().any(|word| word.literal().is_none()) {
        return if name == "nice" && arguments.is_empty() { Ok(()) } else { Err(refuse()) };
    }
    walk.command(inner)
}

fn env(walk: &mut Walk, arguments: &[Word]) -> Result<(), Why> {
    let (_, mut rest) = options::leading(ENV, arguments).map_err(|refusal| refused("env", refusal))?;
    while let [word, after @ ..] = rest {
        let Some((name, value)) = word.literal().and_then(|text| text.split_once('=')) else { break };
        if !environment::harmless(name, value) {
            return Err(Why::Variable(name.to_owned()));
        }
        rest = after;
    }
    if rest.is_empty() { Ok(()) } else { walk.command(rest) }
}

fn command(walk: &mut Walk, arguments: &[Word]) -> Result<(), Why> {
    match arguments.first().and_then(Word::literal) {
        Some("-v" | "-V") => Ok(()),
        Some("-p") => walk.command(arguments.get(1..).unwrap_or_default()),
        Some(text) if !text.starts_with('-') => walk.command(arguments),
        _ => Err(Why::Arguments(String::from("command"))),
    }
}

/// `xargs` adds words from its input: any number, or wherever the mark of `-I` stands.
fn xargs(walk: &mut Walk, arguments: &[Word]) -> Result<(), Why> {
    let refuse = || Why::Arguments(String::from("xargs"));
    let (own, inner) = options::leading(XARGS, arguments).map_err(|refusal| refused("xargs", refusal))?;
    if inner.is_empty() {
        return Ok(());
    }
    let mark = match replacement(&own) {
        Some(Value::Text(mark)) if !mark.is_empty() => Some(mark),
        Some(Value::Absent) => Some("{}"),
        Some(_) => return Err(refuse()),
        None => None,
    };
    let mut judged: Vec<Word> = match mark {
        Some(mark) => inner.iter().map(|word| find::replace(word, mark, false)).collect(),
        None => inner.to_vec(),
    };
    if mark.is_none() || own.has("-J") {
        judged.extend([find::unknown(), find::unknown()]);
    }
    walk.command(&judged)
}

fn replacement<'w>(own: &Scanned<'w>) -> Option<Value<'w>> {
    own.options
        .iter()
        .rev()
        .find(|(name, _)| matches!(*name, "-I" | "-i" | "--replace"))
        .map(|(_, value)| *value)
}

/// `sh -c SCRIPT`: the script is parsed and judged; a script file is not.
fn shell(walk: &mut Walk, name: &str, arguments: &[Word]) -> Result<(), Why> {
    let refuse = || Why::Arguments(String::from(name));
    let mut rest = arguments;
    let mut runs_text = false;
    while let [word, after @ ..] = rest {
        let text = word.literal().ok_or_else(refuse)?;
        match text {
            // A syntax check of a file runs nothing.
            "-n" if arguments.len() == 2 => {
                return if after.iter().all(Word::is_operand) { Ok(()) } else { Err(refuse()) };
            }
            _ if text.starts_with('-')
                && text.ends_with('o')
                && text.bytes().skip(1).all(|b| b"ceuxfo".contains(&b)) =>
            {
                runs_text |= text.contains('c');
                let mode = after.first().and_then(Word::literal).ok_or_else(refuse)?;
                if !matches!(mode, "pipefail" | "errexit" | "nounset") {
                    return Err(refuse());
                }
                rest = after.get(1..).unwrap_or_default();
                continue;
            }
            _ if text.len() > 1
                && text.starts_with('-')
                && text.bytes().skip(1).all(|b| b"ceuxf".contains(&b)) =>
            {
                runs_text |= text.contains('c');
            }
            _ => break,
        }
        rest = after;
    }
    let [script, parameters @ ..] = rest else { return Err(refuse()) };
    let text = script.literal().filter(|_| runs_text).ok_or_else(refuse)?;
    if name != "bash" && BASH_ONLY.iter().any(|form| text.contains(form)) {
        return Err(refuse());
    }
    if !parameters.is_empty() {
        walk.sets_unknown();
    }
    let script = shell::parse(text)?;
    walk.nested(&script)
}

fn allowed_inner(walk: &mut Walk, name: &str, allowed: &str, arguments: &[Word]) -> Result<(), Why> {
    let inner = arguments.first().and_then(Word::literal);
    if inner.is_some_and(|inner| allowed.split_ascii_whitespace().any(|one| one == inner)) {
        walk.command(arguments)
    } else {
        Err(Why::Arguments(String::from(name)))
    }
}

/// What the tests run.
#[cfg(test)]
pub(super) const EXAMPLES: (&[&str], &[&str]) = (
    &[
        "env",
        "env LC_ALL=C sort a",
        "env -i ls",
        "timeout 5 ls",
        "timeout -k 1 10s grep -rn x .",
        "nice -n 5 ls",
        "time ls",
        "command ls",
        "command -v node",
        "builtin echo a",
        "xargs -0 wc -l",
        "xargs -I% echo % x",
        "xargs -n1 grep -n foo",
        "xargs",
        "sh -c 'cat a | head'",
        "bash -euo pipefail -c 'ls | wc -l'",
        "bash -n a.sh",
        "busybox ls",
        "rtk git status",
        "exec 3<a",
        "/usr/bin/env ls",
        "stdbuf -oL grep x a",
        "bash --version",
        "ionice -c3 du -sh .",
    ],
    &[
        "env rm a",
        "env -S 'touch x'",
        "env PATH=/x ls",
        "env -u HOME rm a",
        "timeout 5 rm a",
        "nice rm a",
        "command rm a",
        "command time -o a ls",
        "\\time -o a ls",
        "xargs rm",
        "xargs -I% %",
        "xargs sort",
        "xargs find . -name",
        "xargs sh -c 'cat \"$1\"' | sh",
        "xargs -n1 env rm",
        "xargs -p ls",
        "sh a.sh",
        "sh",
        "bash -c \"$x\"",
        "bash -lc ls",
        "bash -O extglob -c ls",
        "bash --rcfile x -ic ls",
        "zsh -c ls",
        "busybox sh -c ls",
        "busybox sort a",
        "rtk test npm test",
        "rtk rm a",
        "exec > a",
        "exec ./x",
        "sh -c \"echo $'a\\\\'; rm x #'\"",
        "sh -c '[[ a > b ]]'",
        "sudo ls",
        "nohup ls",
        "watch ls",
        "env BASH_ENV=x bash -c ls",
        "sh -c 'ls' && rm a",
        "bash -n a.sh b.sh",
        "setsid ls",
        "sh -c 'cat {}; rm x'",
    ],
);
