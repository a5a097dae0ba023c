//! A log line taken apart: terminal codes and the prefix that a logger wrote go, the message stays.

/// How much of a text is looked at, in bytes: its beginning, and where it is longer its end.
const HEAD: usize = 6 << 10;
const TAIL: usize = 2 << 10;

/// The lines of `text` without terminal codes, carriage returns, trailing white space and logger's prefixes.
pub(super) fn messages(text: &str) -> Vec<String> {
    let text = bounded(text);
    let text = plain(&text);
    let mut lines: Vec<String> =
        text.split('\n').map(|line| without_prefix(line.trim_end()).to_owned()).collect();
    // `error:` in front says nothing, and a logger's level in front of it looks the same.
    if let Some(first) = lines.iter_mut().find(|line| !line.trim().is_empty()) {
        *first = headless(first).to_owned();
    }
    lines
}

fn headless(line: &str) -> &str {
    let mut rest = line.trim_start();
    while let Some((after, true)) = level(rest) {
        let colon = rest.as_bytes().get(rest.len() - after.len() - 1) == Some(&b':');
        if !colon || after.trim().is_empty() {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// At most `HEAD + TAIL` bytes of `text`.
fn bounded(text: &str) -> String {
    if text.len() <= HEAD + TAIL {
        return text.to_owned();
    }
    let head = text.get(..text.floor_char_boundary(HEAD)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len() - TAIL)..).unwrap_or_default();
    format!("{head}\n{tail}")
}

/// `text` without terminal codes; carriage returns become nothing, tabs a space.
fn plain(text: &str) -> String {
    if !text.bytes().any(|b| matches!(b, 0x1b | b'\r' | b'\t' | 0x07 | 0)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => match chars.next() {
                Some('[') => while chars.next().is_some_and(|c| !('\u{40}'..='\u{7e}').contains(&c)) {},
                Some(']') => while chars.next().is_some_and(|c| c != '\u{7}' && c != '\u{1b}') {},
                _ => {}
            },
            '\t' => out.push(' '),
            '\r' | '\u{7}' | '\0' => {}
            c => out.push(c),
        }
    }
    out
}

/// Words that tell how bad it is, as loggers write them.
const LEVELS: &[&str] = &[
    "error", "err", "e", "warning", "warn", "w", "fatal", "critical", "crit", "info", "i", "debug", "d",
    "trace", "severe", "notice", "panic", "alert", "emerg", "ERROR", "F", "C",
];

/// `line` without what a logger put in front of the message: time, level, host and process, thread, process id.
fn without_prefix(line: &str) -> &str {
    let mut rest = line;
    let mut timed = false;
    let mut levelled = false;
    let mut logged = false;
    for _ in 0..10 {
        let trimmed = rest.trim_start();
        if let Some(after) = time(trimmed) {
            timed = true;
            logged = true;
            rest = after;
            continue;
        }
        if !levelled && let Some((after, bare)) = level(trimmed) {
            // Without a time around it, `error:` is how the message itself begins.
            if timed
                || time(after.trim_start()).is_some()
                || !bare && after.trim_start().starts_with(['[', '('])
            {
                levelled = true;
                logged = true;
                rest = after;
                continue;
            }
        }
        if (logged || bracketed_number(trimmed))
            && let Some(after) = field(trimmed, timed, levelled)
        {
            logged = true;
            rest = after;
            continue;
        }
        break;
    }
    if logged { rest.strip_prefix(' ').unwrap_or(rest) } else { line }
}

/// A process id in brackets in front of a time: `[13583] 20 Apr 2024 …`.
fn bracketed_number(text: &str) -> bool {
    bracket(text).is_some_and(|(inner, after)| {
        !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit()) && time(after.trim_start()).is_some()
    })
}

/// What stands in the bracket that `text` begins with, and what stands behind it.
fn bracket(text: &str) -> Option<(&str, &str)> {
    let close = match text.as_bytes().first()? {
        b'[' => ']',
        b'(' => ')',
        b'<' => '>',
        _ => return None,
    };
    let end = text.bytes().take(64).position(|b| char::from(b) == close)?;
    Some((text.get(1..end)?, text.get(end + 1..)?))
}

/// Process id, thread, `host process[pid]:`, a dash.
fn field(text: &str, timed: bool, levelled: bool) -> Option<&str> {
    if let Some((inner, after)) = bracket(text) {
        let thread = inner.len() <= 48
            && !inner.is_empty()
            && inner.bytes().all(|b| {
                b.is_ascii_alphanumeric()
                    || matches!(b, b'-' | b'_' | b'.' | b':' | b'#' | b'=' | b' ' | b'/')
            });
        // `[Errno 98]`, `(HTTP 404)` and `[rejected]` are part of a message.
        let said =
            inner.contains(' ') || matches!(inner, "rejected" | "remote" | "cause") || (!timed && !levelled);
        let number = inner.bytes().all(|b| b.is_ascii_digit());
        return (thread && (!said || number)).then(|| after.trim_start_matches(':'));
    }
    if let Some(after) =
        text.strip_prefix("- ").or_else(|| text.strip_prefix("-- ")).or_else(|| text.strip_prefix("| "))
    {
        return Some(after);
    }
    if let Some(after) = text.strip_prefix("pid=") {
        let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        return (digits > 0).then(|| after.get(digits..).unwrap_or_default());
    }
    if !timed {
        return None;
    }
    // `host process[pid]: ` or `host kernel: `
    let (host, after) = text.split_once(' ')?;
    let name = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/'))
    };
    if let Some((process, message)) =
        after.split_once(": ").or_else(|| after.strip_suffix(':').map(|p| (p, "")))
    {
        let (program, pid) = process.split_once('[').map_or((process, None), |(p, pid)| (p, Some(pid)));
        let numbered = pid.is_some_and(|pid| {
            pid.strip_suffix(']').is_some_and(|pid| pid.bytes().all(|b| b.is_ascii_digit()))
        });
        if name(host) && name(program) && !levelled && (numbered || program == "kernel") {
            return Some(message);
        }
    }
    // `process[pid]: `
    let (process, message) = text.split_once(": ")?;
    let (program, pid) = process.split_once('[')?;
    let pid = pid.strip_suffix(']')?;
    (name(program) && pid.bytes().all(|b| b.is_ascii_digit())).then_some(message)
}

/// A level at the beginning, in brackets or not; what is behind it, and whether it was bare.
fn level(text: &str) -> Option<(&str, bool)> {
    if let Some((inner, after)) = bracket(text) {
        return LEVELS
            .iter()
            .any(|l| inner.trim().eq_ignore_ascii_case(l))
            .then(|| (after.trim_start_matches(':'), false));
    }
    let word = text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
    let (head, after) = text.split_at_checked(word)?;
    let known = LEVELS.iter().any(|l| head.eq_ignore_ascii_case(l));
    let ends = after.starts_with([' ', ':']) || after.is_empty();
    (known && ends).then(|| (after.trim_start_matches(':'), true))
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// What stands behind the time that `text` begins with.
fn time(text: &str) -> Option<&str> {
    if let Some((inner, after)) = bracket(text) {
        let inside = moment(inner)?;
        return inside.trim().is_empty().then(|| after.strip_prefix(':').unwrap_or(after));
    }
    let after = moment(text)?;
    // `12:30:01,123: message`
    let after = after.strip_prefix(':').unwrap_or(after);
    (after.is_empty() || after.starts_with(' ')).then_some(after)
}

fn moment(text: &str) -> Option<&str> {
    let first = text.bytes().next()?;
    if first.is_ascii_digit() {
        return iso(text).or_else(|| day_month(text)).or_else(|| clock(text)).or_else(|| epoch(text));
    }
    if first.is_ascii_alphabetic() {
        let text = weekday(text);
        return month_day(text).or_else(|| day_month(text));
    }
    None
}

/// `2024-04-23T09:19:27.666719+00:00`, `2024/08/26 13:58:30`, `2025-07-30 08:54:15,085`, a date alone.
fn iso(text: &str) -> Option<&str> {
    let rest = digits(text, 4, 4)?;
    let rest = rest.strip_prefix(['-', '/', '.'])?;
    let rest = digits(rest, 2, 2)?.strip_prefix(['-', '/', '.'])?;
    let rest = digits(rest, 2, 2)?;
    let time = rest.strip_prefix(['T', ' ', '_']).map(str::trim_start).and_then(clock);
    Some(time.unwrap_or(rest))
}

/// `09:19:27`, with fraction and zone.
fn clock(text: &str) -> Option<&str> {
    let rest = digits(text, 1, 2)?.strip_prefix(':')?;
    let rest = digits(rest, 2, 2)?;
    let rest = rest.strip_prefix(':').and_then(|rest| digits(rest, 2, 2))?;
    let rest = rest.strip_prefix(['.', ',']).and_then(|rest| digits(rest, 1, 9)).unwrap_or(rest);
    let tight = rest.strip_prefix('Z').or_else(|| zone(rest));
    let spaced = rest
        .strip_prefix(' ')
        .and_then(|r| zone(r).or_else(|| ["UTC", "GMT", "AM", "PM"].iter().find_map(|z| r.strip_prefix(z))));
    Some(tight.or(spaced).unwrap_or(rest))
}

fn zone(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['+', '-'])?;
    digits(rest, 4, 4)
        .or_else(|| digits(digits(rest, 2, 2)?.strip_prefix(':')?, 2, 2))
        .or_else(|| digits(rest, 2, 2))
}

/// `20 Apr 2024 08:04:29.925`, `26/Mar/2026:10:11:12 +0000`
fn day_month(text: &str) -> Option<&str> {
    let rest = digits(text, 1, 2)?.strip_prefix([' ', '/', '-'])?;
    let rest = month(rest)?.strip_prefix([' ', '/', '-'])?;
    let rest = digits(rest, 2, 4)?;
    clock(rest.strip_prefix([' ', ':', 'T'])?)
}

/// `Aug 29 05:46:40`, `Mar  2 2026 10:11:12`
fn month_day(text: &str) -> Option<&str> {
    let rest = month(text)?.trim_start();
    let rest = digits(rest, 1, 2)?.trim_start_matches(',').strip_prefix(' ')?;
    let rest = rest.trim_start();
    clock(rest).or_else(|| clock(digits(rest, 4, 4)?.trim_start_matches(',').trim_start()))
}

fn weekday(text: &str) -> &str {
    let word = text.len() - text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
    let day = text.get(..3).is_some_and(|d| {
        ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|w| d.eq_ignore_ascii_case(w))
    });
    if day && word <= 9 { text.get(word..).unwrap_or_default().trim_start_matches([',', ' ']) } else { text }
}

fn month(text: &str) -> Option<&str> {
    let name = text.get(..3)?;
    MONTHS.iter().any(|m| name.eq_ignore_ascii_case(m)).then(|| text.get(3..).unwrap_or_default())
}

/// `1737941971.927121`: seconds since 1970 with a fraction.
fn epoch(text: &str) -> Option<&str> {
    let rest = digits(text, 10, 10)?;
    digits(rest.strip_prefix('.')?, 3, 9)
}

/// What stands behind at least `least` and at most `most` digits.
fn digits(text: &str, least: usize, most: usize) -> Option<&str> {
    let count = text.bytes().take(most + 1).take_while(u8::is_ascii_digit).count();
    (least..=most).contains(&count).then(|| text.get(count..).unwrap_or_default())
}
