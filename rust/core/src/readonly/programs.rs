//! One command → the room that knows it.

use super::walk::Walk;
use super::{Why, archives, awk, builtins, find, git, infra, sed, sql, table, wrappers};
use crate::shell::Word;
use crate::shell::options::Refusal;

/// Directories whose programs are the ones that their names say.
const SYSTEM_FOLDERS: &[&str] =
    &["/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"];

/// Judges `words`, a command name and its arguments.
pub(super) fn judge(walk: &mut Walk, words: &[Word]) -> Result<(), Why> {
    let [first, arguments @ ..] = words else { return Err(Why::Empty) };
    let written = first.literal().ok_or(Why::DynamicCommand)?;
    let name = match written.rsplit_once('/') {
        Some((folder, name)) if SYSTEM_FOLDERS.contains(&folder) => name,
        Some(_) => return Err(Why::UnknownCommand(written.to_owned())),
        None => written,
    };
    let builtin = written == name;
    match name {
        "git" => git::judge(arguments),
        "sed" | "gsed" => sed::judge(name, arguments),
        "awk" | "gawk" | "mawk" | "nawk" => awk::judge(name, arguments),
        "find" | "gfind" => find::judge(walk, arguments),
        "fd" | "fdfind" => find::judge_fd(walk, arguments),
        "tar" | "gtar" | "bsdtar" => archives::judge_tar(name, arguments),
        "sqlite3" => sql::judge_sqlite(arguments),
        "gh" if first_is(arguments, "api") => infra::judge_gh_api(arguments),
        _ if wrappers::knows(name) => wrappers::judge(walk, name, arguments),
        _ if builtin && builtins::knows(name) => builtins::judge(walk, name, arguments),
        _ => table::judge(name, arguments),
    }
}

fn first_is(arguments: &[Word], text: &str) -> bool {
    arguments.first().and_then(Word::literal) == Some(text)
}

/// The refusal of an option scan as a reason.
pub(super) fn refused(command: &str, refusal: Refusal) -> Why {
    match refusal {
        Refusal::Unknown(option) => Why::Option { command: command.to_owned(), option },
        Refusal::Unprovable => Why::DynamicOption(command.to_owned()),
    }
}
