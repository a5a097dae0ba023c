//! `eventlog_gen BYTES [SEED]`: writes an event log of about that many bytes to stdout, as the-loop's daemons write
//! it: mostly polling, now and then one of fifty kinds of failure. The same seed gives the same log.
#![allow(missing_docs, clippy::indexing_slicing, clippy::cast_possible_truncation)]

use std::io::{self, BufWriter, Write};

/// One failure in about this many records.
const FAILURE_EVERY: u64 = 15;

const CAUSES: [&str; 10] = [
    "GitHub 502: Bad Gateway",
    "GitHub 404: Could not resolve to a Repository",
    "tmux load-buffer exited 1: lost server",
    "git worktree add failed: fatal: is already checked out",
    "database is locked",
    "No space left on device",
    "Connection refused",
    "certificate verify failed",
    "KeyError: 'session'",
    "timed out after 30 s",
];

const EVENTS: [&str; 5] =
    ["dispatch.failed", "poll.scope_error", "server.error", "session.failed", "poll.comment_failed"];

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let bytes: u64 = arguments.next().and_then(|a| a.parse().ok()).unwrap_or(10_000_000);
    let mut random = Random(arguments.next().and_then(|a| a.parse().ok()).unwrap_or(7));
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut written = 0;
    let mut record = 0;
    while written < bytes {
        let line = line(record, &mut random);
        written += line.len() as u64;
        out.write_all(line.as_bytes())?;
        record += 1;
    }
    out.flush()
}

fn line(record: u64, random: &mut Random) -> String {
    let (day, hour, minute) = (1 + record / 86_400_000 % 28, record / 3_600_000 % 24, record / 60_000 % 60);
    let ts =
        format!("2026-03-{day:02}T{hour:02}:{minute:02}:{:02}.{:03}Z", record / 1000 % 60, record % 1000);
    let head = format!(r#"{{"ts":"{ts}","source":"service""#);
    let pid = 20_000 + record / 1_000_000;
    if random.below(FAILURE_EVERY) == 0 {
        let event = EVENTS[random.below(5) as usize];
        let cause = CAUSES[random.below(10) as usize];
        let item = random.below(500);
        return format!(
            "{head},\"event\":\"{event}\",\"level\":\"error\",\"pid\":{pid},\"work_item\":\"github:git.example:8443/acme/widgets#{item}\",\"delivery_id\":\"d-{record:x}\",\"error\":\"acme/widgets#{item}: {cause}\",\"will_retry\":true}}\n"
        );
    }
    match random.below(3) {
        0 => format!(
            "{head},\"event\":\"poll.cycle\",\"level\":\"info\",\"pid\":{pid},\"items_seen\":{},\"spawns\":0,\"comments_forwarded\":0,\"scopes_polled\":1}}\n",
            random.below(9)
        ),
        1 => format!(
            "{head},\"event\":\"delivery.received\",\"level\":\"info\",\"pid\":{pid},\"gh_event\":\"issue_comment\",\"delivery_id\":\"d-{record:x}\",\"actor\":\"user-{}\",\"action\":\"created\"}}\n",
            random.below(90)
        ),
        _ => format!(
            "{head},\"event\":\"session.state\",\"level\":\"debug\",\"pid\":{pid},\"work_item\":\"github:git.example:8443/acme/widgets#{}\",\"harness\":\"claude\",\"state\":\"running\"}}\n",
            random.below(500)
        ),
    }
}

/// A small generator of its own (xorshift): the log must not change with a library's version.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}
