//! Debug tags in added lines, whatever the user's settings of git.

use loop_core::Workspace;

use crate::support::{Repo, host, run_git, settle, soon};

fn tags(workspace: &Workspace) -> Vec<String> {
    let tags = workspace.debug_tags(soon()).unwrap();
    tags.iter().map(|tag| format!("{}:{}", tag.path.display(), tag.line)).collect()
}

#[test]
fn added_lines_count_and_committed_ones_do_not() {
    let repo = Repo::new();
    repo.write("src/lib.rs", "one\n[DEBUG-old] two\nthree\n");
    repo.git(&["commit", "-q", "-a", "-m", "old"]);
    assert_eq!(tags(&repo.workspace()), [""; 0]);
    repo.write("src/lib.rs", "zero\none\n[DEBUG-old] two\nthree\n// [DEBUG-a1b2] four\n");
    repo.write("src/new.rs", "x\nx [DEBUG-new] x\n");
    repo.write("noise.log", "[DEBUG-ignored]\n");
    assert_eq!(tags(&repo.workspace()), ["src/lib.rs:5", "src/new.rs:2"]);
    repo.git(&["add", "-A"]);
    assert_eq!(tags(&repo.workspace()), ["src/lib.rs:5", "src/new.rs:2"]);
    let inside = Workspace::new(repo.path("src"), host());
    assert_eq!(tags(&inside), ["lib.rs:5", "new.rs:2"]);
    assert_eq!(tags(&Workspace::new(repo.path("src/deep"), host())), [""; 0]);
}

#[test]
fn settings_and_drivers_change_nothing() {
    let repo = Repo::new();
    repo.write("src/lib.rs", "[DEBUG-x]\n");
    for setting in [
        ["diff.noprefix", "true"],
        ["diff.mnemonicPrefix", "true"],
        ["diff.external", "false"],
        ["diff.context", "7"],
        ["diff.interHunkContext", "9"],
        ["diff.relative", "true"],
        ["diff.srcPrefix", "left/"],
        ["diff.dstPrefix", "right/"],
        ["diff.submodule", "log"],
        ["diff.orderFile", "missing"],
        ["diff.suppressBlankEmpty", "true"],
        ["color.ui", "always"],
        ["color.diff", "always"],
        ["core.quotePath", "false"],
        ["core.pager", "false"],
    ] {
        repo.git(&[&["config"][..], &setting].concat());
        assert_eq!(tags(&repo.workspace()), ["src/lib.rs:1"], "{setting:?}");
    }
    repo.git(&["config", "diff.own.command", "touch ran; false"]);
    repo.git(&["config", "diff.own.textconv", "touch ran; false"]);
    repo.write(".git/info/attributes", "*.rs diff=own\n");
    assert_eq!(tags(&repo.workspace()), ["src/lib.rs:1"]);
    assert!(!repo.path("ran").exists());
}

#[test]
fn odd_names_and_lines_that_look_like_headers() {
    let repo = Repo::new();
    for name in ["a b", "new\nline", "tab\there", "\"quote\"", "caf\u{e9}", "b/c"] {
        repo.write(name, "kept\n");
    }
    repo.git(&["add", "-A"]);
    repo.commit("names");
    settle();
    for name in ["a b", "new\nline", "tab\there", "\"quote\"", "caf\u{e9}", "b/c"] {
        repo.write(name, "++ b/other\n-- gone\n@@ -1 +1 @@ \ndiff --git a/x b/x\nkept\n[DEBUG-1]\n");
    }
    let mut expected = ["\"quote\":6", "a b:6", "b/c:6", "caf\u{e9}:6", "new\nline:6", "tab\there:6"];
    expected.sort_unstable();
    assert_eq!(tags(&repo.workspace()), expected);
}

#[test]
fn line_ends_that_git_converts_are_no_change() {
    let repo = Repo::new();
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.write("win.txt", "one\r\n[DEBUG-old]\r\n");
    repo.git(&["add", "-A"]);
    repo.commit("windows");
    repo.write("win.txt", "one\r\n[DEBUG-old]\r\n[DEBUG-new]\r\n");
    assert_eq!(tags(&repo.workspace()), ["win.txt:3"]);
}

#[test]
fn a_renamed_file_keeps_its_lines() {
    let repo = Repo::new();
    repo.write("src/lib.rs", (0..40).map(|n| format!("line {n}\n")).collect::<String>() + "[DEBUG-old]\n");
    repo.git(&["commit", "-q", "-a", "-m", "old"]);
    repo.git(&["mv", "src/lib.rs", "src/moved.rs"]);
    let text = std::fs::read_to_string(repo.path("src/moved.rs")).unwrap();
    repo.write("src/moved.rs", text + "[DEBUG-new]\n");
    assert_eq!(tags(&repo.workspace()), ["src/moved.rs:42"]);
}

#[test]
fn binary_and_large_files_and_submodules_are_passed_over() {
    let library = Repo::new();
    let repo = Repo::new();
    repo.write("old.bin", b"\0\0");
    repo.git(&["submodule", "-q", "add", library.root.to_str().unwrap(), "sub"]);
    repo.git(&["add", "-A"]);
    repo.commit("submodule");
    repo.write("old.bin", b"\0\n[DEBUG-1]\n");
    repo.write("new.bin", b"\0\n[DEBUG-1]\n");
    repo.write("large.txt", "x\n".repeat(1 << 19) + "[DEBUG-1]\n");
    repo.write("sub/run.sh", "[DEBUG-1]\n");
    drop(run_git(&repo.path("sub"), &["commit", "-q", "-a", "-m", "inner"]));
    repo.write("src/lib.rs", "[DEBUG-1]\n");
    assert_eq!(tags(&repo.workspace()), ["src/lib.rs:1"]);
}

#[test]
fn two_hundred_untracked_files_are_scanned() {
    let repo = Repo::new();
    for number in 0..203 {
        repo.write(format!("new/{number:03}"), "[DEBUG-1]");
    }
    let found = tags(&repo.workspace());
    assert_eq!((found.len(), &found[199][..]), (200, "new/199:1"));
}

#[test]
fn before_the_first_commit_every_line_is_new() {
    let repo = Repo::unborn(&[]);
    repo.write("staged", "x\n[DEBUG-1]\n");
    repo.git(&["add", "-A"]);
    repo.write("loose", "[DEBUG-1]\n");
    assert_eq!(tags(&repo.workspace()), ["loose:1", "staged:2"]);
}

#[test]
fn outside_of_a_repository_there_are_none() {
    let plain = Repo::bare_directory();
    plain.write("a", "[DEBUG-1]\n");
    assert_eq!(tags(&plain.workspace()), [""; 0]);
}
