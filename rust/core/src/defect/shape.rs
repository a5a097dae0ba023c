//! What a token is by its looks alone.

use super::words::{self, EXT, FIXED, MANIFEST, TLD, UNIT, VENDOR};

fn all(text: &str, is: fn(&u8) -> bool) -> bool {
    !text.is_empty() && text.as_bytes().iter().all(is)
}

pub(super) fn is_digits(text: &str) -> bool {
    all(text, u8::is_ascii_digit)
}

fn is_hex(text: &str) -> bool {
    all(text, u8::is_ascii_hexdigit)
}

fn has(text: &str, is: fn(&u8) -> bool) -> bool {
    text.as_bytes().iter().any(is)
}

/// Commit ids, digests and the like: hex digits of which some are letters and some are not, or a full digest.
pub(super) fn is_hex_id(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return is_hex(rest);
    }
    text.len() >= 7 && is_hex(text) && has(text, u8::is_ascii_digit) && has(text, u8::is_ascii_alphabetic)
        || text.len() >= 32 && is_hex(text)
}

pub(super) fn is_uuid(text: &str) -> bool {
    let mut parts = text.split('-');
    [8, 4, 4, 4, 12].iter().all(|&len| parts.next().is_some_and(|p| p.len() == len && is_hex(p)))
        && parts.next().is_none()
}

/// `1.2.3.4`, with `:port` and `/prefix`.
pub(super) fn is_ipv4(text: &str) -> bool {
    let text = text.split_once('/').map_or(text, |(ip, _)| ip);
    let (ip, port) = text.split_once(':').unwrap_or((text, "0"));
    ip.split('.').count() == 4 && ip.split('.').all(|n| is_digits(n) && n.len() <= 3) && is_digits(port)
}

/// IPv6 addresses, MAC addresses and request ids: groups of hex digits between colons.
pub(super) fn is_colon_hex(text: &str) -> bool {
    let bare = text.split_once('%').map_or(text, |(ip, _)| ip);
    let colons = bare.bytes().filter(|&b| b == b':').count();
    colons >= 2
        && bare.bytes().all(|b| b.is_ascii_hexdigit() || b == b':' || b == b'.')
        && (bare.starts_with("::") || has(bare, u8::is_ascii_digit) || colons >= 4)
}

/// `host.example.com`, `db-7.internal:5432`, `localhost`.
pub(super) fn is_host(text: &str) -> bool {
    let (name, port) = text.split_once(':').unwrap_or((text, "0"));
    if !is_digits(port) {
        return false;
    }
    if name.eq_ignore_ascii_case("localhost") {
        return true;
    }
    let Some((labels, last)) = name.trim_end_matches('.').rsplit_once('.') else { return false };
    words::flags(last) & TLD != 0
        && labels.split('.').all(|label| {
            !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        })
        && !last.starts_with(|c: char| c.is_ascii_uppercase())
}

/// `main.py`, `main.py:12:3`; not the file names that are the same in every project.
pub(super) fn is_file(text: &str) -> bool {
    let name = text.split_once(':').map_or(text, |(name, _)| name);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    !stem.is_empty()
        && words::flags(extension) & EXT != 0
        && !extension.starts_with(|c: char| c.is_ascii_uppercase())
        && !is_manifest(name)
}

pub(super) fn is_manifest(name: &str) -> bool {
    words::flags(name) & MANIFEST != 0
}

/// `v1.2.3`, `1.2.3-rc.1`, `18.x`.
pub(super) fn is_version(text: &str) -> bool {
    let bare = text.trim_start_matches(['v', 'V', '^', '~', '>', '<', '=']);
    let core = bare.split(['-', '+']).next().unwrap_or_default();
    core.contains('.')
        && core.starts_with(|c: char| c.is_ascii_digit())
        && core.split('.').all(|n| is_digits(n) || n == "x" || n == "*")
        || text.len() > 1 && bare.len() + 1 == text.len() && text.starts_with('v') && is_digits(bare)
}

/// `20s`, `4761ms`, `7h45m`, `1.5GiB`, `80.3%`: amounts glued to their unit, the sign already gone.
pub(super) fn is_amount(text: &str) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let number = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(rest.len());
        let unit = rest.get(number..).unwrap_or_default();
        let end = unit.find(|c: char| c.is_ascii_digit()).unwrap_or(unit.len());
        let name = unit.get(..end).unwrap_or_default();
        if number == 0 || words::flags(name) & UNIT == 0 {
            return false;
        }
        rest = unit.get(end..).unwrap_or_default();
    }
    true
}

/// Names that contain digits and mean the same everywhere: `utf-8`, `sha256`, `ERR_HTTP2_STREAM`, `ORA-00942`.
pub(super) fn is_fixed(text: &str) -> bool {
    if words::flags(text) & FIXED != 0 {
        return true;
    }
    let shouted = text.contains('_')
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && text.bytes().filter(u8::is_ascii_uppercase).count() >= 4
        && text.split('_').all(|part| {
            is_digits(part) && part.len() <= 4 || !part.starts_with(|c: char| c.is_ascii_digit())
        });
    let vendor = text.split_once('-').is_some_and(|(name, number)| {
        is_digits(number)
            && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
            && words::flags(name) & VENDOR != 0
    });
    shouted || vendor
}

/// `E0308`, `TS2345`, `CS1002`, `AADSTS50011`: capitals, then digits, which is a code where a code is expected.
pub(super) fn is_letter_code(text: &str) -> bool {
    let capitals = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = text.get(capitals..).unwrap_or_default();
    (1..=8).contains(&capitals) && is_digits(digits) && (2..=6).contains(&digits.len())
}

/// Tokens of no language: many short runs of one kind of character.
pub(super) fn is_random(text: &str) -> bool {
    let kind = |b: u8| match b {
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        b'0'..=b'9' => 3,
        _ => 0,
    };
    let mut runs = 0_usize;
    let mut last = 0;
    for b in text.bytes() {
        let now = kind(b);
        // A capital opens a word: `Timeout` is one run.
        if now != last && !(last == 2 && now == 1) && now != 0 {
            runs += 1;
        }
        last = now;
    }
    let letters = text.bytes().filter(u8::is_ascii_alphanumeric).count();
    letters >= 12 && runs * 3 > letters && has(text, u8::is_ascii_digit)
        || letters >= 14 && runs * 5 > letters * 2
        || letters >= 12 && 5 * unspeakable(text) > 2 * letters && interior_digit(text)
        || letters >= 24 && runs * 4 > letters && has(text, u8::is_ascii_digit)
}

/// Letters in runs of three and more without a vowel.
fn unspeakable(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii_alphabetic())
        .flat_map(|part| split_words(part))
        .filter(|word| word.len() >= 3 && !word.bytes().any(|b| b"aeiouyAEIOUY".contains(&b)))
        .map(str::len)
        .sum()
}

/// The words of a camelCase name; capitals stay with what follows them.
fn split_words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    for (i, pair) in name.as_bytes().windows(2).enumerate() {
        if matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()) {
            words.extend(name.get(start..=i));
            start = i + 1;
        }
    }
    words.extend(name.get(start..));
    words
}

fn interior_digit(text: &str) -> bool {
    text.trim_end_matches(|c: char| c.is_ascii_digit()).bytes().any(|b| b.is_ascii_digit())
}

/// How many runs of digits a token has.
pub(super) fn digit_runs(text: &str) -> usize {
    let mut before = false;
    text.bytes()
        .filter(|b| {
            let starts = b.is_ascii_digit() && !before;
            before = b.is_ascii_digit();
            starts
        })
        .count()
}

/// A dotted or `::` name of at least two words, such as a module or an exception class.
pub(super) fn is_dotted_name(text: &str) -> bool {
    (text.contains('.') || text.contains("::"))
        && !text.contains('-')
        && text.split(['.', ':']).all(|part| !part.starts_with(|c: char| c.is_ascii_digit()))
        && text.split(['.', ':']).any(|part| part.len() > 3 && !has(part, u8::is_ascii_digit))
}

/// `Class.method`, `snake_case`, `kebab-case` without any digit: a plain identifier.
pub(super) fn is_plain_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_' || b == b'.' || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each shape with what has it and what does not.
    #[test]
    fn shapes() {
        type Shape = (&'static str, fn(&str) -> bool, &'static [&'static str], &'static [&'static str]);
        let table: &[Shape] = &[
            ("hex", is_hex_id, &["a1b000b", "0x7f", "deadbeef00"], &["defaced", "facade", "1234567", "x509"]),
            ("uuid", is_uuid, &["01234567-89ab-cdef-0123-456789abcdef"], &["0123-4567", "a-b-c-d-e"]),
            ("ipv4", is_ipv4, &["10.0.0.1", "10.0.0.1:80", "10.0.0.0/8"], &["1.2.3", "1.2.3.4.5"]),
            (
                "colon hex",
                is_colon_hex,
                &["::1", "fe80::1", "0a:1b:2c:3d:4e:5f", "7EFB:E57FD:AE0CCC"],
                &["std::env", "a:b", "fade::bee"],
            ),
            (
                "host",
                is_host,
                &["api.example.com", "db-7.internal:5432", "localhost"],
                &["asyncio.exceptions", "a:b", "client.Timeout"],
            ),
            (
                "file",
                is_file,
                &["main.py", "x.test.ts:1:2"],
                &["package.json", "client.fetch", "e.g", "node.js"],
            ),
            ("version", is_version, &["v1.2.3", "1.2.3-rc.1", "v2", "^4.1.0"], &["12", "vat", "1.a"]),
            ("amount", is_amount, &["20s", "7h45m", "1.5GiB", "80.3%"], &["20x4y", "E12", "57P03"]),
            (
                "fixed",
                is_fixed,
                &["utf-8", "SHA256", "ERR_HTTP2_STREAM", "ERR_PNPM_FETCH_404", "ORA-00942"],
                &["web-8", "CORE-123"],
            ),
            ("letter code", is_letter_code, &["E0308", "TS2345", "F401"], &["e0308", "E0308a", "web12"]),
            (
                "random",
                is_random,
                &["mXvx8jpuUnxMZBVW", "A5DPP72NQVSFFCQ0", "nxxrzWFGWw2ceCej"],
                &["NoClassDefFoundError", "getHTTPResponseCode", "Http2SessionError", "internationalization"],
            ),
            (
                "dotted",
                is_dotted_name,
                &["sqlite3.OperationalError", "std::io2::Error"],
                &["run-u1.scope", "a1.b2", "1.2.3"],
            ),
            ("plain", is_plain_name, &["fetch_issue", "Class.method"], &["x1", "a b", "/a"]),
        ];
        for (name, test, yes, no) in table {
            for text in *yes {
                assert!(test(text), "{text} is {name}");
            }
            for text in *no {
                assert!(!test(text), "{text} is not {name}");
            }
        }
    }
}
