//! Checks that a project names: package scripts, make targets and `.pi/verify`.

use super::runners::refused;
use super::{Not, environment, tools};
use crate::shell::Word;
use crate::shell::options;

type Found = (String, Vec<Word>);

/// Script names that are checks.
const SCRIPTS: &[&str] = &["test", "check", "lint", "typecheck", "verify"];

/// Make targets that are checks.
const TARGETS: &[&str] = &["test", "check", "lint", "verify"];

/// A package manager and the options that it takes around a script's name.
struct Manager {
    name: &'static str,
    options: &'static str,
    /// Whether options after the script's name are the manager's own, up to `--`.
    keeps_options: bool,
    /// Commands that are checks through it.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests"))]
    yes: &'static [&'static str],
    /// Commands that are not.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests"))]
    no: &'static [&'static str],
}

const MANAGERS: &[Manager] = &[
    Manager {
        name: "npm",
        options: "-w: -ws -C: -s -q -d -dd -ddd --workspace: --workspaces --include-workspace-root --prefix: --silent --quiet --verbose --loglevel: --color? \
                  --no-color --ignore-scripts --foreground-scripts --offline --prefer-offline --no-audit --no-fund --no-update-notifier --coverage --ci \
                  --runInBand --production=false",
        keeps_options: true,
        yes: &[
            "npm test",
            "npm run lint",
            "npm --prefix web test",
            "npm test -w web -- --coverage",
            "npm run-script check --silent",
        ],
        no: &[
            "npm ci",
            "npm run",
            "npm run pretest",
            "npm test --dry-run",
            "npm test --if-present",
            "npm test -- --listTests",
            "npm test --script-shell=true",
            "npm -v test",
            "npm test -h",
            "npm install test",
            "npm run test build",
        ],
    },
    Manager {
        name: "pnpm",
        options: "-r -s -w -C: -F: --dir: --filter: --filter-prod: --recursive --silent --workspace-root --stream --parallel --aggregate-output --reporter: \
                  --workspace-concurrency: --color --no-color --sort --no-sort --reverse --fail-if-no-match --include-workspace-root",
        keeps_options: false,
        yes: &[
            "pnpm test",
            "pnpm -r test",
            "pnpm --filter web run lint",
            "pnpm test --coverage",
            "pnpm eslint .",
        ],
        no: &[
            "pnpm add test",
            "pnpm run",
            "pnpm -r --no-bail test",
            "pnpm --if-present test",
            "pnpm test --watch",
            "pnpm help test",
        ],
    },
    Manager {
        name: "yarn",
        options: "-s --silent --cwd: --verbose --non-interactive --offline --no-progress",
        keeps_options: false,
        yes: &[
            "yarn test",
            "yarn run lint",
            "yarn workspace web test",
            "yarn --cwd web check",
            "yarn eslint .",
        ],
        no: &["yarn", "yarn run", "yarn workspace web build", "yarn add test", "yarn test --help"],
    },
    Manager {
        name: "bun",
        options: "-b -F: --bun --silent --cwd: --filter: --smol --env-file: --config: -c: --no-install",
        keeps_options: false,
        yes: &["bun test", "bun run --silent lint", "bun --cwd web run check", "bun test --coverage"],
        no: &["bun run build", "bun test --watch", "bun add test", "bun init", "bun"],
    },
];

/// Arguments of a script whose tool is not known, that are likely to stop it from checking.
const REFUSED_ARGUMENTS: &str = "-h -v -V -? -n -w --help --version --list --listTests --list-tests --listFilesOnly --list-files --collect-only --co \
     --collectonly --dry-run --dryrun --dry --init --watch --watchAll --ui --showConfig --show-config --show-settings --print-config --env-info --setup-plan \
     --setup-only --fixtures --markers --clearCache --clear-cache --exit-zero --no-run --if-present --inspect-config --explain --pdb --just-print --recon --test-list \
     --issues-exit-code --passWithoutTests --nothing --help-all --usage --print --no-exec --collect --ls --show-files --noCheck --info --rules";

const MAKE: &str = "-C: -j? -k -s -B -f: -O? -w -r -R -l? -d -I: --directory: --jobs? --keep-going --silent --quiet --always-make --file: --makefile: \
     --no-print-directory --print-directory --output-sync? --warn-undefined-variables --no-builtin-rules --no-builtin-variables --trace --include-dir: \
     --load-average? --no-silent";

/// Recognises a project's own check; `None` when `name` is something else.
pub(super) fn recognise(name: &str, words: &[Word]) -> Result<Option<Found>, Not> {
    if matches!(name, ".pi/verify" | "./.pi/verify") {
        script_arguments(".pi/verify", words)?;
        return Ok(Some((String::from(".pi/verify"), words.to_vec())));
    }
    if matches!(name, "sh" | "bash") {
        return match words {
            [path, rest @ ..] if matches!(path.literal(), Some(".pi/verify" | "./.pi/verify")) => {
                recognise(".pi/verify", rest)
            }
            _ => Err(Not::Unknown(name.to_owned())),
        };
    }
    if name == "make" {
        return make(words).map(Some);
    }
    match MANAGERS.iter().find(|manager| manager.name == name) {
        Some(manager) => package_script(manager, words),
        None => Ok(None),
    }
}

fn package_script(manager: &Manager, words: &[Word]) -> Result<Option<Found>, Not> {
    let name = manager.name;
    let (_, mut rest) =
        options::leading(manager.options, words).map_err(|refusal| refused(name, &refusal))?;
    if name == "yarn" && rest.first().and_then(Word::literal) == Some("workspace") {
        rest = rest.get(2..).unwrap_or_default();
    }
    let is_run = |word: &Word| {
        word.literal() == Some("run") || (name == "npm" && word.literal() == Some("run-script"))
    };
    let named = rest.first().is_some_and(is_run);
    if named {
        (_, rest) = options::leading(manager.options, rest.get(1..).unwrap_or_default())
            .map_err(|refusal| refused(name, &refusal))?;
    }
    let Some((script, arguments)) = rest.split_first() else { return Err(Not::Unknown(name.to_owned())) };
    let script = script.literal().ok_or(Not::Dynamic)?;
    if !SCRIPTS.contains(&script) {
        // `yarn eslint` runs the tool of that name; the runners' verbs are tried next.
        let runs_tools = name != "npm" && tools::knows(script);
        return if runs_tools {
            tools::recognise(script, arguments).map(Some)
        } else if named {
            Err(Not::Unknown(format!("{name} run {script}")))
        } else {
            Ok(None)
        };
    }
    let tool = format!("{name} {script}");
    let passed = if manager.keeps_options { own_options(manager, &tool, arguments)? } else { arguments };
    script_arguments(&tool, passed)?;
    Ok(Some((tool, arguments.to_vec())))
}

/// Checks npm's options after a script's name and returns what is passed to the script.
fn own_options<'w>(manager: &Manager, tool: &str, arguments: &'w [Word]) -> Result<&'w [Word], Not> {
    let end = arguments.iter().position(|word| word.literal() == Some("--")).unwrap_or(arguments.len());
    let (own, passed) = arguments.split_at_checked(end).unwrap_or((arguments, &[]));
    let scanned = options::scan(manager.options, own).map_err(|refusal| refused(tool, &refusal))?;
    // npm passes operands on to the script: paths and filters, but not what looks like another script.
    for operand in &scanned.operands {
        let telling = operand.literal().is_none_or(|text| text.contains(['.', '/', '*', ' ']));
        if !telling {
            return Err(Not::Argument {
                tool: tool.to_owned(),
                argument: operand.literal().unwrap_or_default().to_owned(),
            });
        }
    }
    Ok(passed.get(1..).unwrap_or_default())
}

fn script_arguments(tool: &str, arguments: &[Word]) -> Result<(), Not> {
    for word in arguments {
        let Some(text) = word.literal() else { continue };
        if matches!(text, "--watch=false" | "--watchAll=false") {
            continue;
        }
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        if REFUSED_ARGUMENTS.split_ascii_whitespace().any(|refused| refused == name) {
            return Err(Not::Argument { tool: tool.to_owned(), argument: text.to_owned() });
        }
    }
    Ok(())
}

/// One target that is a check; variables may be set, except those that replace a tool.
fn make(words: &[Word]) -> Result<Found, Not> {
    // `-j 4`: the number is the option's, though it may also be left out.
    let mut own: Vec<Word> = Vec::with_capacity(words.len());
    for word in words {
        let number =
            word.literal().is_some_and(|text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()));
        let after_jobs =
            own.last().and_then(Word::literal).is_some_and(|before| matches!(before, "-j" | "--jobs" | "-l"));
        if !(number && after_jobs) {
            own.push(word.clone());
        }
    }
    let scanned = options::scan(MAKE, &own).map_err(|refusal| refused("make", &refusal))?;
    let mut target = None;
    for word in &scanned.operands {
        let text = word.literal().ok_or(Not::Dynamic)?;
        let refuse = || Not::Argument { tool: String::from("make"), argument: text.to_owned() };
        if let Some((variable, value)) = text.split_once('=') {
            let variable = variable.trim_end_matches([':', '?', '+']);
            let special = variable.starts_with("MAKE")
                || variable.starts_with('.')
                || matches!(variable, "SHELL" | "PATH");
            let rehearses = words_of(value).any(|word| {
                REFUSED_ARGUMENTS.split_ascii_whitespace().any(|refused| refused.len() > 2 && refused == word)
            });
            if special || rehearses || environment::always_succeeds(variable, value) {
                return Err(refuse());
            }
        } else if target.is_some() || !TARGETS.contains(&text) {
            return Err(refuse());
        } else {
            target = Some(text);
        }
    }
    let target = target.ok_or(Not::Missing { tool: "make", missing: "test, check, lint or verify" })?;
    let arguments = words.iter().filter(|word| word.literal() != Some(target)).cloned().collect();
    Ok((format!("make {target}"), arguments))
}

fn words_of(value: &str) -> impl Iterator<Item = &str> {
    value.split_ascii_whitespace().map(|word| word.split_once('=').map_or(word, |(name, _)| name))
}

#[cfg(test)]
pub(super) fn examples() -> Vec<(&'static str, &'static [&'static str], &'static [&'static str])> {
    let mut all: Vec<_> = MANAGERS.iter().map(|manager| (manager.name, manager.yes, manager.no)).collect();
    all.push((
        "make",
        &[
            "make test",
            "make -j 4 test",
            "make -C sub check V=1",
            "make test ARGS='-k foo -n 2'",
            "make -j8 -k lint",
        ],
        &[
            "make",
            "make build",
            "make test clean",
            "make -n test",
            "make test -n",
            "make -nk test",
            "make -ki test",
            "make --dry-run test",
            "make -i test",
            "make -q test",
            "make -t test",
            "make test SHELL=/bin/true",
            "make test PYTHON=true",
            "make --eval='test:' test",
            "make test MAKEFLAGS=-n",
            "make typecheck",
            "make test ARGS=--collect-only",
            "make 4 test",
        ],
    ));
    all.push((
        ".pi/verify",
        &[".pi/verify", "./.pi/verify --fast 'a b'", "rtk .pi/verify"],
        &[
            ".pi/verify --help", ".pi/verify.sh", "pi/verify", ".pi/verify/x", "source .pi/verify",
            "cat .pi/verify", "bash -c .pi/verify",
        ],
    ));
    all
}
