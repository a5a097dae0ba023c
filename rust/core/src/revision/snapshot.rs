//! One reading of a repository, and the two digests made of it.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::fs::{CWD, Mode, OFlags, openat};

use super::convert;
use super::deviation::{Deviation, Found};
use super::host::Host;
use super::ignore::Excludes;
use super::layout::Layout;
use super::oid::ObjectId;
use super::paths::os_path;
use super::read::Reader;
use super::staged::Staged;
use super::stamp::Deadline;
use super::unknown::{Unknown, UnknownKind};
use super::walk::{Nested, Outcome, Walk, is_large};
use super::warm::Warm;

/// Repositories inside of repositories are followed so deep.
pub(super) const DEEPEST: usize = 16;
/// The mode that stands for a nested repository; git has none such.
const REPOSITORY: u32 = 0o170_000;

/// A repository as it was found.
pub(super) struct Snapshot {
    pub(super) head: Option<ObjectId>,
    pub(super) staged: Arc<Staged>,
    /// Sorted by path.
    pub(super) deviations: Vec<Deviation>,
    pub(super) full: blake3::Hash,
    pub(super) content: blake3::Hash,
}

/// Reads a repository, and once more where it changed meanwhile.
pub(super) fn take(
    layout: &Layout,
    warm: &mut Warm,
    host: &Host,
    depth: usize,
    deadline: Deadline,
) -> Result<Snapshot, Unknown> {
    match take_once(layout, warm, host, depth, deadline) {
        Err(reason) if reason.kind() == UnknownKind::Changing => {
            take_once(layout, warm, host, depth, deadline)
        }
        other => other,
    }
}

fn take_once(
    layout: &Layout,
    warm: &mut Warm,
    host: &Host,
    depth: usize,
    deadline: Deadline,
) -> Result<Snapshot, Unknown> {
    if depth > DEEPEST {
        return Err(Unknown::at(UnknownKind::TooDeep, &layout.root));
    }
    let started = (host.clock)();
    let head = layout.head(deadline)?;
    let is_first = warm.staged.is_none();
    let staged = staged(layout, warm, deadline)?;
    let directory = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let root = openat(CWD, &layout.root, directory, Mode::empty())
        .map_err(|_| Unknown::at(UnknownKind::Unreadable, &layout.root))?;
    let outer = &layout.root;
    let walk = Walk {
        root,
        root_path: outer,
        staged: &staged,
        excludes: Excludes::load(layout),
        settings: &layout.settings,
        warm,
        reader: Reader { format: layout.format, clock: host.clock, deadline },
        started,
        remembers_folders: !is_first,
        read_nested: &|path, memory| read_nested(outer, path, memory, host, depth, deadline),
    };
    let Outcome { deviations, learnt } = std::thread::scope(|scope| {
        if is_large(staged.index.entries().len()) {
            // Its digest takes as long as the facts of many a file.
            scope.spawn(|| staged.digest());
        }
        walk.run()
    });
    warm.remember(learnt, deviations.is_ok());
    let mut deviations = deviations?;
    deviations.dedup_by(|b, a| a.path == b.path && a.tracked == b.tracked);
    convert::confirm(layout, &staged, &mut deviations, &mut warm.conversions, deadline)?;
    if layout.head(deadline)? != head || !staged.is_current(layout) {
        return Err(Unknown::at(UnknownKind::Changing, &layout.git_dir));
    }
    warm.staged_is_settled = staged.stamp.is_none_or(|stamp| stamp.settles_in(started).is_zero());
    let content = content_digest(&staged, &deviations);
    let full = full_digest(head.as_ref(), &staged, &deviations, content);
    Ok(Snapshot { head, staged, deviations, full, content })
}

fn staged(layout: &Layout, warm: &mut Warm, deadline: Deadline) -> Result<Arc<Staged>, Unknown> {
    match &warm.staged {
        Some(staged) if warm.staged_is_settled && staged.is_current(layout) => Ok(staged.clone()),
        _ => {
            let staged = Arc::new(Staged::read(layout, deadline)?);
            warm.set_staged(staged.clone());
            Ok(staged)
        }
    }
}

fn read_nested(
    outer: &Path,
    path: &[u8],
    memory: Option<&Mutex<Warm>>,
    host: &Host,
    depth: usize,
    deadline: Deadline,
) -> Nested {
    let root = outer.join(os_path(path));
    let layout = match Layout::exactly(&root, host, deadline) {
        Ok(layout) => layout,
        Err(reason) if reason.kind() == UnknownKind::TimedOut => return Nested::Unknown(reason),
        // Neither git nor we can make it a repository: its files are read as the outer one's.
        Err(_) => return Nested::Plain,
    };
    let mut fresh = Warm::default();
    let taken = match memory {
        Some(memory) => {
            let mut warm = memory.lock().unwrap_or_else(PoisonError::into_inner);
            take(&layout, &mut warm, host, depth + 1, deadline)
        }
        None => take(&layout, &mut fresh, host, depth + 1, deadline),
    };
    match taken {
        Ok(snapshot) => Nested::Repository {
            full: snapshot.full,
            content: snapshot.content,
            warm: memory.is_none().then(|| Box::new(fresh)),
        },
        Err(reason) => Nested::Unknown(reason),
    }
}

/// The digest of what the files are, however they came to be so: the record of every path in order, which
/// is the same before and after the paths are added and committed.
fn content_digest(staged: &Staged, deviations: &[Deviation]) -> blake3::Hash {
    if deviations.is_empty() {
        return staged.digest();
    }
    let index = &staged.index;
    let mut hasher = blake3::Hasher::new();
    let mut at = 0;
    for deviation in deviations {
        let rest = index.entries().get(at..).unwrap_or(&[]);
        let next = at + rest.partition_point(|entry| index.path(entry) < &deviation.path[..]);
        staged.update_with_records(&mut hasher, at, next);
        // The stages of a conflict are several entries of one path.
        let rest = index.entries().get(next..).unwrap_or(&[]);
        at = next + rest.partition_point(|entry| index.path(entry) <= &deviation.path[..]);
        let (mode, id) = match &deviation.found {
            Found::Gone | Found::Special { .. } => continue,
            Found::File { mode, stored, .. } => (*mode, stored.as_slice()),
            Found::Repository { content, .. } => (REPOSITORY, &content.as_bytes()[..]),
        };
        hasher.update(&mode.to_be_bytes());
        hasher.update(id);
        hasher.update(&deviation.path);
        hasher.update(&[0]);
    }
    staged.update_with_records(&mut hasher, at, index.entries().len());
    hasher.finalize()
}

/// The digest of HEAD, the index and the files, with what git's own view of the files leaves out.
fn full_digest(
    head: Option<&ObjectId>,
    staged: &Staged,
    deviations: &[Deviation],
    content: blake3::Hash,
) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_derive_key("loop-core revision, version 1");
    let mut part = |kind: &[u8; 1], bytes: &[u8]| {
        hasher.update(kind);
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(b"h", head.map_or(&[], ObjectId::as_slice));
    part(b"i", staged.digest().as_bytes());
    part(b"c", content.as_bytes());
    for entry in staged.index.entries().iter().filter(|entry| !entry.is_staged()) {
        part(b"s", &[entry.stage, u8::from(entry.intent_to_add)]);
        part(b"e", staged.index.record(entry));
    }
    for deviation in deviations {
        match &deviation.found {
            Found::Special { mode } => part(b"t", &mode.to_be_bytes()),
            Found::File { raw, stored, .. } if raw.id != *stored => part(b"r", raw.id.as_slice()),
            Found::Repository { full, .. } => part(b"n", full.as_bytes()),
            Found::Gone | Found::File { .. } => continue,
        }
        part(b"p", &deviation.path);
    }
    hasher.finalize()
}
