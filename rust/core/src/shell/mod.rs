//! Bash text → a tree of simple commands with decoded words, or "cannot prove".
//!
//! Nothing is executed or expanded. The grammar is `shuck-parser`'s; everything this crate relies on passes
//! through the adapter in this folder, which accepts less than bash does: whatever it cannot decode with
//! certainty is [`CannotProve`], never a guess.

mod arithmetic;
mod condition;
mod convert;
pub(crate) mod options;
mod parameter;
mod tree;
mod word;

use shuck_parser::parser::{ParseStatus, Parser};
use shuck_parser::{ShellDialect, ShellProfile};

pub use tree::{
    Arithmetic, Assignment, AssignmentValue, Command, Condition, Operator, Piece, Redirect, RedirectKind,
    RedirectTarget, Script, Simple, Statement, Word,
};

/// Longest text that is parsed, in bytes. Real commands are far shorter; the cap bounds time and memory.
pub const MAX_BYTES: usize = 16 * 1024;

/// Deepest nesting of substitutions, groups and compound commands that is parsed. It bounds the native stack that
/// the parser uses, also on the small stacks of worker threads.
const MAX_DEPTH: usize = 16;

/// Deepest nesting of the converted tree, where a command inside a list inside a group counts as three.
const MAX_TREE_DEPTH: usize = 48;

/// How often the forms may occur that the parser follows without counting how deep it is.
const MAX_UNCOUNTED: usize = 32;

/// Operations that the parser may spend: an order of magnitude above what the longest accepted text needs.
const FUEL: usize = 200_000;

/// Why a text could not be turned into a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CannotProve {
    /// Longer than [`MAX_BYTES`].
    #[error("the command is too long")]
    TooLong,
    /// A NUL, an escape sequence, a carriage return or a blank that only looks like one.
    #[error("the command contains a control or look-alike blank character")]
    ControlCharacter,
    /// Not complete, valid bash, or nested too deeply.
    #[error("the command does not parse as bash")]
    Syntax,
    /// Valid, but a form whose meaning the adapter does not vouch for; the text names it.
    #[error("{0} is not followed")]
    Form(&'static str),
}

/// Parses `text` as bash.
///
/// # Errors
/// [`CannotProve`] when the text is not complete bash or contains a form that the adapter does not vouch for.
pub fn parse(text: &str) -> Result<Script, CannotProve> {
    if text.len() > MAX_BYTES {
        return Err(CannotProve::TooLong);
    }
    if text.chars().any(is_refused_character) {
        return Err(CannotProve::ControlCharacter);
    }
    if has_uncounted_nesting(text) {
        return Err(CannotProve::Syntax);
    }
    let profile = ShellProfile::native(ShellDialect::Bash);
    let parsed = Parser::with_limits_and_profile(text, MAX_DEPTH, FUEL, profile).parse();
    if parsed.status != ParseStatus::Clean || !parsed.diagnostics.is_empty() {
        return Err(CannotProve::Syntax);
    }
    convert::Converter::new(text).script(&parsed.file.body)
}

/// `time time …`, `coproc coproc …` and `$(( $(( …` recurse in the parser outside its depth limit.
fn has_uncounted_nesting(text: &str) -> bool {
    let words = ["time", "coproc", "(("]
        .map(|form| memchr::memmem::find_iter(text.as_bytes(), form).take(MAX_UNCOUNTED + 1).count());
    if words.iter().any(|count| *count > MAX_UNCOUNTED) {
        return true;
    }
    // A line continuation inside a word hides it from the search, though not from the parser.
    memchr::memmem::find_iter(text.as_bytes(), "\\\n")
        .any(|at| text.as_bytes().get(at.wrapping_sub(1)).is_some_and(u8::is_ascii_alphabetic))
        && has_uncounted_nesting(&text.replace("\\\n", ""))
}

/// Reads text that bash would evaluate as arithmetic.
pub(crate) fn arithmetic(text: &str) -> Result<Arithmetic, CannotProve> {
    arithmetic::read(text)
}

/// Control characters end words for some readers and not for others; so do blanks outside ASCII.
fn is_refused_character(c: char) -> bool {
    match c {
        '\t' | '\n' | ' '..='~' => false,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => true,
        other => other.is_control() || other.is_whitespace(),
    }
}
