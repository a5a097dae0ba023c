//! Git's index (staging area), versions 2 to 4, read from its file. Total: any bytes give an answer.

use std::io::Read;

use super::oid::{ObjectFormat, ObjectId};
use super::stamp::{FileTime, TICK};

/// Entry modes as git stores them.
pub(super) mod mode {
    pub(in super::super) const DIRECTORY: u32 = 0o040_000;
    /// The type bits of files, executable or not.
    pub(in super::super) const FILE_TYPE: u32 = 0o100_000;
    pub(in super::super) const FILE: u32 = 0o100_644;
    pub(in super::super) const EXECUTABLE: u32 = 0o100_755;
    pub(in super::super) const SYMLINK: u32 = 0o120_000;
    pub(in super::super) const SUBMODULE: u32 = 0o160_000;
}

/// The facts about the file, ten numbers of 32 bits, come before the object name.
const STAT_LEN: usize = 40;
const EXTENDED: u16 = 0x4000;
const NAME_MASK: u16 = 0x0fff;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// Why bytes are not an index that can be used as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexError {
    /// Not an index, cut short, out of order, or of a version that is not known.
    Malformed,
    /// The file could not be read to its end.
    Unreadable,
    /// Part of it is in another file, or an extension changes its meaning: git must be asked.
    NeedsGit,
}

/// Longer paths are no paths. It bounds what compressed paths can unfold to.
const LONGEST_PATH: usize = 1 << 14;
/// More than any entry takes.
const LONGEST_ENTRY: usize = LONGEST_PATH + 256;
/// How much of the file is in memory at a time.
const WINDOW: usize = 1 << 18;

/// A time as the index keeps it: the low 32 bits of the seconds, and the nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct PackedTime {
    secs: u32,
    nanos: u32,
}

impl PackedTime {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the index keeps the low 32 bits"
    )]
    pub(super) fn of(time: FileTime) -> Self {
        Self { secs: time.secs as u32, nanos: time.nanos }
    }

    /// Whether this time is so close to `later`, or after it, that a second change may share its tick.
    pub(super) fn is_within_tick_of(self, later: Self) -> bool {
        let nanos = |time: Self| u128::from(time.secs) * 1_000_000_000 + u128::from(time.nanos);
        nanos(self) + TICK.as_nanos() >= nanos(later)
    }
}

/// One path of the index at one stage, without the path itself. There may be a million: it is kept small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where the entry's record lies in [`Index::records`].
    start: u32,
    end: u32,
    pub(super) mtime: PackedTime,
    pub(super) ctime: PackedTime,
    pub(super) ino: u32,
    pub(super) size: u32,
    pub(super) mode: u32,
    /// 0, or 1 to 3 in a conflict.
    pub(super) stage: u8,
    /// Outside a sparse checkout: it may be absent.
    pub(super) skip_worktree: bool,
    /// Announced by `git add -N`: its content is not staged.
    pub(super) intent_to_add: bool,
}

impl Entry {
    /// Whether the entry stages a content: neither in conflict nor only announced.
    pub(super) fn is_staged(&self) -> bool {
        self.stage == 0 && !self.intent_to_add
    }
}

/// A read index. The records lie in one buffer, so that a range of them can be hashed in one go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Index {
    format: ObjectFormat,
    /// Per entry: mode (4 bytes), object name, path, NUL.
    records: Vec<u8>,
    entries: Vec<Entry>,
}

impl Index {
    /// The index of a repository where nothing was ever added.
    pub(super) fn empty(format: ObjectFormat) -> Self {
        Self { format, records: Vec::new(), entries: Vec::new() }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The path relative to the repository's root, with slashes.
    pub(super) fn path(&self, entry: &Entry) -> &[u8] {
        self.record(entry)
            .get(4 + self.format.len()..)
            .and_then(|rest| rest.split_last())
            .map_or(&[], |(_, path)| path)
    }

    pub(super) fn object_id(&self, entry: &Entry) -> &[u8] {
        self.record(entry).get(4..4 + self.format.len()).unwrap_or(&[])
    }

    /// Mode, object name and NUL-ended path of one entry.
    pub(super) fn record(&self, entry: &Entry) -> &[u8] {
        self.records.get(entry.start as usize..entry.end as usize).unwrap_or(&[])
    }

    /// The records of the entries from `start` up to `end`, which lie side by side.
    pub(super) fn records(&self, start: usize, end: usize) -> &[u8] {
        let from = self.entries.get(start).map_or(self.records.len(), |entry| entry.start as usize);
        let to = self.entries.get(end).map_or(self.records.len(), |entry| entry.start as usize);
        self.records.get(from..to).unwrap_or(&[])
    }

    /// The entry of `path` that stages a content.
    pub(super) fn find(&self, path: &[u8]) -> Option<&Entry> {
        let at = self.entries.partition_point(|entry| self.path(entry) < path);
        self.entries.get(at).filter(|entry| self.path(entry) == path && entry.stage == 0)
    }

    /// Adds an entry, which must sort after the last one.
    pub(super) fn push(&mut self, path: &[u8], oid: &[u8], entry: Entry) -> Result<(), IndexError> {
        // The part of a split index names what it replaces in the shared part without a path.
        if path.is_empty() {
            return Err(IndexError::NeedsGit);
        }
        let in_order = self.entries.last().is_none_or(|last| {
            let last_path = self.path(last);
            last_path < path || (last_path == path && last.stage < entry.stage)
        });
        let is_path = path.len() <= LONGEST_PATH && memchr::memchr(0, path).is_none();
        if !in_order || !is_path || oid.len() != self.format.len() {
            return Err(IndexError::Malformed);
        }
        let position = |at: usize| u32::try_from(at).map_err(|_| IndexError::Malformed);
        let start = position(self.records.len())?;
        self.records.extend_from_slice(&entry.mode.to_be_bytes());
        self.records.extend_from_slice(oid);
        self.records.extend_from_slice(path);
        self.records.push(0);
        let end = position(self.records.len())?;
        self.entries.push(Entry { start, end, ..entry });
        Ok(())
    }

    /// Reads an index file of `len` bytes.
    pub(super) fn parse(file: impl Read, len: u64, format: ObjectFormat) -> Result<Self, IndexError> {
        // A checksum ends the file; git does not check it on reading either.
        let body_len = len.checked_sub(format.len() as u64).ok_or(IndexError::Malformed)?;
        let mut reader = Reader { source: file.take(body_len), window: Vec::new(), at: 0 };
        reader.refill()?;
        if reader.take(4)? != b"DIRC" {
            return Err(IndexError::Malformed);
        }
        let version = reader.u32()?;
        let count = reader.u32()? as usize;
        if !(2..=4).contains(&version) {
            return Err(IndexError::Malformed);
        }
        // The count is not trusted: every entry takes at least its fixed part.
        let body_len = usize::try_from(body_len).map_err(|_| IndexError::Malformed)?;
        let room = count.checked_mul(STAT_LEN).and_then(|facts| body_len.checked_sub(facts));
        let room = room.ok_or(IndexError::Malformed)?;
        let mut index =
            Self { format, records: Vec::with_capacity(room), entries: Vec::with_capacity(count) };
        let mut path = Vec::new();
        for _ in 0..count {
            reader.refill()?;
            let entry = reader.entry(format, version, &mut path)?;
            index.push(&path, entry.0.as_slice(), entry.1)?;
        }
        reader.extensions()?;
        Ok(index)
    }
}

/// Makes an entry without file-system facts, for an index that git listed as text.
pub(super) fn listed_entry(mode: u32, stage: u8, skip_worktree: bool) -> Entry {
    Entry {
        start: 0,
        end: 0,
        mtime: PackedTime::default(),
        ctime: PackedTime::default(),
        ino: 0,
        size: 0,
        mode,
        stage,
        skip_worktree,
        intent_to_add: false,
    }
}

/// Reads through a window, so that a large file is never in memory as a whole.
struct Reader<R> {
    source: R,
    window: Vec<u8>,
    at: usize,
}

impl<R: Read> Reader<R> {
    /// Makes sure that a whole entry is in the window, unless the file ends before.
    fn refill(&mut self) -> Result<(), IndexError> {
        if self.window.len() - self.at >= LONGEST_ENTRY {
            return Ok(());
        }
        self.window.drain(..self.at);
        self.at = 0;
        let room = (WINDOW - self.window.len()) as u64;
        self.source.by_ref().take(room).read_to_end(&mut self.window).map_err(|_| IndexError::Unreadable)?;
        Ok(())
    }

    fn take(&mut self, len: usize) -> Result<&[u8], IndexError> {
        let end = self.at.checked_add(len).ok_or(IndexError::Malformed)?;
        let slice = self.window.get(self.at..end).ok_or(IndexError::Malformed)?;
        self.at = end;
        Ok(slice)
    }

    fn u32(&mut self) -> Result<u32, IndexError> {
        let bytes = self.take(4)?.try_into().map_err(|_| IndexError::Malformed)?;
        Ok(u32::from_be_bytes(bytes))
    }

    fn u16(&mut self) -> Result<u16, IndexError> {
        let bytes = self.take(2)?.try_into().map_err(|_| IndexError::Malformed)?;
        Ok(u16::from_be_bytes(bytes))
    }

    /// Up to the next NUL, which is passed over.
    fn until_nul(&mut self) -> Result<&[u8], IndexError> {
        let rest = self.window.get(self.at..).unwrap_or(&[]);
        let len = memchr::memchr(0, rest).ok_or(IndexError::Malformed)?;
        let with_nul = self.take(len + 1)?;
        Ok(with_nul.get(..len).unwrap_or(&[]))
    }

    fn entry(
        &mut self,
        format: ObjectFormat,
        version: u32,
        path: &mut Vec<u8>,
    ) -> Result<(ObjectId, Entry), IndexError> {
        let start = self.at;
        let (words, _) = self.take(STAT_LEN)?.as_chunks();
        let words: &[[u8; 4]; STAT_LEN / 4] = words.try_into().map_err(|_| IndexError::Malformed)?;
        let [ctime_secs, ctime_nanos, mtime_secs, mtime_nanos, _dev, ino, mode, _uid, _gid, size] =
            words.map(u32::from_be_bytes);
        let ctime = PackedTime { secs: ctime_secs, nanos: ctime_nanos };
        let mtime = PackedTime { secs: mtime_secs, nanos: mtime_nanos };
        let oid = ObjectId::from_slice(self.take(format.len())?).ok_or(IndexError::Malformed)?;
        let flags = self.u16()?;
        let extended = if flags & EXTENDED == 0 { 0 } else { self.u16()? };
        let path_start = self.at;
        if version == 4 {
            let kept = path.len().checked_sub(self.offset()?).ok_or(IndexError::Malformed)?;
            path.truncate(kept);
            path.extend_from_slice(self.until_nul()?);
            if path.len() > LONGEST_PATH {
                return Err(IndexError::Malformed);
            }
        } else {
            let len = match flags & NAME_MASK {
                // Longer than the field can say.
                NAME_MASK => self.until_nul()?.len(),
                len => usize::from(len),
            };
            // One to eight NULs follow, up to a multiple of eight bytes.
            self.at = path_start;
            let padded = (path_start - start + len + 8) & !7;
            let padded = self.take(padded - (path_start - start))?;
            path.clear();
            path.extend_from_slice(padded.get(..len).ok_or(IndexError::Malformed)?);
        }
        let stage = u8::try_from((flags >> 12) & 3).unwrap_or(0);
        let skip_worktree = extended & SKIP_WORKTREE != 0;
        let intent_to_add = extended & INTENT_TO_ADD != 0;
        Ok((
            oid,
            Entry { mtime, ctime, ino, size, intent_to_add, ..listed_entry(mode, stage, skip_worktree) },
        ))
    }

    /// Version 4: how many bytes of the previous path to drop, in git's offset encoding.
    fn offset(&mut self) -> Result<usize, IndexError> {
        let mut value = 0_usize;
        loop {
            let byte = *self.take(1)?.first().ok_or(IndexError::Malformed)?;
            value = value.checked_add(usize::from(byte & 0x7f)).ok_or(IndexError::Malformed)?;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            value =
                value.checked_add(1).and_then(|value| value.checked_mul(128)).ok_or(IndexError::Malformed)?;
        }
    }

    /// Upper-case extensions are only hints. Of the others, `sdir` (directories as entries) is understood.
    fn extensions(&mut self) -> Result<(), IndexError> {
        loop {
            self.refill()?;
            if self.at == self.window.len() {
                return Ok(());
            }
            let name = self.take(4)?;
            if !name.first().is_some_and(u8::is_ascii_uppercase) && name != b"sdir" {
                return Err(IndexError::NeedsGit);
            }
            let len = self.u32()?;
            self.skip(len.into())?;
        }
    }

    fn skip(&mut self, len: u64) -> Result<(), IndexError> {
        let in_window = self.window.len() - self.at;
        let Some(beyond) = len.checked_sub(in_window as u64) else {
            self.at += usize::try_from(len).map_err(|_| IndexError::Malformed)?;
            return Ok(());
        };
        self.at = self.window.len();
        let passed = std::io::copy(&mut self.source.by_ref().take(beyond), &mut std::io::sink());
        if passed.map_err(|_| IndexError::Unreadable)? == beyond {
            Ok(())
        } else {
            Err(IndexError::Malformed)
        }
    }
}

/// Reads `git ls-files -z -t --stage`: the fallback for indexes that only git understands.
pub(super) fn parse_listing(listing: &[u8], format: ObjectFormat) -> Result<Index, IndexError> {
    let mut index = Index::empty(format);
    for line in listing.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let (facts, path) = split_at_byte(line, b'\t').ok_or(IndexError::Malformed)?;
        let mut facts = facts.split(|byte| *byte == b' ');
        let mut next = || facts.next().ok_or(IndexError::Malformed);
        let (tag, mode, oid, stage) = (next()?, next()?, next()?, next()?);
        let number = |digits: &[u8], radix| {
            std::str::from_utf8(digits)
                .ok()
                .and_then(|digits| u32::from_str_radix(digits, radix).ok())
                .ok_or(IndexError::Malformed)
        };
        let oid = ObjectId::from_hex(oid).ok_or(IndexError::Malformed)?;
        let stage = u8::try_from(number(stage, 10)?).map_err(|_| IndexError::Malformed)?;
        index.push(path, oid.as_slice(), listed_entry(number(mode, 8)?, stage, tag == b"S"))?;
    }
    Ok(index)
}

fn split_at_byte(line: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(byte, line)?;
    Some((line.get(..at)?, line.get(at + 1..)?))
}

#[cfg(test)]
mod tests;
