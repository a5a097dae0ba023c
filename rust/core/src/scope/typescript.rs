//! TypeScript: the type check of the nearest configuration.

use std::collections::{BTreeMap, HashMap};

use super::path::{join, operand};
use super::tree::{Kind, Tree, above};
use super::{Choice, Command, by_directory, has_extension};

const EXTENSIONS: [&str; 4] = ["ts", "tsx", "mts", "cts"];
const PLAIN: &str = "tsconfig.json";

/// One `tsc` per configuration, and a choice per directory with several of which none is the plain one.
pub(super) fn commands(tree: &dyn Tree, files: &[String]) -> (Vec<Command>, Vec<Choice>) {
    // Each directory is listed once, however many directories of changed files are below it.
    let mut known = HashMap::<&str, Vec<String>>::new();
    let mut near = BTreeMap::<&str, Vec<String>>::new();
    let is_source =
        |file: &&String| has_extension(file, &EXTENSIONS) && tree.kind(file) != Some(Kind::Directory);
    for (directory, files) in by_directory(files.iter().filter(is_source)) {
        let found = above(directory)
            .find(|at| !known.entry(*at).or_insert_with(|| configurations(tree, at)).is_empty());
        if let Some(at) = found {
            near.entry(at).or_default().extend(files);
        }
    }
    let (mut commands, mut open) = (Vec::new(), Vec::new());
    for (directory, mut files) in near {
        files.sort();
        let configs = known.get(directory).into_iter().flatten();
        let mut candidates: Vec<Command> = configs
            .map(|config| Command::new(["tsc", "--noEmit", "-p", &operand(&join(directory, config))], &files))
            .collect();
        match candidates.len() {
            1 => commands.append(&mut candidates),
            _ => open.push(Choice { directory: directory.to_owned(), candidates }),
        }
    }
    (commands, open)
}

fn configurations(tree: &dyn Tree, directory: &str) -> Vec<String> {
    if tree.kind(&join(directory, PLAIN)) == Some(Kind::File) {
        return vec![PLAIN.to_owned()];
    }
    tree.files(directory, "tsconfig", ".json")
}
