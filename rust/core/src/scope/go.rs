//! Go: a file belongs to its directory's package, `testdata` to the package that holds it.

use std::collections::BTreeMap;

use super::path::{common, join, operand, relative};
use super::tree::{Kind, Tree, nearest};
use super::{Command, by_directory, has_extension};

const LINTER: &str = "golangci-lint";
const LINTER_CONFIGS: [&str; 4] = [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"];

/// One module's changed packages.
#[derive(Default)]
struct Module {
    /// Package directories relative to the root → their changed files.
    packages: BTreeMap<String, Vec<String>>,
    has_linter_config: bool,
}

/// One `go test` and at most one `golangci-lint run` per module, the root's module first.
pub(super) fn commands(tree: &dyn Tree, files: &[String], on_path: &dyn Fn(&str) -> bool) -> Vec<Command> {
    let mut modules = BTreeMap::<String, Module>::new();
    for (directory, files) in by_directory(files) {
        let package = package_of(directory);
        let files = belonging(tree, directory, package, files);
        if files.is_empty() {
            continue;
        }
        // A go.mod under testdata is a fixture: the package's own module tests it.
        let module = modules.entry(nearest(tree, package, &["go.mod"]).unwrap_or_default()).or_default();
        module.has_linter_config |= nearest(tree, directory, &LINTER_CONFIGS).is_some();
        module.packages.entry(package.to_owned()).or_default().extend(files);
    }
    let linter_on_path = !modules.is_empty() && on_path(LINTER);
    let of_module = |(directory, module): (&String, &Module)| module.commands(directory, linter_on_path);
    modules.iter().flat_map(of_module).collect()
}

/// The directory above the first `testdata`, which the Go tool ignores.
fn package_of(directory: &str) -> &str {
    let end = directory.match_indices("testdata").find(|(at, name)| {
        let (before, after) = directory.split_at(*at);
        let after = after.strip_prefix(name).unwrap_or_default();
        (before.is_empty() || before.ends_with('/')) && (after.is_empty() || after.starts_with('/'))
    });
    match end {
        Some((at, _)) => directory.get(..at).unwrap_or_default().trim_end_matches('/'),
        None => directory,
    }
}

/// Those of a directory's changed files that the package's tests cover.
///
/// Go files do, as long as the package has not gone with them; other files do as the fixtures of a package.
fn belonging(tree: &dyn Tree, directory: &str, package: &str, files: Vec<String>) -> Vec<String> {
    let has_go_files = || !tree.files(package, "", ".go").is_empty();
    let is_fixture = directory != package;
    let counts = |file: &String| {
        if !has_extension(file, &["go"]) {
            return is_fixture && has_go_files();
        }
        match tree.kind(file) {
            Some(Kind::File) => true,
            Some(Kind::Directory) => false,
            None => has_go_files(),
        }
    };
    files.into_iter().filter(counts).collect()
}

impl Module {
    fn commands(&self, directory: &str, linter_on_path: bool) -> Vec<Command> {
        let mut files: Vec<String> = self.packages.values().flatten().cloned().collect();
        files.sort();
        let mut words = vec!["go".to_owned(), "test".to_owned()];
        if !directory.is_empty() {
            words.extend(["-C".to_owned(), operand(directory)]);
        }
        let patterns = self.patterns(directory);
        words.extend(patterns.iter().map(|pattern| dotted(pattern)));
        let mut commands = vec![Command::new(words, &files).in_module(directory)];
        if self.has_linter_config || linter_on_path {
            // The linter has no `-C`: its packages are named from the root.
            let packages = patterns.iter().map(|pattern| dotted(&join_package(directory, pattern)));
            let words = [LINTER.to_owned(), "run".to_owned()].into_iter().chain(packages);
            commands.push(Command::new(words, &files).in_module(directory));
        }
        commands
    }

    /// Package patterns relative to the module's directory.
    fn patterns(&self, module: &str) -> Vec<String> {
        let packages: Vec<&str> = self.packages.keys().map(|package| relative(package, module)).collect();
        let shared = common(packages.iter().copied());
        let wildcard_sees = packages.iter().all(|package| is_seen(relative(package, shared)));
        if packages.len() > 1 && !shared.is_empty() && wildcard_sees {
            return vec![join(shared, "...")];
        }
        packages.into_iter().map(str::to_owned).collect()
    }
}

/// Does `...` match a package at this path below it? The Go tool leaves out some directories.
pub(super) fn is_seen(below: &str) -> bool {
    !below.split('/').any(|name| name.starts_with(['_', '.']) || name == "vendor" || name == "testdata")
}

fn join_package(directory: &str, package: &str) -> String {
    if package.is_empty() { directory.to_owned() } else { join(directory, package) }
}

fn dotted(package: &str) -> String {
    if package.is_empty() { ".".to_owned() } else { format!("./{package}") }
}
