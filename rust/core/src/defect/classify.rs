//! What a token that is no number is, by its looks.

use super::shape;
use super::words::{self, PROSE};

/// What a token turns out to be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    /// Kept as it is.
    Word,
    /// Masked.
    Mask,
    /// Masked, and a place: a status code may follow it.
    Place,
    /// Kept, with its digits masked.
    Digits,
    /// `name@version`: the name is kept; its length.
    Package(usize),
}

/// What an atom is by its looks. Numbers, which need their context, are not asked here.
pub(super) fn classify(atom: &str, flags: u32) -> Kind {
    let bytes = atom.as_bytes();
    if bytes.iter().all(u8::is_ascii_alphabetic) {
        return if flags & words::LOCAL != 0 {
            Kind::Place
        } else if atom.len() >= 14 && shape::is_random(atom) {
            Kind::Mask
        } else {
            Kind::Word
        };
    }
    if flags & (words::MANIFEST | words::FIXED | PROSE) != 0 {
        return Kind::Word;
    }
    if let Some(at) = atom.rfind('@') {
        return at_sign(atom, at);
    }
    if bytes.iter().any(|b| matches!(b, b'/' | b'\\')) {
        return slashed(atom);
    }
    if shape::is_file(atom) || shape::is_host(atom) || shape::is_ipv4(atom) {
        return Kind::Place;
    }
    if shape::is_fixed(atom) {
        return Kind::Word;
    }
    if !bytes.iter().any(u8::is_ascii_digit) {
        return if shape::is_random(atom) || shape::is_hex_id(atom) { Kind::Mask } else { Kind::Word };
    }
    if shape::is_uuid(atom) || shape::is_hex_id(atom) || shape::is_version(atom) || shape::is_colon_hex(atom)
    {
        return Kind::Mask;
    }
    if shape::is_dotted_name(atom) {
        return if shape::is_random(atom) { Kind::Mask } else { Kind::Word };
    }
    if let Some((name, port)) = atom.split_once(':') {
        let host = name.contains('-') && shape::is_digits(port);
        let digest = shape::is_hex_id(port) && words::flags(name) & words::FIXED != 0;
        return if host || digest { Kind::Mask } else { Kind::Word };
    }
    if atom.contains('-') || shape::digit_runs(atom) > 1 || shape::is_random(atom) {
        return Kind::Mask;
    }
    Kind::Digits
}

fn at_sign(atom: &str, at: usize) -> Kind {
    let after = atom.get(at + 1..).unwrap_or_default();
    if at == 0 {
        // A scoped package is a name, a mention is a person.
        return if after.contains('/') { Kind::Word } else { Kind::Mask };
    }
    let version = after.trim_start_matches(['^', '~', 'v', '=', '>']);
    if version.starts_with(|c: char| c.is_ascii_digit()) && !after.contains('/')
        || matches!(after, "latest" | "next")
    {
        return Kind::Package(at);
    }
    Kind::Place
}

fn slashed(atom: &str) -> Kind {
    let name = atom.split_once(':').map_or(atom, |(name, _)| name);
    let mut parts = name.split(['/', '\\']);
    let first = parts.next().unwrap_or_default();
    let flags = words::flags(first);
    let pair = words::flags(name) & PROSE != 0;
    let media =
        flags & PROSE != 0 && name.split('/').count() == 2 && !name.bytes().any(|b| b.is_ascii_digit());
    let http = first == "HTTP" && name.len() <= 8;
    // `org/acme/Plugin` is how the Java machine writes a class.
    let class = name.split('/').count() >= 3
        && name.rsplit('/').next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_uppercase()))
        && name.bytes().all(|b| b.is_ascii_alphabetic() || b == b'/' || b == b'$');
    if pair || media || http || class { Kind::Word } else { Kind::Place }
}
