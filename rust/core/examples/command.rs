//! JSON Lines filter: `{"id","cmd"}` in, `{"id","readonly","check","ns","why","answer"}` out.
//!
//! `ns` is the time for both verdicts, `why` the reason of the first and `answer` the whole of the second.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

use std::io::BufRead;
use std::time::Instant;

use serde_json::{Value, json};

fn main() {
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let command = request["cmd"].as_str().unwrap_or_default();
        let start = Instant::now();
        let verdict = loop_core::readonly::judge(command);
        let answer = loop_core::check::recognise(command);
        let ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let check = answer.verification().is_some();
        let id = &request["id"];
        println!(
            "{}",
            json!({"id": id, "readonly": verdict.read_only, "check": check, "ns": ns, "why": verdict.reason, "answer": answer})
        );
    }
}
