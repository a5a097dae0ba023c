//! Defect ids as a filter: JSON Lines `{"id","text"}` in, `{"id","fingerprint","template"}` out.
#![allow(missing_docs, clippy::print_stdout)]

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let asked: Value = serde_json::from_str(&line?)?;
        let text = asked.get("text").and_then(Value::as_str).unwrap_or_default();
        let id = loop_core::fingerprint("", text);
        let answer =
            json!({"id": asked.get("id"), "fingerprint": id.as_str(), "template": loop_core::template(text)});
        writeln!(out, "{answer}")?;
    }
    Ok(())
}
