//! Scans an event log as a diagnosis does and prints what it found and what it cost as JSON:
//! `eventlog_scan LOG [CURSOR_FILE]`. The cursor is read from that file, if there is one, and written to it.
#![allow(missing_docs, clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use loop_core::{Cursor, Limits, harvest};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let log = arguments.next().ok_or("usage: eventlog_scan LOG [CURSOR_FILE]")?;
    let kept = arguments.next();
    let cursor: Option<Cursor> = match &kept {
        Some(file) if Path::new(file).exists() => Some(serde_json::from_slice(&std::fs::read(file)?)?),
        _ => None,
    };
    let start = Instant::now();
    let found = harvest(Path::new(&log), cursor.as_ref(), &Limits::default())?;
    let seconds = start.elapsed().as_secs_f64();
    if let Some(file) = kept {
        std::fs::write(file, serde_json::to_vec(&found.cursor)?)?;
    }
    let defects: Vec<_> = found
        .defects
        .iter()
        .map(|defect| serde_json::json!({"id": defect.id.as_str(), "event": defect.event, "count": defect.count}))
        .collect();
    println!(
        "{}",
        serde_json::json!({
            "seconds": seconds,
            "cpu_seconds": cpu_seconds(),
            "peak_rss_kib": peak_rss_kib(),
            "stats": found.stats,
            "defects": defects,
        })
    );
    Ok(())
}

/// User and system time of this process where the system tells (Linux).
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

/// The most memory this process held where the system tells (Linux).
fn peak_rss_kib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
