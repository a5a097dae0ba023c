//! Bytes of a log → records, candidates grouped by defect, and a cursor to go on from.
//!
//! Nothing that stands in a log stops the reading: what cannot be read is counted and passed over.

mod cursor;
mod decode;
mod gather;
mod harvest;
mod lines;
mod policy;
mod tail;

pub use cursor::Cursor;
pub use gather::{Defect, Stats};
pub use harvest::{Harvest, LogError, LogErrorKind, harvest};
pub use policy::{Candidacy, NORMAL_OUTCOMES, candidacy};
pub use tail::Tail;

/// Bounds on what one harvest keeps in memory.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The longest line that is read whole, in bytes; of a longer one the beginning is read.
    pub line: usize,
    /// How many distinct defects are gathered; the harvest stops in front of the first record of the next one.
    pub defects: usize,
    /// How many records are kept of each defect: the last ones.
    pub records: usize,
}

impl Default for Limits {
    /// 1 MiB, 500 defects, 20 records: at most 16 MiB, since a defect's records take 32 KiB at most.
    fn default() -> Self {
        Self { line: 1 << 20, defects: 500, records: 20 }
    }
}
