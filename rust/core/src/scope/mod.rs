//! Changed files and the tree that they are in → the commands that cover them.
//!
//! `.pi/verify` wins over every language. Otherwise each language maps its files by itself; a file that none of
//! them maps is left over, and the host asks for the repository's own checks. Nothing is run.

mod cover;
mod go;
mod lua;
mod path;
mod tree;
mod typescript;

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use path::{parent, shell};
use tree::locate;

pub use cover::covers;
pub use tree::{DiskTree, Kind, MemoryTree, Tree};

/// The repository's own check: a file or a directory.
const VERIFY: &str = ".pi/verify";

/// A command and the changed files that it covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// The line for a POSIX shell in the root, quoted where needed.
    pub command: String,
    /// The same as words.
    pub words: Vec<String>,
    /// The covered files relative to the root, sorted.
    pub files: Vec<String>,
    /// Go only: the directory of the nested module that the packages are in; empty for the root's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub module: String,
}

/// Several configurations are equally near: a judge picks one command, or all are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The directory with the configurations, relative to the root; `""` for the root.
    pub directory: String,
    /// One command per configuration, by name.
    pub candidates: Vec<Command>,
}

/// What covers a change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The commands to run, each by itself: `.pi/verify` alone, or Go, TypeScript, Lua in this order.
    pub commands: Vec<Command>,
    /// What is still to be chosen.
    pub open: Vec<Choice>,
    /// Changed files under the root that no command covers.
    pub uncovered: Vec<String>,
    /// Changed paths that are not under the root, as given.
    pub outside: Vec<String>,
}

impl Command {
    fn new<S: Into<String>>(words: impl IntoIterator<Item = S>, files: &[String]) -> Self {
        let words: Vec<String> = words.into_iter().map(Into::into).collect();
        Self { command: shell(&words), words, files: files.to_vec(), module: String::new() }
    }

    fn in_module(self, module: &str) -> Self {
        Self { module: module.to_owned(), ..self }
    }
}

/// Maps `changed` (relative to the root or absolute; deleted files included) to the commands that cover it.
///
/// `on_path` says whether a program of that name could be run; it is asked for `golangci-lint` only.
pub fn scope<'a>(
    tree: &dyn Tree,
    changed: impl IntoIterator<Item = &'a str>,
    on_path: &dyn Fn(&str) -> bool,
) -> Scope {
    let mut found = Scope::default();
    let mut files = Vec::new();
    for path in changed {
        match locate(tree, path) {
            Some(file) => files.push(file),
            None => found.outside.push(path.to_owned()),
        }
    }
    files.sort();
    files.dedup();
    found.outside.sort();
    found.outside.dedup();
    if files.is_empty() {
        return found;
    }
    if tree.kind(VERIFY).is_some() {
        found.commands.push(Command::new([VERIFY], &files));
        return found;
    }
    found.commands = go::commands(tree, &files, on_path);
    let (typescript, open) = typescript::commands(tree, &files);
    found.commands.extend(typescript);
    found.open = open;
    found.commands.extend(lua::commands(tree, &files));
    let candidates = found.open.iter().flat_map(|choice| &choice.candidates);
    let covered: HashSet<&String> =
        found.commands.iter().chain(candidates).flat_map(|command| &command.files).collect();
    found.uncovered = files.iter().filter(|file| !covered.contains(file)).cloned().collect();
    found
}

/// Does `file` end in one of `extensions`, with a name before it?
fn has_extension(file: &str, extensions: &[&str]) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && extensions.contains(&end))
}

/// Files by their directory, so that the tree is asked once for all of a directory's files.
fn by_directory<'a>(files: impl IntoIterator<Item = &'a String>) -> BTreeMap<&'a str, Vec<String>> {
    let mut groups = BTreeMap::<&str, Vec<String>>::new();
    for file in files {
        groups.entry(parent(file)).or_default().push(file.clone());
    }
    groups
}

#[cfg(test)]
mod tests;
