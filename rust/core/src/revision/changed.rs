//! The paths whose files are not as in HEAD.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use super::deviation::{Deviation, Found};
use super::host::Host;
use super::layout::Layout;
use super::oid::ObjectId;
use super::paths::{Prefix, os_path};
use super::snapshot::{DEEPEST, Snapshot, take};
use super::stamp::Deadline;
use super::unknown::{Unknown, UnknownKind};
use super::warm::Warm;

/// A list of staged changes longer than this is not read, in bytes.
const STAGED_CHANGES: usize = 256 << 20;

/// Which of the workspace's files are not as committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangedPaths {
    /// Sorted, relative to the workspace's directory, and only what lies in it. A file is listed where it
    /// differs from HEAD, whether that is staged or not, was deleted, or is not tracked and not ignored; both
    /// the old and the new path of a renamed one; a submodule or nested repository as one path.
    Known(Vec<PathBuf>),
    /// Git cannot say: there is no repository or no commit yet, or it took too long. Any path may have
    /// changed, so a caller keeps the paths it has.
    KeepAll(Unknown),
}

/// What a path was in HEAD: `None` where it was not there.
type InHead = Option<(u32, ObjectId)>;

/// The changed tracked paths in git's form. An untracked path is among them only where HEAD has it.
pub(super) fn tracked(
    layout: &Layout,
    snapshot: &Snapshot,
    host: &Host,
    depth: usize,
    deadline: Deadline,
) -> Result<BTreeSet<Vec<u8>>, Unknown> {
    let head = snapshot.head.ok_or(UnknownKind::NoCommit)?;
    let staged = staged_changes(layout, &head, deadline)?;
    let mut changed: BTreeSet<Vec<u8>> = staged.keys().cloned().collect();
    let index = &snapshot.staged.index;
    for deviation in snapshot.deviations.iter().filter(|deviation| deviation.tracked) {
        let path = &deviation.path[..];
        let as_staged = || index.find(path).filter(|entry| entry.is_staged());
        let in_head: InHead = match staged.get(path) {
            Some(in_head) => *in_head,
            None => as_staged()
                .and_then(|entry| Some((entry.mode, ObjectId::from_slice(index.object_id(entry))?))),
        };
        let differs = match &deviation.found {
            Found::Gone => in_head.is_some(),
            Found::Special { .. } => true,
            Found::File { mode, stored, .. } => in_head != Some((*mode, *stored)),
            Found::Repository { .. } => submodule_differs(layout, path, in_head, host, depth, deadline)?,
        };
        if differs {
            changed.insert(path.to_vec());
        } else {
            changed.remove(path);
        }
    }
    Ok(changed)
}

/// All changed paths, as the caller sees them.
pub(super) fn all(
    layout: &Layout,
    snapshot: &Snapshot,
    prefix: &Prefix,
    host: &Host,
    deadline: Deadline,
) -> Result<Vec<PathBuf>, Unknown> {
    let tracked = tracked(layout, snapshot, host, 0, deadline)?;
    let untracked = snapshot.deviations.iter().filter(|deviation| !deviation.tracked);
    let untracked = untracked.map(|deviation| deviation.path.to_vec());
    let paths: BTreeSet<PathBuf> =
        tracked.into_iter().chain(untracked).filter_map(|path| prefix.strip(&path)).collect();
    Ok(paths.into_iter().collect())
}

/// Whether a submodule has another commit than HEAD says, or changes of its own.
fn submodule_differs(
    layout: &Layout,
    path: &[u8],
    in_head: InHead,
    host: &Host,
    depth: usize,
    deadline: Deadline,
) -> Result<bool, Unknown> {
    let root = layout.root.join(os_path(path));
    if depth >= DEEPEST {
        return Err(Unknown::at(UnknownKind::TooDeep, root));
    }
    let inner = Layout::exactly(&root, host, deadline)?;
    let snapshot = take(&inner, &mut Warm::default(), host, depth + 1, deadline)?;
    let moved = snapshot.head.is_none() || snapshot.head != in_head.map(|(_, id)| id);
    let is_untracked = |deviation: &Deviation| !deviation.tracked;
    Ok(moved
        || snapshot.deviations.iter().any(is_untracked)
        || !tracked(&inner, &snapshot, host, depth + 1, deadline)?.is_empty())
}

/// The paths whose index entry differs from HEAD, with what they were in HEAD.
fn staged_changes(
    layout: &Layout,
    head: &ObjectId,
    deadline: Deadline,
) -> Result<HashMap<Vec<u8>, InHead>, Unknown> {
    let args = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--ignore-submodules=none"];
    let answer = layout.git(&layout.root).args(args).args([&head.to_string(), "--"]);
    let answer = answer.output(STAGED_CHANGES, deadline)?;
    parse_raw(&answer).ok_or_else(|| UnknownKind::Git.into())
}

/// Reads `:oldmode newmode oldname newname status NUL path NUL`, repeated.
fn parse_raw(raw: &[u8]) -> Option<HashMap<Vec<u8>, InHead>> {
    let mut fields = raw.split(|byte| *byte == 0);
    let mut changes = HashMap::new();
    while let Some(facts) = fields.next().filter(|facts| !facts.is_empty()) {
        let path = fields.next()?;
        let mut facts = std::str::from_utf8(facts.strip_prefix(b":")?).ok()?.split(' ');
        let mode = u32::from_str_radix(facts.next()?, 8).ok()?;
        let name = ObjectId::from_hex(facts.nth(1)?.as_bytes())?;
        // A conflict is listed twice: once as such, without what was in HEAD.
        let in_head = (mode != 0).then_some((mode, name));
        let known = changes.entry(path.to_vec()).or_insert(in_head);
        *known = known.or(in_head);
    }
    Some(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_raw_changes() {
        let name = "1".repeat(40);
        let none = "0".repeat(40);
        let raw = format!(
            ":100644 100644 {name} {none} M\0a b\0:000000 100644 {none} {name} A\0new\nline\0\
             :000000 000000 {none} {none} U\0both\0:100755 100644 {name} {none} M\0both\0"
        );
        let changes = parse_raw(raw.as_bytes()).unwrap();
        let id = ObjectId::from_hex(name.as_bytes()).unwrap();
        assert_eq!(changes.len(), 3);
        assert_eq!(changes[&b"a b"[..]], Some((0o100_644, id)));
        assert_eq!(changes[&b"new\nline"[..]], None);
        assert_eq!(changes[&b"both"[..]], Some((0o100_755, id)));
    }

    #[test]
    fn refuses_another_shape() {
        for raw in ["M\0path\0", ":100644 100644\0path\0", ":x 1 2 3 M\0path\0"] {
            assert!(parse_raw(raw.as_bytes()).is_none(), "{raw:?}");
        }
    }
}
