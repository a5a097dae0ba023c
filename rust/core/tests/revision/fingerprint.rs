//! What the fingerprint must tell apart, and what it must not.

use std::os::unix::fs::{MetadataExt, symlink};
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use loop_core::{Host, Revision, UnknownKind, Workspace};

use crate::support::{Repo, known, os, reason, set_mode, set_mtime, settle};

#[test]
fn a_tracked_file_counts_by_content_mode_and_existence() {
    let repo = Repo::new();
    repo.assert_differs("edit", || repo.write("src/lib.rs", "pub fn two() {}\n"));
    repo.assert_differs("edit of an edited file", || repo.write("src/lib.rs", "pub fn six() {}\n"));
    repo.assert_differs("executable bit", || set_mode(&repo.path("run.sh"), 0o755));
    repo.assert_same("other mode bits", || set_mode(&repo.path("run.sh"), 0o700));
    repo.assert_differs("deletion", || repo.remove("src/deep/er/mod.rs"));
    repo.assert_differs("link target", || {
        repo.remove("link");
        symlink("src", repo.path("link")).unwrap();
    });
    repo.assert_differs("link becomes the file it named", || {
        repo.remove("link");
        repo.write("link", "src");
    });
}

#[test]
fn undoing_an_edit_gives_the_first_fingerprint_again() {
    let repo = Repo::new();
    let before = repo.fingerprint();
    repo.write("src/lib.rs", "other\n");
    assert_ne!(repo.fingerprint(), before);
    repo.write("src/lib.rs", "pub fn one() {}\n");
    assert_eq!(repo.fingerprint(), before);
}

#[test]
fn touching_and_refreshing_change_nothing() {
    let repo = Repo::new();
    repo.write("src/deep/er/mod.rs", "edited\n");
    repo.write("new.rs", "new\n");
    for path in ["src/lib.rs", "src/deep/er/mod.rs", "new.rs"] {
        repo.assert_same("touch", || set_mtime(&repo.path(path), SystemTime::now()));
        repo.assert_same("touch back", || set_mtime(&repo.path(path), SystemTime::UNIX_EPOCH));
    }
    repo.assert_same("git status refreshes the index", || drop(repo.git(&["status"])));
    repo.assert_same("a copy in its place", || {
        std::fs::copy(repo.path("src/lib.rs"), repo.path("copy")).unwrap();
        std::fs::rename(repo.path("copy"), repo.path("src/lib.rs")).unwrap();
    });
}

#[test]
fn an_edit_that_keeps_size_and_time_shows() {
    let repo = Repo::new();
    let file = repo.path("src/lib.rs");
    let time = std::fs::metadata(&file).unwrap().modified().unwrap();
    repo.assert_differs("same size, same time", || {
        repo.write("src/lib.rs", "pub fn two() {}\n");
        set_mtime(&file, time);
    });
}

#[test]
fn an_edit_in_the_tick_of_git_add_shows() {
    let repo = Repo::new();
    repo.write("src/lib.rs", "AAA\n");
    repo.git(&["add", "src/lib.rs"]);
    let staged = repo.fingerprint();
    for _ in 0..5 {
        repo.write("src/lib.rs", "AAA\n");
        repo.git(&["add", "src/lib.rs"]);
        repo.write("src/lib.rs", "BBB\n");
        assert_ne!(repo.fingerprint().content, staged.content);
    }
}

/// On a coarse clock an edit right after `git add` leaves the facts in the index true. Here they are forged.
#[test]
fn facts_as_young_as_the_index_prove_nothing() {
    let repo = Repo::unborn(&[]);
    repo.write("file", "AAA\n");
    repo.git(&["add", "file"]);
    settle();
    let staged = repo.fingerprint().content;
    repo.write("file", "BBB\n");
    let facts = std::fs::metadata(repo.path("file")).unwrap();
    let mut index = std::fs::read(repo.path(".git/index")).unwrap();
    let times = [facts.ctime(), facts.ctime_nsec(), facts.mtime(), facts.mtime_nsec()];
    for (number, time) in times.into_iter().enumerate() {
        let at = 12 + number * 4;
        index[at..at + 4].copy_from_slice(&u32::try_from(time).unwrap().to_be_bytes());
    }
    let content_with_index_written = |after: Duration| {
        repo.write(".git/index", &index);
        set_mtime(&repo.path(".git/index"), facts.modified().unwrap() + after);
        repo.fingerprint().content
    };
    assert_ne!(content_with_index_written(Duration::ZERO), staged);
    assert_ne!(content_with_index_written(Duration::from_millis(15)), staged);
    // A later index would have seen the edit: its facts are believed without reading.
    assert_eq!(content_with_index_written(Duration::from_millis(25)), staged);
}

/// A clock that stands still, so that no change ever becomes old enough to be told from a further one.
#[test]
fn what_changed_in_this_tick_is_not_believed() {
    static NOW: OnceLock<SystemTime> = OnceLock::new();
    let repo = Repo::new();
    repo.write("new.rs", "1");
    let facts = std::fs::metadata(repo.path("new.rs")).unwrap();
    let changed = Duration::new(facts.ctime().unsigned_abs(), u32::try_from(facts.ctime_nsec()).unwrap());
    NOW.set(SystemTime::UNIX_EPOCH + changed).unwrap();
    let frozen = Host { clock: || *NOW.get().unwrap(), ..crate::support::host() };
    assert_eq!(reason(&Workspace::new(&repo.root, frozen)), UnknownKind::Changing);
}

#[test]
fn an_edit_in_the_tick_of_the_last_reading_shows() {
    let repo = Repo::new();
    let warm = repo.workspace();
    let mut last = known(&warm);
    for round in 0..20 {
        repo.write("new.rs", format!("{}\n", round % 10));
        repo.write("src/lib.rs", format!("{}\n", round % 10));
        let now = known(&warm);
        assert_ne!(now, last, "round {round}");
        last = now;
    }
}

#[test]
fn untracked_files_count_unless_ignored() {
    let repo = Repo::new();
    repo.assert_differs("new file", || repo.write("new.rs", "1"));
    repo.assert_differs("its content", || repo.write("new.rs", "2"));
    repo.assert_differs("its mode", || set_mode(&repo.path("new.rs"), 0o755));
    repo.assert_differs("deeper", || repo.write("x/y/z.rs", "1"));
    repo.assert_differs("deeper content", || repo.write("x/y/z.rs", "2"));
    repo.assert_differs("new link", || symlink("nowhere", repo.path("dangling")).unwrap());
    repo.assert_same("empty directory", || std::fs::create_dir_all(repo.path("p/q/r")).unwrap());
    repo.assert_same("ignored file", || repo.write("debug.log", "1"));
    repo.assert_same("in an ignored directory", || repo.write("build/deep/out", "1"));
    repo.assert_same("info/exclude", || {
        repo.write(".git/info/exclude", "*.tmp\n");
        repo.write("x.tmp", "1");
    });
    repo.assert_differs("the rules themselves", || repo.write(".gitignore", "build/\n"));
    repo.assert_differs("what they no longer ignore", || repo.write("debug.log", "2"));
}

#[test]
fn a_tracked_file_in_an_ignored_directory_counts_and_its_neighbours_do_not() {
    let repo = Repo::new();
    repo.write("build/kept", "1");
    repo.git(&["add", "-f", "build/kept"]);
    repo.commit("kept");
    settle();
    repo.assert_differs("tracked", || repo.write("build/kept", "2"));
    repo.assert_same("neighbour", || repo.write("build/other", "1"));
}

#[test]
fn the_users_ignore_files_are_asked() {
    let repo = Repo::new();
    repo.write("../rules", "*.bak\n");
    repo.git(&["config", "core.excludesFile", "../rules"]);
    repo.assert_same("core.excludesFile", || repo.write("a.bak", "1"));

    let home = repo.path("../home");
    std::fs::create_dir_all(home.join(".config/git")).unwrap();
    std::fs::write(home.join(".config/git/ignore"), "*.orig\n").unwrap();
    repo.git(&["config", "--unset", "core.excludesFile"]);
    let host = Host { home: Some(home), ..crate::support::host() };
    let workspace = Workspace::new(&repo.root, host);
    let before = known(&workspace);
    repo.write("b.orig", "1");
    assert_eq!(known(&workspace), before);
}

#[test]
fn what_is_staged_counts_even_when_the_files_are_the_same() {
    let repo = Repo::new();
    repo.write("src/lib.rs", "edited\n");
    repo.assert_differs("staging an edit", || drop(repo.git(&["add", "src/lib.rs"])));
    repo.assert_differs("another staged content under the same files", || {
        repo.write("src/lib.rs", "second\n");
        repo.git(&["add", "src/lib.rs"]);
        repo.write("src/lib.rs", "edited\n");
    });
    repo.assert_differs("removing from the index only", || {
        drop(repo.git(&["rm", "-q", "--cached", "run.sh"]));
    });
    repo.write("planned.rs", "1");
    repo.assert_differs("announcing", || drop(repo.git(&["add", "-N", "planned.rs"])));
    repo.assert_differs("content of an announced file", || repo.write("planned.rs", "2"));
}

#[test]
fn head_counts_and_the_branch_name_does_not() {
    let repo = Repo::new();
    repo.assert_differs("an empty commit", || repo.commit("empty"));
    repo.assert_same("a new branch", || drop(repo.git(&["checkout", "-q", "-b", "other"])));
    repo.assert_same("packing refs", || drop(repo.git(&["pack-refs", "--all"])));
    repo.assert_same("detaching", || drop(repo.git(&["checkout", "-q", "--detach"])));
    repo.assert_differs("going back", || drop(repo.git(&["checkout", "-q", "HEAD~1"])));
}

#[test]
fn before_the_first_commit_everything_else_counts() {
    let repo = Repo::unborn(&[]);
    repo.assert_differs("a file", || repo.write("a", "1"));
    repo.assert_differs("staging it", || drop(repo.git(&["add", "a"])));
    repo.assert_differs("the first commit", || repo.commit("first"));
}

#[test]
fn committing_what_was_checked_keeps_the_content_fingerprint() {
    let repo = Repo::new();
    repo.write("src/lib.rs", "edited\n");
    repo.write("src/new.rs", "new\n");
    repo.write("a-b", "sorts between\n");
    set_mode(&repo.path("run.sh"), 0o755);
    repo.remove("src/deep/er/mod.rs");
    std::fs::create_dir(repo.path("src/deep.d")).unwrap();
    symlink("../lib.rs", repo.path("src/deep.d/l")).unwrap();
    let checked = repo.fingerprint();
    repo.git(&["add", "-A"]);
    let staged = repo.fingerprint();
    repo.commit("checked");
    let committed = repo.fingerprint();
    assert_eq!((staged.content, committed.content), (checked.content, checked.content));
    assert_ne!(staged.revision, checked.revision);
    assert_ne!(committed.revision, staged.revision);
    repo.write("src/new.rs", "changed\n");
    assert_ne!(repo.fingerprint().content, checked.content);
}

#[test]
fn files_and_directories_take_each_others_place() {
    let repo = Repo::new();
    repo.assert_differs("file to directory", || {
        repo.remove("run.sh");
        repo.write("run.sh/inner", "1");
    });
    repo.assert_differs("content in it", || repo.write("run.sh/inner", "2"));
    repo.assert_differs("directory to file", || {
        std::fs::remove_dir_all(repo.path("src")).unwrap();
        repo.write("src", "1");
    });
    repo.assert_differs("directory to link", || {
        repo.remove("src");
        repo.write("../elsewhere/lib.rs", "1");
        symlink("../elsewhere", repo.path("src")).unwrap();
    });
    repo.assert_same("what lies behind a link", || repo.write("../elsewhere/lib.rs", "2"));
}

#[test]
fn names_of_any_bytes_are_names() {
    let repo = Repo::new();
    let names: [&[u8]; 5] = [b"a\nb", b"\xff\xfe", b"\"q\"", b" lead", b"tab\there"];
    for name in names {
        let label = name.escape_ascii().to_string();
        repo.assert_differs(&label, || repo.write(os(name), "1"));
        repo.assert_differs(&label, || repo.write(os(name), "2"));
    }
    repo.git(&["add", "-A"]);
    settle();
    for name in names {
        repo.assert_differs("tracked", || repo.write(os(name), "3"));
    }
}

#[test]
fn a_time_that_is_up_is_unknown_and_the_next_call_is_not() {
    let repo = Repo::new();
    let workspace = repo.workspace();
    let Revision::Unknown(why) = workspace.revision(Instant::now()) else { panic!("known in no time") };
    assert_eq!(why.kind(), UnknownKind::TimedOut);
    known(&workspace);
}

#[test]
fn a_file_that_never_rests_is_unknown() {
    let repo = Repo::new();
    let file = repo.path("server.out");
    let end = Instant::now() + Duration::from_millis(700);
    std::fs::write(&file, "0").unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut round = 0;
            while Instant::now() < end {
                round += 1;
                std::fs::write(&file, round.to_string()).unwrap();
            }
        });
        assert_eq!(reason(&repo.workspace()), UnknownKind::Changing);
    });
}
