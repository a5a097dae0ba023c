//! `defect_bench FILE.jsonl`: how many messages a second are fingerprinted, from the "text" of each line.
#![allow(missing_docs, clippy::print_stdout)]

use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: defect_bench FILE.jsonl")?;
    let texts: Vec<String> = std::fs::read_to_string(path)?
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|row| row.get("text").or_else(|| row.get("error"))?.as_str().map(str::to_owned))
        .collect();
    let started = Instant::now();
    let mut count = 0_u32;
    while started.elapsed().as_secs_f64() < 2.0 {
        for text in &texts {
            std::hint::black_box(loop_core::fingerprint("event", text));
            count += 1;
        }
    }
    println!("{:.0} messages/s", f64::from(count) / started.elapsed().as_secs_f64());
    Ok(())
}
