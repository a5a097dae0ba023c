//! Patterns and `[[ … ]]` → the words in them.

use shuck_ast as ast;
use shuck_ast::{ConditionalBinaryOp, ConditionalExpr, ConditionalUnaryOp};

use super::convert::Converter;
use super::{CannotProve, Condition, MAX_TREE_DEPTH, Piece, Word};

impl Converter<'_> {
    /// A pattern's plain characters cannot run anything; its words can.
    pub(super) fn pattern(
        &mut self,
        pattern: &ast::Pattern,
        words: &mut Vec<Word>,
    ) -> Result<(), CannotProve> {
        for part in &pattern.parts {
            match &part.kind {
                ast::PatternPart::Word(word) => words.push(self.word(word)?),
                ast::PatternPart::Literal(_) | ast::PatternPart::CharClass(_) => {
                    if self.slice(part.span)?.contains(['$', '`']) {
                        return Err(CannotProve::Form("an expansion inside a pattern"));
                    }
                }
                ast::PatternPart::AnyString | ast::PatternPart::AnyChar => {}
                ast::PatternPart::Group { .. } => return Err(CannotProve::Form("an extended pattern")),
            }
        }
        Ok(())
    }

    pub(super) fn condition(
        &mut self,
        expression: &ConditionalExpr,
        out: &mut Condition,
    ) -> Result<(), CannotProve> {
        self.depth += 1;
        if self.depth > MAX_TREE_DEPTH {
            return Err(CannotProve::Syntax);
        }
        match expression {
            ConditionalExpr::Binary(binary) => {
                use ConditionalBinaryOp::{
                    ArithmeticEq, ArithmeticGe, ArithmeticGt, ArithmeticLe, ArithmeticLt, ArithmeticNe,
                };
                let from = out.words.len();
                self.condition(&binary.left, out)?;
                self.condition(&binary.right, out)?;
                if matches!(
                    binary.op,
                    ArithmeticEq | ArithmeticGe | ArithmeticGt | ArithmeticLe | ArithmeticLt | ArithmeticNe
                ) {
                    let evaluated = out.words.split_off(from.min(out.words.len()));
                    out.evaluated.extend(evaluated);
                }
            }
            ConditionalExpr::Unary(unary) => {
                let from = out.words.len();
                self.condition(&unary.expr, out)?;
                if matches!(unary.op, ConditionalUnaryOp::VariableSet | ConditionalUnaryOp::ReferenceVariable)
                {
                    let evaluated = out.words.split_off(from.min(out.words.len()));
                    out.evaluated.extend(evaluated);
                }
            }
            ConditionalExpr::Parenthesized(inner) => self.condition(&inner.expr, out)?,
            ConditionalExpr::Word(word) => out.words.push(self.word(word)?),
            ConditionalExpr::Regex(word) => {
                // A regular expression may hold bare parentheses; only what it expands matters.
                let raw = self.slice(word.span)?;
                if raw.contains(['$', '`', '<', '>']) {
                    out.words.push(self.word(word)?);
                } else {
                    out.words.push(Word::text(raw));
                }
            }
            ConditionalExpr::Pattern(pattern) => {
                let mut words = Vec::new();
                self.pattern(pattern, &mut words)?;
                out.words.extend(words);
                out.words.push(Word { pieces: vec![Piece::Glob('*')] });
            }
            ConditionalExpr::VarRef(reference) => {
                if reference.subscript.is_some() {
                    return Err(CannotProve::Form("an array element in a condition"));
                }
                out.evaluated.push(Word::text(reference.name.as_str()));
            }
        }
        self.depth -= 1;
        Ok(())
    }
}
