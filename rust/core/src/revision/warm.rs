//! What one reading of a repository leaves for the next: never trusted without a matching stamp.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::index::Index;
use super::oid::ObjectId;
use super::read::Content;
use super::staged::Staged;
use super::stamp::Stamp;

/// A name in a directory that the index does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stray {
    pub(super) name: Box<[u8]>,
    pub(super) kind: StrayKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StrayKind {
    Directory,
    FileOrLink,
}

/// The facts of a directory, and its names that the index does not have.
pub(super) type Listing = (Stamp, Arc<[Stray]>);

/// The memory of one repository.
#[derive(Default)]
pub(super) struct Warm {
    pub(super) staged: Option<Arc<Staged>>,
    /// The index was read long enough after it was written that its stamp proves it to be the same.
    pub(super) staged_is_settled: bool,
    pub(super) files: HashMap<Vec<u8>, (Stamp, Content)>,
    pub(super) folders: HashMap<Vec<u8>, Listing>,
    /// The memories of nested repositories, by path.
    pub(super) nested: HashMap<Vec<u8>, Mutex<Warm>>,
    pub(super) conversions: Conversions,
}

/// What git made of files on their way into the repository.
#[derive(Default)]
pub(super) struct Conversions {
    /// Identifies the attributes and settings that the rest was made under.
    pub(super) rules: Option<blake3::Hash>,
    /// The raw content's name and the converted content's name.
    pub(super) made: HashMap<Vec<u8>, (ObjectId, ObjectId)>,
}

/// What a walk learnt, to be remembered.
#[derive(Default)]
pub(super) struct Learnt {
    pub(super) files: Vec<(Vec<u8>, (Stamp, Content))>,
    pub(super) folders: Vec<(Vec<u8>, Listing)>,
    pub(super) nested: Vec<(Vec<u8>, Warm)>,
    pub(super) files_used: usize,
    pub(super) folders_used: usize,
}

impl Learnt {
    pub(super) fn merge(&mut self, other: Self) {
        self.files.extend(other.files);
        self.folders.extend(other.folders);
        self.nested.extend(other.nested);
        self.files_used += other.files_used;
        self.folders_used += other.folders_used;
    }
}

impl Warm {
    /// Makes `staged` the current index. What is known of directories depends on which paths it has.
    pub(super) fn set_staged(&mut self, staged: Arc<Staged>) {
        let same_paths = self.staged.as_ref().is_some_and(|old| has_same_paths(&old.index, &staged.index));
        if !same_paths {
            self.folders.clear();
        }
        self.staged = Some(staged);
        self.staged_is_settled = false;
    }

    /// Adds what a walk learnt, be it that it was `complete` or that it was given up.
    pub(super) fn remember(&mut self, learnt: Learnt, complete: bool) {
        if complete {
            prune(&mut self.files, learnt.files_used);
            prune(&mut self.folders, learnt.folders_used);
        }
        self.files.extend(learnt.files);
        self.folders.extend(learnt.folders);
        self.nested.extend(learnt.nested.into_iter().map(|(path, warm)| (path, Mutex::new(warm))));
    }
}

/// Forgets everything where most of it was of no use this time, so that it stays bounded.
fn prune<V>(map: &mut HashMap<Vec<u8>, V>, used: usize) {
    if map.len() > 2 * used + 1024 {
        map.clear();
    }
}

fn has_same_paths(old: &Index, new: &Index) -> bool {
    let kinds = |index: &Index| index.entries().iter().map(|entry| entry.mode >> 12).collect::<Vec<_>>();
    old.entries().len() == new.entries().len()
        && old.entries().iter().zip(new.entries()).all(|(a, b)| old.path(a) == new.path(b))
        && kinds(old) == kinds(new)
}
