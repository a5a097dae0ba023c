//! A throw-away repository, and short ways to do things to it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant, SystemTime};

use loop_core::{Fingerprint, Host, Revision, Workspace};
use tempfile::TempDir;

pub(crate) struct Repo {
    _directory: TempDir,
    pub(crate) root: PathBuf,
}

impl Repo {
    /// An empty directory, in no repository.
    pub(crate) fn bare_directory() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap().join("work");
        std::fs::create_dir(&root).unwrap();
        Self { _directory: directory, root }
    }

    pub(crate) fn unborn(init: &[&str]) -> Self {
        let repo = Self::bare_directory();
        repo.git(&[&["init", "-q", "-b", "main"], init].concat());
        repo
    }

    /// One commit with a few files, older than any tick.
    pub(crate) fn new() -> Self {
        let repo = Self::unborn(&[]);
        repo.fill();
        repo
    }

    pub(crate) fn fill(&self) {
        self.write("src/lib.rs", "pub fn one() {}\n");
        self.write("src/deep/er/mod.rs", "mod x;\n");
        self.write("run.sh", "echo hi\n");
        self.write(".gitignore", "*.log\nbuild/\n");
        std::os::unix::fs::symlink("src/lib.rs", self.root.join("link")).unwrap();
        self.git(&["add", "-A"]);
        self.commit("first");
        settle();
    }

    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    pub(crate) fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.path(path)).unwrap();
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        let output = run_git(&self.root, args);
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    pub(crate) fn workspace(&self) -> Workspace {
        Workspace::new(&self.root, host())
    }

    /// The fingerprint that a new workspace sees.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        known(&self.workspace())
    }

    /// Asserts that `change` alters the revision, for a workspace with memory and for one without.
    pub(crate) fn assert_differs(&self, what: &str, change: impl FnOnce()) {
        let (before, after) = self.around(change);
        assert_ne!(before.revision, after.revision, "{what}");
    }

    /// Asserts that `change` alters nothing.
    pub(crate) fn assert_same(&self, what: &str, change: impl FnOnce()) {
        let (before, after) = self.around(change);
        assert_eq!(before, after, "{what}");
    }

    fn around(&self, change: impl FnOnce()) -> (Fingerprint, Fingerprint) {
        let warm = self.workspace();
        let before = known(&warm);
        assert_eq!(before, known(&warm), "nothing happened in between");
        change();
        let after = self.fingerprint();
        assert_eq!(after, known(&warm), "cold and warm differ");
        (before, after)
    }
}

pub(crate) fn run_git(root: &Path, args: &[&str]) -> Output {
    git_command(root).args(args).output().unwrap()
}

/// Git that sees no configuration of the machine.
pub(crate) fn git_command(root: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args(["-c", "user.name=test", "-c", "user.email=test@example.invalid"])
        .args(["-c", "protocol.file.allow=always", "-c", "commit.gpgsign=false", "-c", "gc.auto=0"]);
    command
}

pub(crate) fn host() -> Host {
    Host { clock: SystemTime::now, home: None, config_home: None }
}

pub(crate) fn soon() -> Instant {
    Instant::now() + Duration::from_mins(1)
}

pub(crate) fn known(workspace: &Workspace) -> Fingerprint {
    match workspace.revision(soon()) {
        Revision::Known(known) => known,
        Revision::Unknown(reason) => panic!("{}: unknown: {reason}", workspace.path().display()),
    }
}

pub(crate) fn reason(workspace: &Workspace) -> loop_core::UnknownKind {
    match workspace.revision(soon()) {
        Revision::Unknown(reason) => reason.kind(),
        Revision::Known(_) => panic!("{} is known", workspace.path().display()),
    }
}

/// Lets the kernel's clock move on, so that files and index are not of one tick.
pub(crate) fn settle() {
    std::thread::sleep(Duration::from_millis(30));
}

/// Sets a file's modification time to one that was seen before.
pub(crate) fn set_mtime(path: &Path, time: SystemTime) {
    std::fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

pub(crate) fn os(bytes: &[u8]) -> &OsStr {
    use std::os::unix::ffi::OsStrExt;
    OsStr::from_bytes(bytes)
}
