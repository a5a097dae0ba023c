//! Lua: format check and linter, each where its configuration is above the file.

use super::path::operand;
use super::tree::{Kind, Tree, nearest};
use super::{Command, by_directory, has_extension};

/// A tool's words before the files, and the configurations that turn it on.
const TOOLS: [(&[&str], &[&str]); 2] =
    [(&["stylua", "--check"], &["stylua.toml", ".stylua.toml"]), (&["selene"], &["selene.toml"])];

/// One command per tool with all the files that it is configured for; a deleted file is not named.
pub(super) fn commands(tree: &dyn Tree, files: &[String]) -> Vec<Command> {
    let here = |file: &&String| has_extension(file, &["lua"]) && tree.kind(file) == Some(Kind::File);
    let groups = by_directory(files.iter().filter(here));
    let of_tool = |(words, configs): (&[&str], &[&str])| {
        let with_config = groups.iter().filter(|(directory, _)| nearest(tree, directory, configs).is_some());
        let mut files: Vec<String> = with_config.flat_map(|(_, files)| files.clone()).collect();
        files.sort();
        let words = words.iter().map(|word| (*word).to_owned());
        let operands = files.iter().map(|file| operand(file));
        (!files.is_empty()).then(|| Command::new(words.chain(operands), &files))
    };
    TOOLS.into_iter().filter_map(of_tool).collect()
}
