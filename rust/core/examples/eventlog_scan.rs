//! `eventlog_scan LOG`: harvests a log once from its beginning and once more from where that ended.
#![allow(missing_docs, clippy::print_stdout)]

use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let log = PathBuf::from(std::env::args().nth(1).ok_or("usage: eventlog_scan LOG")?);
    let limits = loop_core::Limits::default();
    let started = Instant::now();
    let first = loop_core::harvest(&log, None, &limits)?;
    println!("first: {:?}, {} defects, {:?}", started.elapsed(), first.defects.len(), first.stats);
    let started = Instant::now();
    let second = loop_core::harvest(&log, Some(&first.cursor), &limits)?;
    println!("again: {:?}, {} defects, {:?}", started.elapsed(), second.defects.len(), second.stats);
    Ok(())
}
