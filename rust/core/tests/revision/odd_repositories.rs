//! Repositories and files of unusual form.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use loop_core::UnknownKind;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::support::{Repo, host, known, reason, set_mtime, settle};

#[test]
fn outside_of_a_repository_nothing_is_known() {
    let plain = Repo::bare_directory();
    assert_eq!(reason(&plain.workspace()), UnknownKind::NoRepository);
    assert_eq!(reason(&loop_core::Workspace::new(plain.path("missing"), host())), UnknownKind::NoRepository);
    let bare = Repo::unborn(&["--bare"]);
    assert_eq!(reason(&bare.workspace()), UnknownKind::NoRepository);
}

#[test]
fn other_formats_are_read_through_git() {
    for init in [&["--object-format=sha256"][..], &["--ref-format=reftable"]] {
        let repo = Repo::unborn(init);
        repo.assert_differs("before the first commit", || repo.write("first", "1"));
        repo.fill();
        repo.assert_differs("edit", || repo.write("src/lib.rs", "edited\n"));
        repo.assert_differs("staging", || drop(repo.git(&["add", "-A"])));
        repo.assert_differs("commit", || repo.commit("more"));
        repo.assert_same("touch", || set_mtime(&repo.path("run.sh"), std::time::UNIX_EPOCH));
        repo.assert_same("ignored", || repo.write("x.log", "1"));
    }
}

#[test]
fn every_form_of_the_index_is_the_same_index() {
    let repo = Repo::new();
    repo.write("src/lib.rs", "edited\n");
    let plain = repo.fingerprint();
    for change in [
        &["update-index", "--index-version", "4"][..],
        &["update-index", "--index-version", "3"],
        &["update-index", "--untracked-cache"],
        &["update-index", "--split-index"],
        &["update-index", "--no-split-index"],
        &["update-index", "--assume-unchanged", "run.sh"],
        &["update-index", "--fsmonitor"],
    ] {
        // Not every git is built with every form.
        drop(crate::support::run_git(&repo.root, change));
        assert_eq!(repo.fingerprint(), plain, "{change:?}");
    }
    repo.assert_differs("assume-unchanged hides nothing", || repo.write("run.sh", "edited\n"));
    repo.git(&["update-index", "--split-index"]);
    repo.write("new", "1");
    repo.git(&["add", "new"]);
    settle();
    repo.assert_differs("split index", || repo.write("new", "2"));
}

#[test]
fn a_damaged_index_is_unknown() {
    let repo = Repo::new();
    repo.write(".git/index", "DIRC\0\0\0\x02\0\0\0\x05 and no more");
    assert_eq!(reason(&repo.workspace()), UnknownKind::BadIndex);
}

#[test]
fn a_sparse_checkout_misses_nothing_that_is_there() {
    for form in ["--no-sparse-index", "--sparse-index"] {
        let repo = Repo::new();
        repo.write("docs/a/b.md", "1");
        repo.git(&["add", "-A"]);
        repo.commit("docs");
        repo.git(&["sparse-checkout", "set", form, "src"]);
        settle();
        assert!(!repo.path("docs").exists());
        repo.assert_differs("inside", || repo.write("src/lib.rs", form));
        repo.assert_differs("a file where none should be", || repo.write("docs/a/b.md", "2"));
        repo.assert_differs("and its content", || repo.write("docs/a/b.md", "3"));
    }
}

#[test]
fn a_skipped_file_may_be_absent_and_counts_when_it_is_there() {
    let repo = Repo::new();
    repo.git(&["update-index", "--skip-worktree", "run.sh"]);
    repo.assert_same("absent", || repo.remove("run.sh"));
    repo.assert_differs("there again, and other", || repo.write("run.sh", "other\n"));
}

#[test]
fn conflicts_count_by_stage_and_by_content() {
    let repo = Repo::new();
    repo.git(&["checkout", "-q", "-b", "theirs"]);
    repo.write("src/lib.rs", "theirs\n");
    repo.git(&["commit", "-q", "-a", "-m", "theirs"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.write("src/lib.rs", "ours\n");
    repo.git(&["commit", "-q", "-a", "-m", "ours"]);
    settle();
    repo.assert_differs("merge", || drop(crate::support::run_git(&repo.root, &["merge", "-q", "theirs"])));
    repo.assert_differs("resolving in the file", || repo.write("src/lib.rs", "both\n"));
    repo.assert_differs("staging the resolution", || drop(repo.git(&["add", "src/lib.rs"])));
}

#[test]
fn line_ends_and_filters_are_seen_as_git_sees_them() {
    let repo = Repo::new();
    repo.write(".gitattributes", "*.up filter=upper\n*.txt text\n");
    repo.git(&["config", "filter.upper.clean", "tr a-z A-Z"]);
    repo.write("a b\n.up", "abc\n");
    repo.write("lines.txt", "one\r\ntwo\r\n");
    repo.git(&["add", "-A"]);
    repo.commit("converted");
    settle();
    for path in ["a b\n.up", "lines.txt"] {
        repo.assert_same("touch", || set_mtime(&repo.path(path), std::time::UNIX_EPOCH));
    }
    repo.assert_differs("filtered content", || repo.write("a b\n.up", "abd\n"));
    repo.assert_differs("converted content", || repo.write("lines.txt", "one\r\nthree\r\n"));
    let checked = repo.fingerprint();
    repo.git(&["commit", "-q", "-a", "-m", "edited"]);
    assert_eq!(repo.fingerprint().content, checked.content);
}

#[test]
fn auto_crlf_is_a_setting_of_its_own() {
    let repo = Repo::new();
    repo.git(&["config", "core.autocrlf", "true"]);
    repo.write("win.txt", "one\r\n");
    repo.git(&["add", "-A"]);
    repo.commit("windows");
    settle();
    repo.assert_same("touch", || set_mtime(&repo.path("win.txt"), std::time::UNIX_EPOCH));
    repo.assert_differs("edit", || repo.write("win.txt", "two\r\n"));
}

#[test]
fn without_file_mode_the_executable_bit_is_nothing() {
    let repo = Repo::new();
    repo.git(&["config", "core.fileMode", "false"]);
    repo.assert_same("tracked", || crate::support::set_mode(&repo.path("run.sh"), 0o755));
    repo.write("new.sh", "1");
    repo.assert_same("untracked", || crate::support::set_mode(&repo.path("new.sh"), 0o755));
}

#[test]
fn a_submodule_counts_with_all_that_is_in_it() {
    let library = Repo::new();
    let repo = Repo::new();
    repo.git(&["submodule", "-q", "add", library.root.to_str().unwrap(), "vendor/lib"]);
    repo.commit("submodule");
    settle();
    repo.assert_differs("edit", || repo.write("vendor/lib/src/lib.rs", "1\n"));
    repo.assert_differs("second edit", || repo.write("vendor/lib/src/lib.rs", "2\n"));
    repo.assert_differs("untracked", || repo.write("vendor/lib/new", "1"));
    repo.assert_same("ignored there", || repo.write("vendor/lib/x.log", "1"));
    let inner = |args: &[&str]| drop(crate::support::run_git(&repo.path("vendor/lib"), args));
    let checked = repo.fingerprint();
    repo.assert_differs("commit", || inner(&["commit", "-q", "-a", "-m", "inner"]));
    assert_eq!(repo.fingerprint().content, checked.content);
    repo.assert_differs("taking it out", || {
        drop(repo.git(&["submodule", "-q", "deinit", "-f", "vendor/lib"]));
    });
}

#[test]
fn nested_repositories_count_unless_ignored() {
    let repo = Repo::new();
    for (place, ignored) in [("nested", false), ("build/nested", true)] {
        let nested = repo.path(place);
        std::fs::create_dir_all(&nested).unwrap();
        let inner = |args: &[&str]| drop(crate::support::run_git(&nested, args));
        inner(&["init", "-q"]);
        let check = |what: &str, change: &dyn Fn()| {
            if ignored { repo.assert_same(what, change) } else { repo.assert_differs(what, change) }
        };
        check("untracked in it", &|| repo.write(format!("{place}/k"), "1"));
        check("commit in it", &|| {
            inner(&["add", "-A"]);
            inner(&["commit", "-q", "-m", "inner"]);
        });
        check("edit in it", &|| repo.write(format!("{place}/k"), "2"));
    }
    repo.write("fake/.git", "not a repository");
    repo.assert_differs("a directory that only looks like one", || repo.write("fake/file", "1"));
}

#[test]
fn a_linked_worktree_has_its_own_index_and_head() {
    let repo = Repo::new();
    repo.git(&["worktree", "add", "-q", "../linked", "-b", "linked"]);
    let linked = loop_core::Workspace::new(repo.path("../linked"), host());
    let before = known(&linked);
    repo.write("src/lib.rs", "main\n");
    assert_eq!(known(&linked), before);
    repo.write("../linked/src/lib.rs", "linked\n");
    assert_ne!(known(&linked), before);
    repo.write(".git/info/exclude", "*.tmp\n");
    let excluded = known(&linked);
    repo.write("../linked/x.tmp", "1");
    assert_eq!(known(&linked), excluded);
}

#[test]
fn a_working_tree_elsewhere_is_followed() {
    let repo = Repo::new();
    std::fs::rename(repo.path(".git"), repo.path("../store")).unwrap();
    repo.write(".git", "gitdir: ../store\n");
    repo.git(&["config", "core.worktree", repo.root.to_str().unwrap()]);
    repo.assert_differs("edit", || repo.write("src/lib.rs", "1\n"));
    let store = loop_core::Workspace::new(repo.path("../store"), host());
    assert_eq!(known(&store).content, repo.fingerprint().content);
}

#[test]
fn a_subdirectory_stands_for_its_whole_repository() {
    let repo = Repo::new();
    let inside = loop_core::Workspace::new(repo.path("src/deep"), host());
    assert_eq!(known(&inside), repo.fingerprint());
}

#[test]
fn pipes_and_sockets_are_never_opened() {
    let repo = Repo::new();
    repo.assert_same("new ones", || {
        mknodat(CWD, repo.path("pipe"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
        drop(UnixListener::bind(repo.path("socket")).unwrap());
    });
    repo.assert_differs("in the place of a file", || {
        repo.remove("run.sh");
        mknodat(CWD, repo.path("run.sh"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
    });
    repo.assert_differs("in the place of the rules", || {
        repo.remove(".gitignore");
        mknodat(CWD, repo.path(".gitignore"), FileType::Fifo, Mode::from_raw_mode(0o644), 0).unwrap();
    });
}

#[test]
fn links_in_circles_are_links() {
    let repo = Repo::new();
    repo.assert_differs("circle", || {
        symlink("two", repo.path("one")).unwrap();
        symlink("one", repo.path("two")).unwrap();
        symlink(".", repo.path("self")).unwrap();
        symlink("..", repo.path("src/up")).unwrap();
    });
}

#[test]
fn a_large_file_is_read_in_pieces_to_its_end() {
    let repo = Repo::new();
    repo.write("large", vec![7; 9 << 20]);
    repo.assert_differs("its last byte", || {
        let mut bytes = vec![7; 9 << 20];
        *bytes.last_mut().unwrap() = 8;
        repo.write("large", bytes);
    });
}

#[test]
fn what_cannot_be_read_is_unknown() {
    let repo = Repo::new();
    repo.write("secret", "1");
    crate::support::set_mode(&repo.path("secret"), 0);
    // The superuser reads it all the same.
    if std::fs::read(repo.path("secret")).is_err() {
        assert_eq!(reason(&repo.workspace()), UnknownKind::Unreadable);
    } else {
        known(&repo.workspace());
    }
}

#[test]
fn nothing_is_written() {
    let repo = Repo::new();
    repo.write(".gitattributes", "*.txt text\n");
    repo.write("a.txt", "[DEBUG-x] one\r\n");
    repo.git(&["add", "-A"]);
    settle();
    let files = || {
        let mut list = Vec::new();
        let mut open = vec![repo.path(".git")];
        while let Some(directory) = open.pop() {
            for entry in std::fs::read_dir(directory).unwrap() {
                let entry = entry.unwrap();
                let facts = entry.metadata().unwrap();
                if facts.is_dir() {
                    open.push(entry.path());
                }
                list.push((entry.path(), facts.modified().unwrap(), facts.len()));
            }
        }
        list.sort();
        list
    };
    set_mtime(&repo.path("a.txt"), std::time::UNIX_EPOCH);
    let before = files();
    let workspace = repo.workspace();
    known(&workspace);
    drop(workspace.changed_paths(crate::support::soon()));
    workspace.debug_tags(crate::support::soon()).unwrap();
    assert_eq!(files(), before);
}
