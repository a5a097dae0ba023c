//! Places: packages, URLs, paths.

/// `name@1.2.3` or `@scope/name@^4`: the package, and its version.
pub(super) fn package(word: &str) -> Option<(&str, &str)> {
    if !word.as_bytes().contains(&b'@') {
        return None;
    }
    let (name, version) = word.rsplit_once('@')?;
    let bare = name.strip_prefix('@').unwrap_or(name);
    let named = !bare.is_empty()
        && bare
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.' | b'/'));
    let numbered =
        version.trim_start_matches(['^', '~', 'v', '=', '>', '<']).starts_with(|c: char| c.is_ascii_digit())
            && version.contains('.');
    (named && numbered && version.matches('.').count() < 4).then_some((name, version))
}

/// The length of a URL.
pub(super) fn address(rest: &str) -> Option<usize> {
    if !rest.as_bytes().first()?.is_ascii_alphabetic() {
        return None;
    }
    let scheme = rest
        .bytes()
        .take(14)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'))
        .count();
    if scheme < 2 || !rest.get(scheme..)?.starts_with("://") {
        return None;
    }
    let body = rest.get(scheme + 3..)?;
    let length = body
        .find(|c: char| {
            c.is_whitespace() || matches!(c, '\'' | '"' | '<' | '>' | '`' | ',' | ';' | ')' | ']' | '}')
        })
        .unwrap_or(body.len());
    let length = body.get(..length)?.trim_end_matches(['.', ':']).len();
    Some(scheme + 3 + length)
}

/// The length of an absolute or dotted path, blanks in it and `:line:column` behind it included.
pub(super) fn path(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    if !matches!(bytes.first(), Some(b'/' | b'~' | b'.' | b'\\')) && bytes.get(1) != Some(&b':') {
        return None;
    }
    let drive = matches!(bytes, [letter, b':', b'\\' | b'/', next, ..] if letter.is_ascii_alphabetic() && !matches!(next, b'/' | b' '));
    let unc = rest.starts_with("\\\\")
        && bytes.get(2).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'?' | b'.'));
    let home = matches!(bytes, [b'~', b'/', ..]);
    let posix = matches!(bytes, [b'/', next, ..] if next.is_ascii_alphanumeric() || matches!(next, b'.' | b'_' | b'@' | b'~' | b'-'));
    let dotted = rest.starts_with("./")
        || rest.starts_with("../")
        || rest.starts_with(".\\")
        || rest.starts_with("..\\");
    if !(drive || unc || home || posix || dotted) {
        return None;
    }
    let skip = usize::from(drive) * 2;
    let mut length = skip + segment(rest.get(skip..)?);
    // `/home/a/My Projects/x`: a blank goes on with the path where a separator follows soon.
    for _ in 0..4 {
        let Some(more) = blank_segment(rest.get(length..)?) else { break };
        length += more;
    }
    let place = rest.get(length..)?;
    if let Some(line) = place.strip_prefix('(') {
        let digits = line.bytes().take_while(|b| b.is_ascii_digit() || *b == b',').count();
        if digits > 0 && line.get(digits..)?.starts_with(')') {
            length += digits + 2;
        }
    }
    let trimmed = rest.get(..length)?.trim_end_matches(['.', ',', ':']).len();
    (trimmed > 1).then_some(trimmed)
}

fn segment(text: &str) -> usize {
    text.find(|c: char| {
        !(c.is_alphanumeric()
            || matches!(
                c,
                '_' | '-'
                    | '.'
                    | '@'
                    | '+'
                    | '~'
                    | '%'
                    | '='
                    | '#'
                    | '$'
                    | ':'
                    | '/'
                    | '\\'
                    | '?'
                    | '&'
                    | '*'
            ))
    })
    .unwrap_or(text.len())
}

fn blank_segment(text: &str) -> Option<usize> {
    let mut length = 0;
    for _ in 0..3 {
        let word = text.get(length..)?.strip_prefix(' ')?;
        if !word.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '(' | '-'))
        {
            return None;
        }
        let end = word
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '(' | ')')))
            .unwrap_or(word.len());
        length += 1 + end;
        if word.get(end..)?.starts_with(['/', '\\']) {
            return Some(length + segment(text.get(length..)?));
        }
    }
    None
}

/// A quoted path, relative or with blanks.
pub(super) fn looks_like_path(text: &str) -> bool {
    text.contains(['/', '\\'])
        && !text.contains(": ")
        && text.split_whitespace().count() < 6
        && !text.starts_with('-')
}
