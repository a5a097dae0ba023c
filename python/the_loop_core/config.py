"""The host's `cli-config.yaml` → where things are, and what self-diagnosis may do.

Nothing here raises for what a config holds: a section that is absent, off or malformed is *disabled*, and a
malformed one is logged once, by the name of the key that is wrong.
"""

from __future__ import annotations

import logging
import os
import stat
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

logger = logging.getLogger("the_loop_core")

CONFIG_VARIABLE = "THE_LOOP_CLI_CONFIG"
LEDGER = "self-diagnosis.json"
HOST_ARMING_LABEL = "the-loop: auto-execute"
"""What starts work in every installation of the host that names no label of its own: so it arms an issue on a public
repository whatever this machine's config says."""
_YEAR = 366 * 24 * 3600

_Repo = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$", max_length=140)]
_Seconds = Annotated[float, Field(ge=1, le=_YEAR, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=1, le=1_000_000)]


class _Section(BaseModel):
    """The `selfDiagnosis` section as the host documents it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    enabled: bool = False
    repo: _Repo = "MadaraUchiha-314/the-loop"
    label: Annotated[
        str, StringConstraints(max_length=50, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$")
    ] = "the-loop: self-diagnosed"
    harness: Literal["claude", "codex", "cursor"] = "claude"
    model: Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00-\x20-][^\x00-\x20]*$|^$")] = ""
    timeoutSeconds: _Seconds = 900  # noqa: N815 — the host's own spelling
    intervalSeconds: _Seconds = 3600  # noqa: N815
    maxIssuesPerDay: _Count = 3  # noqa: N815
    maxRetries: _Count = 3  # noqa: N815


@dataclass(frozen=True)
class SelfDiagnosisConfig:
    """What self-diagnosis may do. Every field holds a valid value, whatever the file says."""

    enabled: bool = False
    malformed: bool = False
    """The section could not be used, so it is off, and the fields hold defaults that nobody chose."""
    repo: str = "MadaraUchiha-314/the-loop"
    label: str = "the-loop: self-diagnosed"
    harness: str = "claude"
    model: str = ""
    timeout_seconds: float = 900.0
    interval_seconds: float = 3600.0
    max_issues_per_day: int = 3
    max_retries: int = 3
    api_base_url: str = "https://api.github.com"
    token_variables: tuple[str, ...] = ("GH_TOKEN", "GITHUB_TOKEN")
    keywords: Mapping[str, str] = field(default_factory=dict)

    @property
    def owner_and_name(self) -> tuple[str, str]:
        """The two halves of `repo`."""
        owner, _, name = self.repo.partition("/")
        return owner, name

    @classmethod
    def from_mapping(cls, cli_config: object) -> SelfDiagnosisConfig:
        """Reads the section out of a whole CLI config. Never raises.

        A section that is absent or off is disabled without a word, a malformed one with one logged error. Where the
        tracker is and what starts work are read in any case: a preview needs them while the feature is off.
        """
        try:
            off = cls._around(cli_config if isinstance(cli_config, Mapping) else {})
        except Exception as error:  # A mapping of somebody else's may raise anything.
            return _disabled(cls(), error)
        try:
            return off._with_section(cli_config)
        except Exception as error:
            return _disabled(off, error)

    @classmethod
    def _around(cls, cli_config: Mapping[Any, Any]) -> SelfDiagnosisConfig:
        """What other sections say that matters here."""
        github = _mapping(_mapping(_mapping(cli_config, "integrations"), "github"), "api")
        return cls(
            api_base_url=_text(github.get("baseUrl")) or cls.api_base_url,
            token_variables=_names(github.get("tokenEnv")) or cls.token_variables,
            keywords=_keywords(_mapping(_mapping(_mapping(cli_config, "routing"), "control"), "keywords")),
        )

    def _with_section(self, cli_config: object) -> SelfDiagnosisConfig:
        section = cli_config.get("selfDiagnosis") if isinstance(cli_config, Mapping) else None
        if section is None or not isinstance(cli_config, Mapping):
            return self
        # A mapping of the YAML reader's own kind is made a plain one.
        read = _Section.model_validate(dict(section) if isinstance(section, Mapping) else section)
        label = read.label.strip()
        if _as_github_compares(label) in {_as_github_compares(arming) for arming in _arming_labels(cli_config)}:
            raise _ArmingLabelError(f"{label!r} is a label that starts work: name another one")
        return replace(
            self,
            enabled=read.enabled,
            repo=read.repo,
            label=label,
            harness=read.harness,
            model=read.model,
            timeout_seconds=float(read.timeoutSeconds),
            interval_seconds=float(read.intervalSeconds),
            max_issues_per_day=read.maxIssuesPerDay,
            max_retries=read.maxRetries,
        )


class _ArmingLabelError(ValueError):
    """The label would make an issue start work."""


def _disabled(off: SelfDiagnosisConfig, error: Exception) -> SelfDiagnosisConfig:
    """Says once which key is wrong."""
    key, why = "selfDiagnosis", "it cannot be read"
    if isinstance(error, ValidationError):
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        key, why = ".".join([key, *(str(part)[:100] for part in first["loc"])]), first["msg"]
    elif isinstance(error, _ArmingLabelError):
        key, why = "selfDiagnosis.label", str(error)
    logger.error("self-diagnosis is disabled: %s: %s", key, why)
    return replace(off, malformed=True)


def _mapping(parent: Mapping[Any, Any], key: str) -> Mapping[Any, Any]:
    value = parent.get(key)
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _names(value: object) -> tuple[str, ...]:
    """One name or a list of them; what is blank or no text is passed over."""
    return tuple(name for name in map(_text, value if isinstance(value, list | tuple) else [value]) if name)


def _as_github_compares(label: str) -> str:
    """GitHub takes two labels for one whatever their case, and trims them."""
    return unicodedata.normalize("NFC", label).strip().casefold()


def _arming_labels(cli_config: Mapping[Any, Any]) -> Iterable[str]:
    """Every label that makes the host start work on an issue."""
    yield HOST_ARMING_LABEL
    routing = _mapping(cli_config, "routing")
    sources = _mapping(cli_config, "polling").get("sources")
    named = [routing.get("autoExecuteLabel"), routing.get("autoExecuteLabels")]
    for source in sources if isinstance(sources, list | tuple) else [sources]:
        if isinstance(source, Mapping):
            named += [source.get("label"), source.get("labels")]
    for value in named:
        # As the host reads them: YAML may have made a number of a label.
        for label in value if isinstance(value, list | tuple) else [value]:
            if isinstance(label, str | int | float):
                yield str(label)


def _keywords(value: Mapping[Any, Any]) -> dict[str, str]:
    return {k: v for k, v in value.items() if isinstance(k, str) and isinstance(v, str)}


class ConfigError(Exception):
    """The config file cannot be read; the text is one sentence that says what to do."""


@dataclass(frozen=True)
class HostConfig:
    """The host's whole config and the places that follow from it."""

    values: Mapping[str, Any]
    path: Path
    """The file that was read, or that would be."""
    state_root: Path
    log_path: Path

    @property
    def ledger_path(self) -> Path:
        """Where self-diagnosis keeps what it knows."""
        return self.state_root / LEDGER


def load(explicit: str | None = None, environ: Mapping[str, str] = os.environ) -> HostConfig:
    """Reads the host's config from where the host looks for it: `--config`, `$THE_LOOP_CLI_CONFIG`,
    `./.the-loop/cli-config.yaml`, `~/.the-loop/cli-config.yaml`. A missing file is an empty config.

    Raises `ConfigError` when a file was named and is missing, or when it is no YAML mapping.
    """
    named = explicit or environ.get(CONFIG_VARIABLE) or None
    local = Path(".the-loop/cli-config.yaml")
    home = Path(environ.get("HOME") or Path.home()) / ".the-loop" / "cli-config.yaml"
    path = _expanded(named) if named else local if local.is_file() else home
    values = _read(path, must_exist=named is not None)
    root = _state_root(path, _text(_mapping(values, "state").get("root")))
    return HostConfig(values, path, root, _log_path(values, root))


def places(cli_config: Mapping[str, Any]) -> tuple[Path, Path]:
    """Event log and ledger of a config that was loaded by the host, which anchors `state.root` itself."""
    root = _expanded(_text(_mapping(cli_config, "state").get("root")) or ".the-loop")
    return _log_path(cli_config, root), root / LEDGER


def _log_path(values: Mapping[str, Any], root: Path) -> Path:
    # As in the host, a relative `eventLog.path` hangs off the working directory.
    named = _text(_mapping(values, "eventLog").get("path"))
    return _expanded(named) if named else root / "logs" / "events.jsonl"


def _expanded(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:
        # `~somebody` who does not exist is a plain name.
        return Path(path)


def _state_root(config: Path, root: str) -> Path:
    """`state.root` hangs off the folder that holds the config's `.the-loop`, never off the working directory."""
    folder = config.absolute().parent
    base = folder.parent if folder.name == ".the-loop" else folder
    return base / _expanded(root or ".the-loop")


def _read(path: Path, *, must_exist: bool) -> Mapping[str, Any]:
    try:
        # A FIFO would never end.
        if not stat.S_ISREG(path.stat().st_mode):
            raise ConfigError(f"the config {path} is no file: name another one with --config")
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        if must_exist:
            raise ConfigError(f"there is no config file at {path}: name another one with --config") from None
        return {}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(f"the config file {str(path)!r} cannot be read: {reason}") from error
    import yaml

    try:
        values = yaml.safe_load(text)
    except Exception as error:  # What its constructors raise for a tag that does not fit its value is anything.
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        where = f"{path}, line {line + 1}" if line is not None else str(path)
        raise ConfigError(f"the config file is no YAML ({where}): mend it or name another one") from error
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise ConfigError(f"the config file {path} holds no mapping: mend it or name another one")
    return values
