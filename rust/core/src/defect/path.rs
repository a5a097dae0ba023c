//! Where a URL or a file path ends.

fn at(text: &str, i: usize) -> u8 {
    text.as_bytes().get(i).copied().unwrap_or(0)
}

/// Longest path or URL that is taken as one.
const LONGEST: usize = 2048;

fn is_stop(byte: u8) -> bool {
    byte <= b' '
        || matches!(
            byte,
            b'\'' | b'"' | b'`' | b'<' | b'>' | b',' | b';' | b')' | b']' | b'}' | b'|' | b'{' | b'('
        )
}

/// Length of the URL that starts `text`; 0 when none does.
pub(super) fn url(text: &str) -> usize {
    let scheme =
        text.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')).count();
    if scheme == 0 || !text.get(scheme..).is_some_and(|rest| rest.starts_with("://")) {
        return 0;
    }
    let mut end = scheme + 3;
    if at(text, end) == b'[' {
        end += text.get(end..).and_then(|rest| rest.find(']')).unwrap_or(0) + 1;
    }
    trimmed(text, run(text, end))
}

fn run(text: &str, from: usize) -> usize {
    from + text.as_bytes().iter().skip(from).take(LONGEST).take_while(|b| !is_stop(**b)).count()
}

fn trimmed(text: &str, mut end: usize) -> usize {
    while end > 0 && matches!(at(text, end - 1), b'.' | b':' | b'!') {
        end -= 1;
    }
    end
}

/// Whether `text` starts with an absolute path or one relative to `~`, `.` or `..`.
pub(super) fn starts(text: &str) -> bool {
    match text.as_bytes() {
        [b'/', next, ..] => {
            next.is_ascii_alphanumeric() || matches!(next, b'.' | b'_' | b'%' | b'@' | b'~' | b'-')
        }
        // `.git/hooks`
        [b'.', next, ..] if next.is_ascii_alphabetic() => {
            text.bytes().take(64).skip(1).find(|b| !b.is_ascii_alphanumeric() && *b != b'-' && *b != b'_')
                == Some(b'/')
        }
        [b'~', b'/', ..]
        | [b'.', b'/' | b'\\', ..]
        | [b'.', b'.', b'/' | b'\\', ..]
        | [b'\\', b'\\', _, ..] => true,
        [drive, b':', b'/' | b'\\', next, ..] => drive.is_ascii_alphabetic() && *next != b'/',
        _ => false,
    }
}

/// Length of the path that starts `text`, with its `:line:column` or `(line,column)` and with spaces inside
/// directory names.
pub(super) fn path(text: &str) -> usize {
    let mut end = piece(text, 0);
    while let Some(more) = after_space(text, end) {
        end = more;
    }
    // `main.ts(12,3)`
    if at(text, end) == b'(' && at(text, end + 1).is_ascii_digit() {
        let inner =
            text.as_bytes().iter().skip(end + 1).take_while(|b| b.is_ascii_digit() || **b == b',').count();
        if at(text, end + 1 + inner) == b')' {
            return end + inner + 2;
        }
    }
    trimmed(text, end)
}

/// Up to the next byte that no path holds; a colon stays inside when a line number or a drive's slash follows.
fn piece(text: &str, from: usize) -> usize {
    let mut end = from;
    let dotted = |end: usize| {
        text.get(from..end).is_some_and(|p| p.rsplit(['/', '\\']).next().unwrap_or_default().contains('.'))
    };
    while end < from + LONGEST && !is_stop(at(text, end)) {
        if at(text, end) == b':' {
            let next = at(text, end + 1);
            let drive = end == from + 1 && matches!(next, b'\\' | b'/');
            let tag = next.is_ascii_alphanumeric() && !dotted(end);
            if !(next.is_ascii_digit() || drive || tag) {
                break;
            }
        }
        end += 1;
    }
    end
}

/// A directory name with spaces goes on: one to three words that start like a name, the last with a slash.
fn after_space(text: &str, from: usize) -> Option<usize> {
    let mut end = from;
    for _ in 0..3 {
        let mut gap = end;
        while matches!(at(text, gap), b' ' | b'\n') && gap < end + 6 {
            gap += 1;
        }
        let first = at(text, gap);
        let named = first.is_ascii_uppercase() || first.is_ascii_digit() || first == b'(' || first == b'-';
        if gap == end || !named {
            return None;
        }
        let word = gap + usize::from(first == b'(');
        let mut stop = run(text, word);
        if first == b'(' && at(text, stop) == b')' {
            stop = run(text, stop + 1);
        }
        let body = text.get(gap..stop)?;
        let slash = body.find(['/', '\\']);
        match slash {
            // A new path or a ratio is not the rest of this one.
            Some(0) => return None,
            Some(i) if body.contains("://") || at(text, gap + 1) == b':' || ratio(body, i) => return None,
            Some(_) => return Some(piece(text, gap + slash.unwrap_or(0)).max(stop)),
            None if body.ends_with([':', '.']) => return None,
            None => end = stop,
        }
    }
    None
}

fn ratio(body: &str, slash: usize) -> bool {
    let digits =
        |part: Option<&str>| part.is_some_and(|p| p.bytes().all(|b| b.is_ascii_digit() || b == b'.'));
    digits(body.get(..slash)) && digits(body.get(slash + 1..))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_where_they_should() {
        for (text, want) in [
            ("/srv/a.py:12:3: bad", "/srv/a.py:12:3"),
            ("/srv/a b", "/srv/a"),
            ("/home/ann/My Projects/app 9/x.py, gone", "/home/ann/My Projects/app 9/x.py"),
            ("C:\\Program Files (x86)\\Git\\x.exe: no", "C:\\Program Files (x86)\\Git\\x.exe"),
            ("C:\\Users\\Ann Lee\\x(12,3): error", "C:\\Users\\Ann Lee\\x(12,3)"),
            ("/Volumes/Big Disk/x y", "/Volumes/Big Disk/x"),
            ("/srv/x: No such file", "/srv/x"),
            ("/srv/x Permission denied", "/srv/x"),
            ("./a.ts(1,2): error", "./a.ts(1,2)"),
            ("/v1/x?a=1&b=2 (Caused", "/v1/x?a=1&b=2"),
            ("~/x.", "~/x"),
            (".git/hooks/x exited", ".git/hooks/x"),
            ("/tmp/x 3/5 done", "/tmp/x"),
        ] {
            assert!(starts(text), "{text}");
            assert_eq!(text.get(..path(text)), Some(want), "{text}");
        }
        for text in ["/ x", "a/b", "// x", "..", "http://x", ".env", ".git x"] {
            assert!(!starts(text), "{text}");
        }
    }

    #[test]
    fn urls_end_where_they_should() {
        for (text, want) in [
            ("https://example.com/a?b=c): no", "https://example.com/a?b=c"),
            ("https://example.com: no", "https://example.com"),
            ("http://[::1]:80/x no", "http://[::1]:80/x"),
            ("unix:///run/x.sock. Is", "unix:///run/x.sock"),
            ("a: b", ""),
        ] {
            assert_eq!(text.get(..url(text)), Some(want), "{text}");
        }
    }
}
