//! Readers of package managers and language tools.

use super::table::{Operands, Program, Reader};
use crate::shell::options::{Scanned, Value};

/// Programs with sub-commands.
pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "npm",
        options: "-g -s -C: --global --silent --json --prefix: -w: --workspace: --workspaces -ws --loglevel: --no-color",
    },
    Program {
        names: "pnpm",
        options: "-r -g -C: -F: --dir: --filter: --recursive --global --silent --json -w --workspace-root",
    },
    Program {
        names: "yarn|bun|composer|gem|bundle|bundler|brew|apt-mark|snap|flatpak|apk|rustup|poetry|pipenv|pipx",
        options: "",
    },
    Program {
        names: "npm config|npm c|npm pkg|npm dist-tag|npm owner|npm token|npm cache|npm pack|pnpm config|pnpm store|pnpm licenses",
        options: "",
    },
    Program {
        names: "yarn config|yarn workspaces|yarn cache|bun pm|uv pip|uv python|uv tool|uv cache|uv self|poetry env",
        options: "",
    },
    Program {
        names: "pip config|pip cache|pip index|pip3 config|pip3 cache|pip3 index|conda env|mamba env|conda config",
        options: "",
    },
    Program {
        names: "rustup toolchain|rustup target|rustup component|go mod|cargo config|bundle config|brew services",
        options: "",
    },
    Program {
        names: "pip|pip3",
        options: "-q -v --disable-pip-version-check --no-color --isolated --no-input --no-cache-dir --quiet --verbose",
    },
    Program {
        names: "uv|conda|mamba|micromamba|apt|apt-get|apt-cache|dotnet",
        options: "-q --quiet --offline --no-cache --color:",
    },
    Program { names: "cargo", options: "-q -v -C: --color: --quiet --verbose --locked --frozen --offline" },
    Program { names: "go", options: "-C:" },
];

/// Options of commands that list installed or published packages.
const LISTING: &str = "-a -g -l -p -r -v -w: -D -P -d: --all --depth: --dev --global --include: --json --link --long --omit: --only: \
     --package-lock-only --parseable --pattern: --prod --production --recursive --silent --workspace: --workspaces --filter: -F: \
     --no-color --level: --audit-level: --registry: --latest --exclude: --outdated --prefix: --no-audit";

/// Options of Python package listings.
const PYTHON: &str = "-a -e -f -l -o -q -r: -t -u -v -i: -n: -p: -T --all --editable --exclude: --exclude-editable --files --format: \
     --latest --local --no-dev --not-required --outdated --only: --path: --pre --tree --uptodate --user --verbose --with: --without: \
     --depth: --json --json-tree --json-output --export --explicit --name: --no-index --envs --strict --invert --package: --top-level --cached --plain --show? --show-sources";

/// The tools.
pub(super) const READERS: &[Reader] = &[
    Reader {
        commands: "npm ls|npm list|npm ll|npm la|npm view|npm v|npm info|npm show|npm outdated|npm explain|npm why|npm root|npm prefix|\
                   npm bin|npm search|npm whoami|npm ping|npm help|npm query|npm config get|npm config list|npm config ls|npm c get|\
                   npm get|npm pkg get|npm dist-tag ls|npm dist-tag list|npm owner ls|npm owner list|npm token list|pnpm ls|pnpm list|\
                   pnpm ll|pnpm la|pnpm why|pnpm outdated|pnpm root|pnpm bin|pnpm view|pnpm info|pnpm show|pnpm config get|\
                   pnpm config list|pnpm store path|pnpm licenses list|yarn list|yarn info|yarn why|yarn outdated|yarn bin|yarn config get|\
                   yarn config list|yarn workspaces list|yarn workspaces info|yarn cache dir|yarn licenses|bun pm ls|bun pm bin|bun pm hash|\
                   bun outdated|bun why",
        options: LISTING,
        operands: Operands::Any,
        yes: &[
            "npm ls --depth=0",
            "npm list -g",
            "npm view react version",
            "pnpm why x",
            "yarn list --pattern x",
            "npm config get registry",
            "bun pm ls",
        ],
        no: &[
            "npm ci",
            "npm config delete x",
            "npm config set a b",
            "npm cache clean",
            "npm view x --userconfig=y",
            "pnpm version patch",
            "yarn",
            "bun pm trust x",
        ],
    },
    Reader {
        commands: "npm audit|npm fund|npm run|npm run-script|npm version|pnpm audit|pnpm run|yarn run|bun pm cache|npm|gem env|gem environment|uv version|poetry version|poetry about",
        options: "-l -s --json --omit: --production --prod --dev --audit-level: --silent --registry: -v",
        operands: Operands::AtMost(0),
        yes: &["npm audit --json", "npm run", "npm version"],
        no: &[
            "npm audit fix",
            "npm audit --fix",
            "npm run build",
            "npm version patch",
            "bun pm cache rm",
            "poetry version patch",
            "uv version 2.0",
            "npm fund x",
        ],
    },
    Reader {
        commands: "pip list|pip3 list|pip show|pip3 show|pip freeze|pip3 freeze|pip check|pip3 check|pip inspect|pip3 inspect|pip help|\
                   pip config list|pip config get|pip3 config list|pip config debug|pip cache dir|pip cache info|pip cache list|\
                   pip index versions|pip3 index versions|pip debug|uv pip list|uv pip show|uv pip freeze|uv pip tree|uv pip check|\
                   uv python list|uv python dir|uv python find|uv tool list|uv tool dir|uv cache dir|uv self version|uv help|\
                   poetry show|poetry check|poetry env info|poetry env list|pipenv graph|pipx list|pipx environment|\
                   conda list|conda info|conda search|conda env list|conda config|mamba list|mamba info|mamba env list|micromamba list|\
                   micromamba info|pipdeptree",
        options: PYTHON,
        operands: Operands::Check(|scanned| scanned.operands.iter().all(|word| word.is_operand())),
        yes: &[
            "pip list --outdated",
            "pip3 show -f requests",
            "uv pip list",
            "conda env list",
            "poetry show --tree",
            "pip freeze",
        ],
        no: &[
            "pip install x",
            "pip download x",
            "pip --log f list",
            "pip config set a.b c",
            "pip cache purge",
            "conda env export --file x",
            "conda config --set a b",
            "poetry show --directory=x",
        ],
    },
    Reader {
        commands: "uv tree",
        options: "--frozen --locked --depth: --outdated --invert --package: --no-dev --all-groups -d:",
        operands: Operands::With("--frozen --locked"),
        yes: &["uv tree --frozen"],
        no: &["uv tree", "uv run x", "uv sync"],
    },
    Reader {
        commands: "cargo metadata|cargo tree|cargo pkgid",
        options: "-q -v -p: -e: -i: -d -f: --format-version: --no-deps --locked --frozen --offline --features: --all-features \
                  --no-default-features --manifest-path: --filter-platform: --color: --package: --edges: --invert: --depth: --prefix: \
                  --duplicates --workspace --target: --format: --charset: --no-dedupe --exclude: --all-targets --all -F:",
        operands: Operands::With("--locked --frozen --no-deps"),
        yes: &[
            "cargo metadata --no-deps --format-version 1",
            "cargo tree --locked -i x",
            "cargo metadata --frozen",
        ],
        no: &[
            "cargo metadata",
            "cargo tree --config x=y",
            "cargo tree --locked --config 'build.rustc=\"./x\"'",
            "cargo +x tree --locked",
        ],
    },
    Reader {
        commands: "cargo search|cargo info|cargo locate-project|cargo verify-project|cargo read-manifest|cargo help|cargo version|cargo|\
                   cargo config get",
        options: "-q -v -V --version --list --verbose --limit: --message-format: --workspace --manifest-path: --color: --registry: --locked --offline --frozen",
        operands: Operands::Any,
        yes: &["cargo search serde", "cargo --list", "cargo locate-project", "cargo -V"],
        no: &[
            "cargo run",
            "cargo check",
            "cargo doc",
            "cargo fix",
            "cargo publish",
            "cargo generate-lockfile",
            "cargo search x --index=y",
        ],
    },
    Reader {
        commands: "cargo install",
        options: "--list",
        operands: Operands::With("--list"),
        yes: &["cargo install --list"],
        no: &["cargo install x", "cargo install"],
    },
    Reader {
        commands: "rustc",
        options: "-V -v --version --verbose --explain: --print:",
        operands: Operands::Check(|scanned| {
            let printed = scanned
                .values("--print")
                .all(|value| matches!(value, Value::Text(text) if !text.contains('=')));
            printed && scanned.operands.is_empty() && scanned.has("-V --version --explain --print")
        }),
        yes: &["rustc -vV", "rustc --explain E0308", "rustc --print cfg"],
        no: &["rustc a.rs", "rustc --print cfg=out", "rustc -o x a.rs", "rustc -"],
    },
    Reader {
        commands: "rustup show|rustup toolchain list|rustup target list|rustup component list|rustup which|rustup check",
        options: "-v --verbose --installed --toolchain:",
        operands: Operands::Any,
        yes: &["rustup show", "rustup toolchain list", "rustup target list --installed"],
        no: &["rustup update", "rustup toolchain install x", "rustup run x y", "rustup default x"],
    },
    Reader {
        commands: "go version|go doc|go help|go mod graph|go mod why|go mod verify",
        options: "nobundle -m -v -all -src -u -short -cmd -c -vendor -go: -json",
        operands: Operands::Any,
        yes: &["go version", "go doc fmt.Println", "go mod graph", "go mod why -m x"],
        no: &["go mod tidy", "go mod edit -replace a=b", "go doc -http", "go mod download"],
    },
    Reader {
        commands: "go env",
        options: "nobundle -json -changed",
        operands: Operands::Check(|scanned| {
            scanned.operands.iter().all(|word| word.literal().is_some_and(|name| !name.contains('=')))
        }),
        yes: &["go env", "go env GOPATH GOMOD", "go env -json"],
        no: &["go env -w GOFLAGS=x", "go env -u GOPATH", "go env -w"],
    },
    Reader {
        commands: "go list",
        options: "nobundle -m -json? -f: -deps -test -e -u -versions -find -retracted -mod: -tags:",
        operands: Operands::Check(|scanned| {
            scanned.values("-mod").all(|value| matches!(value, Value::Text("readonly" | "vendor")))
        }),
        yes: &["go list ./...", "go list -m -json all", "go list -f '{{.Dir}}' ./..."],
        no: &[
            "go list -export ./...",
            "go list -toolexec=./x ./...",
            "go list -mod=mod ./...",
            "go list -modfile=x ./...",
            "go list -overlay x",
        ],
    },
    Reader {
        commands: "gem list|gem query|gem info|gem search|gem specification|gem contents|gem which|gem dependency|gem outdated|gem help|\
                   bundle list|bundle show|bundle info|bundle outdated|bundle platform|bundle config list|bundle config get|bundler list|\
                   composer show|composer info|composer outdated|composer licenses|composer why|composer depends|\
                   brew list|brew ls|brew info|brew search|brew deps|brew uses|brew outdated|brew config|brew doctor|brew leaves|brew desc|\
                   brew cat|brew formulae|brew casks|brew services list|apt list|apt show|apt search|apt policy|apt depends|apt rdepends|\
                   apt-cache show|apt-cache search|apt-cache policy|apt-cache depends|apt-cache rdepends|apt-cache madison|\
                   apt-cache showpkg|apt-cache stats|apt-cache pkgnames|apt-mark showmanual|apt-mark showauto|apt-mark showhold|\
                   snap list|snap info|snap find|snap version|flatpak list|flatpak info|apk info|apk list|apk search|apk policy",
        options: "-a -d -e -i -l -n -r -s -t -v -vv -L -q --all --cask --casks --formula --formulae --installed --json? --local --names-only \
                  --paths --remote --tree --upgradable --versions --no-versions --direct --latest --all-versions --platform --path \
                  --name-only --self --1 -1 --full-name --pinned --include-build --greedy --exact --details --reverse-dependencies",
        operands: Operands::Check(|scanned| {
            !matches!(
                scanned.operand(0),
                Some("add" | "delete" | "push" | "remove" | "update" | "enable" | "disable")
            )
        }),
        yes: &[
            "gem list",
            "brew info x",
            "apt list --installed",
            "apt-cache policy x",
            "bundle info rails",
            "snap list",
        ],
        no: &[
            "gem install x",
            "brew install x",
            "apt update",
            "apt-get install x",
            "bundle exec x",
            "composer install",
            "snap refresh",
            "apt list -o Dir::X=y",
        ],
    },
    Reader {
        commands: "dpkg|dpkg-query",
        options: "-l -L -S -s -p -c -I -W -f: -V -C --list --listfiles --search --status --print-avail --print-architecture \
                  --print-foreign-architectures --get-selections --show --showformat: --verify --audit --contents --info --field",
        operands: Operands::Check(|scanned| !scanned.options.is_empty()),
        yes: &["dpkg -l", "dpkg -L bash", "dpkg -S /bin/ls", "dpkg-query -W -f='${Package}\\n'"],
        no: &[
            "dpkg -i a.deb",
            "dpkg -x a.deb d",
            "dpkg --configure -a",
            "dpkg -r x",
            "dpkg --pre-invoke=x -l",
        ],
    },
    Reader {
        commands: "rpm",
        options: "-q -a -i -l -f -c -d -p -R --query --all --info --list --file --docfiles --configfiles --requires --provides --changelog \
                  --scripts --last --whatprovides --whatrequires",
        operands: Operands::With("-q --query"),
        yes: &["rpm -qa", "rpm -qi bash", "rpm -ql bash"],
        no: &[
            "rpm -i a.rpm",
            "rpm -e x",
            "rpm -q --pipe=sh bash",
            "rpm -qE '%(x)'",
            "rpm -q --define 'x y' bash",
        ],
    },
    Reader {
        commands: "pacman",
        options: "-Q -i -l -o -e -t -d -m -n -q -u -k -s -c -g --query --info --list --owns --explicit --deps --foreign --native --quiet",
        operands: Operands::With("-Q --query"),
        yes: &["pacman -Q", "pacman -Qi bash", "pacman -Qs x"],
        no: &["pacman -Syu", "pacman -R x", "pacman -S x", "pacman -Qi x --root /y"],
    },
    Reader {
        commands: "dnf|yum|zypper|port|choco|winget|pkg",
        options: "-q -v --installed --available --all --quiet",
        operands: Operands::Check(|scanned| {
            matches!(
                scanned.operand(0),
                Some("list" | "info" | "search" | "repolist" | "provides" | "deplist" | "installed")
            )
        }),
        yes: &["dnf list --installed", "yum info bash"],
        no: &["dnf install x", "yum -y update", "dnf --setopt=x=y list"],
    },
    Reader {
        commands: "dotnet",
        options: "--list-sdks --list-runtimes --info",
        operands: Operands::AtMost(0),
        yes: &["dotnet --list-sdks"],
        no: &["dotnet run", "dotnet build"],
    },
    Reader {
        commands: "javap|jps",
        options: "nobundle -v -c -p -l -s -q -m -private -public -verbose",
        operands: Operands::Any,
        yes: &["javap -c A.class", "jps -l"],
        no: &["javap -J-x A", "java A"],
    },
    Reader {
        commands: "rbenv|pyenv|nodenv|goenv",
        options: "--bare --version",
        operands: Operands::Check(lists_versions),
        yes: &["pyenv versions", "rbenv version"],
        no: &["pyenv install 3", "pyenv exec x", "rbenv global 3", "pyenv ./x"],
    },
];

/// The verbs of version managers that show.
fn lists_versions(scanned: &Scanned) -> bool {
    match scanned.operand(0) {
        None => true,
        Some(verb) => matches!(verb, "versions" | "version" | "which" | "root" | "shims"),
    }
}
