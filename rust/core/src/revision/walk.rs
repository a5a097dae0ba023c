//! One pass over the working tree: the index and the directories joined, one task per directory.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rustix::fs::{FileType, Mode, OFlags, RawDir, fstat, openat};

use super::deviation::{Deviation, Found};
use super::ignore::{Excludes, Folder, join};
use super::index::{Entry, Index, mode};
use super::layout::Settings;
use super::queue::drive;
use super::read::{Reader, is_absence, look};
use super::staged::Staged;
use super::stamp::Stamp;
use super::unknown::{Unknown, UnknownKind};
use super::warm::{Learnt, Stray, StrayKind, Warm};

/// Directories with fewer entries are not opened when their listing is known: a longer path per file costs
/// less than opening and closing.
const OPEN_FROM: usize = 24;
/// Below so many paths in the index one thread is faster.
const PARALLEL_FROM: usize = 2_000;
const MOST_THREADS: usize = 8;

/// Reads a nested repository: its path, and what is remembered of it.
pub(super) type ReadNested<'a> = &'a (dyn Fn(&[u8], Option<&Mutex<Warm>>) -> Nested + Sync);

/// What a directory with `.git` in it turned out to be.
pub(super) enum Nested {
    /// Not a repository: a directory like any other.
    Plain,
    Repository { full: blake3::Hash, content: blake3::Hash, warm: Option<Warm> },
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
    pub(super) read_nested: ReadNested<'a>,
}

/// What differs from the index, and what to remember.
pub(super) struct Outcome {
    pub(super) deviations: Vec<Deviation>,
    pub(super) learnt: Learnt,
}

/// A directory to visit, with the entries of the index below it.
struct Task {
    folder: Arc<Folder>,
    start: usize,
    end: usize,
}

/// A name that the index has in the directory at hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Child<'a> {
    name: &'a [u8],
    start: usize,
    end: usize,
    is_directory: bool,
}

#[derive(Default)]
struct Worker {
    deviations: Vec<Deviation>,
    learnt: Learnt,
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
    pub(super) fn run(&self) -> Result<Outcome, Unknown> {
        let end = self.staged.index.entries().len();
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS));
        let threads = if end < PARALLEL_FROM { 1 } else { threads };
        let failure = Failure::default();
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
        let first = Task { folder: Folder::new(None, Vec::new()), start: 0, end };
        let workers = drive(first, threads, Worker::default, visit).ok_or(UnknownKind::Internal)?;
        if let Some(reason) = failure.reason.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(reason);
        }
        let mut outcome = Outcome { deviations: Vec::new(), learnt: Learnt::default() };
        for worker in workers {
            outcome.deviations.extend(worker.deviations);
            outcome.learnt.merge(worker.learnt);
        }
        outcome.deviations.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(outcome)
    }

    fn visit(&self, worker: &mut Worker, task: &Task, tasks: &mut Vec<Task>) -> Result<(), Unknown> {
        let folder = &task.folder;
        let known = self.known_listing(&folder.path)?;
        let opened;
        let (place, in_place) = if known.is_some() && task.end - task.start < OPEN_FROM {
            (self.root.as_fd(), false)
        } else {
            match self.open(&folder.path)? {
                Some(file) => opened = file,
                None => return self.report_gone(worker, task),
            }
            (opened.as_fd(), true)
        };
        let mut children = self.children(task)?;
        for child in children.iter().filter(|child| !child.is_directory) {
            self.check_entries(worker, task, child, place, in_place, tasks)?;
        }
        let strays = if let Some(strays) = known {
            worker.learnt.folders_used += 1;
            strays
        } else {
            self.list(worker, folder, place, &mut children)?
        };
        let is_rules = |name: &[u8]| name == b".gitignore";
        if children.iter().any(|child| is_rules(child.name)) || strays.iter().any(|stray| is_rules(&stray.name)) {
            folder.note_rules();
        }
        for stray in strays.iter() {
            self.check_stray(worker, folder, stray, place, in_place, tasks)?;
        }
        for child in children.iter().filter(|child| child.is_directory) {
            let path = join(&folder.path, child.name);
            tasks.push(Task { folder: Folder::new(Some(folder.clone()), path), start: child.start, end: child.end });
        }
        Ok(())
    }

    /// The names of a directory that are not in the index, where they are known and it has not changed.
    fn known_listing(&self, path: &[u8]) -> Result<Option<Arc<[Stray]>>, Unknown> {
        let Some((stamp, strays)) = self.warm.folders.get(path) else { return Ok(None) };
        let now = look(self.root.as_fd(), or_dot(path)).map_err(|kind| self.at(kind, path))?;
        Ok((now == Some(*stamp)).then(|| strays.clone()))
    }

    /// Opens a directory; `None` where there is none.
    fn open(&self, path: &[u8]) -> Result<Option<OwnedFd>, Unknown> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&self.root, or_dot(path), flags, Mode::empty()) {
            Ok(file) => Ok(Some(file)),
            Err(error) if is_absence(error) => Ok(None),
            Err(_) => Err(self.at(UnknownKind::Unreadable, path)),
        }
    }

    fn report_gone(&self, worker: &mut Worker, task: &Task) -> Result<(), Unknown> {
        let index = &self.staged.index;
        for entry in index.entries().get(task.start..task.end).unwrap_or(&[]) {
            if !entry.skip_worktree {
                worker.report(index.path(entry), true, Found::Gone);
            }
        }
        Ok(())
    }

    /// Groups the entries below a directory by their next name.
    fn children(&self, task: &Task) -> Result<Vec<Child<'_>>, Unknown> {
        let index = &self.staged.index;
        let path_of = |at: usize| index.entries().get(at).map_or(&[][..], |entry| index.path(entry));
        let skip = if task.folder.path.is_empty() { 0 } else { task.folder.path.len() + 1 };
        let mut children = Vec::new();
        let mut at = task.start;
        while at < task.end {
            let path = path_of(at);
            let rest = path.get(skip..).unwrap_or(&[]);
            let slash = memchr::memchr(b'/', rest);
            let name = slash.and_then(|slash| rest.get(..slash)).unwrap_or(rest);
            if matches!(name, b"" | b"." | b".." | b".git") {
                return Err(self.at(UnknownKind::BadIndex, path));
            }
            let end = match slash {
                Some(slash) => {
                    let prefix = path.get(..=skip + slash).unwrap_or(path);
                    end_of_prefix(index, prefix, at, task.end)
                }
                // The stages of a conflict share a path.
                None => (at + 1..task.end).find(|next| path_of(*next) != path).unwrap_or(task.end),
            };
            // A directory of a sparse index ends with a slash and stands for everything in it.
            let is_folded = slash.is_some_and(|slash| slash + 1 == rest.len());
            if !is_folded {
                children.push(Child { name, start: at, end, is_directory: slash.is_some() });
            }
            at = end;
        }
        Ok(children)
    }

    /// Compares one path of the index, at whatever stages, with what is there.
    fn check_entries(
        &self,
        worker: &mut Worker,
        task: &Task,
        child: &Child<'_>,
        place: BorrowedFd<'_>,
        in_place: bool,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Unknown> {
        let index = &self.staged.index;
        let Some(entry) = index.entries().get(child.start) else { return Ok(()) };
        let path = index.path(entry);
        let name = if in_place { child.name } else { path };
        let Some(stamp) = look(place, name).map_err(|kind| self.at(kind, path))? else {
            if !entry.skip_worktree {
                worker.report(path, true, Found::Gone);
            }
            return Ok(());
        };
        if entry.mode == mode::SUBMODULE && stamp.file_type() == FileType::Directory {
            let folder = Folder::new(Some(task.folder.clone()), path.to_vec());
            return self.enter(worker, folder, true, tasks);
        }
        if entry.is_staged() && self.is_unchanged(entry, &stamp) {
            return Ok(());
        }
        if !matches!(stamp.file_type(), FileType::RegularFile | FileType::Symlink) {
            worker.report(path, true, Found::Special { mode: stamp.mode & 0o170_000 });
            return Ok(());
        }
        let (stamp, content) = self.content(worker, place, name, path, stamp)?;
        let mode = self.mode_of(&stamp, Some(entry));
        if !(entry.is_staged() && mode == entry.mode && content.id.as_slice() == index.object_id(entry)) {
            worker.report(path, true, Found::file(mode, stamp, content));
        }
        Ok(())
    }

    /// Whether the facts alone prove that the file is as staged.
    fn is_unchanged(&self, entry: &Entry, stamp: &Stamp) -> bool {
        #[expect(clippy::cast_possible_truncation, reason = "the index keeps the low 32 bits")]
        let same_file = entry.ino == stamp.ino as u32 && entry.size == stamp.size as u32;
        let truncated = |secs: i64| secs & 0xffff_ffff;
        same_file
            && entry.mtime.nanos == stamp.mtime.nanos
            && entry.ctime.nanos == stamp.ctime.nanos
            && entry.mtime.secs == truncated(stamp.mtime.secs)
            && entry.ctime.secs == truncated(stamp.ctime.secs)
            && self.mode_of(stamp, Some(entry)) == entry.mode
            && !entry.mtime.max(entry.ctime).is_within_tick_of(self.staged.written)
    }

    /// The mode git would store.
    fn mode_of(&self, stamp: &Stamp, entry: Option<&Entry>) -> u32 {
        let staged = entry.map_or(0, |entry| entry.mode);
        match stamp.file_type() {
            FileType::RegularFile if !self.settings.symlinks && staged == mode::SYMLINK => staged,
            FileType::RegularFile if !self.settings.file_mode => {
                if staged == mode::EXECUTABLE { staged } else { mode::FILE }
            }
            FileType::RegularFile if stamp.mode & 0o100 != 0 => mode::EXECUTABLE,
            FileType::RegularFile => mode::FILE,
            _ => stamp.mode & 0o170_000,
        }
    }

    fn content(
        &self,
        worker: &mut Worker,
        place: BorrowedFd<'_>,
        name: &[u8],
        path: &[u8],
        stamp: Stamp,
    ) -> Result<(Stamp, super::read::Content), Unknown> {
        if let Some((known, content)) = self.warm.files.get(path).filter(|(known, _)| *known == stamp) {
            worker.learnt.files_used += 1;
            return Ok((*known, *content));
        }
        let read = self.reader.read(place, name, stamp).map_err(|kind| self.at(kind, path))?;
        worker.learnt.files.push((path.to_vec(), read));
        Ok(read)
    }

    /// Lists the names that the index does not have, or has as another type.
    fn list(
        &self,
        worker: &mut Worker,
        folder: &Folder,
        place: BorrowedFd<'_>,
        children: &mut [Child<'_>],
    ) -> Result<Arc<[Stray]>, Unknown> {
        let unreadable = || self.at(UnknownKind::Unreadable, &folder.path);
        let stamp = Stamp::of(&fstat(place).map_err(|_| unreadable())?);
        if !children.is_sorted() {
            children.sort_unstable();
        }
        let mut strays = Vec::new();
        let mut buffer = [MaybeUninit::uninit(); 16 << 10];
        let mut names = RawDir::new(place, &mut buffer);
        while let Some(found) = names.next() {
            let found = found.map_err(|_| unreadable())?;
            let name = found.file_name().to_bytes();
            if matches!(name, b"." | b".." | b".git") {
                continue;
            }
            let kind = match found.file_type() {
                FileType::Unknown => look(place, name).ok().flatten().map_or(FileType::Unknown, |stamp| stamp.file_type()),
                kind => kind,
            };
            let is_directory = kind == FileType::Directory;
            let first = children.partition_point(|child| child.name < name);
            let same_name = children.get(first..).unwrap_or(&[]).iter().take_while(|child| child.name == name);
            let is_tracked = |child: &Child<'_>| {
                child.is_directory == is_directory || (is_directory && self.is_submodule(child))
            };
            if same_name.clone().any(is_tracked) {
                continue;
            }
            let kind = match kind {
                FileType::Directory => StrayKind::Directory,
                FileType::RegularFile | FileType::Symlink => StrayKind::FileOrLink,
                // Sockets, pipes and devices have no content: git passes them over too.
                _ => continue,
            };
            strays.push(Stray { name: name.into(), kind });
        }
        let strays: Arc<[Stray]> = strays.into();
        if stamp.settles_in(self.started).is_zero() {
            worker.learnt.folders.push((folder.path.clone(), (stamp, strays.clone())));
        }
        Ok(strays)
    }

    fn is_submodule(&self, child: &Child<'_>) -> bool {
        self.staged.index.entries().get(child.start).is_some_and(|entry| entry.mode == mode::SUBMODULE)
    }

    fn check_stray(
        &self,
        worker: &mut Worker,
        folder: &Arc<Folder>,
        stray: &Stray,
        place: BorrowedFd<'_>,
        in_place: bool,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Unknown> {
        let path = join(&folder.path, &stray.name);
        let is_directory = stray.kind == StrayKind::Directory;
        if folder.ignores(&path, is_directory, &self.root, &self.excludes) {
            return Ok(());
        }
        if is_directory {
            return self.enter(worker, Folder::new(Some(folder.clone()), path), false, tasks);
        }
        let name = if in_place { &stray.name[..] } else { &path[..] };
        let stamp = look(place, name).map_err(|kind| self.at(kind, &path))?;
        let stamp = stamp.ok_or_else(|| self.at(UnknownKind::Changing, &path))?;
        let (stamp, content) = self.content(worker, place, name, &path, stamp)?;
        worker.report(&path, false, Found::file(self.mode_of(&stamp, None), stamp, content));
        Ok(())
    }

    /// A directory that the index has no files of: a nested repository, or to be walked.
    fn enter(
        &self,
        worker: &mut Worker,
        folder: Arc<Folder>,
        tracked: bool,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Unknown> {
        let path = &folder.path;
        let has_git = look(self.root.as_fd(), &join(path, b".git")).map_err(|kind| self.at(kind, path))?.is_some();
        let nested = if has_git { (self.read_nested)(path, self.warm.nested.get(path)) } else { Nested::Plain };
        match nested {
            Nested::Plain => tasks.push(Task { folder, start: 0, end: 0 }),
            Nested::Repository { full, content, warm } => {
                worker.report(path, tracked, Found::Repository { full, content });
                worker.learnt.nested.extend(warm.map(|warm| (path.clone(), warm)));
            }
            Nested::Unknown(reason) => return Err(reason),
        }
        Ok(())
    }

    fn at(&self, kind: UnknownKind, path: &[u8]) -> Unknown {
        use std::os::unix::ffi::OsStrExt;
        Unknown::at(kind, self.root_path.join(std::ffi::OsStr::from_bytes(path)))
    }
}

impl Worker {
    fn report(&mut self, path: &[u8], tracked: bool, found: Found) {
        self.deviations.push(Deviation { path: path.into(), tracked, found });
    }
}

fn or_dot(path: &[u8]) -> &[u8] {
    if path.is_empty() { b"." } else { path }
}

/// The end of the run of entries from `start` whose paths begin with `prefix`: steps that double, then a
/// search in the last one, since most directories are small.
fn end_of_prefix(index: &Index, prefix: &[u8], start: usize, end: usize) -> usize {
    let inside = |entry: &Entry| index.path(entry).starts_with(prefix);
    let mut known = start;
    let mut step = 1;
    while known + step < end && index.entries().get(known + step).is_some_and(inside) {
        known += step;
        step *= 2;
    }
    let rest = index.entries().get(known + 1..(known + step).min(end)).unwrap_or(&[]);
    known + 1 + rest.partition_point(inside)
}
