//! The tree that changed files are in: a small trait, the real file system, and a tree in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::path::{join, parent, plain};

/// How many links one path may lead through, as POSIX hosts bound it.
const LINKS_MAX: usize = 40;

/// How many files of one pattern are listed; a folder with more of them is not a choice any more.
const LISTED_MAX: usize = 64;

/// What a path leads to, links followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file of any sort.
    File,
    /// A directory.
    Directory,
}

/// A tree under one root. Paths are relative to the root, `/` between names, `""` for the root itself.
///
/// Every answer is about the moment of asking; what cannot be read is as if it were not there.
pub trait Tree {
    /// What `path` leads to; `None` when there is nothing.
    fn kind(&self, path: &str) -> Option<Kind>;

    /// Names of the files directly in `directory` that start and end as given, sorted; at most 64.
    fn files(&self, directory: &str, starts: &str, ends: &str) -> Vec<String>;

    /// Where `directory` really is, links followed as far as it exists; `None` when that is outside the root.
    fn real(&self, directory: &str) -> Option<String>;

    /// An absolute path as one under the root, if it is written that way.
    fn under_root<'a>(&self, absolute: &'a str) -> Option<&'a str>;
}

/// The file system under a root directory. A repository is not needed.
#[derive(Debug, Clone)]
pub struct DiskTree {
    root: PathBuf,
    real_root: PathBuf,
}

impl DiskTree {
    /// A tree under `root`.
    ///
    /// # Errors
    /// When `root` does not exist or cannot be resolved; the message holds the path.
    pub fn new(root: impl Into<PathBuf>) -> std::io::Result<Self> {
        let root = root.into();
        let real_root = fs::canonicalize(&root)
            .map_err(|error| std::io::Error::new(error.kind(), format!("{}: {error}", root.display())))?;
        Ok(Self { root, real_root })
    }
}

impl Tree for DiskTree {
    fn kind(&self, path: &str) -> Option<Kind> {
        let found = fs::metadata(self.real_root.join(path)).ok()?;
        Some(if found.is_dir() { Kind::Directory } else { Kind::File })
    }

    fn files(&self, directory: &str, starts: &str, ends: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.real_root.join(directory)) else { return Vec::new() };
        let mut names = BTreeSet::new();
        for entry in entries.flatten() {
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
            if fits(&name, starts, ends) && self.kind(&join(directory, &name)) == Some(Kind::File) {
                names.insert(name);
                if names.len() > LISTED_MAX {
                    names.pop_last();
                }
            }
        }
        names.into_iter().collect()
    }

    fn real(&self, directory: &str) -> Option<String> {
        let mut there = directory;
        loop {
            if let Ok(real) = fs::canonicalize(self.real_root.join(there)) {
                let real = real.strip_prefix(&self.real_root).ok()?.to_str()?.to_owned();
                let rest = directory.get(there.len()..)?.trim_start_matches('/');
                return Some(if rest.is_empty() { real } else { join(&real, rest) });
            }
            // A link that leads nowhere could lead anywhere once its target exists.
            if there.is_empty() || fs::symlink_metadata(self.real_root.join(there)).is_ok() {
                return None;
            }
            there = parent(there);
        }
    }

    fn under_root<'a>(&self, absolute: &'a str) -> Option<&'a str> {
        let path = Path::new(absolute);
        path.strip_prefix(&self.root).or_else(|_| path.strip_prefix(&self.real_root)).ok()?.to_str()
    }
}

/// A tree in memory, for cases and for hosts that have a listing already.
#[derive(Debug, Clone, Default)]
pub struct MemoryTree {
    root: String,
    entries: BTreeMap<String, Entry>,
}

#[derive(Debug, Clone)]
enum Entry {
    File,
    Directory,
    Link(String),
}

impl MemoryTree {
    /// An empty tree that absolute paths know as `root`.
    #[must_use]
    pub fn new(root: &str) -> Self {
        Self { root: root.trim_end_matches('/').to_owned(), entries: BTreeMap::new() }
    }

    /// Adds a file, or a directory when `path` ends in `/`.
    pub fn add(&mut self, path: &str) {
        let entry = if path.ends_with('/') { Entry::Directory } else { Entry::File };
        self.insert(path.trim_end_matches('/'), entry);
    }

    /// Adds a symbolic link.
    pub fn link(&mut self, path: &str, target: &str) {
        self.insert(path, Entry::Link(target.to_owned()));
    }

    fn insert(&mut self, path: &str, entry: Entry) {
        let mut above = path;
        while !above.is_empty() {
            above = parent(above);
            self.entries.entry(above.to_owned()).or_insert(Entry::Directory);
        }
        self.entries.insert(path.to_owned(), entry);
    }

    /// `path` with every link followed, and whether it exists; `None` when a link leaves the root, turns
    /// round or leads to nothing.
    fn follow(&self, path: &str) -> Option<(String, bool)> {
        let mut waiting: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        let (mut at, mut links, mut exists) = (String::new(), 0, true);
        // While a link's target is walked: how many names wait behind it.
        let mut behind_link = None;
        while let Some(name) = waiting.pop() {
            behind_link = behind_link.filter(|behind| waiting.len() >= *behind);
            if name.is_empty() || name == "." {
                continue;
            }
            if name == ".." {
                if at.is_empty() {
                    return None;
                }
                at = parent(&at).to_owned();
                continue;
            }
            let next = join(&at, &name);
            match self.entries.get(&next) {
                Some(Entry::Link(target)) => {
                    links += 1;
                    if links > LINKS_MAX {
                        return None;
                    }
                    behind_link.get_or_insert(waiting.len());
                    let target = match target.strip_prefix('/') {
                        Some(_) => {
                            at.clear();
                            self.under_root(target)?
                        }
                        None => target,
                    };
                    waiting.extend(target.split('/').rev().map(str::to_owned));
                }
                None if behind_link.is_some() => return None,
                found => {
                    exists &= found.is_some();
                    at = next;
                }
            }
        }
        Some((at, exists))
    }
}

impl Tree for MemoryTree {
    fn kind(&self, path: &str) -> Option<Kind> {
        let (real, exists) = self.follow(path)?;
        match self.entries.get(&real) {
            Some(Entry::Directory) if exists => Some(Kind::Directory),
            Some(Entry::File) if exists => Some(Kind::File),
            _ => None,
        }
    }

    fn files(&self, directory: &str, starts: &str, ends: &str) -> Vec<String> {
        let Some((real, _)) = self.follow(directory) else { return Vec::new() };
        let from = join(&real, starts);
        let here = self.entries.range(from.clone()..).take_while(|(path, _)| path.starts_with(&from));
        here.map(|(path, _)| path)
            .filter(|path| !path.is_empty() && parent(path) == real && self.kind(path) == Some(Kind::File))
            .filter_map(|path| path.rsplit('/').next().map(str::to_owned))
            .filter(|name| fits(name, starts, ends))
            .take(LISTED_MAX)
            .collect()
    }

    fn real(&self, directory: &str) -> Option<String> {
        self.follow(directory).map(|(real, _)| real)
    }

    fn under_root<'a>(&self, absolute: &'a str) -> Option<&'a str> {
        let rest = absolute.strip_prefix(self.root.as_str())?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
    }
}

fn fits(name: &str, starts: &str, ends: &str) -> bool {
    name.len() >= starts.len() + ends.len() && name.starts_with(starts) && name.ends_with(ends)
}

/// The nearest of `directory` and the directories above it that holds a file of one of `names`.
pub(super) fn nearest(tree: &dyn Tree, directory: &str, names: &[&str]) -> Option<String> {
    above(directory)
        .find(|at| names.iter().any(|name| tree.kind(&join(at, name)) == Some(Kind::File)))
        .map(str::to_owned)
}

/// `directory` and every directory above it up to the root.
pub(super) fn above(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory), |at| (!at.is_empty()).then(|| parent(at)))
}

/// A changed path as one under the root, in its directory's real place; `None` when it is outside.
///
/// `..` is taken as written, before links are followed. A file that is itself a link stays where the link is:
/// there the change is.
pub(super) fn locate(tree: &dyn Tree, changed: &str) -> Option<String> {
    let relative = if changed.starts_with('/') { tree.under_root(changed)? } else { changed };
    let path = plain(relative)?;
    let name = path.rsplit('/').next().filter(|name| !name.is_empty())?;
    Some(join(&tree.real(parent(&path))?, name))
}
