//! A walked object → a record of bounded size, whatever its text holds.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use super::walk::{self, Field, byte, slice};

/// A record's `error` is kept up to this many bytes, so that the head of a huge one still names the defect.
pub(super) const MAX_ERROR: usize = 8 * 1024;
/// Any other string, and any key.
pub(super) const MAX_STRING: usize = 2 * 1024;
/// All strings of a record but `error`.
const MAX_TEXT: usize = 16 * 1024;
/// Values in a record, nested ones included.
pub(super) const MAX_VALUES: usize = 128;
/// Nested values below this level become `null`.
const MAX_DEPTH: usize = 16;

/// Fields that say what happened: kept whatever the others have used up.
const ALWAYS: &[&str] = &["ts", "source", "event", "level", "will_retry"];

/// A record, and whether anything was left out to keep it small.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Built {
    pub(super) record: Map<String, Value>,
    pub(super) clipped: bool,
}

/// What may still be kept of the record being built.
struct Budget {
    text: usize,
    values: usize,
    clipped: bool,
}

/// Builds the record that `text` holds, as far as it can be read; of fields with the same name the last wins.
pub(super) fn build(text: &[u8]) -> Built {
    let mut budget = Budget { text: MAX_TEXT, values: MAX_VALUES, clipped: false };
    let mut record = Map::new();
    // The text was walked before, and what cannot be walked has no field left to give.
    let _ = walk::walk(text, 0, &mut |Field { key, value }| {
        let key = decode(key, MAX_STRING).0.into_owned();
        if key == "error" && value.first() == Some(&b'"') {
            let (error, clipped) = decode(inner(value), MAX_ERROR);
            budget.clipped |= clipped;
            record.insert(key, Value::String(error.into_owned()));
        } else if ALWAYS.contains(&key.as_str()) {
            let mut own = Budget { text: MAX_STRING, values: 0, clipped: false };
            record.insert(key, own.value(value, 0));
            budget.clipped |= own.clipped;
        } else if budget.spend(key.len()) {
            let value = budget.value(value, 0);
            record.insert(key, value);
        }
    });
    Built { record, clipped: budget.clipped }
}

impl Budget {
    /// Takes one value with `text` bytes out of the budget; `false` when it is used up.
    fn spend(&mut self, text: usize) -> bool {
        if self.values == 0 || self.text < text {
            self.clipped = true;
            return false;
        }
        self.values -= 1;
        self.text -= text;
        true
    }

    fn value(&mut self, text: &[u8], depth: usize) -> Value {
        match text {
            [b'"', ..] => self.string(inner(text)),
            [b'{', ..] if depth < MAX_DEPTH => {
                let mut object = Map::new();
                let walked = walk::walk(text, 0, &mut |field| {
                    let key = decode(field.key, MAX_STRING).0.into_owned();
                    if self.spend(key.len()) {
                        let value = self.value(field.value, depth + 1);
                        object.insert(key, value);
                    }
                });
                self.clipped |= walked.is_err();
                Value::Object(object)
            }
            [b'[', ..] if depth < MAX_DEPTH => self.array(text, depth),
            [b'{' | b'[', ..] => {
                self.clipped = true;
                Value::Null
            }
            b"true" => Value::Bool(true),
            b"false" => Value::Bool(false),
            _ => serde_json::from_slice::<Number>(text).map_or(Value::Null, Value::Number),
        }
    }

    fn array(&mut self, text: &[u8], depth: usize) -> Value {
        let mut items = Vec::new();
        let mut at = walk::blank(text, 1);
        while let Ok(item) = walk::value(text, at) {
            if !self.spend(0) {
                break;
            }
            at = walk::blank(text, item.end);
            items.push(self.value(slice(text, item), depth + 1));
            if byte(text, at) != Some(b',') {
                break;
            }
            at = walk::blank(text, at + 1);
        }
        self.clipped |= byte(text, at) != Some(b']');
        Value::Array(items)
    }

    fn string(&mut self, text: &[u8]) -> Value {
        let (text, clipped) = decode(text, MAX_STRING.min(self.text));
        self.clipped |= clipped;
        self.text = self.text.saturating_sub(text.len());
        Value::String(text.into_owned())
    }
}

/// A string's text without its quotes.
fn inner(text: &[u8]) -> &[u8] {
    slice(text, 1..text.len().saturating_sub(1).max(1))
}

/// Decodes a string's inside: at most `max` bytes of it, and whether it was longer (then it ends in `…`).
///
/// Lone surrogates and invalid UTF-8 become U+FFFD; an escape that JSON does not know stays as it is.
pub(super) fn decode(text: &[u8], max: usize) -> (Cow<'_, str>, bool) {
    // The longest way to write a byte is `\uXXXX`, so no more than this is needed.
    let enough = slice(text, 0..text.len().min(max.saturating_mul(6).saturating_add(12)));
    let mut decoded = match memchr::memchr(b'\\', enough) {
        None => String::from_utf8_lossy(enough),
        Some(_) => Cow::Owned(String::from_utf8_lossy(&unescape(enough)).into_owned()),
    };
    let clipped = decoded.len() > max || enough.len() < text.len();
    if clipped {
        let kept = decoded.get(..decoded.floor_char_boundary(max)).unwrap_or_default();
        decoded = Cow::Owned(format!("{kept}…"));
    }
    (decoded, clipped)
}

fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', slice(text, at..text.len())) {
        out.extend_from_slice(slice(text, at..at + found));
        at += found + 2;
        let plain = match byte(text, at - 1) {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(known @ (b'"' | b'\\' | b'/')) => known,
            Some(b'u') => {
                let (character, end) = unicode(text, at);
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                at = end;
                continue;
            }
            Some(other) => {
                out.push(b'\\');
                other
            }
            None => b'\\',
        };
        out.push(plain);
    }
    out.extend_from_slice(slice(text, at..text.len()));
    out
}

/// The character whose four hex digits begin at `at`, with its other half if it is a pair, and where it ends.
fn unicode(text: &[u8], at: usize) -> (char, usize) {
    let Some(unit) = hex(text, at) else { return (char::REPLACEMENT_CHARACTER, at) };
    let end = at + 4;
    if (0xD800..0xDC00).contains(&unit)
        && slice(text, end..end + 2) == b"\\u"
        && let Some(low @ 0xDC00..0xE000) = hex(text, end + 2)
    {
        let joined = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        return (char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER), end + 6);
    }
    (char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER), end)
}

fn hex(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at..at + 4)?;
    digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn agrees_with_serde_json_on_plain_records() {
        let text = r#"{"s":"a\n\"\u00e9\ud83d\ude00/\/","n":-1.5e3,"i":18446744073709551615,
            "l":[1,[],{"k":null}],"b":false,"o":{}}"#;
        let built = build(text.as_bytes());
        assert_eq!(Value::Object(built.record), serde_json::from_str::<Value>(text).unwrap());
        assert!(!built.clipped);
    }

    #[test]
    fn reads_what_json_refuses() {
        let built = build(b"{\"a\":\"\\ud800x\\udc00\",\"b\":\"\xff\",\"c\":NaN,\"d\":\"\\q\\u12\",\"a\":1}");
        let want = json!({"a": 1, "b": "\u{fffd}", "c": null, "d": "\\q\u{fffd}12"});
        assert_eq!(Value::Object(built.record), want);
        assert_eq!(decode(br"\ud800x\udc00", 99).0, "\u{fffd}x\u{fffd}");
    }

    #[test]
    fn stays_small() {
        let huge = format!(
            r#"{{"payload":"{}","error":"{}","list":[{}1],"deep":{}{},"event":"e"}}"#,
            "é".repeat(50_000),
            "\\u0041".repeat(50_000),
            "1,".repeat(50_000),
            "[".repeat(50_000),
            "]".repeat(50_000),
        );
        let built = build(huge.as_bytes());
        assert!(built.clipped);
        assert_eq!(built.record["error"].as_str().unwrap().len(), MAX_ERROR + "…".len());
        assert_eq!(built.record["payload"].as_str().unwrap().len(), MAX_STRING + "…".len());
        assert_eq!(built.record["event"], "e");
        assert!(serde_json::to_string(&built.record).unwrap().len() < MAX_ERROR + MAX_TEXT);
    }
}
