//! One pass over the working tree: the index and the directories joined, one task per directory.

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rustix::fs::{Mode, OFlags, openat};

use super::children::children_of;
use super::deviation::{Deviation, Found};
use super::ignore::{Excludes, Folder, join};
use super::layout::Settings;
use super::paths::os_path;
use super::queue::drive;
use super::read::{Reader, is_absence, look};
use super::staged::Staged;
use super::unknown::{Unknown, UnknownKind};
use super::warm::{Learnt, Stray, Warm};

/// Directories with fewer entries are not opened when their listing is known: a longer path per file costs
/// less than opening and closing.
const OPEN_FROM: usize = 24;
/// Below so many paths in the index one thread is faster.
const LARGE: usize = 2_000;
const MOST_THREADS: usize = 8;
/// Deeper directories are not kept open for what is below them, so that open files stay few.
const DEEPEST_PLACE: usize = 32;

/// Reads a nested repository: its path, and what is remembered of it.
pub(super) type ReadNested<'a> = &'a (dyn Fn(&[u8], Option<&Mutex<Warm>>) -> Nested + Sync);

/// What a directory with `.git` in it turned out to be.
pub(super) enum Nested {
    /// Not a repository: a directory like any other.
    Plain,
    Repository {
        full: blake3::Hash,
        content: blake3::Hash,
        warm: Option<Box<Warm>>,
    },
    Unknown(Unknown),
}

/// Everything that stays the same during a walk.
pub(super) struct Walk<'a> {
    pub(super) root: OwnedFd,
    pub(super) root_path: &'a Path,
    pub(super) staged: &'a Staged,
    pub(super) excludes: Excludes,
    pub(super) settings: &'a Settings,
    pub(super) warm: &'a Warm,
    pub(super) reader: Reader,
    pub(super) started: SystemTime,
    pub(super) remembers_folders: bool,
    pub(super) read_nested: ReadNested<'a>,
}

/// What differs from the index, sorted by path, or why that is not known; and what to remember either way.
pub(super) struct Outcome {
    pub(super) deviations: Result<Vec<Deviation>, Unknown>,
    pub(super) learnt: Learnt,
}

/// A directory to visit, with the entries of the index below it.
pub(super) struct Task {
    folder: Arc<Folder>,
    start: usize,
    end: usize,
    above: Arc<Place>,
}

/// An open directory, from which others are named: the fewer names in a path, the faster it is found.
pub(super) struct Place {
    pub(super) file: OwnedFd,
    /// How much of a path it stands for, with the slash.
    prefix: usize,
    depth: usize,
}

/// Whether an index of so many entries is worth a second thread.
pub(super) fn is_large(entries: usize) -> bool {
    entries >= LARGE
}

impl Place {
    /// The rest of `path`, which lies in this directory or is it.
    pub(super) fn relative<'a>(&self, path: &'a [u8]) -> &'a [u8] {
        match path.get(self.prefix..) {
            None | Some(b"") => b".",
            Some(rest) => rest,
        }
    }
}

/// A directory being visited.
#[derive(Clone, Copy)]
pub(super) struct Visit<'a> {
    pub(super) folder: &'a Arc<Folder>,
    /// From where the files are named: the directory itself, or one above it.
    pub(super) place: &'a Place,
    /// From where the directories below are named.
    below: &'a Arc<Place>,
}

impl Visit<'_> {
    /// The task to visit a directory below, with its range of the index.
    pub(super) fn task(&self, folder: Arc<Folder>, start: usize, end: usize) -> Task {
        Task { folder, start, end, above: self.below.clone() }
    }
}

/// What one thread has found.
#[derive(Default)]
pub(super) struct Worker {
    pub(super) deviations: Vec<Deviation>,
    pub(super) learnt: Learnt,
}

/// The first reason to give up; the other threads stop when they see it.
#[derive(Default)]
struct Failure {
    happened: AtomicBool,
    reason: Mutex<Option<Unknown>>,
}

impl Failure {
    fn set(&self, reason: Unknown) {
        self.happened.store(true, Ordering::Relaxed);
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
    }
}

impl Walk<'_> {
    pub(super) fn run(&self) -> Outcome {
        let failure = Failure::default();
        let mut learnt = Learnt::default();
        let mut deviations = Vec::new();
        match self.workers(&failure) {
            Ok(workers) => {
                for worker in workers {
                    deviations.extend(worker.deviations);
                    learnt.merge(worker.learnt);
                }
            }
            Err(reason) => failure.set(reason),
        }
        deviations.sort_by(|a, b| a.path.cmp(&b.path));
        let reason = failure.reason.into_inner().unwrap_or_else(PoisonError::into_inner);
        Outcome { deviations: reason.map_or(Ok(deviations), Err), learnt }
    }

    fn workers(&self, failure: &Failure) -> Result<Vec<Worker>, Unknown> {
        let end = self.staged.index.entries().len();
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS));
        let threads = if is_large(end) { threads } else { 1 };
        let visit = |worker: &mut Worker, task: Task, tasks: &mut Vec<Task>| {
            if failure.happened.load(Ordering::Relaxed) {
                return;
            }
            if self.reader.deadline.has_passed() {
                failure.set(UnknownKind::TimedOut.into());
            } else if let Err(reason) = self.visit(worker, &task, tasks) {
                failure.set(reason);
            }
        };
        let root = self.root.try_clone().map_err(|_| Unknown::at(UnknownKind::Unreadable, self.root_path))?;
        let above = Arc::new(Place { file: root, prefix: 0, depth: 0 });
        let first = Task { folder: Folder::new(None, Vec::new()), start: 0, end, above };
        drive(first, threads, Worker::default, visit).ok_or_else(|| UnknownKind::Internal.into())
    }

    fn visit(&self, worker: &mut Worker, task: &Task, tasks: &mut Vec<Task>) -> Result<(), Unknown> {
        let folder = &task.folder;
        let known = self.known_listing(task)?;
        let index = &self.staged.index;
        let mut children = children_of(index, &folder.path, task.start..task.end)
            .map_err(|path| self.at(UnknownKind::BadIndex, path))?;
        let is_leaf = !children.iter().any(|child| child.is_directory);
        let place = if known.is_some() && is_leaf && children.len() < OPEN_FROM {
            task.above.clone()
        } else {
            let Some(place) = self.open(task)? else {
                self.report_gone(worker, task);
                return Ok(());
            };
            Arc::new(place)
        };
        let below = if place.depth < DEEPEST_PLACE { &place } else { &task.above };
        let visit = Visit { folder, place: &place, below };
        for child in children.iter().filter(|child| !child.is_directory) {
            self.check_entries(worker, &visit, child, tasks)?;
        }
        let strays = if let Some(strays) = known {
            worker.learnt.folders_used += 1;
            strays
        } else {
            self.list(worker, &visit, &mut children)?
        };
        let is_rules = |name: &[u8]| name == b".gitignore";
        if children.iter().any(|child| is_rules(child.name))
            || strays.iter().any(|stray| is_rules(&stray.name))
        {
            folder.note_rules();
        }
        for stray in strays.iter() {
            self.check_stray(worker, &visit, stray, tasks)?;
        }
        for child in children.iter().filter(|child| child.is_directory) {
            let below = Folder::new(Some(folder.clone()), join(&folder.path, child.name));
            tasks.push(visit.task(below, child.start, child.end));
        }
        Ok(())
    }

    /// The names of a directory that are not in the index, where they are known and it has not changed.
    fn known_listing(&self, task: &Task) -> Result<Option<Arc<[Stray]>>, Unknown> {
        let path = &task.folder.path;
        let Some((stamp, strays)) = self.warm.folders.get(path) else { return Ok(None) };
        let now =
            look(task.above.file.as_fd(), task.above.relative(path)).map_err(|kind| self.at(kind, path))?;
        Ok((now == Some(*stamp)).then(|| strays.clone()))
    }

    /// Opens the directory of a task; `None` where there is none.
    fn open(&self, task: &Task) -> Result<Option<Place>, Unknown> {
        let path = &task.folder.path;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&task.above.file, task.above.relative(path), flags, Mode::empty()) {
            Ok(file) => {
                let prefix = if path.is_empty() { 0 } else { path.len() + 1 };
                Ok(Some(Place { file, prefix, depth: task.above.depth + 1 }))
            }
            Err(error) if is_absence(error) => Ok(None),
            Err(_) => Err(self.at(UnknownKind::Unreadable, path)),
        }
    }

    fn report_gone(&self, worker: &mut Worker, task: &Task) {
        let index = &self.staged.index;
        for entry in index.entries().get(task.start..task.end).unwrap_or(&[]) {
            if !entry.skip_worktree {
                worker.report(index.path(entry), true, Found::Gone);
            }
        }
    }

    pub(super) fn at(&self, kind: UnknownKind, path: &[u8]) -> Unknown {
        Unknown::at(kind, self.root_path.join(os_path(path)))
    }
}

impl Worker {
    pub(super) fn report(&mut self, path: &[u8], tracked: bool, found: Found) {
        self.deviations.push(Deviation { path: path.into(), tracked, found });
    }
}
