//! Added lines that carry a debug tag, from the text of a diff without context.

use std::path::PathBuf;

use memchr::memmem;

use super::paths::os_path;

/// The mark that a temporary line carries.
pub(super) const DEBUG_TAG: &[u8] = b"[DEBUG-";

/// A line that carries a debug tag.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DebugTag {
    /// From the directory that was asked about, or as in the diff.
    pub path: PathBuf,
    /// Counted from 1, in the file as it is now.
    pub line: usize,
}

/// The added lines with `[DEBUG-` of a unified diff made with `-U0 --dst-prefix=b/`. Total: text of another
/// shape gives none.
#[must_use]
pub fn debug_tags_in_diff(diff: &[u8]) -> Vec<DebugTag> {
    let mut found = Vec::new();
    let mut path = None;
    // The lines of the current hunk that are still to come: they may look like headers.
    let (mut removed, mut added, mut line) = (0_usize, 0_usize, 0_usize);
    for text in diff.split(|byte| *byte == b'\n') {
        match text.split_first() {
            Some((b'-', _)) if removed > 0 => removed -= 1,
            Some((b'+', rest)) if added > 0 => {
                if memmem::find(rest, DEBUG_TAG).is_some() {
                    found.extend(path.clone().map(|path| DebugTag { path, line }));
                }
                added -= 1;
                line += 1;
            }
            Some((b'@', _)) => (removed, added, line) = hunk_header(text).unwrap_or((0, 0, 0)),
            Some((b'd', _)) if text.starts_with(b"diff ") => path = None,
            Some((b'+', _)) => {
                if let Some(name) = text.strip_prefix(b"+++ ") {
                    path = new_path(name);
                }
            }
            _ => {}
        }
    }
    found
}

/// `@@ -start[,count] +start[,count] @@` → lines removed, lines added, first added line.
fn hunk_header(text: &[u8]) -> Option<(usize, usize, usize)> {
    let text = std::str::from_utf8(text.get(..text.len().min(100))?)
        .or_else(|error| std::str::from_utf8(text.get(..error.valid_up_to()).unwrap_or(&[])))
        .ok()?;
    let mut words = text.strip_prefix("@@ -")?.split(' ');
    let range = |word: &str| match word.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((word.parse().ok()?, 1)),
    };
    let (_, removed) = range(words.next()?)?;
    let (line, added) = range(words.next()?.strip_prefix('+')?)?;
    Some((removed, added, line))
}

/// The path of a `+++` line; `None` for `/dev/null`.
fn new_path(name: &[u8]) -> Option<PathBuf> {
    match name.split_first()? {
        (b'"', rest) => unquote(rest)?.strip_prefix(b"b/").map(|path| os_path(path).to_owned()),
        // A path with a space is followed by a tab.
        _ => {
            name.strip_prefix(b"b/").map(|path| os_path(path.strip_suffix(b"\t").unwrap_or(path)).to_owned())
        }
    }
}

/// Undoes git's C-style quotes; `rest` follows the opening one.
fn unquote(rest: &[u8]) -> Option<Vec<u8>> {
    let mut path = Vec::new();
    let mut bytes = rest.iter().copied();
    loop {
        match bytes.next()? {
            b'"' => return Some(path),
            b'\\' => path.push(match bytes.next()? {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                high @ b'0'..=b'3' => {
                    let digit = |byte: u8| char::from(byte).to_digit(8);
                    let value = digit(high)? * 64 + digit(bytes.next()?)? * 8 + digit(bytes.next()?)?;
                    u8::try_from(value).ok()?
                }
                other => other,
            }),
            other => path.push(other),
        }
    }
}

/// The lines of a file's text that carry `[DEBUG-`, counted from 1. None in a binary file, as in git's diffs.
#[must_use]
pub fn debug_tag_lines(text: &[u8]) -> Vec<usize> {
    /// Git looks so far for a NUL.
    const BINARY_PROBE: usize = 8000;
    if memmem::find(text, DEBUG_TAG).is_none()
        || memchr::memchr(0, text.get(..BINARY_PROBE).unwrap_or(text)).is_some()
    {
        return Vec::new();
    }
    let lines = text.split(|byte| *byte == b'\n').enumerate();
    lines.filter(|(_, line)| memmem::find(line, DEBUG_TAG).is_some()).map(|(at, _)| at + 1).collect()
}
