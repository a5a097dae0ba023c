//! One line → the records in it, whatever happened to the line.

use std::borrow::Cow;

use serde_json::{Map, Value};

/// How many places of a broken line are tried as the beginning of a record.
const MAX_STARTS: usize = 64;

/// What was found in one line.
#[derive(Debug, Default)]
pub(super) struct Decoded {
    pub(super) records: Vec<Map<String, Value>>,
    /// Something in front of, between or behind the records was no record.
    pub(super) torn: bool,
    /// Some bytes were not UTF-8, or some escapes no character; both were read as U+FFFD.
    pub(super) invalid_text: bool,
    /// The line is JSON, but no object.
    pub(super) not_object: bool,
    /// The line nests deeper than a record does.
    pub(super) too_deep: bool,
}

/// Reads one line: one record, several glued together, or what is left of a torn one and a whole one behind it.
pub(super) fn decode(line: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let line = trim_nuls(line);
    if line.is_empty() {
        return decoded;
    }
    let text = match String::from_utf8_lossy(line) {
        Cow::Borrowed(text) => Cow::Borrowed(text),
        Cow::Owned(text) => {
            decoded.invalid_text = true;
            Cow::Owned(text)
        }
    };
    let text = match mended_surrogates(&text) {
        Some(mended) => {
            decoded.invalid_text = true;
            Cow::Owned(mended)
        }
        None => text,
    };
    match serde_json::from_str::<Value>(&text) {
        Ok(Value::Object(record)) => decoded.records.push(record),
        Ok(_) => decoded.not_object = true,
        Err(error) => {
            decoded.too_deep = error.to_string().starts_with("recursion limit");
            recover(&text, &mut decoded);
        }
    }
    decoded
}

/// Finds the whole records in a line that is not one.
fn recover(text: &str, decoded: &mut Decoded) {
    let mut rest = text;
    let mut clean = true;
    for _ in 0..MAX_STARTS {
        let Some(start) = rest.find("{\"") else { break };
        clean &= rest.get(..start).unwrap_or_default().trim().is_empty();
        rest = rest.get(start..).unwrap_or_default();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Map<String, Value>>();
        match stream.next() {
            // A nested object of a torn record is no record: those have an event.
            Some(Ok(record)) if record.get("event").is_some_and(Value::is_string) => {
                rest = rest.get(stream.byte_offset()..).unwrap_or_default();
                decoded.records.push(record);
            }
            _ => {
                clean = false;
                rest = rest.get(1..).unwrap_or_default();
            }
        }
    }
    decoded.torn = !clean || !rest.trim().is_empty();
}

fn trim_nuls(line: &[u8]) -> &[u8] {
    let start = line.iter().take_while(|byte| **byte == 0).count();
    let line = line.get(start..).unwrap_or_default();
    let end = line.len() - line.iter().rev().take_while(|byte| **byte == 0).count();
    line.get(..end).unwrap_or_default()
}

/// `text` with escaped surrogates that have no partner written as U+FFFD; none where there is nothing to mend.
fn mended_surrogates(text: &str) -> Option<String> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut mended = false;
    while let Some(at) = rest.find('\\') {
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        // A surrogate or a pair of them is taken whole, any other escape with the character behind the backslash.
        let length = match (surrogate(rest), rest.get(6..).and_then(surrogate)) {
            (Some(Half::High), Some(Half::Low)) => 12,
            (Some(_), _) => {
                mended = true;
                out.push_str("\\ufffd");
                rest = rest.get(6..).unwrap_or_default();
                continue;
            }
            (None, _) => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
        };
        out.push_str(rest.get(..length).unwrap_or_default());
        rest = rest.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    mended.then_some(out)
}

enum Half {
    High,
    Low,
}

/// Which half of a pair the escape at the beginning of `text` spells.
fn surrogate(text: &str) -> Option<Half> {
    let code = u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()?;
    match code {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

/// The fields at the beginning of a record whose line goes on too long to be read whole: every complete one, and
/// what there is of the one that was cut if it is text.
pub(super) fn head(line: &[u8]) -> Option<Map<String, Value>> {
    let text = String::from_utf8_lossy(trim_nuls(line.trim_ascii_start()));
    let text = mended_surrogates(&text).map_or(text, Cow::Owned);
    let mut rest = text.strip_prefix('{')?.trim_start();
    let mut record = Map::new();
    loop {
        let (key, after) = value(rest)?;
        let Value::String(key) = key else { return None };
        rest = after.trim_start().strip_prefix(':')?.trim_start();
        if let Some((field, after)) = value(rest) {
            record.insert(key, field);
            match after.trim_start().strip_prefix(',') {
                Some(after) => rest = after.trim_start(),
                None => return Some(record),
            }
        } else {
            if let Some(cut) = cut_text(rest) {
                record.insert(key, Value::String(cut));
            }
            return Some(record);
        }
    }
}

/// One JSON value at the beginning of `text`, and what stands behind it.
fn value(text: &str) -> Option<(Value, &str)> {
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = stream.next()?.ok()?;
    // A number at the very end may go on.
    let rest = text.get(stream.byte_offset()..).filter(|rest| !rest.is_empty())?;
    Some((value, rest))
}

/// How much of a text that was cut is kept, in bytes.
const CUT_TEXT: usize = 8192;

/// The beginning of a string that has no end.
fn cut_text(text: &str) -> Option<String> {
    let mut end = text.len().min(CUT_TEXT);
    text.strip_prefix('"')?;
    // The cut may fall into an escape or a character: a few bytes less are always whole.
    for _ in 0..16 {
        if let Some(beginning) = text.get(..end)
            && let Ok(whole) = serde_json::from_str::<String>(&format!("{beginning}\""))
        {
            return Some(whole);
        }
        end = end.saturating_sub(1);
    }
    None
}
