//! What a logger writes before the message: time, severity, thread, process, host, logger.

use super::time::{epoch, timestamp};
use super::words::{self, LEVEL};

/// More parts than any logger writes.
const MAX_PARTS: usize = 12;

/// What is known about the line from the parts taken so far.
#[derive(Default, Clone, Copy)]
struct Seen {
    time: bool,
    level: bool,
    origin: bool,
    /// A line after the first: bars and arrows at its start are its own.
    later: bool,
    /// The severity stood in brackets, so what follows in brackets may be a thread.
    bracketed: bool,
}

/// A line without its log prefix. Only the `first` line of a text may open with a bare severity; later lines
/// lose a prefix when it holds a time, so that a wrapped message keeps its words.
pub(super) fn strip(line: &str, first: bool) -> &str {
    strip_seeing(line, first).0
}

/// As `strip`, and whether a time was part of the prefix.
pub(super) fn strip_seeing(line: &str, first: bool) -> (&str, bool) {
    let line = without_service(line);
    if !first && !may_open(line) {
        return (line, false);
    }
    let mut seen = Seen { later: !first, ..Seen::default() };
    let mut rest = line;
    for part in 0..MAX_PARTS {
        let start = rest.trim_start_matches([' ', '\t']);
        // Indentation after the prefix belongs to the message: a stack frame, say.
        let indent = rest.len() - start.len();
        if indent > 0 && part == 0 && !first {
            return (line, false);
        }
        let after = take_part(start, &mut seen);
        let Some(after) = after else { break };
        rest = after;
    }
    (rest.strip_prefix(' ').filter(|_| rest.len() < line.len()).unwrap_or(rest), seen.time)
}

/// Docker Compose writes `service-1  | ` before every line.
fn without_service(line: &str) -> &str {
    let Some((head, _)) = line.get(..line.floor_char_boundary(40)).and_then(|head| head.split_once("| "))
    else {
        return line;
    };
    let service = head.trim_end_matches(' ');
    let named = service.rsplit_once('-').is_some_and(|(name, number)| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    });
    if named { line.get(head.len() + 2..).unwrap_or(line) } else { line }
}

/// Whether a later line can hold a prefix at all.
fn may_open(line: &str) -> bool {
    let labelled = line.bytes().take(10).any(|b| b == b':');
    let numbered = line.bytes().take(24).any(|b| b.is_ascii_digit());
    match line.as_bytes().first() {
        Some(b'0'..=b'9' | b'[' | b'<') => numbered,
        Some(b'A'..=b'Z') => numbered || labelled,
        Some(b'a'..=b'z') => labelled,
        _ => false,
    }
}

type Part = fn(&str, Seen) -> Option<(&str, Seen)>;

/// The parts, tried in order at every position.
const PARTS: [Part; 10] =
    [time, severity, group, pair, priority, host_process, process_id, source, logger, separator];

fn take_part<'a>(text: &'a str, seen: &mut Seen) -> Option<&'a str> {
    PARTS.iter().find_map(|part| part(text, *seen)).map(|(rest, now)| {
        *seen = now;
        rest
    })
}

fn time(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    let starts = matches!(text.as_bytes().first(), Some(b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z'));
    if !starts || seen.time {
        return None;
    }
    let len = timestamp(text).max(epoch(text)).max(klog(text));
    let next = text.as_bytes().get(len).copied().unwrap_or(b' ');
    (len > 0 && matches!(next, b' ' | b'\t' | b':' | b']' | b'|' | b','))
        .then(|| (text.get(len..).unwrap_or_default(), Seen { time: true, ..seen }))
}

/// `E0203 04:05:06.123456`: severity letter, month, day and clock, as Kubernetes writes them.
fn klog(text: &str) -> usize {
    let head = text.as_bytes().get(..6).unwrap_or_default();
    match head {
        [b'I' | b'W' | b'E' | b'F', digits @ .., b' '] if digits.iter().all(u8::is_ascii_digit) => {
            let clock = text.get(6..).map_or(0, timestamp);
            if clock > 0 { 6 + clock } else { 0 }
        }
        _ => 0,
    }
}

/// `ERROR`, `[error]`, `E`, `ERROR:root:`.
fn severity(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    let len = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let word = text.get(..len)?;
    let rest = text.get(len..).unwrap_or_default();
    let single = matches!(word, "E" | "W" | "I" | "D" | "F" | "C" | "N" | "T");
    let drive = rest.starts_with(":\\") || rest.starts_with(":/");
    let fits = if single && drive {
        false
    } else if single {
        (seen.time && !seen.level)
            || rest.strip_prefix(' ').is_some_and(|r| timestamp(r) > 0)
            || rest.starts_with(", [")
    } else {
        words::flags(word) & LEVEL != 0
    };
    // logrus counts seconds: `ERRO[0012]`.
    let counted = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let counted =
        counted.filter(|(seconds, _)| seconds.len() == 4 && seconds.bytes().all(|b| b.is_ascii_digit()));
    let rest = counted.map_or(rest, |(_, rest)| rest);
    let ends = if seen.later && !(seen.time && word == word.to_ascii_uppercase()) {
        rest.starts_with(':') && !rest.starts_with("::")
    } else {
        matches!(rest.as_bytes().first(), None | Some(b' ' | b':' | b'\t' | b'!' | b'|' | b','))
    };
    if !fits || !ends {
        return None;
    }
    Some((python_logger(word, rest), Seen { level: true, ..seen }))
}

/// Python's default format glues the logger's name to the severity: `ERROR:name:message`.
fn python_logger<'a>(word: &str, rest: &'a str) -> &'a str {
    let glued = rest.strip_prefix(':').filter(|r| word == word.to_ascii_uppercase() && !r.starts_with(' '));
    let Some(name) = glued else { return rest };
    let len = name.bytes().take_while(|&b| b.is_ascii_alphanumeric() || b == b'.' || b == b'_').count();
    let after = name.get(len..).unwrap_or_default();
    if len > 0 && after.starts_with(':') && !after.starts_with("::") { after } else { rest }
}

/// `[thread]`, `(main)`, `[1234]`, `[pid 12:tid 34]`, `[2031-02-03T04:05:06Z ERROR name]`.
fn group(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    let close = match text.as_bytes().first()? {
        b'[' => ']',
        b'(' => ')',
        _ => return None,
    };
    let end = text.get(..text.len().min(160).min(text.floor_char_boundary(160)))?.find(close)?;
    let inner = text.get(1..end)?;
    let rest = text.get(end + 1..).unwrap_or_default();
    let trimmed = inner.trim();
    let timed = timestamp(trimmed).max(epoch(trimmed)) > 0 || uptime(trimmed);
    let level = words::flags(trimmed) & LEVEL != 0
        || (seen.time && !seen.level && matches!(trimmed, "E" | "W" | "I" | "D" | "F"));
    let number = !trimmed.is_empty() && trimmed.bytes().all(|b| b.is_ascii_digit());
    // On later lines brackets belong to the message: `[cause]: Error: …`.
    let origin = !seen.later && is_origin(trimmed, seen);
    if !(timed || level || number || origin) {
        return None;
    }
    let bracketed = seen.bracketed || level;
    let level = seen.level || level || (timed && trimmed.split(' ').any(|w| words::flags(w) & LEVEL != 0));
    Some((rest, Seen { time: seen.time || timed, level, origin: seen.origin || origin, bracketed, ..seen }))
}

/// Seconds since boot, as the kernel writes them: `[   12.345678]`.
fn uptime(text: &str) -> bool {
    text.split_once('.').is_some_and(|(seconds, fraction)| {
        fraction.len() == 6 && [seconds, fraction].iter().all(|n| n.bytes().all(|b| b.is_ascii_digit()))
    })
}

fn is_origin(text: &str, seen: Seen) -> bool {
    let labelled = ["pid ", "tid ", "client ", "thread ", "pod/"].iter().any(|label| text.starts_with(label));
    let on_host = text.split_once(" on ").is_some_and(|(pid, _)| pid.bytes().all(|b| b.is_ascii_digit()));
    let code = text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && (text.contains('_') || text.bytes().any(|b| b.is_ascii_digit()));
    let word = (seen.time || seen.bracketed)
        && !text.is_empty()
        && text.len() <= 60
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:#/@$<>".contains(&b));
    labelled || on_host || (word && !code)
}

/// `pid=123`, `thread=main`, `ts=…`: pairs that say where and when, not what.
fn pair(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    const KEYS: [&str; 10] =
        ["pid", "tid", "thread", "host", "hostname", "logger", "ppid", "goroutine", "time", "ts"];
    if !text.as_bytes().first().is_some_and(u8::is_ascii_lowercase) {
        return None;
    }
    let (key, value) = text
        .get(..text.floor_char_boundary(12))?
        .find('=')
        .and_then(|i| Some((text.get(..i)?, text.get(i + 1..)?)))?;
    if !KEYS.contains(&key) || !(seen.time || seen.level || key == "pid") {
        return None;
    }
    let end = value.find([' ', '\t']).unwrap_or(value.len());
    Some((value.get(end..).unwrap_or_default(), seen))
}

/// `<34>1 `: a syslog priority and version. `##[error]`: a workflow command. `1234:M `: a redis role.
fn priority(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    if seen.time {
        return None;
    }
    if let Some(rest) = text.strip_prefix("##") {
        return rest.starts_with('[').then_some((rest, seen));
    }
    let (number, rest) = match text.strip_prefix('<') {
        Some(inner) => inner.split_once('>')?,
        None => text.split_once(':')?,
    };
    if number.is_empty() || number.len() > 7 || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if text.starts_with('<') {
        return Some((rest.strip_prefix("1 ").unwrap_or(rest), seen));
    }
    let role = rest.strip_prefix(['M', 'S', 'C', 'X'])?;
    role.starts_with(' ').then_some((role, seen))
}

/// `web1 worker[123]:`, `web1 kernel:` directly after the time, as syslog and journald write them.
///
/// `worker[123]:` alone is a process too.
fn host_process(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    let head = text.get(..text.find(' ')?)?;
    let process = head.strip_suffix("]:").and_then(|head| head.split_once('['));
    if let Some((name, pid)) = process.filter(|_| !seen.later) {
        let named = name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)) && name != "make";
        if named && !name.is_empty() && !pid.is_empty() && pid.bytes().all(|b| b.is_ascii_digit()) {
            return Some((text.get(head.len()..)?, Seen { origin: true, ..seen }));
        }
    }
    if !seen.time || seen.level || seen.origin {
        return None;
    }
    let (host, rest) = text.split_once(' ')?;
    let host_like =
        host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._:".contains(&b)) && !host.ends_with(':');
    let space = rest.find(' ').unwrap_or(rest.len());
    let process = rest.get(..space)?.strip_suffix(':')?;
    let numbered = process.ends_with(']') && process.contains('[');
    let plain =
        matches!(process, "kernel" | "systemd" | "sudo" | "su" | "cron" | "CRON" | "sshd" | "dockerd");
    let named =
        host.bytes().any(|b| b.is_ascii_digit() || b == b'-') && !process.contains(['/', '\'', '"', '(']);
    if !host_like || !(numbered || plain || named) {
        return None;
    }
    Some((rest.get(space..).unwrap_or_default(), Seen { origin: true, ..seen }))
}

/// A bare process id between other parts: `ERROR 1234 --- [main]`, `E0203 04:05:06 1234 a.go:12]`.
fn process_id(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(len..)?;
    let next = rest.trim_start();
    let prefixed = next.starts_with("---") || next.starts_with('[') || source(next, seen).is_some();
    (seen.time && len > 0 && rest.starts_with(' ') && prefixed).then_some((rest, seen))
}

/// `lease.go:123]`, `lease.go:123:`: the source line that logged.
fn source(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    if !seen.time || seen.later {
        return None;
    }
    let end = text.find([']', ' ', '\t'])?;
    let (file, line) = text.get(..end)?.trim_end_matches(':').rsplit_once(':')?;
    let numbered = !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit());
    let named =
        [".go", ".py", ".rs", ".cc", ".cpp", ".c", ".js", ".ts", ".rb"].iter().any(|e| file.ends_with(e));
    (numbered && named).then(|| (text.get(end..).unwrap_or_default().trim_start_matches(']'), seen))
}

/// `agent.poller:`, `o.a.c.Core -`, `agent::poll:`; not an exception's class, which belongs to the message.
fn logger(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    if !seen.time {
        return None;
    }
    let word = text.find(' ').unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(word)?;
    // Python's ` - name - ERROR - `, and Spring's padded `name    : `.
    // A container runtime's `stderr F `, tracing's `ThreadId(03) `, bunyan's `name/12 on host: `.
    let stream =
        matches!(name, "stdout" | "stderr").then(|| rest.strip_prefix(" F").or(rest.strip_prefix(" P")));
    if let Some(rest) = stream.flatten() {
        return Some((rest, Seen { origin: true, ..seen }));
    }
    if name.starts_with("ThreadId(") {
        return Some((rest, Seen { origin: true, ..seen }));
    }
    if let Some((_, pid)) = name.split_once('/').filter(|_| rest.starts_with(" on ")) {
        let after = rest.find(": ").filter(|&end| end < 80 && pid.bytes().all(|b| b.is_ascii_digit()));
        if let Some(after) = after {
            return Some((rest.get(after..)?, Seen { origin: true, ..seen }));
        }
    }
    let named = rest.strip_prefix(" - ").is_some_and(opens_with_level);
    let padded = seen.level && seen.origin && !name.ends_with(':') && rest.trim_start().starts_with(": ");
    if named || padded {
        return Some((rest, Seen { origin: true, ..seen }));
    }
    if !(seen.level || seen.origin) {
        return None;
    }
    let len = text.bytes().take_while(|&b| b.is_ascii_alphanumeric() || b"._$-:".contains(&b)).count();
    let name = text.get(..len)?;
    let rest = text.get(len..)?;
    let bare = name.trim_end_matches(':');
    let last = bare.rsplit(['.', ':']).next()?;
    let dotted = (bare.contains('.') || bare.contains("::")) && !bare.contains("..");
    let marked = name.ends_with(':') || [" - ", " -- ", " : "].iter().any(|s| rest.starts_with(s));
    let module =
        last.starts_with(|c: char| c.is_ascii_lowercase()) && !bare.contains(|c: char| c.is_ascii_digit());
    let class = rest.starts_with(" - ") || rest.starts_with(" : ") || rest.starts_with(" -- ");
    let thrown =
        ["Error", "Exception", "Warning", "Timeout", "Interrupt", "Exit"].iter().any(|e| last.ends_with(e));
    let unit = matches!(last, "service" | "scope" | "socket" | "timer" | "mount" | "target" | "slice");
    // `pump.io:read:12 - `
    let placed =
        class && bare.rsplit(':').next().is_some_and(|line| line.bytes().all(|b| b.is_ascii_digit()));
    (((dotted && marked && (module || class)) || (placed && bare.contains(':')))
        && !thrown
        && !unit
        && (bare.contains("::") || words::flags(last) & (words::TLD | words::EXT) == 0))
        .then_some((rest, Seen { origin: true, ..seen }))
}

fn opens_with_level(text: &str) -> bool {
    let word = text.split([' ', ':', ']']).next().unwrap_or_default();
    words::flags(word) & LEVEL != 0
}

/// What stands between parts.
fn separator(text: &str, seen: Seen) -> Option<(&str, Seen)> {
    if !(seen.time || seen.level || seen.origin) {
        return None;
    }
    let rest = text
        .strip_prefix([']', ':', ','])
        .or_else(|| text.strip_prefix(['|', '!']).filter(|_| !seen.later))
        .or_else(|| {
            ["--- ", "-- ", "- "]
                .iter()
                .find_map(|s| text.strip_prefix(s).map(|_| text.trim_start_matches('-')))
        })
        .or_else(|| (text == "-").then_some(""))?;
    Some((rest, seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_go_and_messages_stay() {
        for (line, want) in [
            ("2031-02-03T04:05:06.789Z disk full", "disk full"),
            ("[2031-02-03T04:05:06Z ERROR pump::io] disk full", "disk full"),
            ("2031-02-03 04:05:06,789 ERROR [worker-3] disk full", "disk full"),
            ("2031-02-03 04:05:06+0200 E (MainThread) disk full", "disk full"),
            ("2031/02/03 04:05:06 ERR disk full", "disk full"),
            ("Feb  3 04:05:06 web-4 pumpd[123]: disk full", "disk full"),
            ("2031-02-03T04:05:06.123456+00:00 web4 kernel: disk full", "disk full"),
            ("<34>1 2031-02-03T04:05:06Z web4 pump[1]: disk full", "disk full"),
            ("error Feb 03 04:05:06: disk full", "disk full"),
            ("E Feb 03 04:05:06: disk full", "disk full"),
            ("04:05:06 [ERR] disk full", "disk full"),
            ("[1234] 03 Feb 2031 04:05:06.789 ERROR - disk full", "disk full"),
            ("1734072352.400873 ERROR disk full", "disk full"),
            ("2031-02-03T04:05:06.123Z ERROR pid=123 disk full", "disk full"),
            ("2031-02-03 04:05:06.123 ERROR 123 --- [nio-80-exec-1] o.a.c.Core : disk full", "disk full"),
            ("04:05:06.123 [main] ERROR o.a.c.Core - disk full", "disk full"),
            ("E, [2031-02-03T04:05:06.123456 #123] ERROR -- : disk full", "disk full"),
            ("E0203 04:05:06.123456   12345 lease.go:123] disk full", "disk full"),
            ("2031-02-03 04:05:06,789 - pump - ERROR - disk full", "disk full"),
            ("2031-02-03 04:05:06.123 ERROR 1 --- [main] o.a.c.Core     : disk full", "disk full"),
            ("2031-02-03 04:05:06 web1 systemd[1]: a.service: disk full", "a.service: disk full"),
            ("2031-02-03 04:05:06.789 | ERROR    | pump.io:read:12 - disk full", "disk full"),
            ("pump-1  | 2031-02-03T04:05:06Z ERROR disk full", "disk full"),
            ("pumpd[12]: E0203 04:05:06.123456      12 lease.go:123] disk full", "disk full"),
            ("[error] [pump] disk full", "disk full"),
            ("[pod/pump-1/agent] disk full", "disk full"),
            ("ERRO[0012] disk full", "disk full"),
            ("2031-02-03T04:05:06.1+02:00 stderr F disk full", "disk full"),
            ("2031-02-03T04:05:06.123456Z ERROR ThreadId(03) pump::io: disk full", "disk full"),
            ("[2031-02-03T04:05:06.123Z] ERROR: pump/123 on web-3: disk full", "disk full"),
            ("ERROR:pump.io:disk full", "disk full"),
            ("ERROR: disk full", "disk full"),
            ("[error] disk full", "disk full"),
            ("12:M 03 Feb 2031 04:05:06.789 # disk full", "# disk full"),
            ("##[error]disk full", "disk full"),
            ("[   12.345678] disk full", "disk full"),
            ("2031-02-03 04:05:06 ERROR httpx.ReadTimeout: slow", "httpx.ReadTimeout: slow"),
            ("2031-02-03 04:05:06 ERROR [Errno 5] slow", "[Errno 5] slow"),
            ("2031-02-03 04:05:06 ERROR [ERR_MODULE_GONE]: slow", "[ERR_MODULE_GONE]: slow"),
            ("2031-02-03 04:05:06 dial tcp 10.0.0.1:80: refused", "dial tcp 10.0.0.1:80: refused"),
            ("error[E0001]: bad", "error[E0001]: bad"),
            ("information wants to be free", "wants to be free"),
            ("disk full", "disk full"),
        ] {
            assert_eq!(strip(line, true), want, "{line}");
        }
    }

    #[test]
    fn later_lines_lose_a_timed_prefix_only() {
        for (line, want) in [
            ("Feb  3 04:05:06 web-4 pumpd[123]:   File \"x\"", "  File \"x\""),
            ("error: its own severity", "its own severity"),
            ("error kept", "error kept"),
            ("  2031-02-03 kept", "  2031-02-03 kept"),
        ] {
            assert_eq!(strip(line, false), want, "{line}");
        }
    }
}
