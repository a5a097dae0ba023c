//! `awk`: the program is read token by token. What writes or runs (`>` after `print`, any pipe, `system`, gawk's `@`)
//! is not a reader; comparisons, regular expressions and text that merely look like it are.

use super::Why;
use super::programs::refused;
use crate::shell::Word;
use crate::shell::options::{self, Value};

const OPTIONS: &str = "-F: -v: -e: --field-separator: --assign: --source: --re-interval --posix --sandbox --version -V -P -c -r -n -S \
     --traditional --non-decimal-data --characters-as-bytes -b --csv -k";

/// Files that `print >` may name.
const SINKS: &[&str] = &["/dev/stderr", "/dev/stdout"];

/// Judges the arguments of `awk`.
pub(super) fn judge(name: &str, arguments: &[Word]) -> Result<(), Why> {
    // The first operand ends the options, so an operand that looks like one is only a file name.
    let (scanned, rest) = options::leading(OPTIONS, arguments).map_err(|refusal| refused(name, refusal))?;
    let refuse = || Why::Arguments(name.to_owned());
    let sources: Vec<_> = scanned.values("-e --source").collect();
    if sources.is_empty() {
        if scanned.has("--version -V") {
            return Ok(());
        }
        let program = rest.first().and_then(Word::literal).ok_or_else(refuse)?;
        return if only_reads(program) { Ok(()) } else { Err(refuse()) };
    }
    for source in sources {
        let Value::Text(program) = source else { return Err(refuse()) };
        if !only_reads(program) {
            return Err(refuse());
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A `/` here starts a regular expression.
    Operator,
    /// A `/` here divides.
    Operand,
    /// A `/` here could be either.
    Unclear,
}

/// What is known while reading the program.
struct Reader<'a> {
    rest: &'a str,
    before: Before,
    /// Inside a `print` or `printf` statement, and how many brackets were open where it began.
    printing: Option<usize>,
    depth: usize,
}

/// Whether the program only reads.
pub(super) fn only_reads(program: &str) -> bool {
    let mut reader = Reader { rest: program, before: Before::Operator, printing: None, depth: 0 };
    while let Some(c) = reader.rest.chars().next() {
        if !reader.token(c) {
            return false;
        }
    }
    true
}

impl<'a> Reader<'a> {
    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Reads one token; `false` when it is not known to only read.
    fn token(&mut self, c: char) -> bool {
        match c {
            ' ' | '\t' => {
                self.advance(1);
            }
            '\\' if self.rest.starts_with("\\\n") => {
                self.advance(2);
            }
            '#' => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.advance(end);
            }
            '"' => {
                let Some(text) = self.quoted('"') else { return false };
                // gawk opens connections for such names.
                if text.contains("/inet") {
                    return false;
                }
                self.before = Before::Operand;
            }
            '/' => return self.slash(),
            '>' if self.printing == Some(self.depth) => return self.redirection(),
            '>' if self.rest.starts_with(">>") => return false,
            '|' if self.rest.starts_with("||") => self.operator(2),
            '|' | '@' | '`' | '\\' | '\'' => return false,
            // A statement goes on after an operator at the end of the line.
            '\n' if self.before == Before::Operator => {
                self.advance(1);
            }
            '\n' | ';' | '{' | '}' => {
                self.printing = None;
                self.operator(1);
            }
            '(' | '[' => {
                self.depth += 1;
                self.operator(1);
            }
            ')' | ']' => {
                self.depth = self.depth.saturating_sub(1);
                self.advance(1);
                self.before = if c == ')' { Before::Unclear } else { Before::Operand };
            }
            '+' | '-' if self.rest.starts_with("++") || self.rest.starts_with("--") => {
                self.advance(2);
                self.before = Before::Unclear;
            }
            _ if c.is_ascii_alphanumeric() || c == '_' || c == '.' => return self.word(),
            _ if c.is_ascii() => self.operator(1),
            _ => return false,
        }
        true
    }

    fn operator(&mut self, bytes: usize) {
        self.advance(bytes);
        self.before = Before::Operator;
    }

    fn word(&mut self) -> bool {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
            .unwrap_or(self.rest.len());
        let word = self.advance(end);
        self.before = Before::Operand;
        match word {
            "system" => return false,
            "print" | "printf" => {
                self.printing = Some(self.depth);
                self.before = Before::Operator;
            }
            "return" | "in" | "else" | "do" | "case" | "exit" => self.before = Before::Operator,
            "getline" => self.before = Before::Unclear,
            _ => {}
        }
        true
    }

    /// Takes a quoted stretch, without its quotes.
    fn quoted(&mut self, quote: char) -> Option<&'a str> {
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => return None,
                _ if c == quote => return self.advance(at + 1).get(1..at),
                _ => {}
            }
        }
        None
    }

    fn slash(&mut self) -> bool {
        match self.before {
            Before::Operand => {
                self.operator(1);
                true
            }
            Before::Operator => {
                // Implementations differ on a `/` in a bracket expression.
                let Some(pattern) = self.quoted('/') else { return false };
                let bracket = pattern
                    .rfind('[')
                    .is_some_and(|open| !pattern.get(open..).unwrap_or_default().contains(']'));
                self.before = Before::Operand;
                !bracket
            }
            Before::Unclear => {
                // Read as a division, the rest must hold nothing that a regular expression could have hidden.
                if self.rest.contains(['"', '|', '>', '@', '#']) || self.rest.contains("system") {
                    return false;
                }
                self.operator(1);
                true
            }
        }
    }

    /// `print … > FILE`: only the standard streams, named literally and with nothing joined on.
    fn redirection(&mut self) -> bool {
        self.advance(1);
        self.rest = self.rest.strip_prefix('>').unwrap_or(self.rest).trim_start_matches([' ', '\t']);
        if !self.rest.starts_with('"') {
            return false;
        }
        let Some(file) = self.quoted('"') else { return false };
        let after = self.rest.trim_start_matches([' ', '\t']);
        self.before = Before::Operand;
        SINKS.contains(&file) && (after.is_empty() || after.starts_with([';', '}', '\n']))
    }
}

/// What the tests run.
#[cfg(test)]
pub(super) const EXAMPLES: (&[&str], &[&str]) = (
    &[
        "awk '{print $1}' a",
        "awk -F: '$3 > 9 {print $1}' a",
        "awk '{print ($1 > 5)}' a",
        "awk '/a|b/' a",
        "awk '{print \"a > b | system\"}' a",
        "awk 'length > 80' a",
        "awk '{s+=$1} END {print s/NR}' a",
        "awk '{gsub(/x>y/,\"\"); print}' a",
        "awk -v n=3 'NR==n' a",
        "awk 'NR>1 && $2 ~ /x/'",
        "awk '{print > \"/dev/stderr\"}' a",
        "awk 'BEGIN{while((getline l < \"a\")>0) print l}'",
        "awk '{a[$1]++} END {for (k in a) print k, a[k]}' a",
        "awk '{ if ($1 > 3) print }' a",
        "awk '{printf \"%s\\n\", $1}' a",
        "awk '{print (a+b)/2}' a",
    ],
    &[
        "awk 'BEGIN{system(\"x\")}'",
        "awk '{print > \"o\"}' a",
        "awk '{print >> \"o\"}' a",
        "awk '{print | \"sh\"}' a",
        "awk 'BEGIN{\"x\" | getline}'",
        "awk -f a b",
        "gawk -i inplace '{print}' a",
        "gawk '@load \"x\"; BEGIN{}'",
        "awk '{print $1 > $2}' a",
        "awk '{print |& \"sh\"}'",
        "awk \"$x\" a",
        "gawk -o '{print}' a",
        "gawk -dv '{print}' a",
        "awk '{print > \"/dev/stderr\" \"x\"}' a",
        "awk 'x++ /\"/; system(\"y\") /\"/'",
        "awk '{print(1) / \"/ ; system(\\\"x\\\") \"}'",
        "gawk --include=x '{print}' a",
        "gawk -E a",
        "awk '{printf(\"%s\", $0) > \"o\"}' a",
        "awk 'BEGIN { f = \"system\"; @f(\"x\") }'",
        "awk '{print $1,\n$2 > \"o\"}' a",
    ],
);
