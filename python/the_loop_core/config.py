"""The host's `cli-config.yaml` → where things are, and what self-diagnosis may do.

Nothing here raises for what a config holds: a section that is absent, off or malformed is *disabled*, and a
malformed one is logged once, by the name of the key that is wrong.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

logger = logging.getLogger("the_loop_core")

CONFIG_VARIABLE = "THE_LOOP_CLI_CONFIG"
LEDGER = "self-diagnosis.json"

_Repo = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$", max_length=140)]
_Seconds = Annotated[float, Field(ge=1, le=7 * 24 * 3600, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=1, le=1_000_000)]


class _Section(BaseModel):
    """The `selfDiagnosis` section as the host documents it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    enabled: bool = False
    repo: _Repo = "MadaraUchiha-314/the-loop"
    label: Annotated[str, StringConstraints(min_length=1, max_length=50)] = "the-loop: self-diagnosed"
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
        """Reads the section out of a whole CLI config. Never raises."""
        section = cli_config.get("selfDiagnosis") if isinstance(cli_config, Mapping) else None
        if section is None:
            return cls()
        try:
            # A mapping of the YAML reader's own kind is a plain one by now.
            read = _Section.model_validate(dict(section) if isinstance(section, Mapping) else section)
        except (ValidationError, TypeError, ValueError, RecursionError) as error:
            _disabled(error)
            return cls()
        assert isinstance(cli_config, Mapping)  # noqa: S101 — it has a section
        arming = {label.strip().casefold() for label in _arming_labels(cli_config)}
        if read.label.strip().casefold() in arming or not read.label.strip():
            logger.error(
                "self-diagnosis is disabled: selfDiagnosis.label must not be a label that starts work (%r)",
                read.label,
            )
            return cls()
        github = _mapping(_mapping(_mapping(cli_config, "integrations"), "github"), "api")
        return cls(
            enabled=read.enabled,
            repo=read.repo,
            label=read.label.strip(),
            harness=read.harness,
            model=read.model,
            timeout_seconds=float(read.timeoutSeconds),
            interval_seconds=float(read.intervalSeconds),
            max_issues_per_day=read.maxIssuesPerDay,
            max_retries=read.maxRetries,
            api_base_url=_text(github.get("baseUrl")) or cls.api_base_url,
            token_variables=_token_variables(github.get("tokenEnv")),
            keywords=_keywords(_mapping(_mapping(_mapping(cli_config, "routing"), "control"), "keywords")),
        )


def _disabled(error: Exception) -> None:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        key = ".".join(["selfDiagnosis", *(str(part) for part in first["loc"])])
        logger.error("self-diagnosis is disabled: %s: %s", key, first["msg"])
    else:
        logger.error("self-diagnosis is disabled: selfDiagnosis cannot be read")


def _mapping(parent: Mapping[Any, Any], key: str) -> Mapping[Any, Any]:
    value = parent.get(key)
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


def _arming_labels(cli_config: Mapping[Any, Any]) -> list[str]:
    """Every label that makes the host start work on an issue."""
    routing = _mapping(cli_config, "routing")
    labels = _texts(routing.get("autoExecuteLabel")) + _texts(routing.get("autoExecuteLabels"))
    sources = _mapping(cli_config, "polling").get("sources")
    for source in sources if isinstance(sources, list) else []:
        if isinstance(source, Mapping):
            labels += _texts(source.get("label")) + _texts(source.get("labels"))
    return labels


def _token_variables(value: object) -> tuple[str, ...]:
    return tuple(_texts(value)) or SelfDiagnosisConfig.token_variables


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
    path = Path(named).expanduser() if named else local if local.is_file() else home
    values = _read(path, must_exist=named is not None)
    root = _state_root(path, _text(_mapping(values, "state").get("root")))
    return HostConfig(values, path, root, _log_path(values, root))


def places(cli_config: Mapping[str, Any]) -> tuple[Path, Path]:
    """Event log and ledger of a config that was loaded by the host, which anchors `state.root` itself."""
    root = Path(_text(_mapping(cli_config, "state").get("root")) or ".the-loop").expanduser()
    return _log_path(cli_config, root), root / LEDGER


def _log_path(values: Mapping[str, Any], root: Path) -> Path:
    # As in the host, a relative `eventLog.path` hangs off the working directory.
    named = _text(_mapping(values, "eventLog").get("path"))
    return Path(named).expanduser() if named else root / "logs" / "events.jsonl"


def _state_root(config: Path, root: str) -> Path:
    """`state.root` hangs off the folder that holds the config's `.the-loop`, never off the working directory."""
    folder = config.absolute().parent
    base = folder.parent if folder.name == ".the-loop" else folder
    return base / Path(root or ".the-loop").expanduser()


def _read(path: Path, *, must_exist: bool) -> Mapping[str, Any]:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        if must_exist:
            raise ConfigError(f"there is no config file at {path}: name another one with --config") from None
        return {}
    except OSError as error:
        raise ConfigError(f"the config file {path} cannot be read: {error.strerror}") from error
    import yaml

    try:
        values = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        where = f"{path}, line {line + 1}" if line is not None else str(path)
        raise ConfigError(f"the config file is no YAML ({where}): mend it or name another one") from error
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise ConfigError(f"the config file {path} holds no mapping: mend it or name another one")
    return values
