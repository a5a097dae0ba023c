//! What is left of a message when everything that changes between two occurrences is masked.

use super::scanner::Scanner;
use super::{frames, lines};

/// Stands for something masked while the template is made; `<*>` in the result.
pub(super) const MASK: char = '\u{1}';

/// The template of an error text. Linear in its length, of which only the beginning and the end are read.
pub(super) fn template(error: &str) -> String {
    let said = frames::without_frames(lines::messages(error));
    let text = without_subjects(&said.lines);
    let dict = ["{'", "{\"", "[{", "': '", "\": \"", "\":"].iter().any(|sign| text.contains(sign));
    let mut scanner = Scanner {
        out: String::with_capacity(text.len()),
        before: String::new(),
        key: String::new(),
        dict,
        first: true,
        number: false,
    };
    scanner.scan(&text, 0);
    let message = collapsed(&scanner.out);
    if said.function.is_empty() { message } else { format!("{message} in {}", said.function) }
}

/// The lines as one text, without what git quotes of a commit: `could not apply 1a2b3c... subject`.
fn without_subjects(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let lower = line.to_ascii_lowercase();
        let cut = lower.find("could not apply ").and_then(|at| Some(at + lower.get(at..)?.find("... ")? + 3));
        text.push_str(cut.and_then(|at| line.get(..at)).unwrap_or(line));
        text.push('\n');
    }
    text
}

/// Runs of masked things become one, brackets around nothing else go, blanks are squeezed.
fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            MASK => {
                let joiner = out.trim_end_matches(joins);
                if joiner.ends_with(MASK) {
                    out.truncate(joiner.len());
                } else {
                    out.push(MASK);
                }
            }
            ')' | ']' | '}' => {
                let open = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                let inner = out.trim_end_matches([' ', MASK]);
                if inner.ends_with(open) {
                    out.truncate(inner.len() - 1);
                    if !out.ends_with(' ') {
                        out.push(' ');
                    }
                } else {
                    out.push(c);
                }
            }
            ' ' if out.ends_with(' ') => {}
            c => out.push(c),
        }
    }
    let said = out
        .trim_start_matches([MASK, ' ', ':', ',', '|', '-'])
        .trim_end_matches([MASK, ' ', '.', ',', ':', '-']);
    let mut result = String::with_capacity(said.len() + 32);
    for part in said.split_inclusive(MASK) {
        match part.strip_suffix(MASK) {
            Some(words) => {
                result.push_str(words);
                result.push_str("<*>");
            }
            None => result.push_str(part),
        }
    }
    result
}

/// What may stand between two masked things that are one.
fn joins(c: char) -> bool {
    matches!(
        c,
        ' ' | ','
            | ':'
            | ';'
            | '|'
            | '/'
            | '&'
            | '+'
            | '.'
            | '='
            | '_'
            | '@'
            | '#'
            | '$'
            | '*'
            | '~'
            | '^'
            | '-'
    )
}
