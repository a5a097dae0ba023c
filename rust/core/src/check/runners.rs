//! Commands that run a tool and keep its exit status: `npx`, `uv run`, `python -m` and their like.

use super::Not;
use crate::shell::Word;
use crate::shell::options::{self, Refusal};

/// A runner: a name, the words after it that make it one, and its own options.
struct Runner {
    /// `|`-separated names.
    names: &'static str,
    /// The sub-command, or nothing.
    verb: &'static str,
    /// Options before the tool.
    options: &'static str,
    /// Commands that are checks through it.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests"))]
    yes: &'static [&'static str],
    /// Commands that are not.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests"))]
    no: &'static [&'static str],
}

const RUNNERS: &[Runner] = &[
    Runner {
        names: "npx|pnpx",
        verb: "",
        options: "-y --yes --no-install --no -p: --package: -q --quiet --silent --offline --prefer-offline --prefer-online -w: --workspace: --ignore-existing",
        yes: &[
            "npx tsc --noEmit",
            "npx --no-install eslint .",
            "npx -y vitest@3 run",
            "npx -p typescript tsc",
        ],
        no: &["npx -c 'eslint .'", "npx cowsay test", "npx prettier --check .", "npx", "npx vitest list"],
    },
    Runner {
        names: "bunx",
        verb: "",
        options: "--bun -b --silent --no-install -p: --package:",
        yes: &["bunx --bun vitest run", "bunx tsc"],
        no: &["bunx cowsay jest", "bunx"],
    },
    Runner {
        names: "bun",
        verb: "x",
        options: "--bun -b --silent --no-install",
        yes: &["bun x eslint ."],
        no: &["bun x cowsay", "bun x"],
    },
    Runner {
        names: "npm",
        verb: "exec|x",
        options: "-y --yes --no -w: --workspace: --workspaces -p: --package: --silent",
        yes: &["npm exec -- vitest run", "npm exec eslint ."],
        no: &["npm exec -c 'eslint .'", "npm exec cowsay"],
    },
    Runner {
        names: "pnpm",
        verb: "exec|dlx",
        options: "-r --recursive -F: --filter: -C: --dir: --silent -s --package: --parallel",
        yes: &["pnpm exec vitest run", "pnpm dlx oxlint"],
        no: &["pnpm exec vitest --version", "pnpm exec -c 'jest'", "pnpm dlx cowsay"],
    },
    Runner {
        names: "yarn",
        verb: "exec|dlx",
        options: "-p: --package: -q --quiet --silent",
        yes: &["yarn dlx jest", "yarn exec eslint ."],
        no: &["yarn dlx cowsay jest"],
    },
    Runner {
        names: "uv",
        verb: "run",
        options: "-q --quiet -v --verbose --with: --with-editable: --with-requirements: --frozen --locked --no-sync --extra: --all-extras --no-extra: \
                  --group: --no-group: --only-group: --all-groups --project: --directory: --package: --all-packages -p: --python: --dev --no-dev --only-dev \
                  --isolated --active --exact --no-project --no-config --offline --env-file: --no-env-file -m --module --managed-python --no-progress \
                  --color: --prerelease: --resolution: --index: --default-index: --refresh -U --upgrade --no-cache -n --cache-dir: --reinstall",
        yes: &[
            "uv run pytest -q",
            "uv run --with x --frozen pytest",
            "uv run -m pytest",
            "uv run python -m pytest",
            "uv run --extra dev ruff check .",
        ],
        no: &[
            "uv run python test.py",
            "uv run",
            "uv run --help pytest",
            "uv run -s pytest",
            "uv pip install pytest",
            "uv run black .",
        ],
    },
    Runner {
        names: "uvx",
        verb: "",
        options: "-q --quiet --with: --from: -p: --python: --isolated --offline --no-cache",
        yes: &["uvx pytest", "uvx ruff check ."],
        no: &["uvx cowsay", "uvx black ."],
    },
    Runner {
        names: "uv",
        verb: "tool run",
        options: "-q --quiet --with: --from: -p: --python: --isolated --offline --no-cache",
        yes: &["uv tool run ruff check"],
        no: &["uv tool install ruff", "uv tool run black ."],
    },
    Runner {
        names: "poetry|pdm|pipenv|hatch|rye",
        verb: "run",
        options: "-q --quiet --no-ansi",
        yes: &["poetry run pytest", "pdm run mypy src"],
        no: &["poetry run black .", "poetry install", "hatch run --help"],
    },
];

/// Python with a module: the interpreter's own options.
const PYTHON: &str = "-B -u -s -I -E -P -W: -X: -d";

/// Modules that are tools.
const MODULES: &[&str] = &["pytest", "mypy", "ruff"];

/// What `name` runs, when it is a runner.
pub(super) fn unwrap<'w>(name: &str, words: &'w [Word]) -> Result<Option<&'w [Word]>, Not> {
    if let Some(module) = module(name, words)? {
        return Ok(Some(module));
    }
    for runner in RUNNERS.iter().filter(|runner| runner.names.split('|').any(|one| one == name)) {
        let Some(rest) = after_verb(runner.verb, words) else { continue };
        let (_, inner) = options::leading(runner.options, rest).map_err(|refusal| refused(name, &refusal))?;
        return Ok(Some(inner));
    }
    Ok(None)
}

/// What follows a runner's verb; the verb is nothing, one of several words, or two words.
fn after_verb<'w>(verb: &str, words: &'w [Word]) -> Option<&'w [Word]> {
    let mut rest = words;
    for wanted in verb.split(' ').filter(|part| !part.is_empty()) {
        let (first, after) = rest.split_first()?;
        let given = first.literal()?;
        if !wanted.split('|').any(|one| one == given) {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

/// The module and its arguments in `python -m MODULE …`.
pub(super) fn module<'w>(name: &str, words: &'w [Word]) -> Result<Option<&'w [Word]>, Not> {
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    if !version.is_some_and(|version| version.bytes().all(|b| b.is_ascii_digit() || b == b'.')) {
        return Ok(None);
    }
    let at = words.iter().position(|word| word.literal() == Some("-m")).unwrap_or(words.len());
    let (own, rest) = words.split_at_checked(at).unwrap_or((words, &[]));
    let (_, left) = options::leading(PYTHON, own).map_err(|refusal| refused(name, &refusal))?;
    let module = rest.get(1..).unwrap_or_default();
    let known = module.first().and_then(Word::literal).is_some_and(|module| MODULES.contains(&module));
    if left.is_empty() && known { Ok(Some(module)) } else { Err(Not::Unknown(name.to_owned())) }
}

pub(super) fn refused(tool: &str, refusal: &Refusal) -> Not {
    match refusal {
        Refusal::Unknown(argument) => Not::Argument { tool: tool.to_owned(), argument: argument.clone() },
        Refusal::Unprovable => Not::Dynamic,
    }
}

#[cfg(test)]
pub(super) fn examples() -> Vec<(&'static str, &'static [&'static str], &'static [&'static str])> {
    let mut all: Vec<_> = RUNNERS.iter().map(|runner| (runner.names, runner.yes, runner.no)).collect();
    all.push((
        "python -m",
        &["python3 -m pytest -q", "python -m mypy .", "python3.13 -B -m ruff check ."],
        &[
            "python -m unittest",
            "python -m",
            "python test.py",
            "python -c 'import pytest' -m pytest",
            "python -m pip install pytest",
            "python -O -m pytest",
        ],
    ));
    all
}
