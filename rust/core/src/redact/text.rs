//! Reading bytes without indexing: out of range is NUL, which every scanner treats as a boundary.

/// A haystack. Scanners work on bytes, so that a decoded view need not be valid UTF-8.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a>(pub(super) &'a [u8]);

impl<'a> Text<'a> {
    pub(super) fn at(self, i: usize) -> u8 {
        self.0.get(i).copied().unwrap_or(0)
    }

    /// The byte left of `i`.
    pub(super) fn before(self, i: usize) -> u8 {
        i.checked_sub(1).map_or(0, |i| self.at(i))
    }

    pub(super) fn len(self) -> usize {
        self.0.len()
    }

    pub(super) fn slice(self, from: usize, to: usize) -> &'a [u8] {
        self.0.get(from..to.min(self.0.len())).unwrap_or_default()
    }

    pub(super) fn starts_with(self, from: usize, what: &[u8]) -> bool {
        self.slice(from, from + what.len()) == what
    }

    /// Like [`Self::starts_with`], ASCII letters in any case.
    pub(super) fn starts_like(self, from: usize, what: &str) -> bool {
        self.slice(from, from + what.len()).eq_ignore_ascii_case(what.as_bytes())
    }

    /// End of the run of bytes from `from` that satisfy `ok`, at most `max` long.
    pub(super) fn run(self, from: usize, max: usize, ok: impl Fn(u8) -> bool) -> usize {
        let tail = self.slice(from, from.saturating_add(max));
        from + tail.iter().position(|&b| !ok(b)).unwrap_or(tail.len())
    }

    /// Start of the run of bytes left of `to` that satisfy `ok`, at most `max` long.
    pub(super) fn run_back(self, to: usize, max: usize, ok: impl Fn(u8) -> bool) -> usize {
        let head = self.slice(to.saturating_sub(max), to);
        to - head.iter().rev().position(|&b| !ok(b)).unwrap_or(head.len())
    }

    pub(super) fn skip_blanks(self, from: usize) -> usize {
        self.run(from, 64, |b| b == b' ' || b == b'\t')
    }

    /// End of the line that holds `i`, at most `max` bytes away.
    pub(super) fn line_end(self, i: usize, max: usize) -> usize {
        let tail = self.slice(i, i.saturating_add(max));
        i + memchr::memchr(b'\n', tail).unwrap_or(tail.len())
    }

    /// Start of the line that holds `i`, at most `max` bytes away.
    pub(super) fn line_start(self, i: usize, max: usize) -> usize {
        let low = i.saturating_sub(max);
        memchr::memrchr(b'\n', self.slice(low, i)).map_or(low, |n| low + n + 1)
    }

    /// Nothing alphanumeric touches `i` from the left; the letter of an escape such as `\n` does not count.
    pub(super) fn boundary_before(self, i: usize) -> bool {
        let b = self.before(i);
        !is_word(b) || (matches!(b, b'n' | b'r' | b't') && i >= 2 && self.at(i - 2) == b'\\')
    }
}

/// A letter or digit; every byte of a non-ASCII character counts as a letter.
pub(super) fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b >= 0x80
}

pub(super) fn is_quote(b: u8) -> bool {
    matches!(b, b'"' | b'\'' | b'`')
}
