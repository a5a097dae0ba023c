//! `sed`: the script is read command by command; `e`, `w` and their flags, files of commands and in-place editing
//! are not readers.

use super::Why;
use super::programs::refused;
use crate::shell::Word;
use crate::shell::options::{self, Value};

const OPTIONS: &str = "-n -e: -E -r -s -u -z -b --expression: --quiet --silent --regexp-extended --separate --unbuffered --null-data \
     --posix --debug --sandbox --binary";

/// Judges the arguments of `sed`.
pub(super) fn judge(name: &str, arguments: &[Word]) -> Result<(), Why> {
    let scanned = options::scan(OPTIONS, arguments).map_err(|refusal| refused(name, refusal))?;
    let refuse = || Why::Arguments(name.to_owned());
    let mut expressions = Vec::new();
    for value in scanned.values("-e --expression") {
        let Value::Text(text) = value else { return Err(refuse()) };
        expressions.push(text);
    }
    if expressions.is_empty() {
        expressions.push(scanned.operand(0).ok_or_else(refuse)?);
    }
    // Several expressions are joined by newlines, and one may go on where another ended.
    let script = expressions.join("\n");
    if only_reads(&script) { Ok(()) } else { Err(refuse()) }
}

/// A cursor over the script.
struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.next();
        }
    }

    /// Reads up to an unescaped `end`; `false` when there is none. A bracket expression of a pattern may hold `end`,
    /// which only some implementations allow, so it is refused.
    fn delimited(&mut self, end: u8, pattern: bool) -> bool {
        let mut bracket = false;
        while let Some(byte) = self.next() {
            match byte {
                // The guard takes what is escaped.
                b'\\' if self.next().is_none() => return false,
                b'\\' => {}
                _ if byte == end => return !bracket,
                b'\n' if pattern => return false,
                b'[' if pattern => bracket = true,
                b']' if pattern => bracket = false,
                _ => {}
            }
        }
        false
    }

    fn line(&mut self) {
        self.skip(|byte| byte != b'\n');
    }
}

/// Whether every command of the script only reads.
pub(super) fn only_reads(script: &str) -> bool {
    let mut at = Cursor { rest: script.as_bytes() };
    loop {
        at.skip(|byte| byte.is_ascii_whitespace() || byte == b';' || byte == b'}');
        if at.peek().is_none() {
            return true;
        }
        if !addresses(&mut at) || !command(&mut at) {
            return false;
        }
    }
}

/// `3`, `$`, `/re/I`, `\cREc`, `1~2`, `+3`, in any pairing, and `!`.
fn addresses(at: &mut Cursor) -> bool {
    loop {
        match at.peek() {
            Some(b'0'..=b'9' | b'$' | b'~' | b'+' | b',' | b' ' | b'\t' | b'!') => {
                at.next();
            }
            Some(b'/') => {
                at.next();
                if !at.delimited(b'/', true) {
                    return false;
                }
                at.skip(|byte| matches!(byte, b'I' | b'M'));
            }
            Some(b'\\') => {
                at.next();
                let Some(delimiter) = at.next().filter(|byte| byte.is_ascii_punctuation() && *byte != b'\\')
                else {
                    return false;
                };
                if !at.delimited(delimiter, true) {
                    return false;
                }
                at.skip(|byte| matches!(byte, b'I' | b'M'));
            }
            _ => return true,
        }
    }
}

fn command(at: &mut Cursor) -> bool {
    let Some(name) = at.next() else { return false };
    match name {
        b'{' | b'}' => true,
        b'=' | b'd' | b'D' | b'g' | b'G' | b'h' | b'H' | b'n' | b'N' | b'p' | b'P' | b'x' | b'z' | b'F' => {
            ends(at)
        }
        b'l' | b'q' | b'Q' | b'L' => {
            at.skip(|byte| byte == b' ' || byte.is_ascii_digit());
            ends(at)
        }
        b's' | b'y' => {
            let Some(delimiter) =
                at.next().filter(|byte| *byte != b'\\' && *byte != b'\n' && byte.is_ascii())
            else {
                return false;
            };
            let both = at.delimited(delimiter, name == b's') && at.delimited(delimiter, false);
            if name == b's' {
                at.skip(|byte| {
                    byte.is_ascii_digit() || matches!(byte, b'g' | b'p' | b'i' | b'I' | b'm' | b'M')
                });
            }
            both && ends(at)
        }
        // Labels and file names run to the end of the line.
        b'b' | b't' | b'T' | b':' => {
            at.skip(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'_' | b'-' | b'.'));
            ends(at)
        }
        // So do comments.
        b'#' | b'r' | b'R' => {
            at.line();
            true
        }
        b'a' | b'i' | b'c' => {
            text(at);
            true
        }
        _ => false,
    }
}

/// Nothing but blanks and an ending may follow a command.
fn ends(at: &mut Cursor) -> bool {
    at.skip(|byte| byte == b' ' || byte == b'\t');
    matches!(at.peek(), None | Some(b';' | b'\n' | b'}' | b'#'))
}

/// The text of `a`, `i` and `c` ends at the first newline without a backslash before it.
fn text(at: &mut Cursor) {
    while let Some(byte) = at.next() {
        match byte {
            b'\\' => {
                at.next();
            }
            b'\n' => return,
            _ => {}
        }
    }
}

/// What the tests run.
#[cfg(test)]
pub(super) const EXAMPLES: (&[&str], &[&str]) = (
    &[
        "sed -n '3,9p' a",
        "sed 's|/usr|/opt|g' a",
        "sed -e 's/a/b/' -e '/x/d' a",
        "sed '/^#/d;/^$/d' a",
        "sed -n '/a/,/b/{p;q}' a",
        "sed 'y/abc/xyz/' a",
        "sed '$!N;P;D' a",
        "sed -E 's/(w)/\\1e/2p' a",
        "sed 's/[a-z]*/w/' a",
        "sed '1i\\\nhello' a",
        "sed -n '$=' a",
        "sed ':a;N;$!ba;s/\\n/,/g' a",
        "sed 5q a",
        "sed --quiet 5p a",
        "sed 's/a/w out/' a",
    ],
    &[
        "sed -i s/a/b/ a",
        "sed -i.bak s/a/b/ a",
        "sed -ni p a",
        "sed --in-place=x p a",
        "sed 's/a/b/w out' a",
        "sed 's/.*/x/e' a",
        "sed 'w out' a",
        "sed '1e touch x' a",
        "sed -f a b",
        "sed -nf a b",
        "sed $'p\\nw out' a",
        "sed 'a\\\ntext\nw out' a",
        "sed '1~2w out' a",
        "sed \"s/a/$x/\" a",
        "sed $x a",
        "sed -n '/a/{s/b/c/;w out\n}' a",
        "sed -e 'a\\' -e 'x' -e 'w out' a",
        "sed 's/[/]w out/x/' a",
        "sed 's/a/b/gw out' a",
        "sed p \"$x\"",
        "sed 'W out' a",
        "sed -l 'w out' p",
        "sed '/x/I,+3w out' a",
        "sed '\\cxcw out' a",
    ],
);
