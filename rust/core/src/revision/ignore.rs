//! Ignore rules, read only where a name is met that is not in the index.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use gix_glob::pattern::Case;
use gix_glob::search::Pattern as _;
use gix_glob::search::pattern::List;
use gix_ignore::search::{Ignore, pattern_matching_relative_path};

use super::layout::Layout;
use super::read::small_file;

/// What holds for the whole working tree.
pub(super) struct Excludes {
    /// In order of precedence: the repository's `info/exclude`, then the user's file.
    lists: Vec<List<Ignore>>,
    case: Case,
}

impl Excludes {
    pub(super) fn load(layout: &Layout) -> Self {
        let own = Some(layout.common_dir.join("info/exclude"));
        let files = [own, layout.settings.excludes_file.clone()];
        let lists =
            files.into_iter().flatten().filter_map(|file| Some(parse(&std::fs::read(file).ok()?, b"")));
        let case = if layout.settings.ignore_case { Case::Fold } else { Case::Sensitive };
        Self { lists: lists.collect(), case }
    }
}

fn parse(bytes: &[u8], directory: &[u8]) -> List<Ignore> {
    let base = (!directory.is_empty()).then(|| [directory, b"/"].concat().into());
    let patterns = Ignore { support_precious: false }.bytes_to_patterns(bytes, Path::new(""));
    List { patterns, source: None, base }
}

/// A directory of the working tree, with the rules that start there.
pub(super) struct Folder {
    parent: Option<Arc<Folder>>,
    /// Relative to the root, without a slash at the end; empty for the root.
    pub(super) path: Vec<u8>,
    has_rules: AtomicBool,
    rules: OnceLock<Option<List<Ignore>>>,
    excluded: OnceLock<bool>,
}

impl Folder {
    pub(super) fn new(parent: Option<Arc<Folder>>, path: Vec<u8>) -> Arc<Self> {
        let has_rules = AtomicBool::new(false);
        Arc::new(Self { parent, path, has_rules, rules: OnceLock::new(), excluded: OnceLock::new() })
    }

    /// Says that the directory holds a `.gitignore`. Without it none is looked for.
    pub(super) fn note_rules(&self) {
        self.has_rules.store(true, Ordering::Relaxed);
    }

    /// Whether `path`, which lies directly in this directory, is ignored.
    pub(super) fn ignores(
        &self,
        path: &[u8],
        is_directory: bool,
        root: &OwnedFd,
        excludes: &Excludes,
    ) -> bool {
        self.is_excluded(root, excludes) || self.matches(path, is_directory, root, excludes)
    }

    /// What is in an ignored directory is ignored, whatever its own rules say.
    fn is_excluded(&self, root: &OwnedFd, excludes: &Excludes) -> bool {
        *self.excluded.get_or_init(|| {
            let parent = self.parent.as_ref();
            parent.is_some_and(|parent| parent.ignores(&self.path, true, root, excludes))
        })
    }

    /// The deepest file with a matching pattern decides; within it, the last one.
    fn matches(&self, path: &[u8], is_directory: bool, root: &OwnedFd, excludes: &Excludes) -> bool {
        let base_name = memchr::memrchr(b'/', path).map(|at| at + 1);
        let decide = |list: &List<Ignore>| {
            let found = pattern_matching_relative_path(
                list,
                path.into(),
                base_name,
                Some(is_directory),
                excludes.case,
            );
            found.map(|found| !found.pattern.is_negative())
        };
        let mut folder = Some(self);
        while let Some(current) = folder {
            if let Some(ignored) = current.rules(root).and_then(decide) {
                return ignored;
            }
            folder = current.parent.as_deref();
        }
        excludes.lists.iter().find_map(decide).unwrap_or(false)
    }

    fn rules(&self, root: &OwnedFd) -> Option<&List<Ignore>> {
        if !self.has_rules.load(Ordering::Relaxed) {
            return None;
        }
        let load = || {
            let file = join(&self.path, b".gitignore");
            Some(parse(&small_file(root, &file)?, &self.path))
        };
        self.rules.get_or_init(load).as_ref()
    }
}

/// `directory/name`, or the name alone at the root.
pub(super) fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(directory.len() + 1 + name.len());
    path.extend_from_slice(directory);
    if !directory.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    path
}
