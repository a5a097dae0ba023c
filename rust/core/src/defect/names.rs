//! Names that somebody gave: of branches, hosts, containers, users. Only the words around them tell.

use super::mask::{Masker, is_word_byte};
use super::path;
use super::shape;
use super::words::{self, BARE, BRANCH, GRAMMAR, NAMED, OWNER, PHRASE};

impl Masker<'_> {
    /// Length of the given name that starts here, if the words around it say that one does.
    pub(super) fn given_name(&self, atom: &str, flags: u32) -> Option<usize> {
        let end = self.pos + atom.len();
        if flags & BRANCH != 0 && !matches!(self.at(end), b'(' | b'.') && !starts_upper(atom) {
            return Some(atom.len());
        }
        let compound = atom.bytes().any(|b| matches!(b, b'-' | b'_' | b'0'..=b'9'));
        // `connect to host web port 22`
        if self.prev_flags & NAMED != 0
            && self.text.get(end..).is_some_and(|after| after.starts_with(" port "))
        {
            return Some(atom.len());
        }
        if self.gap == 0 && self.prev_flags & BARE != 0 && compound && flags & GRAMMAR == 0 {
            return Some(atom.len());
        }
        if self.gap == 0
            && self.prev_flags & OWNER != 0
            && flags & GRAMMAR == 0
            && !atom.ends_with("ed")
            && !atom.ends_with("ing")
        {
            return Some(atom.len());
        }
        // `could not resolve host build: …`
        if self.gap == 0
            && matches!(self.prev, "host" | "hostname")
            && self.at(end) == b':'
            && flags & GRAMMAR == 0
        {
            return Some(atom.len());
        }
        if self.gap == b':' && self.prev_flags & NAMED != 0 && self.back() != b'/' {
            let last = matches!(self.at(end), 0 | b'\n' | b')' | b']' | b',' | b';' | b'"' | b'\'');
            let sought =
                matches!(self.before, "such" | "find" | "duplicate" | "unknown" | "existing" | "invalid");
            if last && (compound || sought) {
                return Some(atom.len());
            }
        }
        if matches!(self.gap, b':' | b'=') && is_id_key(self.prev) {
            return Some(atom.len());
        }
        if self.refs && shape::is_plain_name(atom) && self.beside_arrow(end) {
            return Some(atom.len());
        }
        if self.prev_flags & PHRASE != 0 && self.gap == 0 { self.after_phrase(atom) } else { None }
    }

    fn beside_arrow(&self, end: usize) -> bool {
        let next = self.text.get(end..).unwrap_or_default().trim_start();
        let back = self.out.trim_end();
        next.starts_with("->") || next.starts_with("<-") || back.ends_with("->") || back.ends_with("<-")
    }

    /// Phrases that a given name follows.
    fn after_phrase(&self, atom: &str) -> Option<usize> {
        const KINDS: [&str; 9] =
            ["table", "relation", "schema", "sequence", "function", "user", "database", "view", "the"];
        match (self.before, self.prev) {
            ("denied", "to" | "for")
            | ("password" | "manifest" | "exists", "for")
            | ("invalid" | "illegal" | "unknown", "user")
            | ("conflict" | "deleted" | "modified" | "added", "in")
            | (_, "Auto-merging" | "between") => (!KINDS.contains(&atom)).then_some(atom.len()),
            // `could not apply 1a2b3c... subject of the commit`
            ("not", "apply") => {
                let line = self.rest();
                let len = line.find('\n').unwrap_or(line.len());
                line.get(..len).filter(|l| l.contains("...")).map(str::len)
            }
            _ => None,
        }
    }

    pub(super) fn quote(&mut self, quote: u8) {
        let kind = match quote {
            b'\'' => 0,
            b'"' => 1,
            _ => 2,
        };
        if self.closing.get(kind) == Some(&self.pos) {
            self.pos += 1;
            return;
        }
        let rest = self.text.get(self.pos + 1..).unwrap_or_default();
        let window = rest.get(..rest.floor_char_boundary(300)).unwrap_or_default();
        let close = window
            .match_indices(quote as char)
            .map(|(i, _)| i)
            .find(|i| quote != b'\'' || !is_word_byte(self.at(self.pos + i + 2)));
        let name = close.and_then(|close| rest.get(..close)).filter(|name| self.is_given(name, quote));
        if let Some(name) = name {
            self.pos += name.len() + 2;
            self.write_mask();
            return;
        }
        if let (Some(open), Some(close)) = (self.closing.get_mut(kind), close) {
            *open = self.pos + 1 + close;
        }
        // Quotes themselves come and go with the spaces in what they hold.
        self.pos += 1;
    }

    /// Whether what stands between quotes is a name that somebody gave, a path or a snippet.
    fn is_given(&self, name: &str, quote: u8) -> bool {
        if name.is_empty() || name.len() > 200 {
            return false;
        }
        let after = self.text.get(self.pos + name.len() + 2..).unwrap_or_default();
        if after.starts_with("...") {
            return true;
        }
        if path::starts(name) || name == "/" {
            return !name.contains(" -") && !name.contains(" && ") && !name.contains('\n');
        }
        let single = !name.contains([' ', '\n']);
        // `No such file or directory: 'git'` names a program.
        let errno = self.gap == b':' && self.before == "or" && self.prev == "directory";
        let announced = self.prev_flags & NAMED != 0 && matches!(self.gap, 0 | b':' | b'=') && !errno;
        let next = after.strip_prefix(' ').unwrap_or_default();
        let next = next.get(..next.bytes().take_while(u8::is_ascii_alphabetic).count()).unwrap_or_default();
        let followed = quote != b'`' && words::flags(next) & NAMED != 0 && self.gap != b':';
        let unknown = matches!(self.before, "unknown" | "unrecognized" | "unrecognised")
            && matches!(self.prev, "field" | "variant");
        let id = is_id_key(self.prev) && matches!(self.gap, 0 | b':' | b'=');
        let server = matches!((self.before, self.prev), ("server" | "host", "at"));
        let announced = announced || server;
        (announced && (single || name.len() < 60))
            || (single && (followed || unknown || id))
            || words::flags(name) & BRANCH != 0 && single && !starts_upper(name)
    }
}

fn starts_upper(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
}

/// Keys whose values are ids.
fn is_id_key(key: &str) -> bool {
    key.len() > 2
        && ["_id", "-id", "Id", "_ID", "Token", "_token", "ticket"].iter().any(|end| key.ends_with(end))
        || matches!(
            key,
            "id" | "ID" | "uuid" | "guid" | "sha" | "oid" | "digest" | "etag" | "nonce" | "trace"
        )
}
