//! Running git as a child: no shell, no pager, no locks, no hooks, no network, within a deadline.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;

use rustix::process::{Pid, Signal, kill_process_group};

use super::stamp::Deadline;
use super::unknown::{Unknown, UnknownKind};

/// Variables that would point git at another repository, index or configuration, or make it start a
/// program or write a log.
const IGNORED_VARIABLES: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ASKPASS",
    "GIT_ATTR_SOURCE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DEFAULT_HASH",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INDEX_VERSION",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PAGER",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF",
    "GIT_TRACE_SETUP",
    "GIT_WORK_TREE",
];

/// Settings that would start a program, whatever the repository's configuration says.
const SAFE_SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.quotePath=true",
    "core.untrackedCache=false",
    "protocol.allow=never",
    "submodule.recurse=false",
];

/// What a child printed and how it ended.
pub(super) struct Answer {
    pub(super) stdout: Vec<u8>,
    /// The exit status; `None` where a signal ended it.
    pub(super) code: Option<i32>,
}

/// One git call to be made.
pub(super) struct Git<'a> {
    command: Command,
    input: &'a [u8],
}

impl<'a> Git<'a> {
    /// Git in `directory`, finding the repository itself.
    pub(super) fn discovering(directory: &Path) -> Self {
        let mut command = Command::new("git");
        command.current_dir(directory);
        for name in IGNORED_VARIABLES {
            command.env_remove(name);
        }
        command
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("LC_ALL", "C")
            .args(["--no-pager", "--literal-pathspecs"]);
        for setting in SAFE_SETTINGS {
            command.args(["-c", setting]);
        }
        Self { command, input: &[] }
    }

    /// Git in `directory` on a repository that was already found (and whose owner was checked).
    pub(super) fn on(directory: &Path, git_dir: &Path, root: &Path) -> Self {
        let mut git = Self::discovering(directory);
        git.command.arg("--git-dir").arg(git_dir).arg("--work-tree").arg(root);
        git
    }

    pub(super) fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(args);
        self
    }

    pub(super) fn input(mut self, input: &'a [u8]) -> Self {
        self.input = input;
        self
    }

    /// Runs to the end and gives the output of a success.
    pub(super) fn output(self, limit: usize, deadline: Deadline) -> Result<Vec<u8>, Unknown> {
        let answer = self.run(limit, deadline)?;
        if answer.code == Some(0) { Ok(answer.stdout) } else { Err(UnknownKind::Git.into()) }
    }

    /// Runs to the end. More than `limit` bytes of output are a failure.
    pub(super) fn run(mut self, limit: usize, deadline: Deadline) -> Result<Answer, Unknown> {
        let mut child = self
            .command
            .stdin(if self.input.is_empty() { Stdio::null() } else { Stdio::piped() })
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // A group of its own, so that the programs it starts end with it.
            .process_group(0)
            .spawn()
            .map_err(|_| UnknownKind::Git)?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or(UnknownKind::Internal)?;
        let (sender, receiver) = mpsc::channel();
        // Not scoped: a program that outlives git may hold the pipe open, and must not hold us.
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
            let read = stdout.take(most).read_to_end(&mut bytes).map(|_| bytes);
            let _ = sender.send(read);
        });
        if let Some(mut stdin) = stdin {
            let input = self.input.to_vec();
            std::thread::spawn(move || stdin.write_all(&input));
        }
        let output = receiver.recv_timeout(deadline.remaining());
        let stdout = match output {
            Ok(Ok(stdout)) if stdout.len() <= limit => stdout,
            Ok(_) => return Err(stop(&mut child, UnknownKind::Git)),
            Err(_) => return Err(stop(&mut child, UnknownKind::TimedOut)),
        };
        // Its output ended, so it is about to.
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(Answer { stdout, code: status.code() }),
                Ok(None) if deadline.has_passed() => return Err(stop(&mut child, UnknownKind::TimedOut)),
                Ok(None) => std::thread::sleep(std::time::Duration::from_micros(200)),
                Err(_) => return Err(stop(&mut child, UnknownKind::Git)),
            }
        }
    }
}

fn stop(child: &mut Child, kind: UnknownKind) -> Unknown {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It fails only where the group has already ended.
        let _ = kill_process_group(pid, Signal::KILL);
    }
    let _ = child.wait();
    kind.into()
}
