//! Every record of a log, in order, and what is appended to it: for showing, not for diagnosing.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::build::build;
use super::cursor::{Cursor, LogFile};
use super::error::{LogError, LogErrorKind};
use super::glance::Glance;
use super::harvest::scan;
use super::reader::{Lines, Sink};
use super::repeat::Verdict;
use super::rotation::Begin;
use super::stats::{Limits, Stats};

/// How much text of records one call gives, about.
const BATCH: usize = 1 << 20;

/// A log being read to its end, and on from there when called again, through rotation and truncation.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    cursor: Option<Cursor>,
    limits: Limits,
}

impl Tail {
    /// Opens the log at `path`, to be read from its beginning.
    ///
    /// # Errors
    /// [`LogError`] when there is no regular file that can be read.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        LogFile::open(path)?;
        Ok(Self { path: path.to_owned(), cursor: None, limits: Limits::default() })
    }

    /// The next records, about a mebibyte's worth, each of bounded size; empty at the end of the log for now,
    /// and while the log is away between two rotations.
    ///
    /// # Errors
    /// [`LogError`] when the log cannot be read any more; calling again goes on where it was.
    pub fn next_records(&mut self) -> Result<Vec<Map<String, Value>>, LogError> {
        let mut batch = Batch::default();
        let cursor = self.cursor.as_ref();
        match scan(&self.path, cursor, Begin::Log, Lines::All, &self.limits, &mut batch) {
            Ok((cursor, _)) => self.cursor = Some(cursor),
            Err(error) if error.kind() == LogErrorKind::Missing => {}
            Err(error) => return Err(error),
        }
        Ok(batch.records)
    }
}

#[derive(Default)]
struct Batch {
    records: Vec<Map<String, Value>>,
    bytes: usize,
}

impl Sink for Batch {
    fn record(&mut self, text: &[u8], _: &Glance<'_>, _: &mut Stats) -> ControlFlow<(), Verdict> {
        if self.bytes >= BATCH {
            return ControlFlow::Break(());
        }
        self.bytes += text.len();
        self.records.push(build(text).record);
        ControlFlow::Continue(Verdict::Harmless)
    }

    fn again(&mut self, _: &[u8], _: Verdict, _: &mut Stats) {}
}
