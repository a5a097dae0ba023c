//! The tables of readers, and how one of their rows is applied.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::programs::refused;
use super::{Why, archives, infra, packages, system, text};
use crate::shell::Word;
use crate::shell::options::{self, Scanned};

/// One or more commands that only read when called like this.
pub(super) struct Reader {
    /// `|`-separated names; a name with blanks is a program and its sub-commands.
    pub(super) commands: &'static str,
    /// The options that only read, see [`options`]; [`ANY`] when there is no option that does not.
    pub(super) options: &'static str,
    /// What the operands must be.
    pub(super) operands: Operands,
    /// Commands that are readers.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests"))]
    pub(super) yes: &'static [&'static str],
    /// Commands that are not.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests"))]
    pub(super) no: &'static [&'static str],
}

/// Every option of the program only reads.
pub(super) const ANY: &str = "*";

/// What operands a reader takes.
#[derive(Clone, Copy)]
pub(super) enum Operands {
    /// Any number.
    Any,
    /// At most this many, and no option after the first: some programs take it for an operand.
    AtMost(usize),
    /// Any number, with at least one of these blank-separated options.
    With(&'static str),
    /// Whatever the function accepts.
    Check(fn(&Scanned) -> bool),
}

/// A program whose sub-commands are in the tables, with the options that may stand before the sub-command.
pub(super) struct Program {
    /// `|`-separated names.
    pub(super) names: &'static str,
    /// Options before the sub-command.
    pub(super) options: &'static str,
}

/// Programs of which a lone version or help option is known to print and end.
const VERSIONED: &[(&str, &str)] = &[
    (
        "--version",
        "node npm npx pnpm yarn bun deno tsc python python2 python3 pip pip3 pipx uv uvx poetry pdm hatch ruby gem bundle \
         rake perl php composer lua luajit java javac kotlin kotlinc scala gradle mvn ant sbt cargo rustc rustfmt rustup \
         gcc g++ cc c++ clang clang++ clang-format clang-tidy ld as make gmake cmake ninja meson bazel autoconf automake \
         pkg-config gdb lldb valgrind strace ltrace bash sh zsh fish dash tmux vim nvim emacs nano code curl wget ssh rsync \
         docker podman docker-compose kubectl helm terraform tofu ansible aws gcloud az gh glab hub jq yq fzf rg fd bat exa \
         eza ag ack git git-lfs hg svn svnversion sqlite3 psql mysql mariadb redis-cli redis-server mongosh openssl gpg \
         dotnet swift swiftc xcodebuild go gofmt golangci-lint ghc cabal stack elixir mix erl iex ocaml dune julia R Rscript \
         zig nim crystal dart flutter ffmpeg ffprobe convert magick identify pandoc latex pdflatex ldd systemctl sed awk gawk \
         grep find tar gzip xz zstd zip unzip pytest mypy ruff black isort flake8 pylint eslint prettier jest vitest mocha \
         oxlint stylua selene shellcheck shfmt hadolint tree less watch parallel vagrant virtualbox protoc buf nginx apachectl \
         httpd caddy brew apt apt-get dpkg rpm dnf yum pacman apk snap flatpak nix nvm fnm volta mise asdf pyenv rbenv conda \
         mamba jupyter ipython ansible-playbook packer vault consul nomad skaffold kustomize k9s kind minikube istioctl \
         semgrep trivy act pre-commit just task turbo nx lerna rollup vite esbuild webpack parcel swc babel biome direnv \
         hyperfine tokei cloc scc delta difft lazygit starship zoxide atuin btop htop top ps free uptime nproc ls cat stat",
    ),
    (
        "-v",
        "node npm pnpm yarn bun ruby perl php lua gcc g++ cc clang make gmake docker mvn gradle tsc nginx httpd pwsh eslint jest",
    ),
    (
        "-V",
        "python python2 python3 pip pip3 curl ssh rustc cargo nvim wget zsh tmux rg fd bat pytest ruff mypy gradle psql",
    ),
    ("-version", "java javac scala kotlin ant gradle ffmpeg ffprobe convert identify magick ld xcodebuild"),
    (
        "version",
        "go helm terraform tofu minikube kind istioctl vault consul nomad packer openssl uv buf zig hugo flutter",
    ),
    (
        "--help",
        "node npm npx pnpm yarn bun tsc python python3 pip pip3 uv poetry ruby gem bundle perl php composer java cargo rustc \
         rustup gcc clang make cmake ninja bash curl wget ssh rsync docker podman kubectl helm terraform gh jq yq rg fd bat git \
         openssl go golangci-lint sed awk grep find tar gzip zip unzip pytest mypy ruff black eslint prettier jest vitest tree \
         sort uniq xargs ls cat head tail wc cut tr cp mv rm mkdir touch chmod chown ln dd tee date stat du df ps kill sleep",
    ),
];

const PROGRAMS: &[&[Program]] = &[packages::PROGRAMS, infra::PROGRAMS, system::PROGRAMS];
pub(super) const READERS: &[&[Reader]] =
    &[text::READERS, archives::READERS, system::READERS, system::NETWORK, packages::READERS, infra::READERS];

static BY_NAME: LazyLock<HashMap<&'static str, &'static Reader>> = LazyLock::new(|| {
    let rows = READERS.iter().copied().flatten();
    rows.flat_map(|reader| reader.commands.split('|').map(move |name| (name, reader))).collect()
});

static PROGRAM_OPTIONS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let rows = PROGRAMS.iter().copied().flatten();
    rows.flat_map(|program| program.names.split('|').map(move |name| (name, program.options))).collect()
});

/// Judges a command that has no room of its own.
pub(super) fn judge(name: &str, arguments: &[Word]) -> Result<(), Why> {
    if let [only] = arguments
        && only.literal().is_some_and(|option| is_version(name, option))
    {
        return Ok(());
    }
    if let Some(allowed) = PROGRAM_OPTIONS.get(name) {
        return sub_command(name, allowed, arguments);
    }
    match BY_NAME.get(name) {
        Some(reader) => apply(reader, name, arguments),
        None => Err(Why::UnknownCommand(name.to_owned())),
    }
}

fn is_version(name: &str, option: &str) -> bool {
    VERSIONED
        .iter()
        .any(|(listed, names)| *listed == option && names.split_ascii_whitespace().any(|one| one == name))
}

/// Finds the row of a program's sub-command, which may be up to two words and have its own leading options.
fn sub_command(program: &str, allowed: &'static str, arguments: &[Word]) -> Result<(), Why> {
    let (first, rest) = match options::leading(allowed, arguments) {
        Ok((_, [first, rest @ ..])) => (first, rest),
        Ok((_, [])) => return alone(program, arguments),
        // An option that only stands alone, such as `cargo --list`.
        Err(refusal) => return alone(program, arguments).map_err(|_| refused(program, refusal)),
    };
    let verb = first.literal().ok_or_else(|| Why::DynamicOption(program.to_owned()))?;
    let path = format!("{program} {verb}");
    if let Some(allowed) = PROGRAM_OPTIONS.get(path.as_str()) {
        return sub_command(&path, allowed, rest);
    }
    match BY_NAME.get(path.as_str()) {
        Some(reader) => apply(reader, &path, rest),
        None => Err(Why::Arguments(path)),
    }
}

/// A program with sub-commands, called without one.
fn alone(program: &str, arguments: &[Word]) -> Result<(), Why> {
    let refuse = || Why::Arguments(program.to_owned());
    let reader = BY_NAME.get(program).ok_or_else(refuse)?;
    apply(reader, program, arguments)?;
    let scanned = options::scan(reader.options, arguments).map_err(|refusal| refused(program, refusal))?;
    if scanned.operands.is_empty() { Ok(()) } else { Err(refuse()) }
}

/// Checks arguments against a row.
pub(super) fn apply(reader: &Reader, name: &str, arguments: &[Word]) -> Result<(), Why> {
    if reader.options == ANY {
        return Ok(());
    }
    let scanned = options::scan(reader.options, arguments).map_err(|refusal| refused(name, refusal))?;
    let fits = match reader.operands {
        Operands::Any => true,
        Operands::AtMost(count) => {
            let many = scanned.operands.iter().any(|word| word.may_be_many());
            scanned.operands.len() <= count && !scanned.mixed && !many
        }
        Operands::With(names) => scanned.has(names),
        Operands::Check(check) => check(&scanned),
    };
    if fits { Ok(()) } else { Err(Why::Arguments(name.to_owned())) }
}
