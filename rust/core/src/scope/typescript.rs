//! TypeScript: the type check of the nearest configuration.

use std::collections::BTreeMap;

use super::path::{join, operand};
use super::tree::{Kind, Tree, above};
use super::{Choice, Command, by_directory, has_extension};

const EXTENSIONS: [&str; 4] = ["ts", "tsx", "mts", "cts"];
const PLAIN: &str = "tsconfig.json";

/// One `tsc` per configuration, and a choice per directory with several of which none is the plain one.
pub(super) fn commands(tree: &dyn Tree, files: &[String]) -> (Vec<Command>, Vec<Choice>) {
    let mut near = BTreeMap::<&str, (Vec<String>, Vec<String>)>::new();
    let sources = files.iter().filter(|file| has_extension(file, &EXTENSIONS));
    for (directory, files) in by_directory(sources) {
        let files = files.into_iter().filter(|file| tree.kind(file) != Some(Kind::Directory));
        let configs = above(directory).map(|at| (at, configurations(tree, at)));
        if let Some((at, configs)) = configs.into_iter().find(|(_, configs)| !configs.is_empty()) {
            near.entry(at).or_insert_with(|| (configs, Vec::new())).1.extend(files);
        }
    }
    let (mut commands, mut open) = (Vec::new(), Vec::new());
    for (directory, (configs, mut files)) in near {
        files.sort();
        let mut candidates: Vec<Command> = configs
            .iter()
            .map(|config| Command::new(["tsc", "--noEmit", "-p", &operand(&join(directory, config))], &files))
            .collect();
        match candidates.len() {
            _ if files.is_empty() => {}
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
