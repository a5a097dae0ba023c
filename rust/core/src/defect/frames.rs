//! Stack frames go: how deep a failure was met, and in which file, is not which failure it is. The function in which
//! it happened is.

/// What a text says beside its frames.
pub(super) struct Said {
    /// Exception classes and messages, without frames and the words around them; all lines where nothing else
    /// would be left.
    pub(super) lines: Vec<String>,
    /// The function in which a Python exception was raised last, or in which a goroutine stood.
    pub(super) function: String,
}

/// Takes the frames out of a text.
pub(super) fn without_frames(lines: Vec<String>) -> Said {
    if lines.len() < 2 {
        return Said { lines, function: String::new() };
    }
    let mut kept = Vec::with_capacity(lines.len());
    let mut inside = Frame::None;
    let mut function = String::new();
    let mut following = lines.iter().skip(1);
    for line in &lines {
        if let Some(name) =
            function_of(line.trim_start(), following.next().map_or("", |next| next.trim_start()))
            && (!line.starts_with("goroutine ") || function.is_empty())
        {
            name.clone_into(&mut function);
        }
        let trimmed = line.trim_start();
        let indented = trimmed.len() < line.len();
        inside = next(inside, trimmed, indented);
        if inside == Frame::None && !noise(trimmed) {
            kept.push(line.clone());
        }
    }
    let lines = if kept.iter().all(|line| line.trim().is_empty()) { lines } else { kept };
    Said { lines, function }
}

/// The function that a frame is in: of Python's `File "x", line 5, in name`, and of the line behind `goroutine 1 [running]:`.
fn function_of<'a>(line: &'a str, next: &'a str) -> Option<&'a str> {
    if line.starts_with("File \"") {
        let name = line.rsplit_once(", in").map(|(_, name)| name.trim())?;
        let name = if name.is_empty() { next.split_whitespace().next()? } else { name };
        return Some(name).filter(|name| !name.contains(['"', ' ']));
    }
    if line.starts_with("goroutine ") && line.trim_end().ends_with(':') {
        let call = next.rsplit_once('(').map_or(next, |(call, _)| call);
        return Some(call).filter(|call| !call.is_empty() && !call.contains(' '));
    }
    None
}

/// Which kind of frame the reader is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    None,
    /// Between `Traceback` and the exception's own line.
    Python,
    /// A frame of one line, or the rest of one that a terminal has wrapped.
    Line,
    Wrapped,
}

fn next(inside: Frame, line: &str, indented: bool) -> Frame {
    if line.starts_with("Traceback (most recent call last)") {
        return Frame::Python;
    }
    if inside == Frame::Python {
        return if !indented && exception(line) { Frame::None } else { Frame::Python };
    }
    if line.starts_with("File \"") && (line.contains(", line ") || indented) {
        return Frame::Python;
    }
    if frame(line, indented) {
        return if ended(line) { Frame::Line } else { Frame::Wrapped };
    }
    if inside == Frame::Wrapped {
        // The rest of a wrapped frame goes on up to where a frame ends.
        return if ended(line) {
            Frame::Line
        } else if line.contains(": ") || line.ends_with('{') {
            Frame::None
        } else {
            Frame::Wrapped
        };
    }
    Frame::None
}

/// The line that a Python traceback ends in: a class, with or without a message.
fn exception(line: &str) -> bool {
    let name =
        line.len() - line.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.')).len();
    let (class, after) = line.split_at(name);
    let known = [
        "Error", "Exception", "Warning", "Interrupt", "Exit", "Timeout", "Group", "Stop", "Cancelled",
        "Fault", "Failure", "Refused", "Reset", "NotFound",
    ];
    let last = class.rsplit('.').next().unwrap_or_default();
    let class_like = last.starts_with(|c: char| c.is_uppercase());
    (after.starts_with(':') || after.is_empty())
        && class_like
        && (known.iter().any(|word| last.contains(word)) || class.contains('.') || after.starts_with(": "))
}

/// Whether a line is a frame of node, Java, .NET, Go, Rust, Ruby, PHP or a native stack.
fn frame(line: &str, indented: bool) -> bool {
    if let Some(place) = line.strip_prefix("at ") {
        let placed = place.ends_with([')', '>'])
            || place.contains(" in ")
            || place
                .rsplit(':')
                .next()
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        return placed && (!place.contains("://") || place.starts_with("file://"))
            || indented && !place.contains(' ') && !place.contains("://")
            || indented && (place.starts_with("async ") || place.contains('.') && !place.contains("://"));
    }
    if line.starts_with("... ") && line.trim_end().ends_with("more")
        || line.starts_with("goroutine ") && line.ends_with(':')
    {
        return true;
    }
    if line.starts_with("created by ") || line.starts_with("from ") && line.contains(":in ") {
        return true;
    }
    // Go: the file of a frame, and the function in front of it.
    if line.contains(".go:") && (line.contains(" +0x") || indented && line.starts_with('/')) {
        return true;
    }
    if !indented
        && line.ends_with(')')
        && line.contains('.')
        && line.contains('(')
        && (line.contains("(0x") || line.ends_with("(...)") || line.ends_with("()"))
        && !line.contains(' ')
    {
        return true;
    }
    // Rust and native: `  3: core::panicking::panic`; PHP: `#0 /path(12): f()`.
    let number = line.trim_start_matches('#');
    let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = number.get(digits..).unwrap_or_default();
    digits > 0
        && digits <= 3
        && (indented
            && after.strip_prefix(": ").is_some_and(|name| !name.contains(' ') || name.contains("::"))
            || number.len() < line.len()
                && after.starts_with(' ')
                && (after.contains("0x") || after.contains(".php")))
}

fn ended(line: &str) -> bool {
    let line = line.trim_end_matches(['{', ' ', ',']);
    line.ends_with(')')
        || line.ends_with('>')
        || line
            .rsplit(':')
            .next()
            .is_some_and(|last| !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit()))
        || line.contains(" +0x")
        || line.contains("::")
}

/// How lines begin that say the same whatever failed.
const NOISE: [&str; 12] = [
    "display a backtrace",
    "variable to display a backtrace",
    "environment variable to display",
    "note: run with `RUST_BACKTRACE",
    "note: Some details are omitted",
    "stack backtrace:",
    "During handling of the above exception",
    "The above exception was the direct cause",
    "npm ERR! A complete log of this run",
    "npm error A complete log of this run",
    "Node.js v",
    "^",
];

/// Whether a line says nothing of what failed.
fn noise(line: &str) -> bool {
    // A compiler's view of the source: `450 |     spawn(&x);`
    let gutter = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    if gutter.starts_with('|') && !gutter.starts_with("||") {
        return true;
    }
    NOISE.iter().any(|words| line.starts_with(words))
        || !line.is_empty() && line.bytes().all(|b| matches!(b, b'^' | b'~' | b' ' | b'|' | b'-' | b'='))
}
