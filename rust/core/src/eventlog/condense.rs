//! A line too long to hold → the records in it, made short, in one pass and bounded memory.
//!
//! Long strings lose their rest and long nested values become `null`, so that the fields before and after
//! them stay together: a failure whose `error` is 50 MB long is still a failure that names itself.

use std::collections::VecDeque;

use memchr::memchr2;

/// A piece of a long line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Short {
    /// Where its first byte stands, counted as the caller counts.
    pub(super) offset: u64,
    pub(super) text: Vec<u8>,
    /// Whole fields are missing at the end: there were too many to keep.
    pub(super) incomplete: bool,
}

/// The state between two chunks of a long line; the outcome is the same whatever the chunks.
pub(super) struct Condenser {
    max: usize,
    /// A string keeps this many bytes, a nested value too.
    keep: usize,
    offset: u64,
    object: Short,
    /// The last raw bytes of the line, in which a record behind a torn one may be whole.
    tail: VecDeque<u8>,
    depth: usize,
    quoted: Option<Quoted>,
    /// Nothing is kept until this depth is reached again.
    dropping: Option<usize>,
    /// Where in the object's text its last whole field ends, and where its last nested value begins.
    field_end: usize,
    nested_start: usize,
}

/// The string being read.
#[derive(Default)]
struct Quoted {
    kept: usize,
    cut: bool,
    escaped: bool,
    last: u8,
}

impl Condenser {
    /// For a line that begins at `offset`, of which about `max` bytes can be held.
    pub(super) fn new(offset: u64, max: usize) -> Self {
        Self {
            max,
            keep: max / 8,
            offset,
            object: Short { offset, text: Vec::new(), incomplete: false },
            tail: VecDeque::new(),
            depth: 0,
            quoted: None,
            dropping: None,
            field_end: 0,
            nested_start: 0,
        }
    }

    /// Reads on, and adds to `done` every object that closes.
    pub(super) fn feed(&mut self, chunk: &[u8], done: &mut Vec<Short>) {
        self.remember(chunk);
        let mut rest = chunk;
        while let [next, after @ ..] = rest {
            if let Some(quoted) = self.quoted.take() {
                rest = self.string(quoted, rest);
            } else {
                rest = after;
                self.structure(*next, done);
                self.offset += 1;
            }
            self.trim();
        }
    }

    /// Ends the line: an object that never closed, and the raw last bytes of the line.
    pub(super) fn finish(self) -> (Short, Short) {
        let text = Vec::from(self.tail);
        let offset = self.offset - text.len() as u64;
        (self.object, Short { offset, text, incomplete: false })
    }

    fn remember(&mut self, chunk: &[u8]) {
        let new = chunk.get(chunk.len().saturating_sub(self.keep)..).unwrap_or_default();
        let over = (self.tail.len() + new.len()).saturating_sub(self.keep);
        self.tail.drain(..over);
        self.tail.extend(new);
    }

    /// One byte outside strings.
    fn structure(&mut self, next: u8, done: &mut Vec<Short>) {
        if self.depth == 0 {
            if next == b'{' {
                self.depth = 1;
                self.field_end = 1;
                self.object = Short { offset: self.offset, text: vec![next], incomplete: false };
            }
            return;
        }
        match next {
            b'"' => self.quoted = Some(Quoted::default()),
            b'{' | b'[' => {
                self.depth += 1;
                if self.depth == 2 {
                    self.nested_start = self.object.text.len();
                }
            }
            b'}' | b']' => self.depth -= 1,
            b',' if self.depth == 1 && self.dropping.is_none() => self.field_end = self.object.text.len(),
            _ => {}
        }
        if self.depth > 0 {
            self.push(next);
            if self.dropping == Some(self.depth) {
                self.dropping = None;
            }
        } else {
            self.dropping = None;
            self.push(next);
            let closed = Short { offset: self.offset + 1, text: Vec::new(), incomplete: false };
            done.push(std::mem::replace(&mut self.object, closed));
        }
    }

    /// The next bytes of a string, up to its end, an escape or the chunk's end; returns the chunk's rest.
    fn string<'a>(&mut self, mut quoted: Quoted, chunk: &'a [u8]) -> &'a [u8] {
        let run = if quoted.escaped { 1 } else { memchr2(b'"', b'\\', chunk).unwrap_or(chunk.len()) };
        let (plain, rest) = chunk.split_at_checked(run).unwrap_or((chunk, &[]));
        // An escape is kept or dropped as a whole.
        let room = if quoted.escaped && !quoted.cut { 1 } else { self.keep.saturating_sub(quoted.kept) };
        let kept = plain.get(..room).unwrap_or(plain);
        if !quoted.cut {
            self.extend(kept);
            quoted.kept += kept.len();
            quoted.cut = kept.len() < plain.len();
        }
        quoted.last = plain.last().copied().unwrap_or(quoted.last);
        self.offset += plain.len() as u64;
        if std::mem::take(&mut quoted.escaped) {
            self.quoted = Some(quoted);
            return rest;
        }
        match rest {
            [b'"', after @ ..] => {
                // Behind a torn string this quote opens the first key of the next record.
                if quoted.cut && quoted.last == b'{' {
                    self.push(b'{');
                }
                self.push(b'"');
                self.offset += 1;
                after
            }
            [escape, after @ ..] => {
                quoted.cut |= quoted.kept >= self.keep;
                if !quoted.cut {
                    self.push(*escape);
                    quoted.kept += 1;
                }
                quoted.escaped = true;
                self.quoted = Some(quoted);
                self.offset += 1;
                after
            }
            [] => {
                self.quoted = Some(quoted);
                rest
            }
        }
    }

    /// Drops what has grown too long: first the nested value being read, then the object's further fields.
    fn trim(&mut self) {
        if self.dropping.is_some() || self.depth == 0 {
            return;
        }
        if self.depth > 1 && self.object.text.len() - self.nested_start > self.keep {
            self.object.text.truncate(self.nested_start);
            self.extend(b"null");
            self.dropping = Some(1);
        } else if self.object.text.len() > self.max {
            self.object.text.truncate(self.field_end);
            self.object.incomplete = true;
            self.dropping = Some(0);
        }
    }

    fn push(&mut self, next: u8) {
        self.extend(&[next]);
    }

    fn extend(&mut self, text: &[u8]) {
        if self.dropping.is_none() {
            self.object.text.extend_from_slice(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condense(line: &str, max: usize) -> (Vec<String>, String, String) {
        let text = |short: Short| String::from_utf8(short.text).unwrap();
        let (mut done, mut condenser) = (Vec::new(), Condenser::new(0, max));
        condenser.feed(line.as_bytes(), &mut done);
        let (open, tail) = condenser.finish();
        for chunk in [1, 2, 3, 7] {
            let (mut again, mut condenser) = (Vec::new(), Condenser::new(0, max));
            line.as_bytes().chunks(chunk).for_each(|part| condenser.feed(part, &mut again));
            assert_eq!(again, done, "in chunks of {chunk}");
            assert_eq!(condenser.finish().0, open, "in chunks of {chunk}");
        }
        (done.into_iter().map(text).collect(), text(open), text(tail))
    }

    #[test]
    fn fields_around_a_long_one_stay() {
        let line = format!(r#"{{"level":"error","error":"{}","will_retry":false}}"#, "ab\\\"".repeat(50));
        let (done, open, _) = condense(&line, 80);
        assert_eq!(done, [r#"{"level":"error","error":"ab\"ab\"ab","will_retry":false}"#]);
        assert_eq!(open, "");
    }

    #[test]
    fn a_long_nested_value_becomes_null() {
        let line = format!(r#"{{"a":[{}{{"x":"]"}}],"b":[1]}}{{"c":1}}"#, "1,[2],".repeat(20));
        assert_eq!(condense(&line, 80).0, [r#"{"a":null,"b":[1]}"#, r#"{"c":1}"#]);
    }

    #[test]
    fn too_many_fields_lose_the_last_ones() {
        let line = format!(r#"{{"a":1,{}"z":2}}"#, r#""b":[2],"#.repeat(20));
        let (mut done, mut condenser) = (Vec::new(), Condenser::new(5, 20));
        condenser.feed(line.as_bytes(), &mut done);
        let text = br#"{"a":1,"b":[2]}"#.to_vec();
        assert_eq!(done, [Short { offset: 5, text, incomplete: true }]);
    }

    #[test]
    fn a_record_behind_a_torn_string_stays_whole() {
        let whole = r#"{"e":"x","l":1}"#;
        let (done, open, tail) = condense(&format!(r#"{{"error":"{}{whole}"#, "x".repeat(500)), 160);
        assert_eq!((done.len(), open), (0, format!(r#"{{"error":"{}{whole}"#, "x".repeat(20))));
        assert!(tail.ends_with(whole));
    }
}
