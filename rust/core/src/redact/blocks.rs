//! Private keys in blocks: PEM and `OpenPGP` (also escaped, log-prefixed or cut off), `PuTTY` files.

use memchr::memmem;

use super::span::{Kind, Spans};
use super::text::Text;

/// Longest block that is followed.
const MAX: usize = 65_536;

pub(super) fn scan(text: Text<'_>, spans: &mut Spans) {
    let mut done = 0;
    for at in memmem::find_iter(text.0, b"-- BEGIN ").chain(memmem::find_iter(text.0, b"--BEGIN ")) {
        let label_end = text.run(at, 96, |b| b != b'\n' && b != b'\\');
        let label = text.slice(at, label_end);
        let private =
            memmem::find(label, b"PRIVATE KEY").is_some() || memmem::find(label, b"SECRET KEY").is_some();
        if at < done && at > 0 || !private {
            continue;
        }
        let start = text.run_back(at, 8, |b| b == b'-');
        done = block_end(text, at + 9);
        spans.push(start, done, Kind::Key);
    }
    for at in memmem::find_iter(text.0, b"Private-Lines:") {
        spans.push(text.line_end(at, 64), putty_end(text, at), Kind::Key);
    }
}

/// Past the END line, or where the text stops looking like key data.
fn block_end(text: Text<'_>, from: usize) -> usize {
    let tail = text.slice(from, from + MAX);
    let next = memmem::find(tail, b"--BEGIN ")
        .map_or(tail.len(), |n| text.run_back(from + n, 8, |b| b == b'-') - from);
    let head = tail.get(..next).unwrap_or(tail);
    if let Some(end) = memmem::find(head, b"--END ").or_else(|| memmem::find(head, b"-- END ")) {
        let label = text.run(from + end + 6, 64, |b| b.is_ascii_alphanumeric() || b == b' ');
        return text.run(label, 5, |b| b == b'-');
    }
    from + unterminated(head)
}

/// Length of the run of lines whose last word is key data; escaped newlines count as newlines.
fn unterminated(head: &[u8]) -> usize {
    let mut end = memmem::find(head, b"--").map_or(0, |n| (n + 5).min(head.len()));
    let mut misses = 0;
    for line in head.get(end..).unwrap_or_default().split_inclusive(|&b| b == b'\n' || b == b'\\') {
        let body = line.strip_suffix(b"\n").or_else(|| line.strip_suffix(b"\\")).unwrap_or(line);
        let body = body.strip_suffix(b"\r").unwrap_or(body);
        let word = body.rsplit(|b| b" \t|>\"'`".contains(b)).find(|w| !w.is_empty()).unwrap_or_default();
        let word = word.strip_prefix(b"n").filter(|w| w.len() >= 60).unwrap_or(word);
        let data = word.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='));
        let field = body.contains(&b':')
            && [&b"Proc-Type"[..], b"DEK-Info", b"Version:", b"Comment:"]
                .iter()
                .any(|f| memmem::find(body, f).is_some());
        let blank = word.is_empty() || matches!(word, b"n" | b"r");
        if blank {
            misses += 1;
        } else if field || (data && (word.len() >= 12 || word.ends_with(b"="))) {
            misses = 0;
        } else {
            break;
        }
        if misses > 3 {
            break;
        }
        end += line.len();
    }
    end
}

/// Through the MAC line of a `PuTTY` file, or the end of its base64.
fn putty_end(text: Text<'_>, at: usize) -> usize {
    let tail = text.slice(at, at + MAX);
    if let Some(mac) = memmem::find(tail, b"Private-MAC:") {
        return text.run(at + mac + 12, 80, |b| b == b' ' || b.is_ascii_hexdigit());
    }
    let body = text.line_end(at, 64);
    body + text
        .slice(body, at + MAX)
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || b"+/=\n\r\\".contains(b)))
        .unwrap_or(tail.len().saturating_sub(body - at))
}
