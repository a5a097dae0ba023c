//! Where a repository keeps its parts, which settings matter, and what HEAD is.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use git2::{ErrorCode, Repository, RepositoryOpenFlags};

use super::git::Git;
use super::host::Host;
use super::oid::{ObjectFormat, ObjectId};
use super::stamp::Deadline;
use super::unknown::{Unknown, UnknownKind};

/// The answers to `rev-parse` and `config` are short.
const SHORT_ANSWER: usize = 4 << 20;

/// Settings that change what git stores of a file.
const CONVERSION_SETTINGS: &str = "^(filter[.]|core[.](autocrlf|eol|safecrlf)$)";

/// The settings that change what a working tree's files mean.
#[expect(clippy::struct_excessive_bools, reason = "they are git's own switches")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    /// The executable bit of files is to be trusted.
    pub(super) file_mode: bool,
    /// Symbolic links are checked out as such.
    pub(super) symlinks: bool,
    pub(super) ignore_case: bool,
    /// Line ends of any file may be converted.
    pub(super) auto_crlf: bool,
    pub(super) excludes_file: Option<PathBuf>,
    pub(super) attributes_file: Option<PathBuf>,
    /// The settings of filters and line ends, as text that changes when they do.
    pub(super) conversion: Vec<u8>,
}

/// An opened repository.
pub(super) struct Layout {
    /// The working tree.
    pub(super) root: PathBuf,
    pub(super) git_dir: PathBuf,
    /// The directory that linked worktrees share; otherwise the same as `git_dir`.
    pub(super) common_dir: PathBuf,
    pub(super) format: ObjectFormat,
    pub(super) settings: Settings,
    /// `None` where only git itself understands the repository.
    repository: Option<Repository>,
}

impl Layout {
    /// Opens the repository whose working tree holds `path`.
    pub(super) fn discover(path: &Path, host: &Host, deadline: Deadline) -> Result<Self, Unknown> {
        Self::open_with(path, RepositoryOpenFlags::empty(), host, deadline)
    }

    /// Opens the repository whose working tree is `path`, where it is one.
    pub(super) fn exactly(path: &Path, host: &Host, deadline: Deadline) -> Result<Self, Unknown> {
        let layout = Self::open_with(path, RepositoryOpenFlags::NO_SEARCH, host, deadline)?;
        let same = layout.root == path || std::fs::canonicalize(path).is_ok_and(|path| path == layout.root);
        if same { Ok(layout) } else { Err(Unknown::at(UnknownKind::NoRepository, path)) }
    }

    fn open_with(
        path: &Path,
        flags: RepositoryOpenFlags,
        host: &Host,
        deadline: Deadline,
    ) -> Result<Self, Unknown> {
        let none = || Unknown::at(UnknownKind::NoRepository, path);
        match Repository::open_ext(path, flags, std::iter::empty::<&OsStr>()) {
            Ok(repository) => Self::from_repository(repository, host).ok_or_else(none),
            Err(error) if error.code() == ErrorCode::NotFound => Err(none()),
            Err(_) => Self::from_git(path, host, deadline),
        }
    }

    fn from_repository(repository: Repository, host: &Host) -> Option<Self> {
        let root = without_trailing_slash(repository.workdir()?);
        let settings = Settings::from_repository(&repository, &root, host);
        Some(Self {
            git_dir: without_trailing_slash(repository.path()),
            common_dir: without_trailing_slash(repository.commondir()),
            format: ObjectFormat::Sha1,
            root,
            settings,
            repository: Some(repository),
        })
    }

    /// For what libgit2 does not open: SHA-256 names, refs in a table.
    fn from_git(path: &Path, host: &Host, deadline: Deadline) -> Result<Self, Unknown> {
        let ask = |args: &[&str]| Git::discovering(path).args(args).output(SHORT_ANSWER, deadline);
        let ask_path = |question| {
            let mut answer = ask(&["rev-parse", "--path-format=absolute", question])?;
            answer.pop_if(|byte| *byte == b'\n');
            Ok::<_, Unknown>(PathBuf::from(std::ffi::OsString::from_vec(answer)))
        };
        let root = ask_path("--show-toplevel")?;
        let format = match ask(&["rev-parse", "--show-object-format"])?.trim_ascii() {
            b"sha1" => ObjectFormat::Sha1,
            b"sha256" => ObjectFormat::Sha256,
            _ => return Err(UnknownKind::Git.into()),
        };
        let settings = Settings::from_listing(&ask(&["config", "--list", "-z"])?, &root, host);
        Ok(Self {
            git_dir: ask_path("--git-dir")?,
            common_dir: ask_path("--git-common-dir")?,
            format,
            settings,
            root,
            repository: None,
        })
    }

    /// The commit that HEAD names; `None` before the first commit.
    pub(super) fn head(&self, deadline: Deadline) -> Result<Option<ObjectId>, Unknown> {
        let Some(repository) = &self.repository else {
            let answer = self.git(&self.root).args(["rev-parse", "--verify", "--quiet", "HEAD"]);
            let answer = answer.run(SHORT_ANSWER, deadline)?;
            return match answer.code {
                Some(0) => Ok(Some(ObjectId::from_hex(answer.stdout.trim_ascii()).ok_or(UnknownKind::Git)?)),
                Some(1) => Ok(None),
                _ => Err(UnknownKind::Git.into()),
            };
        };
        match repository.refname_to_id("HEAD") {
            Ok(oid) => Ok(ObjectId::from_slice(oid.as_bytes())),
            Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
            Err(_) => Err(Unknown::at(UnknownKind::Unreadable, self.git_dir.join("HEAD"))),
        }
    }

    /// Git on this repository, started in `directory`.
    pub(super) fn git(&self, directory: &Path) -> Git<'static> {
        Git::on(directory, &self.git_dir, &self.root)
    }
}

impl Settings {
    fn from_repository(repository: &Repository, root: &Path, host: &Host) -> Self {
        let config = repository.config().and_then(|mut config| config.snapshot());
        let text = |name: &str| config.as_ref().ok()?.get_bytes(name).ok().map(<[u8]>::to_vec);
        let mut conversion = Vec::new();
        if let Ok(Ok(mut entries)) = config.as_ref().map(|config| config.entries(Some(CONVERSION_SETTINGS))) {
            while let Some(Ok(entry)) = entries.next() {
                conversion.extend([entry.name_bytes(), b"=", entry.value_bytes(), b"\0"].concat());
            }
        }
        Self { conversion, ..Self::from_lookup(text, root, host) }
    }

    /// From `git config --list -z`: `name LF value NUL`, later ones win.
    fn from_listing(listing: &[u8], root: &Path, host: &Host) -> Self {
        let lookup = |name: &str| {
            listing.split(|byte| *byte == 0).rev().find_map(|item| {
                let rest = item.strip_prefix(name.as_bytes())?;
                // A name without a value stands for true.
                if rest.is_empty() {
                    Some(b"true".to_vec())
                } else {
                    rest.strip_prefix(b"\n").map(<[u8]>::to_vec)
                }
            })
        };
        let kept = |item: &&[u8]| item.starts_with(b"filter.") || item.starts_with(b"core.");
        let conversion = listing.split(|byte| *byte == 0).filter(kept).collect::<Vec<_>>().join(&0);
        Self { conversion, ..Self::from_lookup(lookup, root, host) }
    }

    fn from_lookup(lookup: impl Fn(&str) -> Option<Vec<u8>>, root: &Path, host: &Host) -> Self {
        let flag = |name, default| lookup(name).map_or(default, |value| is_true(&value));
        let file = |name, default: &str| match lookup(name) {
            Some(value) if value.is_empty() => None,
            Some(value) => host.expand(Path::new(OsStr::from_bytes(&value)), root),
            None => host.git_config_dir().map(|directory| directory.join(default)),
        };
        Self {
            file_mode: flag("core.filemode", true),
            symlinks: flag("core.symlinks", true),
            ignore_case: flag("core.ignorecase", false),
            auto_crlf: lookup("core.autocrlf").is_some_and(|value| value == b"input" || is_true(&value)),
            excludes_file: file("core.excludesfile", "ignore"),
            attributes_file: file("core.attributesfile", "attributes"),
            conversion: Vec::new(),
        }
    }
}

/// Git's words for true. An empty value is false.
fn is_true(value: &[u8]) -> bool {
    let word = value.to_ascii_lowercase();
    let number = std::str::from_utf8(&word).ok().and_then(|text| text.parse::<i64>().ok());
    matches!(word.as_slice(), b"true" | b"yes" | b"on") || number.is_some_and(|number| number != 0)
}

fn without_trailing_slash(path: &Path) -> PathBuf {
    path.components().collect()
}
