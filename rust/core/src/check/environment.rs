//! Assignments before a check.
//!
//! Any variable may be set, except those through which a shell, loader, runner or compiler is told to run
//! something else, to skip the check or to report success.

use super::Not;
use super::{tool_table, tools};
use crate::shell::options;
use crate::shell::{Assignment, AssignmentValue, Piece, Word};

/// Whole names.
const NAMES: &str = "PATH IFS ENV BASH_ENV SHELL SHELLOPTS BASHOPTS PS4 CDPATH MAKE MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES RUSTC RUSTDOC CARGO \
     CARGO_BUILD_RUSTC CARGO_BUILD_RUSTDOC CLIPPY_CONF_DIR GOROOT GOENV GOEXE PYTHONHOME PYTHONOPTIMIZE PYTHONINSPECT PYTHONSTARTUP \
     NODE_REPL_EXTERNAL_MODULE PROMPT_COMMAND TERMINFO COMSPEC";

/// Beginnings, in lower case.
const STARTS: &[&str] =
    &["ld_", "dyld_", "npm_config_", "pnpm_config_", "yarn_", "bash_func_", "cargo_alias_", "gconv_"];

/// Endings, in lower case.
const ENDS: &[&str] = &["_wrapper", "_runner", "_linker", "_preload", "_shell", "_script_shell"];

/// Variables whose value is options, and the options that leave the check a check.
const OPTIONS: &[(&str, &str)] = &[
    (
        "GOFLAGS",
        "nobundle -mod: -tags: -race? -count: -v? -buildvcs: -trimpath? -p: -timeout: -short? -cover? -ldflags: -gcflags: -parallel: -shuffle:",
    ),
    (
        "NODE_OPTIONS",
        "--max-old-space-size: --max_old_space_size: --experimental-vm-modules --no-warnings --enable-source-maps --trace-warnings \
         --trace-deprecation --no-deprecation --experimental-strip-types --unhandled-rejections: --stack-trace-limit: --experimental-default-type: \
         --dns-result-order: --openssl-legacy-provider --no-experimental-fetch --expose-gc --experimental-require-module",
    ),
    ("RUSTFLAGS", "-D: -W: -A: -C: --cfg: -g -O"),
    ("RUSTDOCFLAGS", "-D: -W: -A: --cfg:"),
    ("PYTEST_ADDOPTS", tool_table::PYTEST),
];

/// Accepts an assignment before a check.
pub(super) fn accept(assignment: &Assignment) -> Result<(), Not> {
    let name = assignment.name.as_str();
    let refuse = || Not::Variable(name.to_owned());
    let AssignmentValue::Scalar(value) = &assignment.value else { return Err(refuse()) };
    let runs = |piece: &Piece| {
        matches!(
            piece,
            Piece::Substitution { .. } | Piece::Process(_) | Piece::Parameter { assigns: true, .. }
        )
    };
    if assignment.subscript || value.pieces.iter().any(runs) {
        return Err(refuse());
    }
    let lower = name.to_ascii_lowercase();
    let listed = NAMES.split_ascii_whitespace().any(|one| one == name);
    if listed
        || STARTS.iter().any(|start| lower.starts_with(start))
        || ENDS.iter().any(|end| lower.ends_with(end))
    {
        return Err(refuse());
    }
    if let Some((_, allowed)) = OPTIONS.iter().find(|(variable, _)| *variable == name) {
        let text = value.literal().ok_or_else(refuse)?;
        let words: Vec<Word> = text.split_ascii_whitespace().map(Word::text).collect();
        let scanned = options::scan(allowed, &words).map_err(|_| refuse())?;
        return if scanned.operands.is_empty() && tools::checks_something(&scanned) {
            Ok(())
        } else {
            Err(refuse())
        };
    }
    if value.literal().is_some_and(|text| always_succeeds(name, text)) { Err(refuse()) } else { Ok(()) }
}

/// `CC=true`, `PYTHON=/bin/true`, `NODE=:`: a tool replaced by one that does nothing. `CI=true` is a setting.
pub(super) fn always_succeeds(name: &str, value: &str) -> bool {
    const TOOLS: &str = "CC CXX LD AR AS CPP PYTHON PYTHON3 NODE NPM NPX YARN PNPM BUN GO CARGO JAVA RUBY PYTEST JEST TSC ESLINT MYPY RUFF LINT LINTER \
         TEST RUNNER TESTER CHECK VERIFY GOTEST GOLANGCI_LINT VITEST TEST_CMD TEST_COMMAND LINT_CMD CMD";
    let program = value.split_ascii_whitespace().next().unwrap_or_default();
    let idle = |program: &str| matches!(program, "true" | ":" | "echo" | "printf" | "exit" | "cat" | "test");
    let is_tool = TOOLS.split_ascii_whitespace().any(|one| one == name);
    match program.rsplit_once('/') {
        Some((_, base)) => idle(base),
        None => program == ":" || (is_tool && idle(program)),
    }
}
