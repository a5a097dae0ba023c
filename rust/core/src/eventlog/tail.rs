//! Every record of a log, in order, and what is appended to it: for showing, not for diagnosing.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memchr::memrchr;
use serde_json::{Map, Value};

use super::harvest::{LogError, open_log};
use super::{Cursor, decode};

/// How much is read at once, in bytes; a line longer than this is passed over.
const CHUNK: u64 = 1 << 20;

/// A log being read to its end, and on from there when called again.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    file: File,
    metadata: Metadata,
    offset: u64,
    /// The beginning of a line whose end has not been written yet.
    pending: Vec<u8>,
}

impl Tail {
    /// Opens the log at `path`, to be read from its beginning.
    ///
    /// # Errors
    /// [`LogError`] when there is no regular file that can be read.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let (file, metadata) = open_log(path)?;
        Ok(Self { path: path.to_owned(), file, metadata, offset: 0, pending: Vec::new() })
    }

    /// The next records, at most a mebibyte's worth; empty at the end of the log for now. A log that was replaced
    /// or truncated is read on from the beginning of what is there now.
    ///
    /// # Errors
    /// What the operating system says when reading fails.
    pub fn next_records(&mut self) -> io::Result<Vec<Map<String, Value>>> {
        loop {
            self.file.seek(SeekFrom::Start(self.offset))?;
            let before = self.pending.len();
            let count = (&self.file).take(CHUNK).read_to_end(&mut self.pending)?;
            self.offset += count as u64;
            if count == 0 {
                if self.reopened() {
                    continue;
                }
                return Ok(Vec::new());
            }
            let end = memrchr(b'\n', self.pending.get(before..).unwrap_or_default());
            let Some(end) = end.map(|end| before + end) else {
                if self.pending.len() as u64 > CHUNK {
                    self.pending.clear();
                }
                continue;
            };
            let rest = self.pending.split_off(end + 1);
            let lines = std::mem::replace(&mut self.pending, rest);
            let records: Vec<_> =
                lines.split(|byte| *byte == b'\n').flat_map(|line| decode::decode(line).records).collect();
            if !records.is_empty() {
                return Ok(records);
            }
        }
    }

    /// Whether another file is at the path by now, or the same one was truncated: it is read from its beginning.
    fn reopened(&mut self) -> bool {
        let Ok((file, metadata)) = open_log(&self.path) else { return false };
        if Cursor::same_file(&metadata, &self.metadata) && metadata.len() >= self.offset {
            return false;
        }
        self.file = file;
        self.metadata = metadata;
        self.offset = 0;
        self.pending.clear();
        true
    }
}
