//! Tokens told by their provider's prefix: a table lookup at every hit.

use super::anchors::Hit;
use super::prefix_table::{RULES, Rule, Set};
use super::span::Spans;
use super::text::{Text, is_word};

pub(super) fn scan(text: Text<'_>, hits: &[Hit], spans: &mut Spans) {
    let mut done = 0;
    for hit in hits {
        if hit.start < done {
            continue;
        }
        let Some(rule) = RULES.get(hit.index) else { continue };
        if touched(text, rule, hit.start) {
            continue;
        }
        let body = hit.end;
        let end = trimmed(text, body, text.run(body, 8192, |b| rule.set.has(b)));
        if end < body + rule.min {
            continue;
        }
        done = end;
        if rule.keep_prefix {
            spans.push(body, end, rule.kind);
        } else if is_token(text, rule, hit.start, body, end) {
            spans.push(hit.start, end, rule.kind);
        }
    }
}

/// The prefix only continues a longer word, as in `task-sk-…`.
fn touched(text: Text<'_>, rule: &Rule, start: usize) -> bool {
    let joined = matches!(text.before(start), b'-' | b'.') && start >= 2 && is_word(text.at(start - 2));
    rule.prefix.bytes().next().is_some_and(is_word) && (joined || !text.boundary_before(start))
}

/// Words joined by dashes or underscores are a name (`sk-learn-extras`), and data URIs hold anything.
fn is_token(text: Text<'_>, rule: &Rule, start: usize, body: usize, end: usize) -> bool {
    let data = text.slice(body, end);
    let mixed = data.iter().any(u8::is_ascii_uppercase) && data.iter().any(u8::is_ascii_lowercase);
    let whole = data.len() >= 20 && data.iter().all(u8::is_ascii_alphanumeric);
    let cut = rule.set == Set::Hex && is_word(text.at(end));
    let embedded = text.slice(start.saturating_sub(7), start) == b"base64,";
    !cut && !embedded && (mixed || whole || data.iter().any(u8::is_ascii_digit))
}

fn trimmed(text: Text<'_>, from: usize, mut end: usize) -> usize {
    while end > from
        && matches!(text.before(end), b'.' | b':' | b'-' | b'/' | b'?' | b'&' | b'%' | b',' | b'~')
    {
        end -= 1;
    }
    end
}
