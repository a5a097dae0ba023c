//! Argument lists as Python and JSON print them.

use super::shape;
use super::words::{self, PROGRAM};

const MOST: usize = 64;

/// The quoted words of the list that starts `text`, and where it ends; nothing when it is no list of two or more
/// words that starts with a program.
pub(super) fn parse(text: &str) -> Option<(Vec<&str>, usize)> {
    let bytes = text.as_bytes();
    let mut words = Vec::new();
    let mut pos = 1;
    while words.len() < MOST {
        let quote = *bytes.get(pos)?;
        if !matches!(quote, b'\'' | b'"') {
            return None;
        }
        let rest = text.get(pos + 1..)?;
        let len = rest.get(..rest.floor_char_boundary(2000))?.find(quote as char)?;
        words.push(rest.get(..len)?);
        pos += len + 2;
        if bytes.get(pos) == Some(&b']') {
            let program = words.first().is_some_and(|first| !first.is_empty() && !first.contains(' '));
            return (program && words.len() > 1).then_some((words, pos + 1));
        }
        pos += usize::from(bytes.get(pos) == Some(&b','));
        while matches!(bytes.get(pos), Some(b' ' | b'\n')) {
            pos += 1;
        }
    }
    None
}

/// What of an argument list tells defects apart: the program, its subcommand and its flags; `None` for the rest.
pub(super) fn kept<'a>(words: &[&'a str]) -> Vec<Option<&'a str>> {
    let program = words.first().copied().unwrap_or_default();
    let program = program.rsplit(['/', '\\']).next().unwrap_or(program);
    // Positional words that are still commands: `npm run build` has two.
    let mut commands = match program {
        "npm" | "pnpm" | "yarn" | "make" | "docker" | "gh" | "kubectl" | "uv" => 2,
        _ => usize::from(words::flags(program) & PROGRAM != 0),
    };
    let mut value_next = false;
    let rest = words.iter().skip(1).map(|word| {
        let takes_value =
            matches!(*word, "-C" | "-c" | "-R" | "-f" | "-n" | "-L" | "-S" | "-t" | "--repo" | "--git-dir");
        let is_value = std::mem::replace(&mut value_next, takes_value);
        if word.starts_with('-') && word.len() > 1 {
            let flag = word.split('=').next().unwrap_or(word);
            return (!flag.bytes().any(|b| b.is_ascii_digit())).then_some(flag);
        }
        if is_value || commands == 0 || !shape::is_plain_name(word) {
            return None;
        }
        commands -= 1;
        Some(*word)
    });
    std::iter::once(shape::is_plain_name(program).then_some(program)).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_subcommands_and_flags_stay() {
        let show = |text: &str| {
            let (words, end) = parse(text)?;
            assert_eq!(end, text.len());
            Some(kept(&words).iter().map(|w| w.unwrap_or("*")).collect::<Vec<_>>().join(" "))
        };
        for (text, want) in [
            ("['git', 'push', 'origin', 'main']", Some("git push * *")),
            ("['git', '-C', '/srv/x', 'fetch', '--prune', 'x']", Some("git -C * fetch --prune *")),
            ("[\"/usr/bin/npm\", \"run\", \"build\"]", Some("npm run build")),
            ("['claude', '-p', 'hello']", Some("claude -p *")),
            ("['one of a list']", None),
            ("['a', b]", None),
        ] {
            assert_eq!(show(text).as_deref(), want, "{text}");
        }
    }
}
