//! Defect ids as a filter: JSON Lines `{"id","text"}` in, `{"id","fingerprint"}` out; `--template` adds the
//! template. `--bench [SECONDS]` reads the same input and prints messages per second on one core instead.
#![allow(missing_docs, clippy::print_stdout)]

use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let lines: Vec<String> = io::stdin().lock().lines().collect::<io::Result<_>>()?;
    let asked: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<_, _>>()?;
    let texts: Vec<&str> = asked.iter().map(|ask| ask["text"].as_str().unwrap_or_default()).collect();
    if args.first().is_some_and(|arg| arg == "--bench") {
        bench(&texts, args.get(1).and_then(|s| s.parse().ok()).unwrap_or(2));
        return Ok(());
    }
    let mut out = io::stdout().lock();
    for (ask, text) in asked.iter().zip(texts) {
        let mut answer = json!({"id": ask["id"], "fingerprint": loop_core::fingerprint("", text).as_str()});
        if args.iter().any(|arg| arg == "--template") {
            answer["template"] = loop_core::template(text).into();
        }
        writeln!(out, "{answer}")?;
    }
    Ok(())
}

fn bench(texts: &[&str], seconds: u64) {
    let start = Instant::now();
    let mut done = 0_usize;
    while start.elapsed() < Duration::from_secs(seconds) {
        for text in texts {
            black_box(loop_core::fingerprint("poll.scope_error", black_box(text)));
        }
        done += texts.len();
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = done as f64 / start.elapsed().as_secs_f64();
    println!("{rate:.0} messages/s over {} texts", texts.len());
}
