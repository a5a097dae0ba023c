//! The tree that [`super::parse`] returns: plain owned data, without source positions.

use serde::{Serialize, Serializer};

/// A list of statements, in source order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Script {
    /// The statements that `;`, `&` or a newline separate.
    pub statements: Vec<Statement>,
}

/// One command with what applies to it as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Statement {
    /// What runs.
    pub command: Command,
    /// Redirections, in source order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub redirects: Vec<Redirect>,
    /// Whether `!` inverts the exit status.
    #[serde(skip_serializing_if = "is_false")]
    pub negated: bool,
    /// Whether `&` sends it to the background.
    #[serde(skip_serializing_if = "is_false")]
    pub background: bool,
    /// Whether a `;` follows.
    #[serde(skip_serializing_if = "is_false")]
    pub semicolon: bool,
}

/// The kinds of command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Assignments, a name and arguments; declarations such as `export` are here too.
    Simple(Simple),
    /// Statements joined by `|`, `&&` and `||`, evaluated from the left.
    Chain {
        /// The leftmost statement.
        first: Box<Statement>,
        /// What follows, each with the operator before it.
        rest: Vec<(Operator, Statement)>,
    },
    /// `( … )` or `{ …; }`.
    Group(Script),
    /// `if`, `elif` and `else`; the condition and body of each arm.
    If {
        /// Condition and body of `if` and of every `elif`.
        arms: Vec<(Script, Script)>,
        /// The body of `else`.
        otherwise: Option<Script>,
    },
    /// `for` and `select`.
    For {
        /// The loop variable.
        variable: String,
        /// The words it takes; `None` is the positional parameters.
        words: Option<Vec<Word>>,
        /// The loop body.
        body: Script,
    },
    /// `for (( … ))`.
    ArithmeticFor {
        /// Initialisation, condition and step, where given.
        expressions: Vec<Arithmetic>,
        /// The loop body.
        body: Script,
    },
    /// `while` and `until`.
    While {
        /// What decides whether to go on.
        condition: Script,
        /// The loop body.
        body: Script,
    },
    /// `case`.
    Case {
        /// The word that is matched.
        word: Word,
        /// Patterns and body of each arm.
        arms: Vec<(Vec<Word>, Script)>,
    },
    /// `[[ … ]]`.
    Condition(Condition),
    /// `(( … ))`.
    Arithmetic(Arithmetic),
    /// `time …`, with what is timed.
    Time(Option<Box<Statement>>),
    /// `coproc …`.
    Coprocess(Box<Statement>),
    /// A function definition; what it would do when called.
    Function(Box<Statement>),
}

/// A simple command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Simple {
    /// Assignments before the name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assignments: Vec<Assignment>,
    /// Name and arguments; empty when there are only assignments or redirections.
    pub words: Vec<Word>,
}

/// What joins two statements of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|` or `|&`
    Pipe,
}

/// `NAME=value`, `NAME+=value`, `NAME=(…)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// Whether an array subscript follows the name.
    #[serde(skip_serializing_if = "is_false")]
    pub subscript: bool,
    /// What is assigned.
    pub value: AssignmentValue,
}

/// The right side of an assignment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AssignmentValue {
    /// One word.
    Scalar(Word),
    /// The elements of an array.
    Array(Vec<Word>),
}

/// A redirection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Redirect {
    /// Which way.
    pub kind: RedirectKind,
    /// Where to or from.
    pub target: RedirectTarget,
}

/// Which way a redirection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RedirectKind {
    /// `<`
    Input,
    /// `>`, `>>`, `>|`, `&>`, `&>>` or `<>`
    Output,
    /// `>&` and `<&`
    Duplicate,
    /// `<<` and `<<<`
    Here,
}

/// What a redirection names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RedirectTarget {
    /// A file, a descriptor or the text of a here-string.
    Word(Word),
    /// What a here-document expands; a quoted one is literal text.
    Document(Word),
}

/// An arithmetic expression, reduced to what matters to a reader.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Arithmetic {
    /// The variables it names.
    pub variables: Vec<String>,
    /// Whether it can assign to them.
    pub assigns: bool,
}

/// `[[ … ]]`, reduced to its words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub struct Condition {
    /// Words compared as text, matched or tested.
    pub words: Vec<Word>,
    /// Words that bash evaluates as arithmetic (`-eq` and its kin) or as a variable reference (`-v`).
    pub evaluated: Vec<Word>,
}

/// One word, in the pieces that quoting and expansion make of it. Serialised as its text when it is literal, as its
/// pieces otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// Pieces in order; neighbouring literal text is one piece.
    pub pieces: Vec<Piece>,
}

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Text that stands for itself, quotes and backslashes removed.
    Text(String),
    /// An unquoted `*`, `?` or bracket expression.
    Glob(char),
    /// A brace expansion begins here; the rest of the word is one of its alternatives.
    Brace,
    /// A leading `~` or `~user`.
    Tilde,
    /// `$x`, `${x}` and `${x…}`.
    Parameter {
        /// The variable or special parameter.
        name: String,
        /// Whether it is inside double quotes and so stays one word (`$@` never does).
        quoted: bool,
        /// Whether an operator such as `:-` or `#` follows the name.
        operator: bool,
        /// Whether it assigns (`${x:=…}`).
        assigns: bool,
        /// Arithmetic in a subscript or slice.
        arithmetic: Option<Arithmetic>,
    },
    /// `$(( … ))` or `$[ … ]`.
    Arithmetic(Arithmetic),
    /// `$( … )` or backticks.
    Substitution {
        /// What runs.
        script: Script,
        /// Whether it is inside double quotes and so stays one word.
        quoted: bool,
    },
    /// `<( … )` or `>( … )`: a path under `/dev/fd`.
    Process(Script),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Serialize for Word {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.literal() {
            Some(text) => serializer.serialize_str(text),
            None => self.pieces.serialize(serializer),
        }
    }
}

impl Word {
    /// A word that is `text` and nothing else.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { pieces: vec![Piece::Text(text.into())] }
    }

    /// The whole word, when no expansion can change it.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The literal text before the first expansion.
    #[must_use]
    pub fn prefix(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }

    /// Whether the word may turn into any number of words, the later ones with an unknown beginning.
    #[must_use]
    pub fn splits(&self) -> bool {
        self.pieces.iter().any(|piece| match piece {
            Piece::Parameter { name, quoted, .. } => !quoted || name == "@",
            Piece::Substitution { quoted, .. } => !quoted,
            Piece::Text(_)
            | Piece::Glob(_)
            | Piece::Brace
            | Piece::Tilde
            | Piece::Arithmetic(_)
            | Piece::Process(_) => false,
        })
    }

    /// Whether the word may turn into several, by splitting, globbing or braces.
    #[must_use]
    pub fn may_be_many(&self) -> bool {
        self.splits() || self.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_) | Piece::Brace))
    }

    /// Whether every word that this one can turn into is certain not to begin with `-`.
    #[must_use]
    pub fn is_operand(&self) -> bool {
        if self.splits() {
            return false;
        }
        match self.pieces.first() {
            Some(Piece::Text(text)) => !text.is_empty() && !text.starts_with('-'),
            None | Some(Piece::Tilde | Piece::Process(_)) => true,
            Some(Piece::Parameter { name, operator: false, .. }) => name == "HOME" || name == "PWD",
            Some(_) => false,
        }
    }
}
