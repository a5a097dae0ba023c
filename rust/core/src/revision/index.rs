//! Git's index (staging area), versions 2 to 4, read from its bytes. Total: any bytes give an answer.

use super::oid::{ObjectFormat, ObjectId};
use super::stamp::FileTime;

/// Entry modes as git stores them.
pub(super) mod mode {
    pub(in super::super) const DIRECTORY: u32 = 0o040_000;
    pub(in super::super) const FILE: u32 = 0o100_644;
    pub(in super::super) const EXECUTABLE: u32 = 0o100_755;
    pub(in super::super) const SYMLINK: u32 = 0o120_000;
    pub(in super::super) const SUBMODULE: u32 = 0o160_000;
}

/// Ten 32-bit fields come before the object name.
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
    /// Part of it is in another file, or an extension changes its meaning: git must be asked.
    NeedsGit,
}

/// One path of the index at one stage, without the path itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where the entry's record starts in [`Index::records`].
    start: usize,
    end: usize,
    pub(super) mtime: FileTime,
    pub(super) ctime: FileTime,
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
        self.record(entry).get(4 + self.format.len()..).and_then(|rest| rest.split_last()).map_or(&[], |(_, path)| path)
    }

    pub(super) fn object_id(&self, entry: &Entry) -> &[u8] {
        self.record(entry).get(4..4 + self.format.len()).unwrap_or(&[])
    }

    /// Mode, object name and NUL-ended path of one entry.
    pub(super) fn record(&self, entry: &Entry) -> &[u8] {
        self.records.get(entry.start..entry.end).unwrap_or(&[])
    }

    /// The records of the entries from `start` up to `end`, which lie side by side.
    pub(super) fn records(&self, start: usize, end: usize) -> &[u8] {
        let from = self.entries.get(start).map_or(self.records.len(), |entry| entry.start);
        let to = self.entries.get(end).map_or(self.records.len(), |entry| entry.start);
        self.records.get(from..to).unwrap_or(&[])
    }

    /// The entry of `path` that stages a content.
    pub(super) fn find(&self, path: &[u8]) -> Option<&Entry> {
        let at = self.entries.partition_point(|entry| self.path(entry) < path);
        self.entries.get(at).filter(|entry| self.path(entry) == path && entry.stage == 0)
    }

    /// Adds an entry, which must sort after the last one.
    pub(super) fn push(&mut self, path: &[u8], oid: &[u8], entry: Entry) -> Result<(), IndexError> {
        let in_order = self.entries.last().is_none_or(|last| {
            let last_path = self.path(last);
            last_path < path || (last_path == path && last.stage < entry.stage)
        });
        if !in_order || path.is_empty() || path.contains(&0) || oid.len() != self.format.len() {
            return Err(IndexError::Malformed);
        }
        let start = self.records.len();
        self.records.extend_from_slice(&entry.mode.to_be_bytes());
        self.records.extend_from_slice(oid);
        self.records.extend_from_slice(path);
        self.records.push(0);
        self.entries.push(Entry { start, end: self.records.len(), ..entry });
        Ok(())
    }

    /// Reads the bytes of an index file.
    pub(super) fn parse(bytes: &[u8], format: ObjectFormat) -> Result<Self, IndexError> {
        let (body, _checksum) = bytes.split_last_chunk_of(format.len()).ok_or(IndexError::Malformed)?;
        let mut reader = Reader { bytes: body, at: 0 };
        if reader.take(4)? != b"DIRC" {
            return Err(IndexError::Malformed);
        }
        let version = reader.u32()?;
        let count = reader.u32()? as usize;
        if !(2..=4).contains(&version) {
            return Err(IndexError::Malformed);
        }
        // The count is not trusted: every entry takes at least its fixed part.
        let most = body.len() / (STAT_LEN + format.len() + 2);
        if count > most {
            return Err(IndexError::Malformed);
        }
        let mut index = Self { format, records: Vec::with_capacity(body.len()), entries: Vec::with_capacity(count) };
        let mut path = Vec::new();
        for _ in 0..count {
            let (oid, entry) = reader.entry(format, version, &mut path)?;
            index.push(&path, oid, entry)?;
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
        mtime: FileTime::default(),
        ctime: FileTime::default(),
        ino: 0,
        size: 0,
        mode,
        stage,
        skip_worktree,
        intent_to_add: false,
    }
}

trait SplitLast {
    fn split_last_chunk_of(&self, len: usize) -> Option<(&[u8], &[u8])>;
}

impl SplitLast for [u8] {
    fn split_last_chunk_of(&self, len: usize) -> Option<(&[u8], &[u8])> {
        self.len().checked_sub(len).map(|at| self.split_at(at))
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], IndexError> {
        let end = self.at.checked_add(len).ok_or(IndexError::Malformed)?;
        let slice = self.bytes.get(self.at..end).ok_or(IndexError::Malformed)?;
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

    fn time(&mut self) -> Result<FileTime, IndexError> {
        Ok(FileTime { secs: self.u32()?.into(), nanos: self.u32()? })
    }

    /// Up to the next NUL, which is passed over.
    fn until_nul(&mut self) -> Result<&'a [u8], IndexError> {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        let len = memchr::memchr(0, rest).ok_or(IndexError::Malformed)?;
        let slice = self.take(len)?;
        self.at += 1;
        Ok(slice)
    }

    fn entry(
        &mut self,
        format: ObjectFormat,
        version: u32,
        path: &mut Vec<u8>,
    ) -> Result<(&'a [u8], Entry), IndexError> {
        let start = self.at;
        let ctime = self.time()?;
        let mtime = self.time()?;
        let _dev = self.u32()?;
        let ino = self.u32()?;
        let mode = self.u32()?;
        let _uid_gid = self.take(8)?;
        let size = self.u32()?;
        let oid = self.take(format.len())?;
        let flags = self.u16()?;
        let extended = if flags & EXTENDED == 0 { 0 } else { self.u16()? };
        if version == 4 {
            let kept = path.len().checked_sub(self.offset()?).ok_or(IndexError::Malformed)?;
            path.truncate(kept);
            path.extend_from_slice(self.until_nul()?);
        } else {
            path.clear();
            path.extend_from_slice(self.path_and_padding(start, flags)?);
        }
        let stage = u8::try_from((flags >> 12) & 3).unwrap_or(0);
        let skip_worktree = extended & SKIP_WORKTREE != 0;
        let intent_to_add = extended & INTENT_TO_ADD != 0;
        Ok((oid, Entry { mtime, ctime, ino, size, intent_to_add, ..listed_entry(mode, stage, skip_worktree) }))
    }

    /// Versions 2 and 3: a path, then one to eight NULs up to a multiple of eight bytes.
    fn path_and_padding(&mut self, start: usize, flags: u16) -> Result<&'a [u8], IndexError> {
        let path_start = self.at;
        let path = match flags & NAME_MASK {
            // Longer than the field can say.
            NAME_MASK => self.until_nul()?,
            len => self.take(len.into())?,
        };
        let len = path_start - start + path.len();
        self.at = start;
        self.take((len + 8) & !7)?;
        Ok(path)
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
            value = value.checked_add(1).and_then(|value| value.checked_mul(128)).ok_or(IndexError::Malformed)?;
        }
    }

    /// Upper-case extensions are only hints. Of the others, `sdir` (directories as entries) is understood.
    fn extensions(&mut self) -> Result<(), IndexError> {
        while self.at < self.bytes.len() {
            let name = self.take(4)?;
            let len = self.u32()? as usize;
            self.take(len)?;
            if !name.first().is_some_and(u8::is_ascii_uppercase) && name != b"sdir" {
                return Err(IndexError::NeedsGit);
            }
        }
        Ok(())
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
