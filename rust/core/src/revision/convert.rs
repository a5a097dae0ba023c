//! Line-end conversion and filters: where they may apply, git says what it would store.

use std::os::fd::AsFd;

use memchr::memmem;
use rustix::fs::CWD;

use super::deviation::{Deviation, Found};
use super::index::mode;
use super::layout::Layout;
use super::oid::ObjectId;
use super::paths::os_path;
use super::read::{look, small_file};
use super::staged::Staged;
use super::stamp::Deadline;
use super::unknown::{Unknown, UnknownKind};
use super::warm::Conversions;

/// Attributes that change any content.
const ANY_CONTENT: &[&[u8]] = &[b"filter", b"ident", b"working-tree-encoding"];
/// Attributes that change line ends only.
const LINE_ENDS: &[&[u8]] = &[b"text", b"eol", b"crlf"];

/// What the attributes and settings of a repository can do to a file's content.
struct Rules {
    any_content: bool,
    line_ends: bool,
    identity: blake3::Hash,
}

/// Sets what git would store for every file that may be converted, then drops the files that turn out to
/// be as staged.
pub(super) fn confirm(
    layout: &Layout,
    staged: &Staged,
    deviations: &mut Vec<Deviation>,
    memory: &mut Conversions,
    deadline: Deadline,
) -> Result<(), Unknown> {
    if !deviations.iter().any(|deviation| matches!(deviation.found, Found::File { .. })) {
        return Ok(());
    }
    let rules = Rules::load(layout, staged, deviations);
    if memory.rules != Some(rules.identity) {
        *memory = Conversions { rules: Some(rules.identity), ..Conversions::default() };
    }
    let mut asked = Vec::new();
    for (at, deviation) in deviations.iter_mut().enumerate() {
        if let Found::File { mode, raw, stored, .. } = &mut deviation.found
            && *mode != mode::SYMLINK
            && (rules.any_content || (rules.line_ends && raw.has_cr))
        {
            match memory.made.get(&deviation.path[..]) {
                Some((from, to)) if *from == raw.id => *stored = *to,
                _ => asked.push(at),
            }
        }
    }
    if !asked.is_empty() {
        ask_git(layout, deviations, &asked, memory, deadline)?;
    }
    deviations.retain(|deviation| !is_as_staged(deviation, staged));
    memory.made.retain(|path, _| deviations_have(deviations, path));
    Ok(())
}

fn deviations_have(deviations: &[Deviation], path: &[u8]) -> bool {
    deviations.binary_search_by(|deviation| deviation.path[..].cmp(path)).is_ok()
}

fn is_as_staged(deviation: &Deviation, staged: &Staged) -> bool {
    let Found::File { mode, stored, .. } = &deviation.found else { return false };
    let entry = staged.index.find(&deviation.path).filter(|entry| deviation.tracked && entry.is_staged());
    entry.is_some_and(|entry| entry.mode == *mode && staged.index.object_id(entry) == stored.as_slice())
}

fn ask_git(
    layout: &Layout,
    deviations: &mut [Deviation],
    asked: &[usize],
    memory: &mut Conversions,
    deadline: Deadline,
) -> Result<(), Unknown> {
    let mut paths = Vec::new();
    for at in asked {
        paths.extend(deviations.get(*at).map(|deviation| quote(&deviation.path)).unwrap_or_default());
    }
    let limit = asked.len() * 65 + 1024;
    let answer = layout.git(&layout.root).args(["hash-object", "--stdin-paths"]).input(&paths);
    let answer = answer.run(limit, deadline)?;
    let mut files = asked.iter().filter_map(|at| deviations.get(*at));
    files.try_for_each(|deviation| check_unchanged(layout, deviation))?;
    if answer.code != Some(0) {
        return Err(UnknownKind::Git.into());
    }
    let names: Option<Vec<ObjectId>> =
        answer.stdout.trim_ascii_end().split(|byte| *byte == b'\n').map(ObjectId::from_hex).collect();
    let names = names.filter(|names| names.len() == asked.len()).ok_or(UnknownKind::Git)?;
    for (at, name) in asked.iter().zip(names) {
        if let Some(Deviation { path, found: Found::File { raw, stored, .. }, .. }) = deviations.get_mut(*at)
        {
            *stored = name;
            memory.made.insert(path.to_vec(), (raw.id, name));
        }
    }
    Ok(())
}

/// Git reads a file after we did: it must still be the same.
fn check_unchanged(layout: &Layout, deviation: &Deviation) -> Result<(), Unknown> {
    let file = layout.root.join(os_path(&deviation.path));
    let now = look(CWD.as_fd(), file.as_os_str().as_encoded_bytes())?;
    match &deviation.found {
        Found::File { stamp, .. } if now != Some(*stamp) => Err(Unknown::at(UnknownKind::Changing, file)),
        _ => Ok(()),
    }
}

/// A line for `--stdin-paths`, which reads C-style quotes: the only way to name a path with a line end.
fn quote(path: &[u8]) -> Vec<u8> {
    let mut line = vec![b'"'];
    for byte in path {
        if byte.is_ascii_alphanumeric() || b"/._- ".contains(byte) {
            line.push(*byte);
        } else {
            line.extend_from_slice(format!("\\{byte:03o}").as_bytes());
        }
    }
    line.extend_from_slice(b"\"\n");
    line
}

impl Rules {
    /// Reads all attribute files: the user's, the repository's own, those in the index and new ones.
    fn load(layout: &Layout, staged: &Staged, deviations: &[Deviation]) -> Self {
        let outside =
            [layout.settings.attributes_file.clone(), Some(layout.common_dir.join("info/attributes"))];
        let outside = outside.into_iter().flatten().filter_map(|file| std::fs::read(file).ok());
        let tracked = staged.index.entries().iter().map(|entry| staged.index.path(entry));
        let new =
            deviations.iter().filter(|deviation| !deviation.tracked).map(|deviation| &deviation.path[..]);
        let inside = tracked.chain(new).filter(|path| path.ends_with(b".gitattributes"));
        let inside = inside.filter_map(|path| {
            small_file(CWD, layout.root.join(os_path(path)).as_os_str().as_encoded_bytes())
        });

        let mut hasher = blake3::Hasher::new();
        hasher.update(&layout.settings.conversion);
        let mut any_content = false;
        let mut line_ends = layout.settings.auto_crlf;
        for text in outside.chain(inside) {
            let names = |words: &[&[u8]]| words.iter().any(|word| memmem::find(&text, word).is_some());
            any_content = any_content || names(ANY_CONTENT);
            line_ends = line_ends || names(LINE_ENDS);
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(&text);
        }
        Self { any_content, line_ends, identity: hasher.finalize() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_what_could_end_a_line_or_a_quote() {
        assert_eq!(quote(b"a/b-c.d e_f"), b"\"a/b-c.d e_f\"\n");
        assert_eq!(quote(b"a\nb\"\\\xff"), b"\"a\\012b\\042\\134\\377\"\n");
    }
}
