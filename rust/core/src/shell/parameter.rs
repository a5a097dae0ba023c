//! `${…}` text → one piece, or "cannot prove".

use super::arithmetic;
use super::{CannotProve, Piece};

/// Transformations (`${x@Q}`) that only change how a value is written. `P` would run substitutions in it.
const TRANSFORMATIONS: &[u8] = b"QUuLaAKkE";

/// Reads one expansion that starts with `${` and ends with `}`.
pub(super) fn read(raw: &str, quoted: bool) -> Result<Piece, CannotProve> {
    const REFUSED: CannotProve = CannotProve::Form("an indirect or nested parameter expansion");
    let body = raw.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')).ok_or(REFUSED)?;
    if ["`", "$(", "<(", ">(", "${", "$[", "\\\n"].iter().any(|form| body.contains(form)) {
        return Err(REFUSED);
    }
    // `${#x}` and `${#a[@]}` are lengths; `${#}` is the count of positional parameters.
    let (body, length) = match body.strip_prefix('#') {
        Some(rest) if !rest.is_empty() => (rest, true),
        _ => (body, false),
    };
    // `${!a[@]}` and `${!prefix*}` list names; every other `${!x}` evaluates the value of `x`.
    let (body, lists) = match body.strip_prefix('!') {
        Some(rest)
            if rest.ends_with("[@]")
                || rest.ends_with("[*]")
                || rest.ends_with('*')
                || rest.ends_with('@') =>
        {
            (rest, true)
        }
        Some(rest) if !rest.is_empty() => return Err(REFUSED),
        _ => (body, false),
    };
    let name_length = name_length(body);
    let (name, mut rest) = body.split_at_checked(name_length).ok_or(REFUSED)?;
    if name.is_empty() {
        return Err(REFUSED);
    }
    if lists && matches!(rest, "*" | "@") {
        rest = "";
    }
    let mut arithmetic = None;
    if let Some(inside) = rest.strip_prefix('[') {
        let (subscript, after) = inside.split_once(']').ok_or(REFUSED)?;
        if !matches!(subscript, "@" | "*") {
            arithmetic = Some(arithmetic::read(subscript)?);
        }
        rest = after;
    }
    if (lists || length) && !rest.is_empty() {
        return Err(REFUSED);
    }
    let assigns = rest.starts_with(":=") || rest.starts_with('=');
    if let Some(kind) = rest.strip_prefix('@') {
        match kind.as_bytes() {
            [letter] if TRANSFORMATIONS.contains(letter) => {}
            _ => return Err(REFUSED),
        }
    } else if let Some(slice) =
        rest.strip_prefix(':').filter(|slice| !slice.starts_with(['-', '=', '+', '?']))
    {
        if arithmetic.is_some() {
            return Err(REFUSED);
        }
        arithmetic = Some(arithmetic::read(slice)?);
    }
    let operator = length || lists || !rest.is_empty();
    Ok(Piece::Parameter { name: name.to_owned(), quoted, operator, assigns, arithmetic })
}

/// Reads `$name` or `$` and a special parameter.
pub(super) fn read_short(raw: &str, quoted: bool) -> Result<Piece, CannotProve> {
    match raw.strip_prefix('$') {
        Some(name) if !name.is_empty() && name_length(name) == name.len() => Ok(Piece::Parameter {
            name: name.to_owned(),
            quoted,
            operator: false,
            assigns: false,
            arithmetic: None,
        }),
        _ => Err(CannotProve::Form("an unknown parameter")),
    }
}

/// The length of the variable name or special parameter at the start of `body`, in bytes.
fn name_length(body: &str) -> usize {
    let bytes = body.as_bytes();
    match bytes.first() {
        Some(b) if b.is_ascii_alphabetic() || *b == b'_' => {
            bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count()
        }
        Some(b) if b.is_ascii_digit() => bytes.iter().take_while(|b| b.is_ascii_digit()).count(),
        Some(b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-') => 1,
        _ => 0,
    }
}
