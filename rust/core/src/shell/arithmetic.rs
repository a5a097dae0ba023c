//! Arithmetic text → the variables it names, or "cannot prove".
//!
//! Bash evaluates arithmetic recursively: a subscript or a quoted part may run a substitution. So only plain
//! expressions over numbers and variables are vouched for.

use super::{Arithmetic, CannotProve};

/// Operators, grouping, blanks, and the braces and dollar of `${x}`.
const PLAIN: &[u8] = b" \t\n+-*/%<>=!&|^~?:,()#${}";

/// Reads the text between the outer brackets.
pub(super) fn read(text: &str) -> Result<Arithmetic, CannotProve> {
    const REFUSED: CannotProve = CannotProve::Form("arithmetic with a subscript, quote or substitution");
    let bytes = text.as_bytes();
    let plain = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || PLAIN.contains(b);
    if !bytes.iter().all(plain)
        || !is_balanced(bytes)
        || text.contains("$(")
        || text.contains("${!")
        || text.contains("${#")
    {
        return Err(REFUSED);
    }
    let mut variables = Vec::new();
    for token in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '#')) {
        let is_name = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if is_name && !variables.iter().any(|seen| seen == token) {
            variables.push(token.to_owned());
        }
        // A positional parameter carries text from elsewhere, as a variable does.
        if text.contains('$') && variables.is_empty() {
            variables.push(String::from("1"));
        }
    }
    let comparison_free = text.replace("==", "").replace("<=", "").replace(">=", "").replace("!=", "");
    let assigns = comparison_free.contains('=')
        || text.contains("++")
        || text.contains("--")
        || text.contains("<<=")
        || text.contains(">>=");
    Ok(Arithmetic { variables, assigns })
}

/// Unbalanced brackets mean that `((…) …)` was two groups of commands, not arithmetic.
fn is_balanced(bytes: &[u8]) -> bool {
    let mut open = 0_usize;
    for byte in bytes {
        match byte {
            b'(' => open += 1,
            b')' if open == 0 => return false,
            b')' => open -= 1,
            _ => {}
        }
    }
    open == 0
}
