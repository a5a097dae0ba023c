//! `defect_bench FILE.jsonl`: how many messages a second are fingerprinted, from the "text" of each line.
//! `defect_bench --adversarial`: the slowest of many 1 MB texts made to be slow.
#![allow(missing_docs, clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

/// What the adversarial texts repeat.
const PIECES: &[&str] = &[
    "y", "/", "a/", "/a B", "/a B/", "<*> ", "[", "['a',", "\"", "'", "\\", "C:\\", "://", "a://", "0", "0 ",
    "1.", "1:", "a@", "a=", "a=\"", "(", "\u{1b}[", "\u{1b}]", "\n", "\n\t", "\r", "  File \"x\n",
    "\n  at x(", "goroutine 1 [x]:\n", "#", "-", "a-", ":", "::", "2031-01-01 ", "A ", "é", "\u{200b}",
    "mar ", "ERROR: ", "[x] ", "E, [", "a.b.", "Ab1", "could not apply ", "-> ", "{\"a\":\"", "1 and ",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args().nth(1).ok_or("usage: defect_bench FILE.jsonl | --adversarial")?;
    if argument == "--adversarial" {
        let (slowest, piece) = PIECES.iter().map(|piece| (time(piece), *piece)).max().unwrap_or_default();
        println!("{} texts of 1 MB, slowest {slowest:?}: {piece:?} again and again", PIECES.len());
        return Ok(());
    }
    let texts: Vec<String> = std::fs::read_to_string(argument)?
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|row| row.get("text").or_else(|| row.get("error"))?.as_str().map(str::to_owned))
        .collect();
    let started = Instant::now();
    let mut count = 0_u32;
    while started.elapsed().as_secs_f64() < 2.0 {
        for text in &texts {
            black_box(loop_core::fingerprint("event", black_box(text)));
            count += 1;
        }
    }
    println!("{:.0} messages/s", f64::from(count) / started.elapsed().as_secs_f64());
    Ok(())
}

/// The better of two runs, so that a busy machine is not blamed on a text.
fn time(piece: &str) -> Duration {
    let text = piece.repeat(1_000_000 / piece.len());
    let run = || {
        let started = Instant::now();
        black_box(loop_core::fingerprint("event", black_box(&text)));
        started.elapsed()
    };
    run().min(run())
}
