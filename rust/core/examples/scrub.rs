//! A JSON Lines filter: `{"id","text"}` in, the same with the text scrubbed out.
//! With `--throughput FILE` it prints MB/s over that file in 4 KB chunks instead.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a command-line filter")]

use std::error::Error;
use std::io::{BufRead, Write};
use std::time::Instant;

use loop_core::{Identity, Redactor};

fn main() -> Result<(), Box<dyn Error>> {
    let var = |name: &str| std::env::var(name).unwrap_or_default();
    let identity = Identity {
        home: var("HOME"),
        user: var("USER"),
        host: var("HOSTNAME"),
        env: std::env::vars().collect(),
    };
    let redactor = Redactor::new(&identity);
    if let Some(file) = std::env::args().skip_while(|a| a != "--throughput").nth(1) {
        return throughput(&redactor, &std::fs::read_to_string(file)?);
    }
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let mut record: serde_json::Value = serde_json::from_str(&line?)?;
        let scrubbed = redactor.scrub(record.get("text").and_then(|t| t.as_str()).unwrap_or_default());
        if let Some(record) = record.as_object_mut() {
            record.insert("text".to_owned(), scrubbed.into_string().into());
        }
        writeln!(out, "{record}")?;
    }
    Ok(())
}

fn throughput(redactor: &Redactor, log: &str) -> Result<(), Box<dyn Error>> {
    let mut chunks: Vec<&str> = Vec::new();
    let mut rest = log;
    while !rest.is_empty() {
        let at = rest.floor_char_boundary(4096);
        let cut = rest.get(..at).and_then(|head| head.rfind('\n')).map_or(at.max(1), |n| n + 1);
        let (chunk, tail) = rest.split_at(cut);
        chunks.push(chunk);
        rest = tail;
    }
    let start = Instant::now();
    let found: usize = chunks.iter().map(|chunk| redactor.scrub(chunk).total()).sum();
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = u32::try_from(log.len() / 1000).map(f64::from)? / 1000.0;
    println!("{:.1} MB/s ({megabytes:.1} MB, {found} replaced)", megabytes / seconds);
    Ok(())
}
