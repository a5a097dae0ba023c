//! The walk over a script: control flow, words, redirections and assignments. Commands are judged in
//! [`super::programs`].

use super::{Why, environment, programs};
use crate::shell::{
    Arithmetic, Assignment, AssignmentValue, Command, Piece, Redirect, RedirectKind, RedirectTarget, Script,
    Simple, Statement, Word,
};

/// Wrappers (`env`, `xargs`, `sh -c` …) may hold wrappers, this deep.
const MAX_WRAPPERS: usize = 8;

/// Files that swallow or show what is written to them.
const SINKS: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr"];

/// What the walk has to remember from one statement for another.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// A variable was given a value that bash could evaluate as code, if it ever evaluates it.
    sets_unknown: bool,
    /// Arithmetic names a variable, so bash evaluates its value.
    evaluates: bool,
    wrappers: usize,
}

impl Walk {
    /// The checks that need the whole script.
    pub(super) fn finish(&self) -> Result<(), Why> {
        if self.sets_unknown && self.evaluates { Err(Why::Arithmetic) } else { Ok(()) }
    }

    pub(super) fn script(&mut self, script: &Script) -> Result<(), Why> {
        script.statements.iter().try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Why> {
        for redirect in &statement.redirects {
            self.redirect(redirect)?;
        }
        match &statement.command {
            Command::Simple(simple) => self.simple(simple),
            Command::Chain { first, rest } => {
                self.statement(first)?;
                rest.iter().try_for_each(|(_, statement)| self.statement(statement))
            }
            Command::Group(body) => self.script(body),
            Command::If { arms, otherwise } => {
                for (condition, body) in arms {
                    self.script(condition)?;
                    self.script(body)?;
                }
                otherwise.as_ref().map_or(Ok(()), |body| self.script(body))
            }
            Command::For { variable, words, body } => {
                environment::settable(variable)?;
                match words {
                    Some(words) => {
                        for word in words {
                            self.word(word)?;
                            self.note_value(word);
                        }
                    }
                    None => self.sets_unknown = true,
                }
                self.script(body)
            }
            Command::ArithmeticFor { expressions, body } => {
                expressions.iter().try_for_each(|expression| self.arithmetic(expression))?;
                self.script(body)
            }
            Command::While { condition, body } => {
                self.script(condition)?;
                self.script(body)
            }
            Command::Case { word, arms } => {
                self.word(word)?;
                for (patterns, body) in arms {
                    patterns.iter().try_for_each(|pattern| self.word(pattern))?;
                    self.script(body)?;
                }
                Ok(())
            }
            Command::Condition(condition) => {
                condition.words.iter().try_for_each(|word| self.word(word))?;
                condition.evaluated.iter().try_for_each(|word| {
                    self.word(word)?;
                    self.evaluated(word)
                })
            }
            Command::Arithmetic(arithmetic) => self.arithmetic(arithmetic),
            Command::Time(timed) => timed.as_ref().map_or(Ok(()), |timed| self.statement(timed)),
            Command::Coprocess(_) => Err(Why::Coprocess),
            Command::Function(_) => Err(Why::Function),
        }
    }

    fn simple(&mut self, simple: &Simple) -> Result<(), Why> {
        for assignment in &simple.assignments {
            self.assignment(assignment, simple.words.is_empty())?;
        }
        simple.words.iter().try_for_each(|word| self.word(word))?;
        if simple.words.is_empty() { Ok(()) } else { self.command(&simple.words) }
    }

    /// Judges a command whose words have been walked already; also for what a wrapper runs.
    pub(super) fn command(&mut self, words: &[Word]) -> Result<(), Why> {
        self.wrappers += 1;
        if self.wrappers > MAX_WRAPPERS {
            return Err(Why::Depth);
        }
        let verdict = programs::judge(self, words);
        self.wrappers -= 1;
        verdict
    }

    /// Judges a script that a wrapper runs.
    pub(super) fn nested(&mut self, script: &Script) -> Result<(), Why> {
        if script.statements.is_empty() { Err(Why::Empty) } else { self.script(script) }
    }

    fn assignment(&mut self, assignment: &Assignment, lasting: bool) -> Result<(), Why> {
        let name = &assignment.name;
        if assignment.subscript {
            return Err(Why::Variable(name.clone()));
        }
        match &assignment.value {
            AssignmentValue::Scalar(value) => {
                self.word(value)?;
                let listed = value.literal().is_some_and(|text| environment::harmless(name, text));
                if listed || (lasting && environment::is_private(name)) {
                    self.note_value(value);
                    return Ok(());
                }
                Err(Why::Variable(name.clone()))
            }
            AssignmentValue::Array(values) => {
                environment::settable(name)?;
                for value in values {
                    self.word(value)?;
                    self.note_value(value);
                }
                Ok(())
            }
        }
    }

    /// A builtin reads a value that is not in the text.
    pub(super) fn sets_unknown(&mut self) {
        self.sets_unknown = true;
    }

    /// Remembers a value that arithmetic would evaluate as more than a number or name.
    pub(super) fn note_value(&mut self, value: &Word) {
        let plain = value.pieces.iter().all(|piece| match piece {
            Piece::Text(text) => !text.contains(['[', '`', '$', '(']),
            Piece::Brace | Piece::Arithmetic(_) | Piece::Tilde => true,
            Piece::Glob(_) | Piece::Parameter { .. } | Piece::Substitution { .. } | Piece::Process(_) => {
                false
            }
        });
        self.sets_unknown |= !plain;
    }

    /// A word whose value bash evaluates as arithmetic.
    pub(super) fn evaluated(&mut self, word: &Word) -> Result<(), Why> {
        for piece in &word.pieces {
            match piece {
                Piece::Text(text) if text.contains(['[', '`', '$', '(']) => return Err(Why::Arithmetic),
                Piece::Text(text) => self.evaluates |= text.contains(|c: char| c.is_alphabetic() || c == '_'),
                Piece::Arithmetic(_) => {}
                Piece::Substitution { .. } => return Err(Why::Arithmetic),
                // `$#`, `$?` and lengths are numbers.
                Piece::Parameter { name, .. } => {
                    self.evaluates |= !matches!(name.as_str(), "#" | "?" | "$" | "!");
                }
                Piece::Glob(_) | Piece::Brace | Piece::Tilde | Piece::Process(_) => self.evaluates = true,
            }
        }
        Ok(())
    }

    pub(super) fn arithmetic(&mut self, arithmetic: &Arithmetic) -> Result<(), Why> {
        self.evaluates |= !arithmetic.variables.is_empty();
        if arithmetic.assigns {
            arithmetic
                .variables
                .iter()
                .filter(|name| *name != "1")
                .try_for_each(|name| environment::settable(name))?;
        }
        Ok(())
    }

    fn word(&mut self, word: &Word) -> Result<(), Why> {
        for piece in &word.pieces {
            match piece {
                Piece::Substitution { script, .. } | Piece::Process(script) => self.script(script)?,
                Piece::Arithmetic(arithmetic) => self.arithmetic(arithmetic)?,
                Piece::Parameter { name, assigns, arithmetic, .. } => {
                    if *assigns {
                        environment::settable(name)?;
                        self.sets_unknown = true;
                    }
                    if let Some(arithmetic) = arithmetic {
                        self.arithmetic(arithmetic)?;
                    }
                }
                Piece::Text(_) | Piece::Glob(_) | Piece::Brace | Piece::Tilde => {}
            }
        }
        Ok(())
    }

    fn redirect(&mut self, redirect: &Redirect) -> Result<(), Why> {
        let (RedirectTarget::Word(word) | RedirectTarget::Document(word)) = &redirect.target;
        self.word(word)?;
        let literal = word.literal();
        let harmless = match redirect.kind {
            RedirectKind::Here => true,
            // Bash itself opens a connection for these names.
            RedirectKind::Input => {
                !word.prefix().starts_with("/dev/tcp/") && !word.prefix().starts_with("/dev/udp/")
            }
            RedirectKind::Output => literal.is_some_and(|path| SINKS.contains(&path)),
            RedirectKind::Duplicate => literal.is_some_and(is_descriptor),
        };
        if harmless { Ok(()) } else { Err(Why::Redirection) }
    }
}

/// `1`, `-` and `3-`.
fn is_descriptor(text: &str) -> bool {
    text == "-"
        || (!text.is_empty() && text.strip_suffix('-').unwrap_or(text).bytes().all(|b| b.is_ascii_digit()))
}
