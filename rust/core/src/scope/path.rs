//! Paths as text relative to the root, and their way into a shell.

/// The directory of `path`; `""` for what is directly in the root.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// `name` in `directory`.
pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

/// The longest path that is looked at, in bytes: what POSIX hosts open at most.
const PATH_MAX_BYTES: usize = 4096;

/// `path` without empty names, `.` and `..`; `None` when it leads above the root or no file can have it.
pub(super) fn plain(path: &str) -> Option<String> {
    if path.len() > PATH_MAX_BYTES || path.contains('\0') {
        return None;
    }
    let mut names = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

/// Is `path` the directory itself or below it?
pub(super) fn within(path: &str, directory: &str) -> bool {
    let Some(rest) = path.strip_prefix(directory) else { return false };
    directory.is_empty() || rest.is_empty() || rest.starts_with('/')
}

/// `path` below `directory`, relative to it.
pub(super) fn relative<'a>(path: &'a str, directory: &str) -> &'a str {
    path.strip_prefix(directory).unwrap_or(path).trim_start_matches('/')
}

/// `path` as an operand that no tool can take for an option.
pub(super) fn operand(path: &str) -> String {
    if path.starts_with('-') { format!("./{path}") } else { path.to_owned() }
}

/// The directory that all of `directories` are in; one of them may be it.
pub(super) fn common<'a>(directories: impl IntoIterator<Item = &'a str>) -> &'a str {
    let mut directories = directories.into_iter();
    let mut shared = directories.next().unwrap_or_default();
    for directory in directories {
        while !within(directory, shared) {
            shared = parent(shared);
        }
    }
    shared
}

/// Words as one POSIX shell command, each quoted only where it needs to be.
pub(super) fn shell(words: &[String]) -> String {
    words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" ")
}

fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_are_made_plain_or_refused() {
        for (path, want) in [
            ("a/./b//c", Some("a/b/c")),
            ("a/../b", Some("b")),
            ("", Some("")),
            ("..", None),
            ("a/../../b", None),
            ("a\0b", None),
        ] {
            assert_eq!(plain(path).as_deref(), want, "{path:?}");
        }
    }

    #[test]
    fn a_path_too_long_to_open_is_refused() {
        assert!(plain(&"a/".repeat(2048)).is_some());
        assert_eq!(plain(&"a/".repeat(100_000)), None);
    }

    #[test]
    fn a_name_that_only_starts_alike_is_not_within() {
        assert!(within("pkg/foo", "pkg") && within("pkg", "pkg") && within("pkg", ""));
        assert!(!within("pkgs/foo", "pkg") && !within("", "pkg"));
        assert_eq!(common(["a/bc", "a/bd"]), "a");
        assert_eq!(common(["a/b", "a/b/c"]), "a/b");
        assert_eq!(common(["a", "b"]), "");
    }

    proptest! {
        #[test]
        fn a_shell_reads_back_the_words(words in proptest::collection::vec("[ -~\n\té]{0,12}", 1..5)) {
            let line = format!("printf '%s\\0' {}", shell(&words));
            let out = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
            let want: String = words.iter().map(|word| format!("{word}\0")).collect();
            prop_assert_eq!(String::from_utf8(out.stdout).unwrap(), want);
        }
    }
}
