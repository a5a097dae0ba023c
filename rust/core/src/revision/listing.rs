//! Listing a directory: the names that the index does not have.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use rustix::fs::{FileType, fstat};
use rustix::io::Errno;

use super::children::Child;
use super::index::mode;
use super::read::look;
use super::stamp::Stamp;
use super::unknown::{Unknown, UnknownKind};
use super::walk::{Visit, Walk, Worker};
use super::warm::{Stray, StrayKind};

impl Walk<'_> {
    /// Lists the names that the index does not have, or has as another type.
    pub(super) fn list(
        &self,
        worker: &mut Worker,
        visit: &Visit<'_>,
        children: &mut [Child<'_>],
    ) -> Result<Arc<[Stray]>, Unknown> {
        let folder = visit.folder;
        let place = &visit.place.file;
        // A first reading is often the only one: it does not pay for the next.
        let stamp =
            if self.remembers_folders { fstat(place).ok().map(|stat| Stamp::of(&stat)) } else { None };
        if !children.is_sorted() {
            children.sort_unstable();
        }
        let mut strays = Vec::new();
        let listed = each_name(place, |name, kind| {
            if matches!(name, b"." | b".." | b".git") {
                return;
            }
            let kind = match kind {
                FileType::Unknown => look(place.as_fd(), name)
                    .ok()
                    .flatten()
                    .map_or(FileType::Unknown, |stamp| stamp.file_type()),
                kind => kind,
            };
            let is_directory = kind == FileType::Directory;
            let first = children.partition_point(|child| child.name < name);
            let same_name =
                children.get(first..).unwrap_or(&[]).iter().take_while(|child| child.name == name);
            let is_tracked = |child: &Child<'_>| {
                child.is_directory == is_directory || (is_directory && self.is_submodule(child))
            };
            if same_name.clone().any(is_tracked) {
                return;
            }
            let kind = match kind {
                FileType::Directory => StrayKind::Directory,
                FileType::RegularFile | FileType::Symlink => StrayKind::FileOrLink,
                // Sockets, pipes and devices have no content: git passes them over too.
                _ => return,
            };
            strays.push(Stray { name: name.into(), kind });
        });
        listed.map_err(|_| self.at(UnknownKind::Unreadable, &folder.path))?;
        let strays: Arc<[Stray]> = strays.into();
        if let Some(stamp) = stamp.filter(|stamp| stamp.settles_in(self.started).is_zero()) {
            worker.learnt.folders.push((folder.path.clone(), (stamp, strays.clone())));
        }
        Ok(strays)
    }

    fn is_submodule(&self, child: &Child<'_>) -> bool {
        self.staged.index.entries().get(child.start).is_some_and(|entry| entry.mode == mode::SUBMODULE)
    }
}

/// Calls `each` with every name in a directory and the type it is listed with.
#[cfg(target_os = "linux")]
fn each_name(directory: &OwnedFd, mut each: impl FnMut(&[u8], FileType)) -> Result<(), Errno> {
    let mut buffer = [std::mem::MaybeUninit::uninit(); 16 << 10];
    let mut names = rustix::fs::RawDir::new(directory, &mut buffer);
    while let Some(found) = names.next() {
        let found = found?;
        each(found.file_name().to_bytes(), found.file_type());
    }
    Ok(())
}

/// The same through the C library, with an allocation for every name.
#[cfg(not(target_os = "linux"))]
fn each_name(directory: &OwnedFd, mut each: impl FnMut(&[u8], FileType)) -> Result<(), Errno> {
    for found in rustix::fs::Dir::read_from(directory)? {
        let found = found?;
        each(found.file_name().to_bytes(), found.file_type());
    }
    Ok(())
}
