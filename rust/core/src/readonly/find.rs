//! `find` and `fd`: every test and action is listed; what `-exec` runs is judged in turn.

use super::Why;
use super::programs::refused;
use super::walk::Walk;
use crate::shell::options;
use crate::shell::{Piece, Word};

/// Options, tests, operators and actions without an argument.
const PLAIN: &str = "-true -false -empty -executable -readable -writable -nouser -nogroup -daystart -depth -follow -mount -xdev -noleaf \
     -ignore_readdir_race -warn -nowarn -print -print0 -ls -prune -quit -a -and -o -or -not ! ( ) , -H -L -P -E -X -s -x -O0 -O1 -O2 -O3 --help --version";

/// Tests and actions with one argument.
const WITH_ARGUMENT: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -atime -ctime \
     -mmin -amin -cmin -newer -anewer -cnewer -newermt -newerat -newerct -newerBt -newermm -newerma -newermc -newerBm -user -group -uid -gid \
     -perm -links -inum -samefile -maxdepth -mindepth -fstype -regextype -used -printf -Bmin -Btime -context -flags";

/// `-exec` and its kin.
const RUNS: &str = "-exec -execdir -ok -okdir";

fn listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// A path that a program makes up: one word that does not begin with a dash.
fn path() -> Word {
    Word { pieces: vec![Piece::Text(String::from("./")), unknown_piece()] }
}

fn unknown_piece() -> Piece {
    Piece::Parameter { name: String::new(), quoted: true, operator: true, assigns: false, arithmetic: None }
}

/// One word of which nothing is known.
pub(super) fn unknown() -> Word {
    Word { pieces: vec![unknown_piece()] }
}

/// Replaces every `mark` in a word by something unknown; a path, when the word begins with it and `is_path`.
pub(super) fn replace(word: &Word, mark: &str, is_path: bool) -> Word {
    let Some(text) = word.literal().filter(|text| text.contains(mark)) else { return word.clone() };
    let mut pieces = Vec::new();
    for (index, part) in text.split(mark).enumerate() {
        if index > 0 {
            if is_path && pieces.is_empty() {
                pieces.extend(path().pieces);
            } else {
                pieces.push(unknown_piece());
            }
        }
        if !part.is_empty() {
            pieces.push(Piece::Text(part.to_owned()));
        }
    }
    Word { pieces }
}

/// Whether no word that this one turns into can be an action: action names hold neither a dot nor a slash.
fn is_no_action(word: &Word) -> bool {
    if word.splits() {
        return false;
    }
    let telling = |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains(['.', '/']));
    word.is_operand()
        || (word.literal().is_none()
            && !word.pieces.contains(&Piece::Brace)
            && word.pieces.iter().any(telling))
}

/// Judges the arguments of `find`.
pub(super) fn judge(walk: &mut Walk, arguments: &[Word]) -> Result<(), Why> {
    let refuse = |text: &str| Why::Option { command: String::from("find"), option: text.to_owned() };
    let mut rest = arguments;
    while let [word, after @ ..] = rest {
        let Some(text) = word.literal() else {
            if !is_no_action(word) {
                return Err(Why::DynamicOption(String::from("find")));
            }
            rest = after;
            continue;
        };
        if listed(PLAIN, text) || !text.starts_with('-') {
            rest = after;
        } else if listed(WITH_ARGUMENT, text) {
            let (value, after) = after.split_first().ok_or_else(|| refuse(text))?;
            if value.may_be_many() && !is_no_action(value) {
                return Err(Why::DynamicOption(String::from("find")));
            }
            rest = after;
        } else if listed(RUNS, text) {
            rest = run(walk, text, after)?;
        } else {
            return Err(refuse(text));
        }
    }
    Ok(())
}

/// Judges the command of `-exec` and returns what follows its end.
fn run<'w>(walk: &mut Walk, action: &str, words: &'w [Word]) -> Result<&'w [Word], Why> {
    let refuse = || Why::Arguments(format!("find {action}"));
    let ends = |index: usize, word: &Word| match word.literal() {
        Some(";") => true,
        Some("+") => {
            index.checked_sub(1).and_then(|before| words.get(before)).and_then(Word::literal) == Some("{}")
        }
        _ => false,
    };
    let end = words.iter().enumerate().position(|(index, word)| ends(index, word)).ok_or_else(refuse)?;
    let (command, after) = words.split_at_checked(end).ok_or_else(refuse)?;
    let (terminator, after) = after.split_first().ok_or_else(refuse)?;
    if command.iter().any(|word| word.literal().is_none() && !word.is_operand()) {
        return Err(refuse());
    }
    // In its own directory the file may be named without `./` before it.
    let is_path = !action.ends_with("dir");
    let mut judged: Vec<Word> = command.iter().map(|word| replace(word, "{}", is_path)).collect();
    if terminator.literal() == Some("+") {
        judged.push(if is_path { path() } else { unknown() });
    }
    walk.command(&judged)?;
    Ok(after)
}

const FD: &str = "-# -a -c: -d: -e: -E: -F -g -H -I -i -j: -l -L -o: -p -q -s -S: -t: -u -0 -1 --absolute-path --and: --base-directory: --case-sensitive \
     --changed-before: --changed-within: --color: --exact-depth: --exclude: --extension: --fixed-strings --follow --format: --full-path --glob \
     --hidden --hyperlink? --ignore-case --ignore-file: --list-details --max-depth: --max-results: --min-depth: --no-follow --no-hidden --no-ignore \
     --no-ignore-parent --no-ignore-vcs --one-file-system --owner: --path-separator: --print0 --prune --quiet --regex --search-path: --show-errors \
     --size: --strip-cwd-prefix? --threads: --type: --unrestricted --version --help -h -V --newer: --older: --maxdepth:";

/// Judges the arguments of `fd`.
pub(super) fn judge_fd(walk: &mut Walk, arguments: &[Word]) -> Result<(), Why> {
    let runs = |word: &Word| matches!(word.literal(), Some("-x" | "--exec" | "-X" | "--exec-batch"));
    let at = arguments.iter().position(runs).unwrap_or(arguments.len());
    let (own, run) = arguments.split_at_checked(at).unwrap_or((arguments, &[]));
    options::scan(FD, own).map_err(|refusal| refused("fd", refusal))?;
    let Some((_, command)) = run.split_first() else { return Ok(()) };
    if command.iter().any(|word| word.literal().is_none() || word.literal() == Some(";")) {
        return Err(Why::Arguments(String::from("fd --exec")));
    }
    let marks = ["{}", "{/}", "{//}", "{.}", "{/.}"];
    let mut judged: Vec<Word> = command
        .iter()
        .map(|word| {
            if marks.iter().any(|mark| word.literal().is_some_and(|text| text.contains(mark))) {
                unknown()
            } else {
                word.clone()
            }
        })
        .collect();
    judged.push(unknown());
    judged.push(unknown());
    walk.command(&judged)
}

/// What the tests run.
#[cfg(test)]
pub(super) const EXAMPLES: (&[&str], &[&str]) = (
    &[
        "find . -type f -name '*.rs' -not -path './target/*'",
        "find src -newer a -ls",
        "find . -name '-delete'",
        "find . \\( -name a -o -name b \\) -print0",
        "find . -exec grep -l foo {} +",
        "find . -execdir ls {} \\;",
        "find \"$HOME/x\" -maxdepth 2",
        "find . -name *.rs",
        "find . -exec sed -n 1p {} \\;",
        "find . -printf '%p\\n'",
        "fd -e py -H foo",
        "fd -e py -x wc -l",
        "find . -newermt 2026-01-01",
        "find",
    ],
    &[
        "find . -delete",
        "find . $\"-delete\"",
        "find . -fprint a",
        "find . -fls a",
        "find . -exec rm {} +",
        "find . -exec sh -c 'cat {}' \\;",
        "find . -exec uniq {} +",
        "find . -exec sort -o {} {} \\;",
        "find . -exec grep -q x {} \\; -exec rm {} \\;",
        "find $x",
        "find . \"$@\"",
        "find . -name $x",
        "find . -exec {} \\;",
        "find . -ok rm {} \\;",
        "find . -fprintf a %p",
        "find . -files0-from a",
        "find . -exec ls {}",
        "find *",
        "find . -execdir sort {} \\;",
        "fd -x rm",
        "fd -X rm",
        "fd --exec=rm",
        "fd -Hx rm",
        "fd -x sort",
        "fd -x",
        "find . -exec env rm {} +",
    ],
);
