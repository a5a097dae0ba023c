//! Word parts of the parser → pieces. Literal text is decoded here, from the source, quote by quote.

use shuck_ast::{LiteralText, Span, WordPart, WordPartNode};

use super::convert::Converter;
use super::{CannotProve, Piece, Word, arithmetic, parameter};

const SPAN: CannotProve = CannotProve::Form("text that the parser rewrote");
const CHARACTER: CannotProve = CannotProve::Form("an unquoted special character inside a word");
const ESCAPE: CannotProve = CannotProve::Form("an unknown escape in $'…'");

/// Collects pieces and merges neighbouring text.
#[derive(Default)]
pub(super) struct Builder {
    pieces: Vec<Piece>,
}

impl Builder {
    fn text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(Piece::Text(last)) = self.pieces.last_mut() {
            last.push_str(text);
        } else {
            self.pieces.push(Piece::Text(text.to_owned()));
        }
    }

    fn push(&mut self, c: char) {
        if let Some(Piece::Text(last)) = self.pieces.last_mut() {
            last.push(c);
        } else {
            self.pieces.push(Piece::Text(String::from(c)));
        }
    }

    fn piece(&mut self, piece: Piece) {
        self.pieces.push(piece);
    }
}

impl Converter<'_> {
    /// Decodes one word.
    pub(super) fn word(&mut self, word: &shuck_ast::Word) -> Result<Word, CannotProve> {
        self.parts(&word.parts, word.span)
    }

    /// Decodes parts that must cover `span` without a gap.
    pub(super) fn parts(&mut self, parts: &[WordPartNode], span: Span) -> Result<Word, CannotProve> {
        let raw = self.slice(span)?;
        let mut builder = Builder::default();
        let brace = raw.contains('{') && raw.contains('}') && (raw.contains(',') || raw.contains(".."));
        let mut at = span.start.offset();
        for part in parts {
            if part.span.start.offset() != at {
                return Err(SPAN);
            }
            at = part.span.end.offset();
            self.part(part, &mut builder, false, brace)?;
        }
        if at != span.end.offset() {
            return Err(SPAN);
        }
        Ok(Word { pieces: builder.pieces })
    }

    fn part(
        &mut self,
        part: &WordPartNode,
        out: &mut Builder,
        quoted: bool,
        brace: bool,
    ) -> Result<(), CannotProve> {
        let raw = self.slice(part.span)?;
        match &part.kind {
            WordPart::Literal(LiteralText::Owned(text)) if &**text != raw => Err(SPAN),
            WordPart::Literal(_) if quoted => double_quoted(raw, out),
            WordPart::Literal(_) => unquoted(raw, out, brace),
            WordPart::SingleQuoted { dollar, .. } => single_quoted(raw, *dollar, out),
            WordPart::DoubleQuoted { parts, .. } if !quoted => self.double_quotes(parts, part.span, out),
            // The text decides, not the kind: the parser reports forms that it does not know as plain variables.
            _ if raw.starts_with("${") => {
                out.piece(parameter::read(raw, quoted)?);
                Ok(())
            }
            WordPart::Variable(_) => {
                out.piece(parameter::read_short(raw, quoted)?);
                Ok(())
            }
            WordPart::CommandSubstitution { body, .. } => {
                // Backslashes inside backticks are removed before the inner text is parsed, and `${ …; }` and
                // `${| …; }` are command substitutions only in newer shells.
                let dollar = raw.starts_with("$(") && raw.ends_with(')');
                let backticks = raw.starts_with('`') && raw.ends_with('`') && !raw.contains('\\');
                if !dollar && !backticks {
                    return Err(CannotProve::Form("an unusual command substitution"));
                }
                let script = self.script(body)?;
                out.piece(Piece::Substitution { script, quoted });
                Ok(())
            }
            WordPart::ProcessSubstitution { body, .. } if !quoted => {
                let script = self.script(body)?;
                out.piece(Piece::Process(script));
                Ok(())
            }
            WordPart::ArithmeticExpansion { .. } => {
                let inner = raw.strip_prefix("$((").and_then(|rest| rest.strip_suffix("))"));
                out.piece(Piece::Arithmetic(arithmetic::read(inner.ok_or(SPAN)?)?));
                Ok(())
            }
            _ => Err(CannotProve::Form("this kind of expansion")),
        }
    }

    fn double_quotes(
        &mut self,
        parts: &[WordPartNode],
        span: Span,
        out: &mut Builder,
    ) -> Result<(), CannotProve> {
        let raw = self.slice(span)?;
        let open = if raw.starts_with("$\"") { 2 } else { 1 };
        if !raw.ends_with('"') || !raw.starts_with(['"', '$']) || raw.len() <= open {
            return Err(SPAN);
        }
        let mut at = span.start.offset() + open;
        for part in parts {
            if part.span.start.offset() != at {
                return Err(SPAN);
            }
            at = part.span.end.offset();
            self.part(part, out, true, false)?;
        }
        if at + 1 == span.end.offset() { Ok(()) } else { Err(SPAN) }
    }

    /// The text of a here-document that expands: like double quotes, but a `"` is itself.
    pub(super) fn document_text(raw: &str, out: &mut Word) -> Result<(), CannotProve> {
        let mut builder = Builder { pieces: std::mem::take(&mut out.pieces) };
        double_quoted(&raw.replace('"', " "), &mut builder)?;
        out.pieces = builder.pieces;
        Ok(())
    }
}

/// `'…'` is verbatim; `$'…'` knows escapes.
fn single_quoted(raw: &str, dollar: bool, out: &mut Builder) -> Result<(), CannotProve> {
    let open = if dollar { "$'" } else { "'" };
    let inner = raw.strip_prefix(open).and_then(|rest| rest.strip_suffix('\'')).ok_or(SPAN)?;
    if !dollar {
        if inner.contains('\'') {
            return Err(SPAN);
        }
        out.text(inner);
        return Ok(());
    }
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let escape = chars.next().ok_or(ESCAPE)?;
        let decoded = match escape {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'e' | 'E' => '\u{1b}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' | '\'' | '"' | '?' => escape,
            '0'..='7' => {
                let mut value = escape.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|next| next.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    chars.next();
                }
                code_point(value, 0x80)?
            }
            'x' | 'u' | 'U' => {
                let (digits, limit) = match escape {
                    'x' => (2, 0x80),
                    'u' => (4, u32::MAX),
                    _ => (8, u32::MAX),
                };
                let mut value = None;
                for _ in 0..digits {
                    let Some(digit) = chars.peek().and_then(|next| next.to_digit(16)) else { break };
                    value = Some(value.unwrap_or(0) * 16 + digit);
                    chars.next();
                }
                code_point(value.ok_or(ESCAPE)?, limit)?
            }
            _ => return Err(ESCAPE),
        };
        out.push(decoded);
    }
    Ok(())
}

/// A NUL would end the string, and a byte above ASCII is half a character.
fn code_point(value: u32, limit: u32) -> Result<char, CannotProve> {
    if value == 0 || value >= limit {
        return Err(ESCAPE);
    }
    char::from_u32(value).ok_or(ESCAPE)
}

/// Inside double quotes a backslash is removed before `$`, a backtick, `"`, itself and a newline only.
fn double_quoted(raw: &str, out: &mut Builder) -> Result<(), CannotProve> {
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(next @ ('$' | '`' | '"' | '\\')) => out.push(next),
                Some(next) => {
                    out.push('\\');
                    out.push(next);
                }
                None => return Err(SPAN),
            },
            '`' | '"' => return Err(CHARACTER),
            '$' if chars.peek().is_some_and(|next| starts_expansion(*next)) => return Err(CHARACTER),
            other => out.push(other),
        }
    }
    Ok(())
}

/// Outside quotes everything special must have become a part of its own, a glob, a brace or a tilde.
fn unquoted(raw: &str, out: &mut Builder, brace: bool) -> Result<(), CannotProve> {
    let mut chars = raw.chars().peekable();
    let mut first = out.pieces.is_empty();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(next) => out.push(next),
                None => return Err(SPAN),
            },
            '~' if first => {
                while chars
                    .peek()
                    .is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | '-' | '+' | '.'))
                {
                    chars.next();
                }
                out.piece(Piece::Tilde);
            }
            '*' | '?' => out.piece(Piece::Glob(c)),
            '[' if raw.contains(']') => out.piece(Piece::Glob(c)),
            '{' if brace => out.piece(Piece::Brace),
            '(' | ')' | '`' | '\'' | '"' | '<' | '>' | '|' | '&' | ';' | ' ' | '\t' | '\n' => {
                return Err(CHARACTER);
            }
            '$' if chars.peek().is_some_and(|next| starts_expansion(*next)) => return Err(CHARACTER),
            other => out.push(other),
        }
        first = false;
    }
    Ok(())
}

fn starts_expansion(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '_' | '(' | '{' | '[' | '@' | '*' | '#' | '?' | '$' | '!' | '-' | '\'' | '"')
}
