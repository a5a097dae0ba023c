//! A line → the whole records in it, however it was torn, glued or filled.

use std::ops::{ControlFlow, Range};

use memchr::memchr;

use super::glance::Glance;
use super::walk::{self, Torn, byte, slice};

/// Something found in a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A whole object.
    Record(Range<usize>, Glance<'a>),
    /// The start of an object that never ends as one.
    Torn(usize),
    /// Something that is no object at all.
    Foreign(usize),
}

/// How often a line may be walked over, in its own length, before a torn stretch is given up as a whole:
/// keeps a hostile line linear. Two walks are enough for what a crash leaves.
const WALKS: usize = 16;

/// Tells `visit` every piece of `line`, in order, until it breaks.
///
/// The first object, and each that follows a whole one, is taken as it is. Behind a torn stretch the next
/// record may begin at any `{`, also inside what looks like a string or a nested value of the torn one; an
/// object found there counts only if it names its `event`, as every record of a log does.
pub(super) fn recover<'a, B>(
    line: &'a [u8],
    visit: &mut impl FnMut(Piece<'a>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut budget = line.len().saturating_mul(WALKS);
    let mut clean = true;
    let mut at = 0;
    loop {
        if clean {
            at = padding(line, at);
        }
        if at >= line.len() {
            return ControlFlow::Continue(());
        }
        if byte(line, at) != Some(b'{') {
            visit(Piece::Foreign(at))?;
            clean = false;
            at = next_brace(line, at);
            continue;
        }
        let mut glance = Glance::default();
        let walked = walk::walk(line, at, &mut |field| glance.see(field));
        match walked {
            Ok(end) if clean || glance.has_event() => {
                visit(Piece::Record(at..end, glance))?;
                clean = true;
                at = end;
            }
            Ok(end) => at = next_brace(line, end),
            Err(Torn(stop)) => {
                if clean {
                    visit(Piece::Torn(at))?;
                    clean = false;
                }
                budget = budget.saturating_sub(stop - at);
                at = next_brace(line, if budget > 0 { at + 1 } else { stop.max(at + 1) });
            }
        }
    }
}

/// Skips what may stand between records without a fault: white space, the NULs that a crash leaves where a
/// file had grown, the record separator of JSON text sequences, and a byte order mark.
fn padding(line: &[u8], mut at: usize) -> usize {
    loop {
        match slice(line, at..line.len()) {
            [b' ' | b'\t' | b'\r' | b'\n' | 0 | 0x1E, ..] => at += 1,
            [0xEF, 0xBB, 0xBF, ..] => at += 3,
            _ => return at,
        }
    }
}

fn next_brace(line: &[u8], at: usize) -> usize {
    memchr(b'{', slice(line, at..line.len())).map_or(line.len(), |found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(line: &str) -> String {
        let mut out = Vec::new();
        let _ = recover::<()>(line.as_bytes(), &mut |piece| {
            out.push(match piece {
                Piece::Record(range, _) => line[range].to_owned(),
                Piece::Torn(_) => "torn".to_owned(),
                Piece::Foreign(_) => "foreign".to_owned(),
            });
            ControlFlow::Continue(())
        });
        out.join(" ")
    }

    #[test]
    fn finds_every_whole_record() {
        let whole = r#"{"event":"e","n":{"a":"}"}}"#;
        // Wherever a record is cut, the whole one behind it is found.
        for cut in 1..whole.len() {
            let line = format!("{}{whole}", &whole[..cut]);
            assert_eq!(shape(&line), format!("torn {whole}"), "{line}");
        }
        assert_eq!(shape(&format!("{whole}{whole}\r")), format!("{whole} {whole}"));
        assert_eq!(shape(&format!("\0\0{whole}\0 {whole}")), format!("{whole} {whole}"));
        assert_eq!(shape(&format!("\u{feff}{whole}")), whole);
        assert_eq!(shape(&format!("warn: {whole} {{\"a\":1}}")), format!("foreign {whole} {{\"a\":1}}"));
        assert_eq!(shape("[1]"), "foreign");
        assert_eq!(shape(" \t\r"), "");
    }

    #[test]
    fn a_nested_value_of_a_torn_record_is_no_record() {
        assert_eq!(shape(r#"{"a":{"level":"error"},"b"#), "torn");
    }

    #[test]
    fn hostile_lines_cost_linear_time() {
        for unit in [r#"{"a":"#, r#"{"a":["#, r#"{"a":[",{","#, "{\"", "{", "[", r#"{"a":1,"#] {
            shape(&unit.repeat(200_000));
        }
        let whole = r#"{"event":"e"}"#;
        assert_eq!(shape(&format!("{}{whole}", r#"{"a":"#.repeat(10))), format!("torn {whole}"));
    }
}
