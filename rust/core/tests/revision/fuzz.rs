//! Random work on real repositories, against a reference that reads everything each time: two states are told
//! apart exactly when the reference tells them apart, and memory never changes an answer.

use std::collections::HashMap;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use loop_core::{Digest, Workspace};

use crate::support::{Repo, git_command, host, known, os, run_git, set_mode, set_mtime};

const STEPS: u32 = 520;

#[test]
fn from_seed_1() {
    work_at_random(0x9e37_79b9_7f4a_7c15);
}

#[test]
fn from_seed_2() {
    work_at_random(0xd1b5_4a32_d192_ed03);
}

#[test]
fn from_seed_3() {
    work_at_random(0x8cb9_2ba7_2f3d_8dd7);
}

#[test]
fn from_seed_4() {
    work_at_random(0xaef1_7502_b3e5_1a09);
}

fn work_at_random(seed: u64) {
    let repo = Repo::new();
    let warm = Workspace::new(&repo.root, host());
    let mut random = Random(seed);
    let mut digest_of: HashMap<String, Digest> = HashMap::new();
    let mut state_of: HashMap<Digest, String> = HashMap::new();
    let mut log = Vec::new();
    for step in 0..STEPS {
        log.push(act(&repo.root, &mut random));
        let recent = || log[log.len().saturating_sub(12)..].join("\n  ");
        let state = reference(&repo.root);
        let cold = known(&repo.workspace());
        let again = known(&warm);
        assert_eq!(cold, again, "seed {seed:#x} step {step}: cold and warm differ after\n  {}", recent());
        let digest = *digest_of.entry(state.clone()).or_insert(cold.revision);
        assert_eq!(
            digest,
            cold.revision,
            "seed {seed:#x} step {step}: one state, two digests\n  {}",
            recent()
        );
        let first = state_of.entry(cold.revision).or_insert_with(|| state.clone());
        assert_eq!(*first, state, "seed {seed:#x} step {step}: two states, one digest\n  {}", recent());
    }
    assert!(digest_of.len() > 50, "only {} states were seen", digest_of.len());
}

/// HEAD, the index, and every file that git tracks or would offer to, in full.
fn reference(root: &Path) -> String {
    let ask = |args: &[&str]| run_git(root, args).stdout;
    let head = ask(&["rev-parse", "--quiet", "--verify", "HEAD"]);
    let index = ask(&["ls-files", "--stage", "-z"]);
    let mut state = vec![head.escape_ascii().to_string(), index.escape_ascii().to_string()];
    for line in index.split(|byte| *byte == 0) {
        let Some(path) = line.splitn(2, |byte| *byte == b'\t').nth(1) else { continue };
        state.push(if line.starts_with(b"160000") { submodule(root, path) } else { describe(root, path) });
    }
    let new = ask(&["ls-files", "--others", "--exclude-standard", "-z"]);
    state.extend(new.split(|byte| *byte == 0).map(|path| match path.strip_suffix(b"/") {
        Some(nested) => submodule(root, nested),
        None => describe(root, path),
    }));
    state.join("\n")
}

/// A repository in the repository. Where it has lost its own, its files count like any others.
fn submodule(root: &Path, path: &[u8]) -> String {
    let nested = root.join(os(path));
    if nested.join(".git").exists() {
        return format!("{} {{{}}}", path.escape_ascii(), reference(&nested));
    }
    let mut all = git_command(root);
    all.env("GIT_INDEX_FILE", "/nonexistent")
        .args(["ls-files", "--others", "--exclude-standard", "-z", "--"]);
    let files = all.arg(os(&[path, b"/"].concat())).output().unwrap().stdout;
    let files: Vec<String> = files.split(|byte| *byte == 0).map(|path| describe(root, path)).collect();
    format!("{} [{}]", describe(root, path), files.join("\n"))
}

fn describe(root: &Path, path: &[u8]) -> String {
    if path.is_empty() {
        return String::new();
    }
    let file = root.join(os(path));
    let what = match std::fs::symlink_metadata(&file) {
        Err(_) => "gone".to_owned(),
        Ok(facts) if facts.is_symlink() => {
            format!("-> {}", std::fs::read_link(&file).unwrap().as_os_str().as_bytes().escape_ascii())
        }
        Ok(facts) if facts.is_file() => {
            format!("{} {}", facts.mode() & 0o100, std::fs::read(&file).unwrap().escape_ascii())
        }
        Ok(_) => "other".to_owned(),
    };
    format!("{} {what}", path.escape_ascii())
}

const PATHS: &[&[u8]] = &[
    b"src/lib.rs",
    b"src/deep/er/mod.rs",
    b"src/deep/new.rs",
    b"src/deep.rs",
    b"src-old/a",
    b"src",
    b"run.sh",
    b"link",
    b"notes.log",
    b"build/out.bin",
    b"keep/build/kept",
    b"with space/and\nline",
    b"caf\xe9/\xff",
    b"\"quoted\"",
    b"a",
    b"a/b",
    b"a/b/c",
    b"nested/file",
    b"nested/dir/other.log",
    b"build/nested/file",
];

const RULES: &[&str] = &[
    "*.log\nbuild/\n",
    "*.log\n!notes.log\n",
    "/src/deep/*\n!/src/deep/new.rs\n",
    "a/**\n",
    "**/b\n*.rs\n!lib.rs\n",
    "with\\ space/\n# none\n\n[a-b]\n",
    "build\n!build/\nbuild/*\n!build/out.bin\n",
    "",
];

/// Does one thing, and says what it was. What fails has no effect, or a partial one: both are fine.
fn act(root: &Path, random: &mut Random) -> String {
    let path = random.pick(PATHS);
    let name = os(path);
    let file = root.join(name);
    let git = |args: &[&str]| drop(run_git(root, args));
    let git_on_path = |args: &[&str]| drop(git_command(root).args(args).arg("--").arg(name).output());
    let content = format!("text {}\n", random.below(6));
    let action = random.below(34);
    match action {
        0..=5 => drop(put(&file, &content)),
        6 => drop(std::fs::remove_file(&file)),
        7 => {
            if file != root {
                drop(std::fs::remove_dir_all(&file));
            }
        }
        8 => {
            if file.symlink_metadata().is_ok_and(|facts| facts.is_file()) {
                set_mode(&file, if random.below(2) == 0 { 0o755 } else { 0o644 });
            }
        }
        9 => {
            drop(std::fs::remove_file(&file));
            drop(std::os::unix::fs::symlink(["src", "nowhere", "a", "."][random.below(4)], &file));
        }
        10 => touch(&file, SystemTime::now()),
        11 => touch(&file, SystemTime::now() - Duration::from_hours(1)),
        12 => {
            // A change that keeps size and modification time.
            if let Ok(facts) = file.symlink_metadata()
                && facts.is_file()
            {
                let mut text = std::fs::read(&file).unwrap();
                text.reverse();
                std::fs::write(&file, text).unwrap();
                set_mtime(&file, facts.modified().unwrap());
            }
        }
        13 => drop(std::fs::rename(&file, root.join(os(random.pick(PATHS))))),
        14 | 15 => drop(put(
            &root.join(random.pick(&[".gitignore", "src/.gitignore", "a/.gitignore"])),
            random.pick(RULES),
        )),
        16 => drop(put(&root.join(".git/info/exclude"), random.pick(RULES))),
        17..=19 => git_on_path(&["add", "-f"]),
        20 => git(&["add", "-A"]),
        21 => git_on_path(&["add", "-N"]),
        22 => git_on_path(&["rm", "-q", "-r", "-f", "--cached"]),
        23 => git(&["commit", "-q", "--allow-empty", "-m", "step"]),
        24 => git(&["commit", "-q", "-a", "-m", "step"]),
        25 => git(&["status"]),
        26 => git(&[
            "reset",
            "-q",
            ["--mixed", "--hard", "--soft"][random.below(3)],
            ["HEAD", "HEAD~1"][random.below(2)],
        ]),
        27 => {
            git_on_path(&["update-index", ["--assume-unchanged", "--no-assume-unchanged"][random.below(2)]]);
        }
        28 => git(&["update-index", "--index-version", ["2", "3", "4"][random.below(3)]]),
        29 => {
            let nested = root.join(random.pick(&["nested", "build/nested"]));
            drop(std::fs::create_dir_all(&nested));
            drop(run_git(&nested, &["init", "-q"]));
        }
        30 => {
            let nested = root.join("nested");
            if nested.join(".git").exists() {
                drop(run_git(&nested, &["add", "-A"]));
                drop(run_git(&nested, &["commit", "-q", "-m", "nested"]));
            }
        }
        31 => drop(std::fs::remove_dir_all(root.join("nested/.git"))),
        32 => git(&["stash", "-q", "--include-untracked"]),
        _ => {
            // Two changes in one tick, with git between them.
            drop(put(&file, "text 7\n"));
            git_on_path(&["add", "-f"]);
            drop(put(&file, "text 8\n"));
        }
    }
    format!("{action} {}", path.escape_ascii())
}

fn put(file: &Path, content: &str) -> std::io::Result<()> {
    // Never through a link: it may lead anywhere.
    if file.symlink_metadata().is_ok_and(|facts| facts.is_symlink()) {
        std::fs::remove_file(file)?;
    }
    std::fs::create_dir_all(file.parent().unwrap())?;
    std::fs::write(file, content)
}

fn touch(file: &Path, time: SystemTime) {
    if file.symlink_metadata().is_ok_and(|facts| facts.is_file()) {
        set_mtime(file, time);
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33).unwrap() % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}
