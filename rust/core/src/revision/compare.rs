//! Comparing one path of the working tree with the index.

use std::os::fd::AsFd;
use std::sync::Arc;

use rustix::fs::FileType;

use super::children::Child;
use super::deviation::Found;
use super::ignore::{Folder, join};
use super::index::{Entry, PackedTime, mode};
use super::read::{Content, look};
use super::stamp::Stamp;
use super::unknown::{Unknown, UnknownKind};
use super::walk::{Nested, Place, Task, Visit, Walk, Worker};
use super::warm::{Stray, StrayKind};

impl Walk<'_> {
    /// Compares one path of the index, at whatever stages, with what is there.
    pub(super) fn check_entries(
        &self,
        worker: &mut Worker,
        visit: &Visit<'_>,
        child: &Child<'_>,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Unknown> {
        let index = &self.staged.index;
        let Some(entry) = index.entries().get(child.start) else { return Ok(()) };
        let path = index.path(entry);
        let place = visit.place;
        let Some(stamp) =
            look(place.file.as_fd(), place.relative(path)).map_err(|kind| self.at(kind, path))?
        else {
            if !entry.skip_worktree {
                worker.report(path, true, Found::Gone);
            }
            return Ok(());
        };
        if entry.mode == mode::SUBMODULE && stamp.file_type() == FileType::Directory {
            let folder = Folder::new(Some(visit.folder.clone()), path.to_vec());
            return self.enter(worker, visit, folder, true, tasks);
        }
        if entry.is_staged() && self.is_unchanged(entry, &stamp) {
            return Ok(());
        }
        if !matches!(stamp.file_type(), FileType::RegularFile | FileType::Symlink) {
            worker.report(path, true, Found::Special { mode: stamp.mode & 0o170_000 });
            return Ok(());
        }
        let (stamp, content) = self.content(worker, place, path, stamp)?;
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
        same_file
            && entry.mtime == PackedTime::of(stamp.mtime)
            && entry.ctime == PackedTime::of(stamp.ctime)
            && self.mode_of(stamp, Some(entry)) == entry.mode
            && !entry.mtime.max(entry.ctime).is_within_tick_of(self.staged.written)
    }

    /// The mode git would store.
    fn mode_of(&self, stamp: &Stamp, entry: Option<&Entry>) -> u32 {
        let staged = entry.map_or(0, |entry| entry.mode);
        match stamp.file_type() {
            FileType::RegularFile if !self.settings.symlinks && staged == mode::SYMLINK => staged,
            FileType::RegularFile if !self.settings.file_mode => {
                if staged == mode::EXECUTABLE {
                    staged
                } else {
                    mode::FILE
                }
            }
            FileType::RegularFile if stamp.mode & 0o100 != 0 => mode::EXECUTABLE,
            FileType::RegularFile => mode::FILE,
            _ => stamp.mode & 0o170_000,
        }
    }

    fn content(
        &self,
        worker: &mut Worker,
        place: &Place,
        path: &[u8],
        stamp: Stamp,
    ) -> Result<(Stamp, Content), Unknown> {
        if let Some((known, content)) = self.warm.files.get(path).filter(|(known, _)| *known == stamp) {
            worker.learnt.files_used += 1;
            return Ok((*known, *content));
        }
        let read = self
            .reader
            .read(place.file.as_fd(), place.relative(path), stamp)
            .map_err(|kind| self.at(kind, path))?;
        worker.learnt.files.push((path.to_vec(), read));
        Ok(read)
    }

    pub(super) fn check_stray(
        &self,
        worker: &mut Worker,
        visit: &Visit<'_>,
        stray: &Stray,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Unknown> {
        let Visit { folder, place, .. } = *visit;
        let path = join(&folder.path, &stray.name);
        let is_directory = stray.kind == StrayKind::Directory;
        if folder.ignores(&path, is_directory, &self.root, &self.excludes) {
            return Ok(());
        }
        if is_directory {
            return self.enter(worker, visit, Folder::new(Some(folder.clone()), path), false, tasks);
        }
        let stamp = look(place.file.as_fd(), place.relative(&path)).map_err(|kind| self.at(kind, &path))?;
        let stamp = stamp.ok_or_else(|| self.at(UnknownKind::Changing, &path))?;
        let (stamp, content) = self.content(worker, place, &path, stamp)?;
        worker.report(&path, false, Found::file(self.mode_of(&stamp, None), stamp, content));
        Ok(())
    }

    /// A directory that the index has no files of: a nested repository, or to be walked.
    fn enter(
        &self,
        worker: &mut Worker,
        visit: &Visit<'_>,
        folder: Arc<Folder>,
        tracked: bool,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Unknown> {
        let path = &folder.path;
        let has_git =
            look(self.root.as_fd(), &join(path, b".git")).map_err(|kind| self.at(kind, path))?.is_some();
        let nested =
            if has_git { (self.read_nested)(path, self.warm.nested.get(path)) } else { Nested::Plain };
        match nested {
            Nested::Plain => tasks.push(visit.task(folder, 0, 0)),
            Nested::Repository { full, content, warm } => {
                worker.report(path, tracked, Found::Repository { full, content });
                worker.learnt.nested.extend(warm.map(|warm| (path.clone(), *warm)));
            }
            Nested::Unknown(reason) => return Err(reason),
        }
        Ok(())
    }
}
