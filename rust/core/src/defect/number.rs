//! Numbers: masked, unless their context says that the digits mean something.

use super::classify::{Kind, classify};
use super::mask::Masker;
use super::shape;
use super::words::{self, CODE, REASON, STATUS};

impl<'t> Masker<'t> {
    /// A token that starts with a digit or a sign.
    pub(super) fn number(&mut self, atom: &'t str) {
        let signed = atom.trim_start_matches(['-', '+']);
        let plain = signed.bytes().take_while(|&b| b.is_ascii_digit() || b == b'.' || b == b'_').count();
        let next = signed.as_bytes().get(plain).copied();
        if next.is_none() || next == Some(b':') && !shape::is_colon_hex(signed) && !shape::is_ipv4(signed) {
            let number = atom.get(..atom.len() - signed.len() + plain).unwrap_or_default();
            self.plain_number(number.trim_end_matches('.'));
            return;
        }
        self.pos += atom.len();
        if shape::is_amount(signed) {
            self.write_mask();
            return;
        }
        let class = signed.len() == 3 && signed.ends_with("xx");
        let code = self.prev_flags & CODE != 0;
        // `status=203/EXEC`, `exit code 0xC0000005`
        let explained = code
            && signed.split_once('/').is_some_and(|(number, name)| {
                shape::is_digits(number) && !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase())
            });
        let fault = code && signed.len() == 10 && matches!(signed.get(..4), Some("0xC0" | "0xc0" | "0x80"));
        let state =
            signed.len() == 5 && code && signed.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
        if class || state || explained || fault || shape::is_fixed(signed) {
            self.write_word(atom, 0);
            return;
        }
        let place = shape::is_ipv4(signed) || classify(signed, 0) == Kind::Place;
        if signed.contains(['/', '\\']) {
            self.pos -= atom.len();
            self.pos += super::path::path(self.rest()).max(atom.len());
        }
        if place {
            self.write_place();
        } else {
            self.write_mask();
        }
        if self.at(self.pos) == b'=' {
            self.pos += 1;
        }
    }

    fn plain_number(&mut self, number: &'t str) {
        let end = self.pos + number.len();
        let unit = self.unit(end);
        if unit == 0 && self.is_meant(number, end) {
            self.pos = end;
            self.write_word(number, 0);
            return;
        }
        self.pos = end + unit;
        // `3m 20s`, `20m 21s`, `1 day`: the next amount joins this mask by itself.
        self.write_mask();
    }

    /// Whether the digits say what went wrong: an exit code, an errno, an HTTP status, a mail status.
    fn is_meant(&self, number: &str, end: usize) -> bool {
        let digits = number.trim_start_matches(['-', '+']);
        let open = matches!(self.gap, 0 | b':' | b'=' | b'(' | b'[' | b'#' | b'\'' | b'"' | b',' | b'{');
        if !shape::is_digits(digits) {
            // `550 5.1.1`: the enhanced status after a mail server's code.
            return self.prev.len() == 3
                && shape::is_digits(self.prev)
                && self.gap == 0
                && digits.split('.').count() == 3
                && digits.starts_with(['4', '5']);
        }
        if self.prev_flags & CODE != 0 && open && digits.len() <= 6 {
            return true;
        }
        // `(110: Connection timed out)`
        if self.gap == b'('
            && self.at(end) == b':'
            && self.at(end + 1) == b' '
            && self.at(end + 2).is_ascii_uppercase()
        {
            return true;
        }
        // `closed with 1006`: a WebSocket's close code.
        if digits.len() == 4
            && digits.starts_with("10")
            && matches!(self.prev, "closed" | "close" | "disconnected")
        {
            return true;
        }
        let status =
            digits.len() == 3 && matches!(digits.as_bytes().first(), Some(b'1'..=b'5')) && digits == number;
        if !status {
            return false;
        }
        let failing = digits.starts_with(['4', '5']);
        may_announce_status(self.prev_flags, self.prev) && (open || self.gap == b'-' || self.gap == b'>')
            || (self.after_place
                && failing
                && (open || self.gap == b'-' || self.gap == b'>')
                && !self.is_position(end))
            || (failing && (self.at_start() || self.gap == b'>'))
            || (failing && self.gap == b'(' && self.at(end) == b')')
            || (failing
                && self.gap == b':'
                && self.prev.contains('.')
                && self.prev.bytes().any(|b| b.is_ascii_uppercase()))
            || self.reason_follows(end)
    }

    /// `242:113`: a line and a column.
    fn is_position(&self, end: usize) -> bool {
        self.at(end) == b':' && self.at(end + 1).is_ascii_digit()
    }

    /// `404 Not Found`, `502 Bad Gateway`.
    fn reason_follows(&self, end: usize) -> bool {
        let next = self.text.get(end..).unwrap_or_default();
        let Some(next) = next.strip_prefix([' ', '\n']) else { return false };
        let word = next.get(..next.bytes().take_while(u8::is_ascii_alphabetic).count()).unwrap_or_default();
        words::flags(word) & REASON != 0 && word.starts_with(|c: char| c.is_ascii_uppercase())
    }
}

/// Whether a status code may follow a word that ends like an exception's class.
fn is_thrown(word: &str) -> bool {
    word.ends_with("Error") || word.ends_with("Exception")
}

fn may_announce_status(flags: u32, word: &str) -> bool {
    flags & (STATUS | REASON) != 0 || is_thrown(word)
}
