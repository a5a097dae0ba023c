//! `git`: global options, configuration on the command line, and one row per reading sub-command.

use super::Why;
use super::programs::refused;
use super::table::{self, ANY, Operands, Reader};
use crate::shell::Word;
use crate::shell::options::{self, Scanned, Value};

/// Options before the sub-command. `--git-dir`, `--work-tree`, `--exec-path=` and `--config-env` choose what runs.
const GLOBAL: &str = "-C: -P -c: --no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs \
     --noglob-pathspecs --icase-pathspecs --no-advice --no-lazy-fetch --version -v --html-path --man-path --info-path --help -h --exec-path";

/// Configuration that only changes how things look.
const CONFIGURATION: &[&str] = &[
    "color.",
    "column.",
    "advice.",
    "core.quotepath",
    "core.abbrev",
    "log.date",
    "log.decorate",
    "log.abbrevcommit",
    "diff.noprefix",
    "diff.mnemonicprefix",
    "diff.renames",
    "diff.context",
    "diff.algorithm",
    "diff.colormoved",
    "diff.renamelimit",
    "status.",
    "grep.linenumber",
    "grep.fullname",
    "grep.patterntype",
    "core.precomposeunicode",
    "i18n.logoutputencoding",
];

/// Options of everything that walks history or shows differences.
const HISTORY: &str = "-# -a -b -B? -c -C? -d -D -E -F -G: -g -h -i -I: -l: -L: -m -M? -n: -O: -p -P -q -R -r -s -S: -t -v -u -U: -w -W -X? -z \
     --abbrev? --abbrev-commit --after: --all --all-match --anchored: --author: --author-date-order --basic-regexp --before: --binary \
     --bisect --boundary --branches? --cached --cc --check --cherry --cherry-mark --cherry-pick --children --clear-decorations --color? \
     --color-moved? --color-moved-ws: --color-words? --column --combined-all-paths --committer: --compact-summary --count --cumulative \
     --date: --date-order --decorate? --decorate-refs: --decorate-refs-exclude: --default: --dense --diff-algorithm: --diff-filter: \
     --diff-merges: --dirstat? --disambiguate: --disk-usage? --do-walk --dst-prefix: --encoding: --exclude: --exit-code --expand-tabs? \
     --extended-regexp --filter: --find-object: --find-renames? --find-copies? --find-copies-harder --first-parent --fixed-strings \
     --follow --format: --full-diff --full-history --full-index --function-context --glob: --graph --grep: --grep-reflog: --header --histogram \
     --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --ignore-matching-lines: --ignore-missing --ignore-space-at-eol \
     --ignore-space-change --ignore-submodules? --in-commit-order --indent-heuristic --inter-hunk-context: --invert-grep --irreversible-delete \
     --ita-invisible-in-index --ita-visible-in-index --left-only --left-right --line-prefix: --log-size --mailmap --max-age: --max-count: \
     --max-parents: --merge --merge-base --merges --min-age: --min-parents: --minimal --name-only --name-status --no-abbrev --no-abbrev-commit \
     --no-color --no-color-moved --no-commit-id --no-decorate --no-ext-diff --no-index --no-indent-heuristic --no-mailmap --no-max-parents \
     --no-merges --no-min-parents --no-notes --no-patch --no-prefix --no-relative --no-rename-empty --no-renames --no-show-signature \
     --no-standard-notes --no-textconv --no-walk? --not --notes? --numstat --object-names --objects --objects-edge --oneline --parents --patch \
     --patch-with-raw --patch-with-stat --patience --perl-regexp --pickaxe-all --pickaxe-regex --pretty? --quiet --raw --regexp-ignore-case \
     --relative? --relative-date --remote: --remotes? --remove-empty --rename-empty --reverse --right-only --root --rotate-to: --shortstat \
     --show-linear-break --show-notes? --show-pulls --simplify-by-decoration --simplify-merges --since: --since-as-filter: --skip-to: --skip: \
     --source --sparse --src-prefix: --staged --stat? --stat-count: --stat-graph-width: --stat-name-width: --stat-width: --stdin --submodule? \
     --summary --tags? --text --timestamp --topo-order --unified: --unpacked --until: --use-mailmap --walk-reflogs --word-diff? \
     --word-diff-regex: --ws-error-highlight: --base --ours --theirs --creation-factor: -0 -1 -2 -3 --pretty: --exclude-first-parent-only --default-prefix \
     --no-object-names --progress? --exclude-hidden: --alternate-refs --reflog --ancestry-path?";

const REFS: &str = "-a -r -v -vv -l -i -q -n? --all --list --show-current --contains: --no-contains: --merged: --no-merged: --sort: --format: \
     --points-at: --column? --no-column --color? --no-color --abbrev? --no-abbrev --ignore-case --remotes --verbose --omit-empty";

const READERS: &[Reader] = &[
    Reader {
        commands: "log|show|diff|whatchanged|reflog|diff-tree|diff-index|diff-files|rev-list|show-branch|range-diff|shortlog|cherry",
        options: HISTORY,
        operands: Operands::Check(no_reflog_change),
        yes: &[
            "git log --oneline -5",
            "git diff HEAD~1 --stat",
            "git show HEAD:a",
            "git log -S 'x' --format='%h > %s'",
            "git reflog -3",
            "git log --grep='--output=x'",
            "git shortlog -sn",
            "git reflog show main",
        ],
        no: &[
            "git diff --output=a",
            "git diff --output a HEAD",
            "git log --ext-diff -p",
            "git show --textconv a",
            "git log --outp=a",
            "git reflog expire --all",
            "git reflog delete HEAD@{0}",
            "git log --exec=x",
            "git diff $x",
        ],
    },
    Reader {
        commands: "status",
        options: "-s -b -v -vv -u? -z --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignored? --ignore-submodules? \
                  --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?",
        operands: Operands::Any,
        yes: &["git status -sb", "git status --porcelain=v2 -z"],
        no: &["git status --unknown"],
    },
    Reader {
        commands: "blame|annotate",
        options: "-b -c -C? -e -f -h -l -L: -M? -n -p -s -S: -t -w --abbrev: --color-by-age --color-lines --contents: --date: --first-parent \
                  --ignore-rev: --ignore-revs-file: --incremental --line-porcelain --porcelain --progress --reverse --root --score-debug \
                  --show-email --show-name --show-number --show-stats --since: --encoding: --minimal",
        operands: Operands::Any,
        yes: &["git blame -L 3,9 a", "git blame -w HEAD -- a"],
        no: &["git blame --textconv a"],
    },
    Reader {
        commands: "grep",
        options: "-# -a -A: -B: -c -C: -e: -E -f: -F -G -h -H -i -I -l -L -m: -n -o -p -P -q -r -v -w -W -z --all-match --and --basic-regexp \
                  --break --cached --color? --column --context: --count --exclude-standard --extended-regexp --files-with-matches \
                  --files-without-match --fixed-strings --full-name --function-context --heading --ignore-case --index --invert-match \
                  --line-number --max-count: --max-depth: --name-only --no-color --no-exclude-standard --no-index --no-recursive --no-textconv \
                  --not --null --only-matching --or --perl-regexp --quiet --recurse-submodules --recursive --show-function --text --threads: \
                  --untracked --word-regexp --before-context: --after-context:",
        operands: Operands::Any,
        yes: &["git grep -n foo", "git grep -e a --and -e b -- '*.rs'"],
        no: &[
            "git grep -O foo",
            "git grep -Ovim foo",
            "git grep --open-files-in-pager=sh foo",
            "git grep --textconv x",
            "git grep -nO x",
        ],
    },
    Reader {
        commands: "ls-files|ls-tree|rev-parse|merge-base|describe|name-rev|count-objects|check-ignore|check-attr|check-mailmap|\
                   check-ref-format|show-ref|for-each-ref|show-index|get-tar-commit-id|stripspace|patch-id|verify-pack|var|version",
        options: ANY,
        operands: Operands::Any,
        yes: &[
            "git ls-files -o --exclude-standard",
            "git rev-parse --show-toplevel",
            "git describe --tags",
            "git for-each-ref --format='%(refname)'",
        ],
        no: &["git update-ref a b", "git show-ref > a"],
    },
    Reader {
        commands: "cat-file",
        options: "-p -t -s -e -Z --batch? --batch-check? --batch-all-objects --batch-command? --buffer --unordered --follow-symlinks --allow-unknown-type",
        operands: Operands::Any,
        yes: &["git cat-file -p HEAD", "git cat-file --batch-check"],
        no: &["git cat-file --filters HEAD:a", "git cat-file --textconv HEAD:a"],
    },
    Reader {
        commands: "branch|tag",
        options: REFS,
        operands: Operands::Check(lists_refs),
        yes: &[
            "git branch -avv",
            "git branch --show-current",
            "git tag -l 'v1*'",
            "git branch --contains HEAD",
            "git tag",
            "git tag -n3",
        ],
        no: &[
            "git branch x",
            "git branch -d x",
            "git branch -v x",
            "git tag v1",
            "git tag -n1 -f v1",
            "git branch -u o/x",
            "git branch --edit-description",
            "git tag -v v1",
        ],
    },
    Reader {
        commands: "remote",
        options: "-v --verbose -n --all --push",
        operands: Operands::Check(|scanned| {
            matches!(scanned.operand(0), Some("show" | "get-url")) || scanned.operands.is_empty()
        }),
        yes: &["git remote -v", "git remote get-url origin", "git remote show -n origin"],
        no: &[
            "git remote add a b",
            "git remote -v add a b",
            "git remote prune origin",
            "git remote update",
            "git remote rm a",
        ],
    },
    Reader {
        commands: "config",
        options: "-l -z -f: --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --global --local --system --worktree \
                  --show-origin --show-scope --name-only --null --type: --bool --int --path --bool-or-int --expiry-date --default: --includes \
                  --no-includes --file: --blob: --all --regexp --show-names --value: --fixed-value",
        operands: Operands::Check(reads_configuration),
        yes: &[
            "git config user.name",
            "git config --get remote.origin.url",
            "git config --list --show-origin",
            "git config get user.name",
            "git config list",
        ],
        no: &[
            "git config a.b c",
            "git config --unset a.b",
            "git config -e",
            "git config set a.b c",
            "git config --file x a.b c",
            "git config --add a.b c",
            "git config unset a.b",
            "git config edit",
        ],
    },
    Reader {
        commands: "stash",
        options: HISTORY,
        operands: Operands::Check(|scanned| matches!(scanned.operand(0), Some("list" | "show"))),
        yes: &["git stash list", "git stash show -p stash@{1}"],
        no: &[
            "git stash",
            "git stash -u",
            "git stash pop",
            "git stash push -- list",
            "git stash drop",
            "git stash create",
            "git stash show --output=x",
        ],
    },
    Reader {
        commands: "worktree|submodule|notes|bundle|bisect|lfs|sparse-checkout|rerere|replace",
        options: "-v -z -l --porcelain --verbose --list --cached --recursive --quiet -q --name-only --ref: --long --size",
        operands: Operands::Check(|scanned| {
            let verb = scanned.operand(0);
            matches!(
                verb,
                Some(
                    "list"
                        | "status"
                        | "show"
                        | "verify"
                        | "list-heads"
                        | "log"
                        | "ls-files"
                        | "env"
                        | "summary"
                        | "diff"
                )
            ) || (scanned.operands.is_empty() && scanned.has("-l --list"))
        }),
        yes: &[
            "git worktree list",
            "git submodule status",
            "git notes show HEAD",
            "git bundle verify a",
            "git bisect log",
            "git lfs ls-files",
        ],
        no: &[
            "git worktree add ../x",
            "git submodule update",
            "git submodule foreach 'touch x'",
            "git bisect run sh",
            "git notes add",
            "git sparse-checkout set a",
            "git replace a b",
            "git worktree",
        ],
    },
    Reader {
        commands: "symbolic-ref",
        options: "-q --quiet --short --recurse --no-recurse",
        operands: Operands::AtMost(1),
        yes: &["git symbolic-ref --short HEAD"],
        no: &["git symbolic-ref HEAD refs/heads/x", "git symbolic-ref -d HEAD", "git symbolic-ref -m x HEAD"],
    },
    Reader {
        commands: "hash-object",
        options: "-t: --stdin --stdin-paths --no-filters --path: --literally",
        operands: Operands::Any,
        yes: &["git hash-object a", "git hash-object --stdin"],
        no: &["git hash-object -w a", "git hash-object -wt blob a"],
    },
    Reader {
        commands: "apply",
        options: "-p: -R -v -q -z -C: --check --stat --numstat --summary --reverse --verbose --quiet --directory: --include: --exclude: --cached --index \
                  --ignore-whitespace --recount --unidiff-zero --whitespace:",
        operands: Operands::Check(|scanned| {
            let fixes = scanned.values("--whitespace").any(|value| value != Value::Text("nowarn"));
            scanned.has("--check --stat --numstat --summary") && !fixes
        }),
        yes: &["git apply --check a.patch", "git apply --stat a"],
        no: &[
            "git apply a",
            "git apply --stat --apply a",
            "git apply --check --3way a",
            "git apply --index a",
        ],
    },
    Reader {
        commands: "archive",
        options: "-l -v --list --format: --prefix: --verbose -0 -9 --worktree-attributes",
        operands: Operands::Any,
        yes: &["git archive --list", "git archive --format=tar HEAD"],
        no: &[
            "git archive -o a.tar HEAD",
            "git archive --output=a HEAD",
            "git archive --remote=x --exec=y HEAD",
        ],
    },
    Reader {
        commands: "ls-remote",
        options: "-h -t -q --heads --branches --tags --refs --get-url --symref --exit-code --sort: --quiet",
        operands: Operands::Check(|scanned| {
            let safe = |text: &str| text.starts_with("https://") || !text.contains(':');
            scanned.operands.iter().all(|word| word.literal().is_some_and(safe))
        }),
        yes: &["git ls-remote --heads origin", "git ls-remote https://example.com/a.git"],
        no: &[
            "git ls-remote --upload-pack=x origin",
            "git ls-remote 'ext::sh -c x'",
            "git ls-remote ssh://-oProxyCommand=x/y",
        ],
    },
    Reader {
        commands: "format-patch",
        options: "-# -n --stdout --numbered --no-numbered --no-stat --no-signature --subject-prefix: --root --keep-subject -k",
        operands: Operands::With("--stdout"),
        yes: &["git format-patch --stdout -1"],
        no: &[
            "git format-patch -1",
            "git format-patch --stdout -o d -1",
            "git format-patch --stdout --output=x",
        ],
    },
    Reader {
        commands: "fsck",
        options: "--full --strict --connectivity-only --unreachable --no-reflogs --dangling --no-dangling --cache --root --verbose --no-progress --name-objects",
        operands: Operands::Any,
        yes: &["git fsck --no-dangling"],
        no: &["git fsck --lost-found"],
    },
    Reader {
        commands: "help",
        options: "-a -g -c --all --guides --config --verbose -v",
        operands: Operands::Any,
        yes: &["git help log", "git help -a"],
        no: &["git help -w log", "git help --web log", "git help -i log"],
    },
];

/// Judges the arguments of `git`.
pub(super) fn judge(arguments: &[Word]) -> Result<(), Why> {
    let (global, rest) = options::leading(GLOBAL, arguments).map_err(|refusal| refused("git", refusal))?;
    for value in global.values("-c") {
        let Value::Text(setting) = value else { return Err(Why::DynamicOption(String::from("git"))) };
        if !is_appearance(setting) {
            return Err(Why::Option { command: String::from("git"), option: format!("-c {setting}") });
        }
    }
    let Some((verb, rest)) = rest.split_first() else {
        let shows = global.has("--version -v --html-path --man-path --info-path --help -h --exec-path");
        return if shows { Ok(()) } else { Err(Why::Arguments(String::from("git"))) };
    };
    let verb = verb.literal().ok_or_else(|| Why::DynamicOption(String::from("git")))?;
    let reader = READERS.iter().find(|reader| reader.commands.split('|').any(|name| name == verb));
    match reader {
        Some(reader) => table::apply(reader, &format!("git {verb}"), rest),
        // Anything else may be an alias or a program of that name.
        None => Err(Why::UnknownCommand(format!("git {verb}"))),
    }
}

/// Whether `name=value` only changes how output looks.
fn is_appearance(setting: &str) -> bool {
    let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
    let name = name.to_ascii_lowercase();
    let looks = CONFIGURATION
        .iter()
        .any(|listed| if listed.ends_with('.') { name.starts_with(listed) } else { name == *listed });
    looks
        || (name == "core.pager" && matches!(value, "cat" | ""))
        || (name.starts_with("pager.") && matches!(value, "false" | "cat"))
}

/// `git reflog` takes verbs that delete, `rev-list` and the rest take only revisions and paths.
fn no_reflog_change(scanned: &Scanned) -> bool {
    !matches!(scanned.operand(0), Some("expire" | "delete" | "drop" | "write"))
}

/// `branch` and `tag` create what they are given unless they are told to list.
fn lists_refs(scanned: &Scanned) -> bool {
    const LISTS: &str = "-l --list --contains --no-contains --merged --no-merged --points-at --show-current";
    scanned.operands.is_empty() || scanned.has(LISTS)
}

/// One name is read; two are set, unless an option or verb says that it reads.
fn reads_configuration(scanned: &Scanned) -> bool {
    const READS: &str = "-l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool";
    if scanned.has(READS) {
        return true;
    }
    match scanned.operand(0) {
        Some("get" | "list") => true,
        Some(name) => name.contains('.') && scanned.operands.len() == 1,
        None => false,
    }
}

#[cfg(test)]
pub(super) fn rows() -> &'static [Reader] {
    READERS
}
