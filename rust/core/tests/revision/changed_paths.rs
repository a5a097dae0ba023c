//! The list of changed paths, beside git's own.

use std::path::{Path, PathBuf};

use loop_core::{ChangedPaths, UnknownKind, Workspace};

use crate::support::{Repo, host, os, run_git, set_mode, set_mtime, settle, soon};

fn changed(workspace: &Workspace) -> Vec<PathBuf> {
    match workspace.changed_paths(soon()) {
        ChangedPaths::Known(paths) => paths,
        ChangedPaths::KeepAll(reason) => panic!("{reason}"),
    }
}

fn kept(workspace: &Workspace) -> UnknownKind {
    match workspace.changed_paths(soon()) {
        ChangedPaths::Known(paths) => panic!("{paths:?}"),
        ChangedPaths::KeepAll(reason) => reason.kind(),
    }
}

/// What git says in `directory`, of the root or below.
fn by_git(directory: &Path) -> Vec<PathBuf> {
    let diff =
        run_git(directory, &["diff", "--name-only", "--relative", "--no-renames", "-z", "HEAD"]).stdout;
    let new = run_git(directory, &["ls-files", "--others", "--exclude-standard", "-z"]).stdout;
    let mut paths: Vec<PathBuf> = [diff, new]
        .concat()
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .map(|path| PathBuf::from(os(path.strip_suffix(b"/").unwrap_or(path))))
        .collect();
    paths.sort();
    paths.dedup();
    paths
}

fn assert_as_git(repo: &Repo, what: &str) {
    for directory in [repo.root.clone(), repo.path("src")] {
        let workspace = Workspace::new(&directory, host());
        assert_eq!(changed(&workspace), by_git(&directory), "{what} in {}", directory.display());
    }
}

#[test]
fn agrees_with_git_after_every_kind_of_change() {
    let repo = Repo::new();
    assert_as_git(&repo, "nothing");
    repo.write("src/lib.rs", "edited\n");
    assert_as_git(&repo, "edit");
    repo.git(&["add", "src/lib.rs"]);
    assert_as_git(&repo, "staged edit");
    repo.write("src/lib.rs", "pub fn one() {}\n");
    assert_as_git(&repo, "staged edit, reverted in the file");
    assert!(!changed(&repo.workspace()).contains(&"src/lib.rs".into()));
    repo.write("src/new\nname.rs", "1");
    repo.write("top", "1");
    repo.write("x.log", "ignored");
    assert_as_git(&repo, "untracked");
    repo.git(&["add", "top"]);
    assert_as_git(&repo, "staged new file");
    repo.remove("top");
    assert_as_git(&repo, "staged new file, deleted");
    repo.git(&["mv", "run.sh", "src/moved.sh"]);
    assert_as_git(&repo, "rename");
    repo.git(&["rm", "-q", "--cached", "src/deep/er/mod.rs"]);
    assert_as_git(&repo, "no longer tracked");
    repo.write("planned", "1");
    repo.git(&["add", "-N", "planned"]);
    assert_as_git(&repo, "announced");
    set_mode(&repo.path("src/moved.sh"), 0o755);
    assert_as_git(&repo, "mode");
    repo.remove("link");
    assert_as_git(&repo, "deleted link");
    set_mtime(&repo.path(".gitignore"), std::time::UNIX_EPOCH);
    repo.git(&["status"]);
    assert_as_git(&repo, "touched");
    repo.git(&["add", "-A"]);
    repo.commit("all");
    assert_as_git(&repo, "committed");
    assert_eq!(changed(&repo.workspace()), Vec::<PathBuf>::new());
}

#[test]
fn a_file_in_conflict_is_changed() {
    let repo = Repo::new();
    repo.git(&["checkout", "-q", "-b", "theirs"]);
    repo.write("src/lib.rs", "theirs\n");
    repo.git(&["commit", "-q", "-a", "-m", "theirs"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.write("src/lib.rs", "ours\n");
    repo.git(&["commit", "-q", "-a", "-m", "ours"]);
    drop(run_git(&repo.root, &["merge", "-q", "theirs"]));
    assert_as_git(&repo, "conflict");
}

#[test]
fn a_submodule_is_one_path() {
    let library = Repo::new();
    let repo = Repo::new();
    repo.git(&["submodule", "-q", "add", library.root.to_str().unwrap(), "sub"]);
    repo.commit("submodule");
    settle();
    assert_eq!(changed(&repo.workspace()), Vec::<PathBuf>::new());
    for change in ["edit", "untracked", "commit"] {
        match change {
            "edit" => repo.write("sub/run.sh", "edited\n"),
            "untracked" => repo.write("sub/new", "1"),
            _ => {
                repo.write("sub/run.sh", "committed\n");
                drop(run_git(&repo.path("sub"), &["add", "-A"]));
                drop(run_git(&repo.path("sub"), &["commit", "-q", "-m", "inner"]));
            }
        }
        assert_eq!(changed(&repo.workspace()), [PathBuf::from("sub")], "{change}");
        // By default git's diff looks past untracked files in a submodule; its status does not.
        if change != "untracked" {
            assert_as_git(&repo, change);
        }
        if change != "commit" {
            drop(run_git(&repo.path("sub"), &["checkout", "-q", "."]));
            drop(run_git(&repo.path("sub"), &["clean", "-q", "-f"]));
        }
    }
}

#[test]
fn other_formats_of_repositories_answer_too() {
    for init in [&["--object-format=sha256"][..], &["--ref-format=reftable"]] {
        let repo = Repo::unborn(init);
        repo.fill();
        repo.write("src/lib.rs", "edited\n");
        repo.write("new", "1");
        assert_as_git(&repo, init[0]);
    }
}

#[test]
fn where_git_cannot_say_the_paths_are_kept() {
    assert_eq!(kept(&Repo::bare_directory().workspace()), UnknownKind::NoRepository);
    let unborn = Repo::unborn(&[]);
    unborn.write("a", "1");
    assert_eq!(kept(&unborn.workspace()), UnknownKind::NoCommit);
}
