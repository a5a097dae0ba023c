//! Writes an event log of any size to standard output: `eventlog_gen BYTES [SEED [SHARE [KINDS [FRESH]]]]`.
//!
//! The mix of events, levels and line lengths is that of a real host's log that polls, is broken now and then
//! and retries. `SHARE` of the records (default 0.07) are failures, of `KINDS` (default 40) different causes.
//! As in a real log, most are retries that say the same again; one in `FRESH` (default 20) has a number and a
//! path of its own in its text. The same arguments give the same bytes.
#![allow(missing_docs)]

use std::io::{self, BufWriter, Write};

/// `splitmix64`: small, seeded, good enough to mix a log.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound
    }
}

struct Mix {
    failures_per_mille: u64,
    kinds: u64,
    fresh: u64,
}

const SUBSYSTEMS: [&str; 8] =
    ["session", "dispatch", "scope", "workspace", "webhook", "tracker", "channel", "roster"];
const CAUSES: [&str; 5] = [
    "connection to broker refused after",
    "worker exited with unexpected output near line",
    "cannot allocate slot in table of size",
    "lease expired while waiting for reply number",
    "checksum differs in segment",
];

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |default: f64| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (bytes, seed, share, kinds, fresh) = (next(10e6), next(1.0), next(0.07), next(40.0), next(20.0));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes given by a person")]
    let (bytes, seed, mix) = (
        bytes as u64,
        seed as u64,
        Mix {
            failures_per_mille: (share * 1000.0) as u64,
            kinds: kinds.max(1.0) as u64,
            fresh: fresh.max(1.0) as u64,
        },
    );
    let mut dice = Dice(seed);
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let (mut written, mut clock) = (0, 0);
    while written < bytes {
        clock += dice.below(2_000);
        let line = record(&mut dice, clock, &mix);
        written += line.len() as u64;
        out.write_all(line.as_bytes())?;
    }
    out.flush()
}

fn record(dice: &mut Dice, clock: u64, mix: &Mix) -> String {
    let seconds = clock / 1000;
    let time = format!(
        "2026-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        1 + seconds / 2_419_200 % 12,
        1 + seconds / 86_400 % 28,
        seconds / 3600 % 24,
        seconds / 60 % 60,
        seconds % 60,
        clock % 1000
    );
    let item = dice.below(900);
    let head = |event: &str, level: &str| {
        format!(r#"{{"ts":"{time}","source":"service","event":"{event}","level":"{level}","pid":4711"#)
    };
    if dice.below(1000) < mix.failures_per_mille {
        return failure(dice, mix, item, head);
    }
    match dice.below(1000) {
        0..800 => format!(
            "{},\"items_seen\":{},\"spawns\":0,\"comments_forwarded\":0,\"scopes_polled\":{}}}\n",
            head("poll.cycle", "info"),
            dice.below(4),
            1 + dice.below(2)
        ),
        800..867 => format!(
            "{},\"fingerprint\":\"{:016x}\",\"trigger\":\"poll.scope_error\",\"stage\":\"agent\",\
             \"attempt\":{},\"error\":\"agent program 'claude' is not on PATH; install it, or name another one \
             in the configuration\"}}\n",
            head("diagnosis.failed", "warning"),
            dice.roll(),
            1 + dice.below(3)
        ),
        867..907 => format!(
            "{},\"work_item\":\"github:acme/tools#{item}\",\"delivery_id\":\"{:016x}\",\"gh_event\":\
             \"issue_comment\",\"target\":\"IC_{:x}\",\"error\":\"adding a reaction to comment {} of \
             acme/tools failed: HTTP 403, resource not accessible by this token (rate limit {} of 5000)\"}}\n",
            head("reaction.failed", "warning"),
            dice.roll(),
            dice.roll(),
            dice.below(1_000_000),
            dice.below(5000)
        ),
        907..937 => format!(
            "{},\"fingerprint\":\"{:016x}\",\"trigger\":\"dispatch.failed\"}}\n",
            head("diagnosis.detected", "info"),
            dice.roll()
        ),
        937..960 => format!(
            "{},\"work_item\":\"github:acme/tools#{item}\",\"comment\":\"IC_{:x}\",\"will_retry\":false}}\n",
            head("poll.comment_settled", "info"),
            dice.roll()
        ),
        _ => format!(
            "{},\"work_item\":\"github:acme/tools#{item}\",\"delivery_id\":\"{:016x}\",\"gh_event\":\
             \"issues\",\"actor\":\"caf\\u00e9\",\"queue\":{},\"tmux_target\":\"loop-{item}:0.0\"}}\n",
            head("dispatch.queued", "info"),
            dice.roll(),
            dice.below(20)
        ),
    }
}

fn failure(dice: &mut Dice, mix: &Mix, item: u64, head: impl Fn(&str, &str) -> String) -> String {
    let kind = dice.below(mix.kinds);
    let text = if dice.below(mix.fresh) == 0 { dice.roll() } else { kind };
    let pick = |from: &[&str], by: u64| {
        from.get(usize::try_from(by).unwrap_or_default() % from.len()).copied().unwrap_or_default().to_owned()
    };
    let subsystem = pick(&SUBSYSTEMS, kind);
    let cause = pick(&CAUSES, kind / 8);
    let stage = char::from(b'a' + u8::try_from(kind / 40 % 26).unwrap_or_default());
    format!(
        "{},\"work_item\":\"github:acme/tools#{item}\",\"harness\":\"claude\",\"via\":\"tmux\",\
         \"delivery_id\":\"{:016x}\",\"error\":\"stage {stage}: {cause} {} (/var/lib/loop/{subsystem}/{:08x}.sock): \
         resource temporarily unavailable\",\"will_retry\":{}}}\n",
        head(&format!("{subsystem}.failed"), "error"),
        dice.roll(),
        text % 10_000,
        text % (1 << 32),
        dice.below(4) > 0
    )
}
