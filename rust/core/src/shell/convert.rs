//! The parser's syntax tree → [`Script`].

use shuck_ast as ast;
use shuck_ast::{CompoundCommand, Span};

use super::{
    Arithmetic, Assignment, AssignmentValue, CannotProve, Command, Condition, MAX_TREE_DEPTH, Operator,
    Piece, Redirect, RedirectKind, RedirectTarget, Script, Simple, Statement, Word, parameter,
};

/// Walks one parsed file; holds the source, because literals are spans of it.
pub(super) struct Converter<'a> {
    source: &'a str,
    pub(super) depth: usize,
}

impl<'a> Converter<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, depth: 0 }
    }

    pub(super) fn slice(&self, span: Span) -> Result<&'a str, CannotProve> {
        self.source
            .get(span.start.offset()..span.end.offset())
            .ok_or(CannotProve::Form("text that the parser rewrote"))
    }

    pub(super) fn script(&mut self, body: &ast::StmtSeq) -> Result<Script, CannotProve> {
        self.depth += 1;
        if self.depth > MAX_TREE_DEPTH {
            return Err(CannotProve::Syntax);
        }
        let mut statements = Vec::with_capacity(body.stmts.len());
        for statement in &body.stmts {
            // The parser accepts `a(b)` as two commands; bash does not.
            if !statements.is_empty() && !self.is_separated(statement.span) {
                return Err(CannotProve::Form("a parenthesis inside a word"));
            }
            statements.push(self.statement(statement)?);
        }
        self.depth -= 1;
        Ok(Script { statements })
    }

    /// Whether a separator stands before `span`.
    fn is_separated(&self, span: Span) -> bool {
        let before = self.source.get(..span.start.offset()).unwrap_or_default();
        // The span of a group or a negated command begins inside.
        before.trim_end_matches([' ', '\t', '(', '{', '!']).ends_with(['\n', ';', '&'])
    }

    fn statement(&mut self, statement: &ast::Stmt) -> Result<Statement, CannotProve> {
        self.depth += 1;
        if self.depth > MAX_TREE_DEPTH {
            return Err(CannotProve::Syntax);
        }
        let command = self.command(&statement.command)?;
        let redirects =
            statement.redirects.iter().map(|redirect| self.redirect(redirect)).collect::<Result<_, _>>()?;
        self.depth -= 1;
        Ok(Statement {
            command,
            redirects,
            negated: statement.negated,
            background: matches!(statement.terminator, Some(ast::StmtTerminator::Background(_))),
            semicolon: matches!(statement.terminator, Some(ast::StmtTerminator::Semicolon)),
        })
    }

    fn boxed(&mut self, statement: &ast::Stmt) -> Result<Box<Statement>, CannotProve> {
        self.statement(statement).map(Box::new)
    }

    fn command(&mut self, command: &ast::Command) -> Result<Command, CannotProve> {
        match command {
            ast::Command::Simple(simple) => {
                // Without a name the parser makes up an empty one that has no place in the text.
                let nameless = simple.args.is_empty()
                    && simple.name.span.start.offset() == simple.name.span.end.offset();
                let mut words = Vec::with_capacity(simple.args.len() + 1);
                if !nameless {
                    words.push(self.word(&simple.name)?);
                }
                for word in &simple.args {
                    words.push(self.word(word)?);
                }
                let assignments = self.assignments(&simple.assignments)?;
                Ok(Command::Simple(Simple { assignments, words }))
            }
            ast::Command::Builtin(builtin) => self.builtin(builtin),
            ast::Command::Decl(declaration) => self.declaration(declaration),
            ast::Command::Binary(_) => self.chain(command),
            ast::Command::Compound(compound) => self.compound(compound),
            ast::Command::Function(function) => Ok(Command::Function(self.boxed(&function.body)?)),
            ast::Command::AnonymousFunction(_) => Err(CannotProve::Form("a zsh function")),
        }
    }

    /// `break`, `continue`, `return` and `exit` are simple commands for everyone but the parser.
    fn builtin(&mut self, builtin: &ast::BuiltinCommand) -> Result<Command, CannotProve> {
        let (name, first, rest, assignments) = match builtin {
            ast::BuiltinCommand::Break(c) => ("break", &c.depth, &c.extra_args, &c.assignments),
            ast::BuiltinCommand::Continue(c) => ("continue", &c.depth, &c.extra_args, &c.assignments),
            ast::BuiltinCommand::Return(c) => ("return", &c.code, &c.extra_args, &c.assignments),
            ast::BuiltinCommand::Exit(c) => ("exit", &c.code, &c.extra_args, &c.assignments),
        };
        let mut words = vec![Word::text(name)];
        for word in first.iter().chain(rest) {
            words.push(self.word(word)?);
        }
        let assignments = self.assignments(assignments)?;
        Ok(Command::Simple(Simple { assignments, words }))
    }

    /// Declarations keep their operands as words; assignments among them become one word each.
    fn declaration(&mut self, declaration: &ast::DeclClause) -> Result<Command, CannotProve> {
        let mut words = vec![Word::text(declaration.variant.as_str())];
        for operand in &declaration.operands {
            words.push(match operand {
                ast::DeclOperand::Flag(word) | ast::DeclOperand::Dynamic(word) => self.word(word)?,
                ast::DeclOperand::Name(reference) if reference.subscript.is_none() => {
                    Word::text(reference.name.as_str())
                }
                ast::DeclOperand::Name(_) => return Err(CannotProve::Form("a declared array element")),
                ast::DeclOperand::Assignment(assignment) => {
                    let Assignment { name, subscript: false, value: AssignmentValue::Scalar(value) } =
                        self.assignment(assignment)?
                    else {
                        return Err(CannotProve::Form("a declared array"));
                    };
                    let mut pieces = vec![Piece::Text(format!("{name}="))];
                    pieces.extend(value.pieces);
                    merge_text(&mut pieces);
                    Word { pieces }
                }
            });
        }
        let assignments = self.assignments(&declaration.assignments)?;
        Ok(Command::Simple(Simple { assignments, words }))
    }

    fn assignments(&mut self, assignments: &[ast::Assignment]) -> Result<Vec<Assignment>, CannotProve> {
        assignments.iter().map(|assignment| self.assignment(assignment)).collect()
    }

    fn assignment(&mut self, assignment: &ast::Assignment) -> Result<Assignment, CannotProve> {
        let value = match &assignment.value {
            ast::AssignmentValue::Scalar(word) => AssignmentValue::Scalar(self.word(word)?),
            ast::AssignmentValue::Compound(array) => {
                let mut words = Vec::with_capacity(array.elements.len());
                for element in &array.elements {
                    let ast::ArrayElem::Sequential(value) = element else {
                        return Err(CannotProve::Form("an array with keys"));
                    };
                    words.push(self.word(&value.word)?);
                }
                AssignmentValue::Array(words)
            }
        };
        if assignment.target.subscript.is_some() {
            let raw = self.slice(assignment.target.span)?;
            let inner = raw.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
            super::arithmetic::read(inner.ok_or(CannotProve::Form("an assigned array element"))?)?;
        }
        let name = assignment.target.name.as_str().to_owned();
        Ok(Assignment { name, subscript: assignment.target.subscript.is_some(), value })
    }

    /// Chains nest to the left without limit, so they are walked, not recursed into.
    fn chain(&mut self, command: &ast::Command) -> Result<Command, CannotProve> {
        let mut rest = Vec::new();
        let mut current = command;
        let first = loop {
            let ast::Command::Binary(binary) = current else {
                return Err(CannotProve::Syntax);
            };
            let operator = match binary.op {
                ast::BinaryOp::And => Operator::And,
                ast::BinaryOp::Or => Operator::Or,
                ast::BinaryOp::Pipe | ast::BinaryOp::PipeAll => Operator::Pipe,
            };
            rest.push((operator, self.statement(&binary.right)?));
            let left = &*binary.left;
            let is_plain_chain =
                matches!(left.command, ast::Command::Binary(_)) && !left.negated && left.redirects.is_empty();
            if !is_plain_chain {
                break self.boxed(left)?;
            }
            current = &left.command;
        };
        rest.reverse();
        Ok(Command::Chain { first, rest })
    }

    fn compound(&mut self, compound: &CompoundCommand) -> Result<Command, CannotProve> {
        Ok(match compound {
            CompoundCommand::If(c) => {
                let mut arms = vec![(self.script(&c.condition)?, self.script(&c.then_branch)?)];
                for (condition, body) in &c.elif_branches {
                    arms.push((self.script(condition)?, self.script(body)?));
                }
                let otherwise = c.else_branch.as_ref().map(|body| self.script(body)).transpose()?;
                Command::If { arms, otherwise }
            }
            CompoundCommand::For(c) => {
                let [ast::ForTarget { name: Some(name), .. }] = c.targets.as_slice() else {
                    return Err(CannotProve::Form("a loop over several variables"));
                };
                let words = c.words.as_ref().map(|words| self.words(words)).transpose()?;
                Command::For { variable: name.as_str().to_owned(), words, body: self.script(&c.body)? }
            }
            CompoundCommand::Select(c) => Command::For {
                variable: c.variable.as_str().to_owned(),
                words: Some(self.words(&c.words)?),
                body: self.script(&c.body)?,
            },
            CompoundCommand::ArithmeticFor(c) => {
                let mut expressions = Vec::new();
                for span in [c.init_span, c.condition_span, c.step_span].into_iter().flatten() {
                    expressions.push(super::arithmetic::read(self.slice(span)?)?);
                }
                Command::ArithmeticFor { expressions, body: self.script(&c.body)? }
            }
            CompoundCommand::While(c) => {
                Command::While { condition: self.script(&c.condition)?, body: self.script(&c.body)? }
            }
            CompoundCommand::Until(c) => {
                Command::While { condition: self.script(&c.condition)?, body: self.script(&c.body)? }
            }
            CompoundCommand::Case(c) => {
                let word = self.word(&c.word)?;
                let mut arms = Vec::new();
                for item in &c.cases {
                    let mut patterns = Vec::new();
                    for pattern in &item.patterns {
                        self.pattern(pattern, &mut patterns)?;
                    }
                    arms.push((patterns, self.script(&item.body)?));
                }
                Command::Case { word, arms }
            }
            CompoundCommand::Subshell(body) | CompoundCommand::BraceGroup(body) => {
                Command::Group(self.script(body)?)
            }
            CompoundCommand::Arithmetic(c) => Command::Arithmetic(match c.expr_span {
                Some(span) => super::arithmetic::read(self.slice(span)?)?,
                None => Arithmetic::default(),
            }),
            CompoundCommand::Time(c) => {
                Command::Time(c.command.as_ref().map(|timed| self.boxed(timed)).transpose()?)
            }
            CompoundCommand::Conditional(c) => {
                let mut condition = Condition::default();
                self.condition(&c.expression, &mut condition)?;
                Command::Condition(condition)
            }
            CompoundCommand::Coproc(c) => Command::Coprocess(self.boxed(&c.body)?),
            CompoundCommand::Repeat(_) | CompoundCommand::Foreach(_) | CompoundCommand::Always(_) => {
                return Err(CannotProve::Form("a zsh loop"));
            }
        })
    }

    fn words(&mut self, words: &[ast::Word]) -> Result<Vec<Word>, CannotProve> {
        words.iter().map(|word| self.word(word)).collect()
    }

    fn redirect(&mut self, redirect: &ast::Redirect) -> Result<Redirect, CannotProve> {
        if redirect.fd_var.is_some() {
            return Err(CannotProve::Form("a redirection that names a descriptor variable"));
        }
        let kind = match redirect.kind {
            ast::RedirectKind::Input => RedirectKind::Input,
            ast::RedirectKind::DupOutput | ast::RedirectKind::DupInput => RedirectKind::Duplicate,
            ast::RedirectKind::HereDoc | ast::RedirectKind::HereDocStrip | ast::RedirectKind::HereString => {
                RedirectKind::Here
            }
            ast::RedirectKind::Output
            | ast::RedirectKind::Clobber
            | ast::RedirectKind::Append
            | ast::RedirectKind::ReadWrite
            | ast::RedirectKind::OutputBoth => RedirectKind::Output,
        };
        let target = match &redirect.target {
            // The parser reads `2>&1` as one token and makes up the word for `1`.
            ast::RedirectTarget::Word(word)
                if kind == RedirectKind::Duplicate && word.span.start.offset() == word.span.end.offset() =>
            {
                RedirectTarget::Word(Word::text(descriptor(self.slice(redirect.span)?)?))
            }
            ast::RedirectTarget::Word(word) => RedirectTarget::Word(self.word(word)?),
            ast::RedirectTarget::Heredoc(heredoc) => RedirectTarget::Document(self.document(heredoc)?),
        };
        Ok(Redirect { kind, target })
    }

    fn document(&mut self, heredoc: &ast::Heredoc) -> Result<Word, CannotProve> {
        if !heredoc.body.mode.expands() {
            return Ok(Word::default());
        }
        let mut word = Word::default();
        let mut at = heredoc.body.span.start.offset();
        for part in &heredoc.body.parts {
            if part.span.start.offset() != at {
                return Err(CannotProve::Form("text that the parser rewrote"));
            }
            at = part.span.end.offset();
            let raw = self.slice(part.span)?;
            match &part.kind {
                ast::HeredocBodyPart::Literal(_) => Self::document_text(raw, &mut word)?,
                _ if raw.starts_with("${") => word.pieces.push(parameter::read(raw, true)?),
                ast::HeredocBodyPart::Variable(_) => word.pieces.push(parameter::read_short(raw, true)?),
                ast::HeredocBodyPart::CommandSubstitution { body, .. }
                    if !raw.starts_with('`') || !raw.contains('\\') =>
                {
                    let script = self.script(body)?;
                    word.pieces.push(Piece::Substitution { script, quoted: true });
                }
                ast::HeredocBodyPart::ArithmeticExpansion { .. } => {
                    let inner = raw.strip_prefix("$((").and_then(|rest| rest.strip_suffix("))"));
                    let inner = inner.ok_or(CannotProve::Form("text that the parser rewrote"))?;
                    word.pieces.push(Piece::Arithmetic(super::arithmetic::read(inner)?));
                }
                _ => return Err(CannotProve::Form("this expansion in a here-document")),
            }
        }
        if at == heredoc.body.span.end.offset() {
            Ok(word)
        } else {
            Err(CannotProve::Form("text that the parser rewrote"))
        }
    }
}

/// The descriptor in `2>&1`, `>&2` or `<&-`.
fn descriptor(raw: &str) -> Result<&str, CannotProve> {
    let (before, after) = raw.split_once('&').ok_or(CannotProve::Form("an unusual redirection"))?;
    let plain = before.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_descriptor = after == "-" || (!after.is_empty() && after.bytes().all(|b| b.is_ascii_digit()));
    if matches!(plain, ">" | "<") && is_descriptor {
        Ok(after)
    } else {
        Err(CannotProve::Form("an unusual redirection"))
    }
}

fn merge_text(pieces: &mut Vec<Piece>) {
    if let [Piece::Text(first), Piece::Text(second), ..] = pieces.as_mut_slice() {
        first.push_str(second);
        pieces.remove(1);
    }
}
