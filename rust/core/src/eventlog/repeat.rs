//! Lines that equal an earlier one but for their time, which is most of a log that polls and retries: what
//! was found in the earlier one holds for them too, and they need not be searched or parsed again.
//!
//! Purely a matter of speed: a line is recognised by comparing all its bytes after the timestamp. After each
//! line, the one that followed its like last time is tried first, so that not even its end must be searched.

use memchr::memmem::Finder;

/// What a line turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The prefilter passes over it.
    Quiet,
    /// A record that is no candidate.
    Harmless,
    /// A record that is none because its event ends like this when all is well.
    NormalOutcome,
    /// A candidate, and the number of its group.
    Defect(usize),
}

/// How every line begins that is recognised: this, then a timestamp of 24 bytes.
const HEAD: &[u8] = b"{\"ts\":\"";
const TIMESTAMP: usize = 24;
/// Longer lines are rare.
const MAX_REST: usize = 1024;
const SLOTS: usize = 4096;
/// If fewer than one in this many lines of a block was guessed right, comparing costs more than searching...
const WORTHWHILE: usize = 2;
/// ...and is not tried for this many blocks.
const REST_BLOCKS: usize = 15;

/// The lines seen lately. Bounded: a new line takes the place of another.
pub(super) struct Repeats {
    slots: Vec<Slot>,
    second_time: Finder<'static>,
    /// The slots of the line before and of the one expected now.
    before: usize,
    expected: usize,
    asked: usize,
    guessed: usize,
    resting: usize,
}

#[derive(Clone)]
struct Slot {
    /// A line from its timestamp's closing quote on, its newline included.
    rest: Vec<u8>,
    verdict: Verdict,
    next: usize,
}

impl Repeats {
    pub(super) fn new() -> Self {
        let empty = Slot { rest: Vec::new(), verdict: Verdict::Quiet, next: 0 };
        Self {
            slots: vec![empty; SLOTS],
            second_time: Finder::new(b"\"ts\""),
            before: 0,
            expected: 0,
            asked: 0,
            guessed: 0,
            resting: 0,
        }
    }

    /// Whether every line of the next block should be guessed: not while the guesses are mostly wrong.
    pub(super) fn is_worthwhile(&mut self) -> bool {
        if self.resting > 0 {
            self.resting -= 1;
        } else if self.guessed * WORTHWHILE < self.asked {
            self.resting = REST_BLOCKS;
        }
        (self.asked, self.guessed) = (0, 0);
        self.resting == 0
    }

    /// The length and the verdict of the line that `text` begins with, if it is the expected one.
    pub(super) fn guess(&mut self, text: &[u8]) -> Option<(usize, Verdict)> {
        self.asked += 1;
        let slot = self.slots.get(self.expected)?;
        if slot.rest.is_empty() || !rest(text)?.starts_with(&slot.rest) {
            return None;
        }
        self.guessed += 1;
        self.before = self.expected;
        self.expected = slot.next;
        Some((HEAD.len() + TIMESTAMP + slot.rest.len(), slot.verdict))
    }

    /// The verdict on a line, newline included, that was learnt before.
    pub(super) fn find(&mut self, line: &[u8]) -> Option<Verdict> {
        let rest = rest(line)?;
        let place = place(rest);
        let verdict = self.slots.get(place).filter(|slot| slot.rest == rest)?.verdict;
        self.follow(place);
        Some(verdict)
    }

    /// Remembers the verdict on a line, newline included.
    pub(super) fn learn(&mut self, line: &[u8], verdict: Verdict) {
        let Some(rest) = rest(line).filter(|rest| rest.len() <= MAX_REST) else { return };
        // Told apart from its like only by what the verdict does not say.
        let odd = || self.second_time.find(rest).is_some() || std::str::from_utf8(rest).is_err();
        if verdict != Verdict::Quiet && odd() {
            return;
        }
        let place = place(rest);
        if let Some(slot) = self.slots.get_mut(place) {
            slot.rest.clear();
            slot.rest.extend_from_slice(rest);
            slot.verdict = verdict;
        }
        self.follow(place);
    }

    fn follow(&mut self, place: usize) {
        if let Some(before) = self.slots.get_mut(self.before) {
            before.next = place;
        }
        self.before = place;
        self.expected = self.slots.get(place).map_or(0, |slot| slot.next);
    }
}

/// The timestamp of a line that was recognised.
pub(super) fn timestamp(line: &[u8]) -> &[u8] {
    line.get(HEAD.len()..HEAD.len() + TIMESTAMP).unwrap_or_default()
}

/// What follows the timestamp, if the line begins as expected and no quote or escape hides in the timestamp.
fn rest(line: &[u8]) -> Option<&[u8]> {
    let (head, rest) = line.split_at_checked(HEAD.len() + TIMESTAMP)?;
    let time = head.strip_prefix(HEAD)?;
    time.iter().fold(true, |plain, byte| plain & (b'-'..=b'Z').contains(byte)).then_some(rest)
}

/// The slot for a line: a cheap hash over all of it, four words at a time.
fn place(rest: &[u8]) -> usize {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut lanes = [rest.len() as u64, 1, 2, 3];
    let mut add = |block: &[u8; 32]| {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(ODD);
        }
    };
    rest.as_chunks::<32>().0.iter().for_each(&mut add);
    if let Some(end) = rest.last_chunk::<32>() {
        add(end);
    }
    let [a, b, c, d] = lanes;
    let mixed = a ^ b.rotate_left(17) ^ c.rotate_left(31) ^ d.rotate_left(47);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(ODD);
    usize::try_from(mixed >> 32).unwrap_or_default() % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_time_may_differ() {
        let line = |time: &str, tail: &str| format!("{{\"ts\":\"{time}\",\"event\":\"{tail}\"}}\n");
        let mut repeats = Repeats::new();
        let first = line("2026-11-30T21:45:34.862Z", "a");
        repeats.learn(first.as_bytes(), Verdict::Defect(3));
        let later = line("2026-12-01T00:00:00.000Z", "a");
        assert_eq!(repeats.find(later.as_bytes()), Some(Verdict::Defect(3)));
        assert_eq!(timestamp(later.as_bytes()), b"2026-12-01T00:00:00.000Z");
        assert_eq!(repeats.guess(format!("{later}more").as_bytes()), Some((later.len(), Verdict::Defect(3))));
        for other in [
            line("2026-12-01T00:00:00.000Z", "b"),
            line("2026-12-01T00:00:00.00\\\"", "a"),
            line("2026-12-01T00:00:00.00Z", "a"),
            String::new(),
        ] {
            assert_eq!(repeats.find(other.as_bytes()), None, "{other}");
            assert_eq!(repeats.guess(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn rests_while_nothing_repeats() {
        let mut repeats = Repeats::new();
        repeats.guess(b"{}");
        let rounds = (0..=REST_BLOCKS).map(|_| repeats.is_worthwhile());
        assert_eq!(rounds.filter(|worthwhile| *worthwhile).count(), 1);
    }
}
