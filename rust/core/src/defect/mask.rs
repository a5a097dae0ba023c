//! One walk over the message that masks what changes between two occurrences of the same defect.

use memchr::{memchr2, memmem};

use super::classify::{Kind, classify};
use super::path;
use super::shape;
use super::time::timestamp;
use super::words::{self, BARE, BRANCH, CODE, DAY, FILLER, KEEP, MONTH, NAMED, OWNER, PHRASE, UNIT};

/// What stands for everything that was masked.
pub(super) const MASK: &str = "<*>";

pub(super) struct Masker<'t> {
    pub(super) text: &'t str,
    pub(super) pos: usize,
    pub(super) out: String,
    /// White space since the last thing written.
    pub(super) space: bool,
    /// The last two words, fillers left out, and what the last one means.
    pub(super) prev: &'t str,
    pub(super) before: &'t str,
    pub(super) prev_flags: u32,
    /// The last punctuation since `prev`; 0 for none.
    pub(super) gap: u8,
    /// Whether the last token was a masked place.
    pub(super) after_place: bool,
    /// Where the last mask ends in `out`.
    mark: Option<usize>,
    /// Opening brackets between two masks that became one.
    swallowed: usize,
    /// Whether arrows stand between git refs.
    pub(super) refs: bool,
    /// Whether there is any URL.
    urls: bool,
    /// Where the quotes that are open close, one for each kind.
    pub(super) closing: [usize; 3],
}

/// `text` with everything volatile masked, on one line.
pub(super) fn mask(text: &str) -> String {
    let arrows = memchr2(b'<', b'>', text.as_bytes()).is_some();
    let refs = arrows && ["ejected]", "FETCH_HEAD", "histories", "[new "].iter().any(|sign| find(text, sign));
    let mut masker = Masker {
        text,
        pos: 0,
        out: String::with_capacity(text.len()),
        space: false,
        prev: "",
        before: "",
        prev_flags: 0,
        gap: 0,
        after_place: false,
        mark: None,
        swallowed: 0,
        refs,
        urls: find(text, "://"),
        closing: [0; 3],
    };
    while masker.pos < text.len() {
        masker.step();
    }
    masker.out
}

fn find(text: &str, what: &str) -> bool {
    memmem::find(text.as_bytes(), what.as_bytes()).is_some()
}

pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_atom_byte(byte: u8) -> bool {
    is_word_byte(byte) || matches!(byte, b'-' | b'.' | b'/' | b'\\' | b'+' | b'@' | b'%' | b'#' | b'~' | b'$')
}

impl<'t> Masker<'t> {
    pub(super) fn at(&self, i: usize) -> u8 {
        self.text.as_bytes().get(i).copied().unwrap_or(0)
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    pub(super) fn back(&self) -> u8 {
        if self.pos == 0 { 0 } else { self.at(self.pos - 1) }
    }

    pub(super) fn at_start(&self) -> bool {
        self.out.is_empty()
    }

    fn step(&mut self) {
        let byte = self.at(self.pos);
        match byte {
            b' ' | b'\t' | b'\n' => {
                self.space = true;
                self.pos += 1;
            }
            b'\\'
                if matches!(self.at(self.pos + 1), b'n' | b't' | b'r' | b'"' | b'\'')
                    && !path::starts(self.rest()) =>
            {
                self.space |= self.at(self.pos + 1).is_ascii_alphabetic();
                self.pos += 2;
            }
            b'\'' if is_word_byte(self.back()) && is_word_byte(self.at(self.pos + 1)) => {
                self.punctuation(byte);
            }
            b'\'' | b'"' | b'`' => self.quote(byte),
            b'[' if matches!(self.at(self.pos + 1), b'\'' | b'"') && self.arguments() => {}
            b'<' if self.rest().starts_with(MASK) => {
                self.pos += MASK.len();
                self.write_mask();
            }
            _ if self.opens_token(byte) => self.token(),
            _ => self.punctuation(byte),
        }
    }

    fn opens_token(&self, byte: u8) -> bool {
        let next = self.at(self.pos + 1);
        match byte {
            b'/' | b'~' | b'\\' => !is_word_byte(self.back()) && path::starts(self.rest()),
            b'.' => {
                (!is_word_byte(self.back()) && path::starts(self.rest()))
                    || (!is_word_byte(self.back()) && self.is_dots())
            }
            b'@' => next.is_ascii_alphabetic() && !is_word_byte(self.back()),
            b'-' | b'+' => next.is_ascii_digit() && !is_word_byte(self.back()),
            b':' => next == b':' && !is_word_byte(self.back()) && self.at(self.pos + 2).is_ascii_hexdigit(),
            b'[' => next.is_ascii_hexdigit() || next == b':',
            _ => is_word_byte(byte),
        }
    }

    /// `.` or `..` as a directory: alone between spaces, quotes or brackets.
    fn is_dots(&self) -> bool {
        let len = self.rest().bytes().take_while(|&b| b == b'.').count();
        let open = |b: u8| matches!(b, 0 | b' ' | b'\n' | b'(' | b'[' | b'=');
        let quoted = matches!(self.back(), b'\'' | b'"' | b'`')
            && self.closing.iter().all(|&close| close + 1 != self.pos);
        let close = |b: u8| matches!(b, 0 | b' ' | b'\n' | b'\'' | b'"' | b'`' | b')' | b']' | b',');
        len <= 2 && (open(self.back()) || quoted) && close(self.at(self.pos + len))
    }

    fn punctuation(&mut self, byte: u8) {
        self.pos += 1;
        match byte {
            b')' | b']' | b'}' if self.swallowed > 0 => {
                self.swallowed -= 1;
                return;
            }
            // A sigil belongs to the number that follows it: `#12`, `%3`, `!7`, `*44`.
            b'#' | b'%' | b'!' | b'*' | b'$' if self.at(self.pos).is_ascii_digit() => return,
            // `*.example.com`
            b'*' if self.at(self.pos) == b'.' && is_word_byte(self.at(self.pos + 1)) => {
                self.pos += 1;
                return;
            }
            _ => {}
        }
        self.gap = byte;
        self.write(byte as char);
    }

    fn write(&mut self, c: char) {
        self.write_space();
        self.out.push(c);
    }

    fn write_space(&mut self) {
        if std::mem::take(&mut self.space) && !self.out.is_empty() {
            self.out.push(' ');
        }
    }

    pub(super) fn write_str(&mut self, text: &str) {
        self.write_space();
        self.out.push_str(text);
    }

    /// Writes a mask; one that only separators part from the last is the same one.
    pub(super) fn write_mask(&mut self) {
        let between = self.mark.and_then(|mark| Some((mark, self.out.get(mark..)?)));
        if let Some((mark, between)) = between {
            let word = between.trim();
            let opens = between.bytes().filter(|b| matches!(b, b'(' | b'[' | b'{')).count();
            let thin = between.bytes().all(|b| b" ,:;/|&.+=_-@#$*~^([{".contains(&b))
                || word == "and"
                || word == "or";
            if thin {
                self.out.truncate(mark);
                self.swallowed += opens;
                self.space = false;
                self.saw_mask();
                return;
            }
        }
        self.write_str(MASK);
        self.mark = Some(self.out.len());
        self.saw_mask();
        // The padding of base64.
        let padding = self.rest().bytes().take_while(|&b| b == b'=').count();
        if padding > 0 && !is_word_byte(self.at(self.pos + padding)) {
            self.pos += padding;
        }
    }

    fn saw_mask(&mut self) {
        self.before = self.prev;
        self.prev = "";
        self.prev_flags = 0;
        self.gap = 0;
        self.after_place = false;
    }

    pub(super) fn write_place(&mut self) {
        self.write_mask();
        self.after_place = true;
    }

    pub(super) fn write_word(&mut self, word: &'t str, flags: u32) {
        self.write_str(word);
        self.note_word(word, flags);
    }

    fn note_word(&mut self, word: &'t str, flags: u32) {
        self.after_place = false;
        if flags & FILLER == 0 {
            self.before = self.prev;
            self.prev = word;
            self.prev_flags = flags;
        }
        self.gap = 0;
    }

    fn write_digits(&mut self, word: &'t str) {
        self.write_space();
        let mut digits = false;
        for c in word.chars() {
            if c.is_ascii_digit() {
                if !digits {
                    self.out.push_str(MASK);
                }
            } else {
                self.out.push(c);
            }
            digits = c.is_ascii_digit();
        }
        self.note_word(word, 0);
    }

    /// A URL, a path, a time, a number or a word, with what hangs on it.
    fn token(&mut self) {
        if self.plain_word() {
            return;
        }
        let rest = self.rest();
        let first = self.at(self.pos);
        let place = match first {
            b'a'..=b'z' | b'A'..=b'Z' if self.at(self.pos + 1) != b':' => self.url(rest),
            _ if path::starts(rest) => path::path(rest),
            b'.' => rest.bytes().take_while(|&b| b == b'.').count(),
            _ => 0,
        };
        if place > 0 {
            self.pos += place;
            self.write_place();
            return;
        }
        if first == b'[' {
            self.bracketed_address();
            return;
        }
        let atom = self.atom();
        let flags = words::flags(atom);
        let dated = first.is_ascii_digit() || flags & (MONTH | DAY) != 0;
        let time = if dated { timestamp(rest) } else { 0 };
        if time > 0 {
            self.pos += time;
            self.write_mask();
        } else if let Some(len) = self.given_name(atom, flags) {
            self.pos += len;
            self.write_mask();
        } else if matches!(first, b'0'..=b'9' | b'-' | b'+') {
            self.number(atom);
        } else {
            self.atom_of(atom, flags);
        }
    }

    fn url(&self, rest: &str) -> usize {
        if self.urls { path::url(rest) } else { 0 }
    }

    /// Most tokens are words of letters that no rule looks at: they are written at once.
    fn plain_word(&mut self) -> bool {
        let bytes = self.text.as_bytes().get(self.pos..).unwrap_or_default();
        let len = bytes.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let ends = matches!(bytes.get(len), None | Some(b' ' | b'\n' | b',' | b')' | b'"' | b'\''));
        let watched = self.refs
            || matches!(self.gap, b':' | b'=')
            || self.prev_flags & (NAMED | BARE | OWNER | PHRASE) != 0;
        if len == 0 || len >= 14 || !ends || watched {
            return false;
        }
        let word = self.text.get(self.pos..self.pos + len).unwrap_or_default();
        let flags = words::flags(word);
        if flags & (MONTH | DAY | BRANCH | words::LOCAL) != 0 {
            return false;
        }
        self.pos += len;
        self.write_word(word, flags);
        true
    }

    /// The run of bytes from here that may be one token, without the punctuation of the sentence.
    fn atom(&self) -> &'t str {
        let mut end = self.pos + usize::from(matches!(self.at(self.pos), b'-' | b'+'));
        let limit = self.pos + 512;
        while end < limit {
            let next = self.at(end + 1);
            let inside = match self.at(end) {
                b':' => is_word_byte(next) || next == b':',
                // A backslash that does not write a line break, as `repr` does.
                b'\\' => {
                    next.is_ascii_alphanumeric()
                        && (!matches!(next, b'n' | b't' | b'r') || self.at(end + 2).is_ascii_lowercase())
                }
                b'^' => end > self.pos && self.at(end - 1) == b'@',
                byte => is_atom_byte(byte),
            };
            if !inside {
                break;
            }
            end += 1;
        }
        while end > self.pos + 1
            && matches!(self.at(end - 1), b'.' | b':' | b'-' | b'+' | b'#' | b'~' | b'$' | b'@' | b'\\')
        {
            end -= 1;
        }
        while end > self.pos && !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let atom = self.text.get(self.pos..end).unwrap_or_default();
        if atom.is_empty() { self.rest().get(..1).unwrap_or_else(|| self.rest()) } else { atom }
    }

    /// `[::1]:80`, or just a bracket.
    fn bracketed_address(&mut self) {
        let inner = self.text.get(self.pos + 1..).unwrap_or_default();
        let len = inner.bytes().take(48).take_while(|b| b.is_ascii_hexdigit() || b":.%".contains(b)).count();
        let address = inner.get(..len).unwrap_or_default();
        if !shape::is_colon_hex(address) || self.at(self.pos + 1 + len) != b']' {
            self.punctuation(b'[');
            return;
        }
        self.pos += len + 2;
        let port =
            self.rest().strip_prefix(':').map_or(0, |p| p.bytes().take_while(u8::is_ascii_digit).count());
        self.pos += if port > 0 { port + 1 } else { 0 };
        self.write_place();
    }

    /// A word, a name or an id that does not start with a digit.
    fn atom_of(&mut self, atom: &'t str, flags: u32) {
        let mut atom = atom;
        let mut flags = flags;
        let mut kind = classify(atom, flags);
        if kind == Kind::Word && atom.contains(':') && !atom.contains("::") {
            // Not one token after all: take what stands before the colon.
            atom = atom.split(':').next().filter(|head| !head.is_empty()).unwrap_or(atom);
            flags = words::flags(atom);
            kind = classify(atom, flags);
        }
        if matches!(kind, Kind::Mask | Kind::Digits) && self.is_code(atom) {
            kind = Kind::Word;
        }
        if kind == Kind::Place && atom.contains(['/', '\\']) {
            self.pos += path::path(self.rest()).max(atom.len());
            self.write_place();
            return;
        }
        self.pos += atom.len();
        match kind {
            Kind::Place => self.write_place(),
            Kind::Mask => self.write_mask(),
            Kind::Word => self.write_word(atom, flags),
            Kind::Digits => self.write_digits(atom),
            Kind::Package(name) => {
                let name = atom.get(..name).unwrap_or_default();
                self.write_word(name, 0);
                self.write('@');
                self.write_mask();
            }
        }
        if self.at(self.pos) == b'=' && kind != Kind::Place {
            self.value(flags);
        }
    }

    /// `E0308` where a code is expected: after `error`, in brackets, before a colon, or opening the message.
    fn is_code(&self, atom: &str) -> bool {
        let end = self.pos + atom.len();
        let announced = self.prev_flags & (CODE | words::LEVEL) != 0;
        (shape::is_letter_code(atom)
            && (announced || self.back() == b'[' || matches!(self.at(end), b':' | b']') || self.at_start()))
            || (announced
                && atom.len() == 5
                && atom.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit()))
    }

    /// What follows `key=`: masked unless the key says what went wrong or the value is a structure.
    fn value(&mut self, key: u32) {
        let next = self.at(self.pos + 1);
        if matches!(next, 0 | b'=' | b'~' | b'>' | b' ' | b'\n' | b'<' | b'(' | b'[' | b'{') {
            return;
        }
        self.punctuation(b'=');
        if key & KEEP != 0 {
            return;
        }
        let value = self.rest();
        let len = if matches!(next, b'"' | b'\'') {
            let inner = value.get(1..).unwrap_or_default();
            match inner.get(..inner.floor_char_boundary(200)).and_then(|i| i.find(next as char)) {
                Some(end) if !inner.get(..end).unwrap_or_default().contains(' ') => end + 2,
                _ => return,
            }
        } else if path::starts(value) {
            path::path(value)
        } else {
            let stop = |c: char| c.is_whitespace() || ",;(){}[]<>\"'&|".contains(c);
            value.find(stop).unwrap_or(value.len())
        };
        let number = value.bytes().take(len).all(|b| b.is_ascii_digit() || b == b'.');
        self.pos += len;
        self.write_mask();
        if number {
            self.pos += self.unit(self.pos);
        }
    }

    /// Length of a unit after the number that ends at `from`, with the space before it.
    pub(super) fn unit(&self, from: usize) -> usize {
        // A terminal may have broken the line, and indented it, before the unit.
        let space =
            self.text.as_bytes().iter().skip(from).take(8).take_while(|b| matches!(b, b' ' | b'\n')).count();
        let start = from + space;
        if self.at(start) == b'%' {
            return space + 1;
        }
        let word =
            self.text.as_bytes().iter().skip(start).take_while(|b| is_word_byte(**b) || **b == b'/').count();
        let unit = self.text.get(start..start + word).unwrap_or_default();
        if word > 0 && words::flags(unit) & UNIT != 0 { space + word } else { 0 }
    }

    /// `['git', 'push', 'origin', 'main']`: the program, its subcommand and its flags are kept. False, and
    /// nothing done, when this is no argument list.
    fn arguments(&mut self) -> bool {
        let Some((words, end)) = super::argv::parse(self.rest()) else { return false };
        self.pos += end;
        for word in super::argv::kept(&words) {
            self.space = true;
            match word {
                Some(word) => self.write_word(word, words::flags(word)),
                None => self.write_mask(),
            }
        }
        self.space = true;
        true
    }
}
