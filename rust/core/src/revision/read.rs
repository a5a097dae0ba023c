//! Reading files and links so that what was read is known to be one state of them.

use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::SystemTime;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, readlinkat, statat};
use rustix::io::Errno;

use super::oid::{BlobHasher, ObjectFormat, ObjectId};
use super::stamp::{Deadline, Stamp};
use super::unknown::UnknownKind;

/// Larger ignore and attribute files are cut off here.
const SMALL_FILE: u64 = 1 << 20;
const CHUNK: usize = 128 << 10;
/// How often a file may be found freshly changed before it counts as restless.
const PATIENCE: usize = 4;

/// What a file or link holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Content {
    /// The name git would give these very bytes.
    pub(super) id: ObjectId,
    /// It holds a carriage return, so that line-end conversion may apply.
    pub(super) has_cr: bool,
}

/// The conditions of reading, the same for a whole walk.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    pub(super) format: ObjectFormat,
    pub(super) clock: fn() -> SystemTime,
    pub(super) deadline: Deadline,
}

/// The facts about `name` in `directory`, links not followed; `None` where there is nothing.
pub(super) fn look(directory: BorrowedFd<'_>, name: &[u8]) -> Result<Option<Stamp>, UnknownKind> {
    match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(Stamp::of(&stat))),
        Err(error) if is_absence(error) => Ok(None),
        Err(_) => Err(UnknownKind::Unreadable),
    }
}

/// Whether the error says that the path leads nowhere, or leads through a link or file.
pub(super) fn is_absence(error: Errno) -> bool {
    matches!(error, Errno::NOENT | Errno::NOTDIR | Errno::LOOP)
}

/// The bytes of a regular file, links not followed; `None` where it cannot be read.
pub(super) fn small_file(directory: impl AsFd, path: &[u8]) -> Option<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = openat(directory, path, flags, Mode::empty()).ok()?;
    if Stamp::of(&fstat(&file).ok()?).file_type() != FileType::RegularFile {
        return None;
    }
    let mut bytes = Vec::new();
    File::from(file).take(SMALL_FILE).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

impl Reader {
    /// Reads a regular file or a link whose facts were `stamp`, and gives the facts that hold for what was
    /// read. A fresh change is waited out, since a further one might not show.
    pub(super) fn read(
        self,
        directory: BorrowedFd<'_>,
        name: &[u8],
        stamp: Stamp,
    ) -> Result<(Stamp, Content), UnknownKind> {
        let stamp = self.settled(directory, name, stamp)?;
        let content = match stamp.file_type() {
            FileType::RegularFile => self.read_file(directory, name, stamp)?,
            FileType::Symlink => self.read_link(directory, name, stamp)?,
            _ => return Err(UnknownKind::Changing),
        };
        Ok((stamp, content))
    }

    fn settled(self, directory: BorrowedFd<'_>, name: &[u8], mut stamp: Stamp) -> Result<Stamp, UnknownKind> {
        for _ in 0..PATIENCE {
            let wait = stamp.settles_in((self.clock)());
            if wait.is_zero() {
                return Ok(stamp);
            }
            if wait > self.deadline.remaining() {
                return Err(UnknownKind::TimedOut);
            }
            std::thread::sleep(wait);
            stamp = look(directory, name)?.ok_or(UnknownKind::Changing)?;
        }
        Err(UnknownKind::Changing)
    }

    fn read_file(self, directory: BorrowedFd<'_>, name: &[u8], stamp: Stamp) -> Result<Content, UnknownKind> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = openat(directory, name, flags, Mode::empty()).map_err(kind_of)?;
        let facts = |file: &File| fstat(file).map(|stat| Stamp::of(&stat)).map_err(kind_of);
        let mut file = File::from(file);
        if facts(&file)? != stamp {
            return Err(UnknownKind::Changing);
        }
        let mut hasher = BlobHasher::new(self.format, stamp.size);
        let mut has_cr = false;
        let mut read = 0_u64;
        // One more than the size, so that a small file's end shows in the first piece.
        let mut piece =
            vec![0; usize::try_from(stamp.size).map_or(CHUNK, |size| size.saturating_add(1).min(CHUNK))];
        loop {
            if self.deadline.has_passed() {
                return Err(UnknownKind::TimedOut);
            }
            let len = match file.read(&mut piece) {
                Ok(0) => break,
                Ok(len) => len,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => return Err(UnknownKind::Unreadable),
            };
            let bytes = piece.get(..len).unwrap_or(&[]);
            hasher.update(bytes);
            has_cr = has_cr || memchr::memchr(b'\r', bytes).is_some();
            read += len as u64;
            if read > stamp.size {
                return Err(UnknownKind::Changing);
            }
        }
        if read != stamp.size || facts(&file)? != stamp {
            return Err(UnknownKind::Changing);
        }
        Ok(Content { id: hasher.finish(), has_cr })
    }

    fn read_link(self, directory: BorrowedFd<'_>, name: &[u8], stamp: Stamp) -> Result<Content, UnknownKind> {
        let target = readlinkat(directory, name, Vec::new()).map_err(kind_of)?;
        if look(directory, name)? != Some(stamp) {
            return Err(UnknownKind::Changing);
        }
        let target = target.to_bytes();
        let mut hasher = BlobHasher::new(self.format, target.len() as u64);
        hasher.update(target);
        Ok(Content { id: hasher.finish(), has_cr: false })
    }
}

/// A path that was there a moment ago is gone or of another type: it is changing.
fn kind_of(error: Errno) -> UnknownKind {
    if is_absence(error) || error == Errno::INVAL { UnknownKind::Changing } else { UnknownKind::Unreadable }
}
