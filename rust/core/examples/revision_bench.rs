//! `revision_bench [FILES] [ROUNDS]`: the fingerprint beside `git status --porcelain=v2 -z`, interleaved in one run.
//!
//! Makes a tree of FILES files (84,000 unless told) and a small one in the temporary directory, and prints
//! the least and the median time of each contestant, in milliseconds, and the ratio to git's.
#![allow(clippy::print_stdout, clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, missing_docs)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use loop_core::{Host, Revision, Workspace};

const FILES_PER_DIRECTORY: usize = 5;
const DIRECTORIES_PER_PACKAGE: usize = 20;
const RULES: &str = "node_modules/\ndist/\nbuild/\ntarget/\n.venv/\n__pycache__/\n*.py[cod]\n*.log\n*.swp\n.env\n.env.*\n!.env.example\n.idea/\n.vscode/*\n!.vscode/settings.json\n.DS_Store\n*.tsbuildinfo\n";

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse().unwrap());
    let files = args.next().unwrap_or(84_000);
    let rounds = args.next().unwrap_or(15);
    for files in [files, 60] {
        let directory = tempfile::tempdir().unwrap();
        make_tree(directory.path(), files);
        compare(directory.path(), files, rounds);
    }
}

fn host() -> Host {
    let directory = |name| std::env::var_os(name).map(Into::into);
    Host { clock: SystemTime::now, home: directory("HOME"), config_home: directory("XDG_CONFIG_HOME") }
}

fn git(root: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]).args(args);
    let status = command.current_dir(root).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(status.success(), "git {args:?}");
}

/// A tree of packages with a few files per directory, rules of its own in every package and ignored build
/// output beside the sources: the shape of a repository that holds many packages.
fn make_tree(root: &Path, files: usize) {
    for number in 0..files {
        let directory = number / FILES_PER_DIRECTORY;
        let package = directory / DIRECTORIES_PER_PACKAGE;
        let package = root.join(format!("packages/group{:02}/package{:03}", package / 40, package % 40));
        let part = directory % DIRECTORIES_PER_PACKAGE;
        let directory = package.join(format!("src/feature{}/part{}", part / 5, part % 5));
        if number % FILES_PER_DIRECTORY == 0 {
            std::fs::create_dir_all(&directory).unwrap();
            std::fs::create_dir_all(package.join("dist")).unwrap();
            std::fs::write(package.join("dist/bundle.js"), "built").unwrap();
            std::fs::write(package.join(".gitignore"), "/coverage/\n*.tmp\n").unwrap();
        }
        let text = "let value = compute(input);\n".repeat(1 + number % 40) + &number.to_string();
        std::fs::write(directory.join(format!("source_{number:06}.rs")), text).unwrap();
    }
    std::fs::write(root.join(".gitignore"), RULES).unwrap();
    git(root, &["init", "-q"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-qm", "tree"]);
    // Past the tick in which files and index were written, so that no entry is racy for either side.
    std::thread::sleep(Duration::from_millis(1100));
    git(root, &["update-index", "--really-refresh", "-q"]);
    git(root, &["status"]);
    std::thread::sleep(Duration::from_millis(100));
}

fn compare(root: &Path, files: usize, rounds: usize) {
    let warm = Workspace::new(root, host());
    let expected = fingerprint(&warm);
    // The second reading is the first that remembers directories.
    fingerprint(&warm);
    let (mut status, mut cold, mut again) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        status.push(timed(|| git(root, &["status", "--porcelain=v2", "-z"])));
        cold.push(timed(|| assert_eq!(fingerprint(&Workspace::new(root, host())), expected)));
        again.push(timed(|| assert_eq!(fingerprint(&warm), expected)));
    }
    println!("{files} files, {rounds} rounds: least and median in ms, ratio to git");
    let git = least_and_median(&mut status);
    for (name, mut times) in [("git status", status), ("cold", cold), ("warm", again)] {
        let own = least_and_median(&mut times);
        println!("  {name:<11} {:8.2} {:8.2}   {:.2} {:.2}", own.0, own.1, own.0 / git.0, own.1 / git.1);
    }
}

fn fingerprint(workspace: &Workspace) -> String {
    match workspace.revision(Instant::now() + Duration::from_mins(1)) {
        Revision::Known(known) => known.revision.to_string(),
        Revision::Unknown(reason) => panic!("{reason}"),
    }
}

fn timed(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1000.0
}

fn least_and_median(times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let at = |index: usize| times.get(index).copied().unwrap_or(f64::NAN);
    (at(0), at(times.len() / 2))
}
