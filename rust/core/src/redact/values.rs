//! What counts as a secret value, and what only stands where one would.

/// Words that stand where a value would: literals, types, answers, and the name of the thing itself.
const NOT_VALUES: &[&str] = &[
    "null",
    "none",
    "nil",
    "true",
    "false",
    "undefined",
    "nan",
    "yes",
    "no",
    "on",
    "off",
    "enabled",
    "disabled",
    "required",
    "optional",
    "missing",
    "unset",
    "empty",
    "unknown",
    "invalid",
    "valid",
    "expired",
    "default",
    "auto",
    "string",
    "str",
    "text",
    "int",
    "integer",
    "number",
    "bool",
    "boolean",
    "bytes",
    "uuid",
    "varchar",
    "char",
    "any",
    "object",
    "option",
    "secretstr",
    "optional[str]",
    "password",
    "passwd",
    "pass",
    "pwd",
    "passphrase",
    "secret",
    "token",
    "key",
    "apikey",
    "api_key",
    "api-key",
    "auth",
    "credential",
    "credentials",
    "changed",
    "redacted",
    "hidden",
    "masked",
    "filtered",
    "sensitive",
    "removed",
    "omitted",
    "placeholder",
    "example",
    "value",
    "values",
    "self",
    "this",
    "new",
    "await",
    "async",
    "const",
    "let",
    "var",
    "return",
    "function",
    "lambda",
    "if",
    "else",
    "bearer",
    "basic",
    "digest",
    "oauth",
    "oauth2",
    "mutual",
    "tls",
    "md5",
    "peer",
    "trust",
    "scram-sha-256",
    "or",
    "and",
    "is",
    "was",
    "not",
    "the",
    "a",
    "an",
    "in",
    "for",
    "from",
    "to",
    "of",
    "with",
    "has",
    "must",
    "should",
    "can",
    "cannot",
    "failed",
    "error",
    "found",
    "rejected",
    "refresh",
    "error:",
    "vault",
    "keychain",
    "keyring",
    "env",
    "environment",
    "file",
    "stdin",
    "prompt",
    "never",
    "always",
    "ok",
    "success",
    "denied",
    "refused",
    "public",
    "private",
    "user",
    "username",
    "root",
    "admin",
    "ignore",
    "inherit",
    "manual",
    "created",
    "updated",
    "deleted",
    "rotated",
    "revoked",
    "accepted",
    "include",
    "omit",
    "same-origin",
    "set",
    "get",
    "your",
    "my",
    "todo",
    "tbd",
    "n/a",
    "plaintext",
];

/// Words of a sentence: a quoted value that holds one of them is prose.
const PROSE: &[&str] = &[
    "the", "is", "are", "was", "must", "should", "your", "has", "have", "please", "enter", "for", "to",
    "not", "least", "this", "that", "with", "cannot", "could", "be", "been", "will", "an", "or", "if",
    "forgot", "does", "do",
];

const SENSITIVE_WORDS: &[&str] =
    &["password", "passwd", "secret", "token", "apikey", "api_key", "credential", "passphrase"];

/// A stand-in rather than a value: `$TOKEN`, `${{ … }}`, `{key}`, `<password>`, `***`, `null`, `your-token-here`.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let Some(&first) = value.first() else { return true };
    let last = value.last().copied().unwrap_or(0);
    if value.iter().all(|b| !b.is_ascii_alphanumeric() && *b < 0x80) {
        return true;
    }
    if value.len() >= 3 && value.iter().all(|b| b.eq_ignore_ascii_case(&first)) {
        return true;
    }
    let wrapped =
        matches!((first, last), (b'<', b'>') | (b'{', b'}') | (b'[', b']') | (b'(', b')') | (b'%', b'%'))
            || value.starts_with(b"__") && value.ends_with(b"__");
    if wrapped || is_variable(value) || value.starts_with(b"***") || value.ends_with(b"***") {
        return true;
    }
    let lower = String::from_utf8_lossy(value).to_ascii_lowercase();
    if NOT_VALUES.contains(&lower.as_str()) {
        return true;
    }
    let begins = [
        "!ref",
        "!vault",
        "!sub",
        "!env",
        "your-",
        "your_",
        "{{",
        "${",
        "$(",
        "@{",
        "<%",
        "(sensitive",
        "(known",
        "xxxx",
    ];
    let reads = [
        "process.env",
        "os.environ",
        "os.getenv",
        "getenv",
        "env.",
        "secrets.",
        "var.",
        "getpass",
        "import.meta",
        "vault:",
        "op://",
        "data.",
        "local.",
        "env[",
        "config.",
        "self.",
        "this.",
        "settings.",
    ];
    begins.iter().chain(&reads).any(|p| lower.starts_with(p))
        || lower.contains("example") && lower.contains("key")
}

/// `$NAME`, `${NAME}`, `${NAME:?…}`, `$(command)`, `$env:NAME`.
fn is_variable(value: &[u8]) -> bool {
    let Some(rest) = value.strip_prefix(b"$") else { return false };
    match rest.first() {
        Some(b'{' | b'(') => true,
        Some(b) if b.is_ascii_alphabetic() || *b == b'_' => {
            let name = rest
                .iter()
                .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.')))
                .unwrap_or(rest.len());
            let upper = !rest.get(..name).unwrap_or_default().iter().any(u8::is_ascii_lowercase);
            let plain = !rest.get(..name).unwrap_or_default().iter().any(u8::is_ascii_digit);
            name == rest.len() && (upper || plain)
        }
        _ => false,
    }
}

/// Code that computes the value: a call, an index, a dotted name, a name that says what it holds.
pub(super) fn is_expression(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"!").unwrap_or(value);
    let name =
        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'$' | b'?' | b'>' | b'-');
    let head = value.iter().position(|b| !name(b)).unwrap_or(value.len());
    let opened = matches!(value.get(head), Some(b'(' | b'[' | b'{')) && head > 0;
    let words = value.get(..head).unwrap_or_default();
    let lettered = words.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    let has_digit = words.iter().any(u8::is_ascii_digit);
    if opened && lettered && !has_digit {
        return true;
    }
    if head < value.len() || !lettered {
        return false;
    }
    let lower = String::from_utf8_lossy(value).to_ascii_lowercase();
    let dotted = !has_digit && value.contains(&b'.') && !value.ends_with(b".");
    dotted || (!has_digit && SENSITIVE_WORDS.iter().any(|w| lower.contains(w)))
}

/// A sentence, as in a table of messages.
pub(super) fn is_prose(value: &[u8]) -> bool {
    value.contains(&b' ')
        && String::from_utf8_lossy(value)
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .any(|word| PROSE.contains(&word.to_ascii_lowercase().as_str()))
}

/// A number with or without a unit, a date, a version: `41.7`, `30s`, `768h`, `2024-05-02`.
pub(super) fn is_quantity(value: &[u8]) -> bool {
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = value.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let rest = value
        .iter()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b'+' | b'%' | b','));
    rest && digits > 0
        && (letters == 0 && value.len() <= 20
            || letters <= 3
                && value.len() <= 8
                && value.first().is_some_and(u8::is_ascii_digit)
                && letters <= digits
            || value.first() == Some(&b'v') && letters == 1)
}

/// `8-4-4-4-12` hex digits.
pub(super) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(i, b)| match i {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

/// At least `min` bytes of a token's alphabet that no name, path, URL, version, date or plain word would show.
pub(super) fn looks_secret(value: &[u8], min: usize) -> bool {
    if value.len() < min || is_quantity(value) || is_placeholder(value) || is_uuid(value) {
        return false;
    }
    let alphabet = |b: &u8| b.is_ascii_alphanumeric() || b"_-+/=.~:!@$%^*#&?|".contains(b);
    if !value.iter().all(alphabet) || matches!(value.first(), Some(b'/' | b'.' | b'-' | b'@')) {
        return false;
    }
    if memchr::memmem::find(value, b"://").is_some() || value.starts_with(b"sha") && value.contains(&b':') {
        return false;
    }
    let dense = |part: &[u8]| {
        let digit = part.iter().any(u8::is_ascii_digit);
        let upper = part.iter().filter(|b| b.is_ascii_uppercase()).count();
        let lower = part.iter().filter(|b| b.is_ascii_lowercase()).count();
        (part.len() >= 8 && digit && upper + lower >= 2) || (part.len() >= 16 && upper >= 3 && lower >= 3)
    };
    value.split(|b| b"_-.:/=".contains(b)).any(dense)
        || (value.contains(&b'=') || value.contains(&b'+')) && dense(value)
}

/// Base64 of `user:password`.
pub(super) fn is_basic_pair(value: &[u8]) -> bool {
    let mut decoded = Vec::new();
    let (mut bits, mut have) = (0_u32, 0_u32);
    for &b in value.iter().take(512).filter(|b| **b != b'=') {
        let six = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        bits = (bits << 6) | u32::from(six);
        have += 6;
        if have >= 8 {
            have -= 8;
            decoded.push(u8::try_from((bits >> have) & 0xff).unwrap_or(0));
        }
    }
    decoded.len() >= 4 && decoded.contains(&b':') && decoded.iter().all(|b| (0x20..0x7f).contains(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_not_values() {
        for value in [
            "$TOKEN",
            "${{ secrets.X }}",
            "{key}",
            "***",
            "<password>",
            "%DB_PASSWORD%",
            "null",
            "xxxxxxxx",
            "__PASSWORD__",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        for value in ["hunter22", "cQvu:LGS?", "$9fKq!x2", "gatbrigat"] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn shapes_are_told_apart() {
        for value in ["9a8b7c6d5e4f", "V1mVXIoqPxWhKzx13a057Kp6NhA+i/i+324zr+sI", "YWJjZGVmZ2hpOmprbA=="] {
            assert!(looks_secret(value.as_bytes(), 12), "{value}");
        }
        for value in [
            "build-20260302.4-linux-x64",
            "created_at_timestamp",
            "/usr/lib/x86_64-linux",
            "https://h/a1b2c3d4e5",
        ] {
            assert!(!looks_secret(value.as_bytes(), 12), "{value}");
        }
    }
}
