//! Bounds the text and takes away what a terminal would not show: colour, control characters, CRLF.

use std::borrow::Cow;
use std::str::Chars;

/// Bytes kept from the start of a long text, and as many from its end.
const KEPT: usize = 8 * 1024;

/// `text` without escape sequences and control characters other than tab and newline; the middle of a text
/// over 16 KiB is left out.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let text = bounded(text);
    // Counting instead of stopping early lets the compiler look at many bytes at once.
    if text.bytes().filter(|&b| is_special(b)).count() == 0 {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, special) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut chars = special.chars();
        if let Some(c) = chars.next() {
            clean_char(c, &mut chars, &mut out);
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn is_special(byte: u8) -> bool {
    !(b' '..0x7f).contains(&byte) && byte != b'\n'
}

/// Writes what a terminal would show of `c` and takes what belongs to it from `rest`.
fn clean_char(c: char, rest: &mut Chars<'_>, out: &mut String) {
    match c {
        '\u{1b}' => skip_escape(rest),
        '\u{9b}' => skip_csi(rest),
        '\r' => {
            if !rest.as_str().starts_with('\n') {
                out.push('\n');
            }
        }
        '\t' => out.push(c),
        // Zero-width and direction marks carry nothing.
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2060}'
        | '\u{feff}' => {}
        '\u{a0}' | '\u{2028}' | '\u{202f}' => out.push(' '),
        '\u{2018}' | '\u{2019}' => out.push('\''),
        '\u{201c}' | '\u{201d}' => out.push('"'),
        '\u{2192}' => out.push_str("->"),
        _ => out.push(c),
    }
}

/// The first and the last 8 KiB of a text.
pub(super) fn bounded(text: &str) -> Cow<'_, str> {
    if text.len() <= 2 * KEPT {
        return Cow::Borrowed(text);
    }
    let head = text.get(..text.floor_char_boundary(KEPT)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len() - KEPT)..).unwrap_or_default();
    Cow::Owned(format!("{head}\n{tail}"))
}

fn skip_escape(rest: &mut Chars<'_>) {
    match rest.next() {
        Some('[') => skip_csi(rest),
        // An operating system command ends with BEL or ESC \.
        Some(']') => {
            while let Some(c) = rest.next() {
                if c == '\u{7}' || (c == '\u{1b}' && rest.as_str().starts_with('\\')) {
                    *rest = rest.as_str().trim_start_matches('\\').chars();
                    break;
                }
            }
        }
        Some('(' | ')' | '#') => drop(rest.next()),
        _ => {}
    }
}

fn skip_csi(rest: &mut Chars<'_>) {
    let text = rest.as_str();
    let len = text.bytes().take_while(|b| (b' '..=b'?').contains(b)).count();
    let last = text.as_bytes().get(len).is_some_and(|b| (b'@'..=b'~').contains(b));
    *rest = text.get(len + usize::from(last)..).unwrap_or_default().chars();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_and_line_ends_go() {
        for (text, want) in [
            ("plain\ttext\n", "plain\ttext\n"),
            ("\u{1b}[1;31merror\u{1b}[0m: no\r\n", "error: no\n"),
            ("\u{1b}]0;title\u{7}x\u{1b}]8;;u\u{1b}\\y", "xy"),
            ("50%\r100%", "50%\n100%"),
            ("a\u{200b}b\u{0}c\u{1b}", "abc"),
        ] {
            assert_eq!(clean(text), want, "{text:?}");
        }
    }

    #[test]
    fn a_long_text_keeps_both_ends() {
        let text = format!("first{}last", "é".repeat(600_000));
        let cleaned = clean(&text);
        assert!(cleaned.len() <= 2 * KEPT + 1);
        assert!(cleaned.starts_with("first") && cleaned.ends_with("last"));
    }
}
