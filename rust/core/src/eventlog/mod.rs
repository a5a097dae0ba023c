//! Bytes of a log → its records, its harness failures, and a cursor to read on from.
//!
//! The way of the bytes: `rotation` says which files, `blocks` cuts them into lines, `repeat` and
//! `prefilter` pass over lines that cannot matter, `condense` shortens lines that are too long to hold, `recover` finds the whole
//! records in a line with `walk`, `glance` and `policy` judge them, `group` gathers them by defect, `build` makes the
//! few that are kept into records of bounded size.

mod blocks;
mod build;
mod condense;
mod cursor;
mod error;
mod glance;
mod group;
mod harvest;
mod policy;
mod prefilter;
mod reader;
mod recover;
mod repeat;
mod rotation;
mod stats;
mod tail;
mod walk;

pub use cursor::Cursor;
pub use error::{LogError, LogErrorKind};
pub use group::Defect;
pub use harvest::{Harvest, harvest, harvest_stream};
pub use policy::{Candidacy, NORMAL_OUTCOMES, candidacy};
pub use stats::{Limits, Skipped, Stats};
pub use tail::Tail;
