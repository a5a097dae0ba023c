//! Arguments of a simple command against an allow-list of options.
//!
//! An allow-list is one string of blank-separated option names, as they are typed:
//!
//! | written | allows |
//! |---|---|
//! | `-a`, `--all`, `-json` | that flag; single letters may be bundled |
//! | `-n:`, `--lines:` | with a value, attached or as the next word |
//! | `-U?`, `--color?` | with a value only if attached |
//! | `-#` | `-20`: a number as an option |
//! | `nobundle` | (first) that single letters are not bundled, and a value is attached with `=` only |
//!
//! Abbreviated long options are not recognised: what is not listed is refused.

use super::{Piece, Word};

/// Why arguments are not within an allow-list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// An option that is not listed.
    Unknown(String),
    /// A word that may turn into an option.
    Unprovable,
}

/// The value of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value<'w> {
    /// The option has none.
    Absent,
    /// Known text.
    Text(&'w str),
    /// Not known until the command runs.
    Unknown,
}

/// Arguments that are all within the allow-list.
#[derive(Debug, Default)]
pub(crate) struct Scanned<'w> {
    /// Option names as the allow-list writes them, without the value mark.
    pub(crate) options: Vec<(&'static str, Value<'w>)>,
    /// What is neither an option nor its value.
    pub(crate) operands: Vec<&'w Word>,
    /// Whether an option came after an operand: such a word is an operand where options must come first.
    pub(crate) mixed: bool,
}

impl<'w> Scanned<'w> {
    /// Whether any of the blank-separated `names` was given.
    pub(crate) fn has(&self, names: &str) -> bool {
        self.options.iter().any(|(given, _)| names.split(' ').any(|name| name == *given))
    }

    /// The values given to any of the blank-separated `names`.
    pub(crate) fn values<'s>(&'s self, names: &'s str) -> impl Iterator<Item = Value<'w>> + 's {
        self.options
            .iter()
            .filter(move |(given, _)| names.split(' ').any(|name| name == *given))
            .map(|(_, value)| *value)
    }

    /// The operand at `index`, if its text is known.
    pub(crate) fn operand(&self, index: usize) -> Option<&'w str> {
        self.operands.get(index).and_then(|word| word.literal())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    AttachedValue,
}

/// Finds `name` in the allow-list.
fn find(allowed: &'static str, name: &str) -> Option<(&'static str, Takes)> {
    allowed.split_ascii_whitespace().find_map(|token| {
        let rest = token.strip_prefix(name)?;
        let takes = match rest {
            "" => Takes::Nothing,
            ":" => Takes::Value,
            "?" => Takes::AttachedValue,
            _ => return None,
        };
        Some((token.get(..name.len())?, takes))
    })
}

/// Reads `words` up to the first operand only; returns the rest untouched. For wrappers and global options.
pub(crate) fn leading<'w>(
    allowed: &'static str,
    words: &'w [Word],
) -> Result<(Scanned<'w>, &'w [Word]), Refusal> {
    read(allowed, words, true)
}

/// Reads all of `words`; options and operands may be mixed.
pub(crate) fn scan<'w>(allowed: &'static str, words: &'w [Word]) -> Result<Scanned<'w>, Refusal> {
    read(allowed, words, false).map(|(scanned, _)| scanned)
}

fn read<'w>(
    allowed: &'static str,
    words: &'w [Word],
    stop: bool,
) -> Result<(Scanned<'w>, &'w [Word]), Refusal> {
    let mut scanned = Scanned::default();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let Some(text) = word.literal() else {
            if word.is_operand() {
                if stop {
                    break;
                }
                scanned.operands.push(word);
            } else {
                scanned.options.push((attached_unknown(allowed, word)?, Value::Unknown));
            }
            rest = after;
            continue;
        };
        if text == "--" {
            if !stop {
                scanned.operands.extend(after);
            }
            rest = after;
            return Ok((scanned, rest));
        }
        if !text.starts_with('-') || text == "-" {
            if stop {
                break;
            }
            scanned.operands.push(word);
            rest = after;
            continue;
        }
        scanned.mixed |= !scanned.operands.is_empty();
        rest = if option(allowed, text, after, &mut scanned)? {
            after.get(1..).unwrap_or_default()
        } else {
            after
        };
    }
    Ok((scanned, rest))
}

/// Reads one option word; true when the next word is its value.
fn option<'w>(
    allowed: &'static str,
    text: &'w str,
    after: &'w [Word],
    scanned: &mut Scanned<'w>,
) -> Result<bool, Refusal> {
    let unknown = || Refusal::Unknown(text.to_owned());
    let bundles = !allowed.starts_with("nobundle");
    if let Some((name, takes)) = find(allowed, text) {
        if takes != Takes::Value {
            scanned.options.push((name, Value::Absent));
            return Ok(false);
        }
        scanned.options.push((name, next_value(after)?));
        return Ok(!after.is_empty());
    }
    if let Some((name, value)) = text.split_once('=')
        && let Some((name, takes)) = find(allowed, name)
        && (name.len() > 2 || !bundles)
    {
        if takes == Takes::Nothing {
            return Err(unknown());
        }
        scanned.options.push((name, Value::Text(value)));
        return Ok(false);
    }
    if text.starts_with("--") || !bundles {
        return Err(unknown());
    }
    if text.bytes().skip(1).all(|b| b.is_ascii_digit()) {
        let (name, _) = find(allowed, "-#").ok_or_else(unknown)?;
        scanned.options.push((name, Value::Text(text)));
        return Ok(false);
    }
    bundle(allowed, text, after, scanned)
}

/// `-abc`: each letter is an option; the first that takes a value takes the rest.
fn bundle<'w>(
    allowed: &'static str,
    text: &'w str,
    after: &'w [Word],
    scanned: &mut Scanned<'w>,
) -> Result<bool, Refusal> {
    let unknown = || Refusal::Unknown(text.to_owned());
    for (at, letter) in text.char_indices().skip(1) {
        let mut buffer = [b'-', 0, 0, 0, 0];
        let length = letter.len_utf8();
        letter.encode_utf8(buffer.get_mut(1..).unwrap_or_default());
        let name =
            buffer.get(..=length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
        let (name, takes) = find(allowed, name).ok_or_else(unknown)?;
        let value = text.get(at + length..).unwrap_or_default();
        match takes {
            Takes::Nothing => scanned.options.push((name, Value::Absent)),
            Takes::Value if value.is_empty() => {
                scanned.options.push((name, next_value(after)?));
                return Ok(!after.is_empty());
            }
            Takes::Value | Takes::AttachedValue => {
                scanned.options.push((name, Value::Text(value)));
                return Ok(false);
            }
        }
    }
    Ok(false)
}

/// The next word as a value: it must stay one word.
fn next_value(after: &[Word]) -> Result<Value<'_>, Refusal> {
    let Some(word) = after.first() else { return Ok(Value::Absent) };
    if let Some(text) = word.literal() {
        return Ok(Value::Text(text));
    }
    if word.may_be_many() { Err(Refusal::Unprovable) } else { Ok(Value::Unknown) }
}

/// `--name="$value"` and `-n"$value"`: the option is known though its value is not.
fn attached_unknown(allowed: &'static str, word: &Word) -> Result<&'static str, Refusal> {
    if word.splits() || word.pieces.contains(&Piece::Brace) {
        return Err(Refusal::Unprovable);
    }
    let prefix = word.prefix();
    let name = match prefix.split_once('=') {
        Some((name, _)) if name.len() > 2 => name,
        _ if !prefix.starts_with("--") && prefix.chars().count() == 2 => prefix,
        _ => return Err(Refusal::Unprovable),
    };
    match find(allowed, name) {
        Some((name, Takes::Value | Takes::AttachedValue)) => Ok(name),
        _ => Err(Refusal::Unknown(name.to_owned())),
    }
}
