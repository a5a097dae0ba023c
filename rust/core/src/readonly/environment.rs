//! Which variables may be set.
//!
//! Nearly any variable may be one that a program obeys (`PAGER`, `LD_PRELOAD`, `GIT_EXTERNAL_DIFF`), so only
//! listed ones are harmless to a command, and only names that no program reads are harmless to the shell.

use super::Why;

/// Which values a listed variable may have.
enum Values {
    Any,
    /// One of these, separated by `|`; an empty alternative is the empty value.
    OneOf(&'static str),
    /// Letters, digits and `. _ - , : + @ %`, not beginning with `-`: a locale, a number, a word.
    Plain,
    /// The same with `/` inside, for time zones.
    Zone,
}

/// Blank-separated names and what they may be set to.
const LISTED: &[(&str, Values)] = &[
    ("NO_COLOR CLICOLOR CLICOLOR_FORCE FORCE_COLOR CARGO_TERM_COLOR PY_COLORS", Values::Any),
    ("LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_NUMERIC LC_TIME", Values::Plain),
    ("TZ", Values::Zone),
    ("LS_COLORS GREP_COLOR GREP_COLORS TIME_STYLE QUOTING_STYLE BLOCK_SIZE BLOCKSIZE", Values::Any),
    // How the shell splits words; split words are never relied on.
    ("IFS", Values::Any),
    ("COLUMNS LINES CI RUST_BACKTRACE NODE_ENV", Values::Plain),
    ("TERM", Values::OneOf("dumb|xterm|xterm-256color|vt100|linux|ansi")),
    ("PAGER GIT_PAGER MANPAGER GH_PAGER SYSTEMD_PAGER BAT_PAGER AWS_PAGER", Values::OneOf("cat|")),
    ("GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT GIT_LITERAL_PATHSPECS", Values::OneOf("0|1")),
    ("GH_PROMPT_DISABLED GH_NO_UPDATE_NOTIFIER NO_UPDATE_NOTIFIER PYTHONUNBUFFERED", Values::Plain),
    ("HOMEBREW_NO_AUTO_UPDATE PIP_DISABLE_PIP_VERSION_CHECK SYSTEMD_COLORS DEBIAN_FRONTEND", Values::Plain),
];

/// Lower-case names that programs do read, as whole names or endings.
const LOWER_CASE: &[&str] =
    &["histchars", "auto_resume", "prompt", "path", "fpath", "status", "argv", "mailcheck"];

/// Upper-case names that scripts use for themselves.
const CONVENTIONAL: &str = "FILE FILES DIR DIRS NAME NAMES ROOT REPO SRC DEST DST BASE BRANCH COMMIT COUNT TOTAL LINE RESULT \
     RESULTS VERSION OUT OUTPUT MSG PATTERN QUERY LIMIT START END FOUND MATCH MATCHES TARGET PKG HASH SHA ID NUM IDX \
     INDEX KEY VALUE VAL LOG URL HOST PORT SIZE DATE NOW EXT LIST ITEM ITEMS ARGS DATA TEXT STR";

/// Whether a command may be run with `name` set to `value`.
pub(super) fn harmless(name: &str, value: &str) -> bool {
    LISTED.iter().filter(|(names, _)| names.split(' ').any(|listed| listed == name)).any(|(_, values)| {
        match values {
            Values::Any => true,
            Values::OneOf(allowed) => allowed.split('|').any(|one| one == value),
            Values::Plain => is_plain(value),
            Values::Zone => {
                is_plain(&value.replace('/', "_")) && !value.starts_with('/') && !value.contains("..")
            }
        }
    })
}

fn is_plain(value: &str) -> bool {
    !value.starts_with('-') && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-,:+@%".contains(&b))
}

/// Whether `name` is one that only the script itself reads.
pub(super) fn is_private(name: &str) -> bool {
    if !is_identifier(name) || name == "_" {
        return false;
    }
    if name.bytes().any(|b| b.is_ascii_uppercase()) {
        return name.len() == 1 || CONVENTIONAL.split_ascii_whitespace().any(|listed| listed == name);
    }
    !LOWER_CASE.contains(&name)
        && !["_proxy", "_config", "_options", "_path", "_library"].iter().any(|ending| name.ends_with(ending))
        && !["npm_", "pnpm_", "yarn_", "ld_", "bash_", "git_"].iter().any(|start| name.starts_with(start))
}

/// Refuses a variable that a loop, a builtin or an expansion may not set.
pub(super) fn settable(name: &str) -> Result<(), Why> {
    if is_private(name) { Ok(()) } else { Err(Why::Variable(name.to_owned())) }
}

/// Whether `name` is a plain variable name, without a subscript.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
