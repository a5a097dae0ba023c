//! The decoded view: what a reader would see of a line, with a map back to the bytes it came from.

use super::text::Text;

/// A line without its disguises; byte `i` of `bytes` came from `map[i]..map[i + 1]` of the text.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) bytes: Vec<u8>,
    map: Vec<usize>,
}

impl View {
    /// The text's range behind `start..end` of the view.
    pub(super) fn source(&self, start: usize, end: usize) -> (usize, usize) {
        let at = |i: usize| self.map.get(i).copied().unwrap_or_else(|| self.map.last().copied().unwrap_or(0));
        (at(start), at(end))
    }
}

/// Calls `each` with the view of every line that holds a disguise.
pub(super) fn disguised_lines(text: Text<'_>, mut each: impl FnMut(&View)) {
    let mut start = 0;
    while start < text.len() {
        let end = text.line_end(start, text.len());
        if is_disguised(text, start, end) {
            each(&decode(text, start, end));
        }
        start = end + 1;
    }
}

fn is_disguised(text: Text<'_>, start: usize, end: usize) -> bool {
    let line = text.slice(start, end);
    let real = |i: usize| escape_at(text, start + i).is_some();
    memchr::memchr3_iter(0x1b, b'%', b'\\', line).any(real)
        || memchr::memchr3_iter(b'&', 0xe2, 0xef, line).any(real)
        || memchr::memchr_iter(0xc2, line).any(real)
}

fn decode(text: Text<'_>, start: usize, end: usize) -> View {
    let mut view = View { bytes: Vec::with_capacity(end - start), map: Vec::with_capacity(end - start + 1) };
    let mut i = start;
    while i < end {
        let Some((length, decoded)) = escape_at(text, i) else {
            view.bytes.push(text.at(i));
            view.map.push(i);
            i += 1;
            continue;
        };
        if let Some(c) = decoded {
            let mut buffer = [0; 4];
            for &b in c.bytes(&mut buffer) {
                view.bytes.push(b);
                view.map.push(i);
            }
        }
        i += length;
    }
    view.map.push(end.max(i));
    view
}

/// What an escape stands for.
#[derive(Debug, Clone, Copy)]
enum Decoded {
    Char(char),
    Byte(u8),
}

impl Decoded {
    fn bytes(self, buffer: &mut [u8; 4]) -> &[u8] {
        match self {
            Self::Char(c) => c.encode_utf8(buffer).as_bytes(),
            Self::Byte(b) => {
                *buffer = [b, 0, 0, 0];
                buffer.get(..1).unwrap_or_default()
            }
        }
    }
}

/// The escape at `i`: its length and what it stands for (`None`: nothing visible).
fn escape_at(text: Text<'_>, i: usize) -> Option<(usize, Option<Decoded>)> {
    match text.at(i) {
        0x1b => Some((control_sequence(text, i + 1) + 1, None)),
        b'%' => percent(text, i).map(|v| (3, Some(Decoded::Byte(v)))),
        b'\\' => backslash(text, i),
        b'&' => entity(text, i),
        0xe2 if matches!(text.slice(i + 1, i + 3), [0x80, 0x8b..=0x8f | 0xaa..=0xae] | [0x81, 0xa0..=0xa4]) => {
            Some((3, None))
        }
        0xef if text.slice(i + 1, i + 3) == [0xbb, 0xbf] => Some((3, None)),
        0xc2 if text.at(i + 1) == 0xad => Some((2, None)),
        _ => None,
    }
}

/// `%41`; bytes outside ASCII only beside another escape, so that `%DB_HOST%` stays a variable.
fn percent(text: Text<'_>, i: usize) -> Option<u8> {
    let value = u8::try_from(hex(text, i + 1, 2)?).ok()?;
    let beside = text.at(i + 3) == b'%' || text.at(i.wrapping_sub(3)) == b'%';
    (value.is_ascii_graphic() || value == b' ' || beside).then_some(value)
}

/// Length of a terminal control sequence after its ESC.
fn control_sequence(text: Text<'_>, i: usize) -> usize {
    match text.at(i) {
        b'[' => {
            let end = text.run(i + 1, 32, |b| matches!(b, 0x20..=0x3f));
            end - i + usize::from(matches!(text.at(end), 0x40..=0x7e))
        }
        b']' => {
            let end = text.run(i + 1, 256, |b| b != 0x07 && b != 0x1b && b != b'\n');
            let closed = match text.at(end) {
                0x07 => 1,
                0x1b if text.at(end + 1) == b'\\' => 2,
                _ => return 1,
            };
            end - i + closed
        }
        b'(' | b')' => 2,
        _ => 0,
    }
}

fn backslash(text: Text<'_>, i: usize) -> Option<(usize, Option<Decoded>)> {
    let (length, value) = match text.at(i + 1) {
        b'u' if text.at(i + 2) == b'{' => {
            let end = text.run(i + 3, 6, |b| b.is_ascii_hexdigit());
            let value = hex(text, i + 3, end - (i + 3))?;
            (if text.at(end) == b'}' { end + 1 - i } else { return None }, value)
        }
        b'u' => (6, hex(text, i + 2, 4)?),
        b'U' => (10, hex(text, i + 2, 8)?),
        b'x' => (4, hex(text, i + 2, 2)?),
        b'0' if text.starts_with(i + 2, b"33[") => (4, 0x1b),
        b'e' if text.at(i + 2) == b'[' => (2, 0x1b),
        b'/' => (2, u32::from(b'/')),
        _ => return None,
    };
    if value == 0x1b {
        return Some((length + control_sequence(text, i + length), None));
    }
    let c = char::from_u32(value)?;
    let hidden = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}');
    Some((length, (!hidden).then_some(Decoded::Char(c))))
}

fn entity(text: Text<'_>, i: usize) -> Option<(usize, Option<Decoded>)> {
    const NAMED: &[(&[u8], u8)] = &[
        (b"&amp;", b'&'),
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&quot;", b'"'),
        (b"&apos;", b'\''),
        (b"&commat;", b'@'),
    ];
    if let Some((name, b)) = NAMED.iter().find(|(name, _)| text.starts_with(i, name)) {
        return Some((name.len(), Some(Decoded::Byte(*b))));
    }
    if text.at(i + 1) != b'#' {
        return None;
    }
    let (from, radix) = if text.at(i + 2) | 0x20 == b'x' { (i + 3, 16) } else { (i + 2, 10) };
    let end = text.run(from, 7, |b| b.is_ascii_hexdigit());
    if text.at(end) != b';' {
        return None;
    }
    let digits = std::str::from_utf8(text.slice(from, end)).ok()?;
    let c = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    Some((end + 1 - i, Some(Decoded::Char(c))))
}

fn hex(text: Text<'_>, from: usize, digits: usize) -> Option<u32> {
    let bytes = text.slice(from, from + digits);
    if bytes.len() != digits || digits == 0 || !bytes.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(bytes).ok()?, 16).ok()
}
