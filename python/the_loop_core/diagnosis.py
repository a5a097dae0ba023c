"""From the evidence of one defect to the report that may be filed: the agent is asked, its answer is checked."""

from __future__ import annotations

import logging
import os
import platform
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from the_loop_core import _core, identity
from the_loop_core.agent import Agent, AgentResult
from the_loop_core.config import SelfDiagnosisConfig
from the_loop_core.errors import FindingsError
from the_loop_core.ledger import Report

logger = logging.getLogger("the_loop_core")

HOST_DISTRIBUTION = "the-loopy-one"
"""The distribution that the existing host's package `the_loop` comes in."""


def location() -> Path:
    """Where the-loop is installed: what the agent is to read."""
    spec = find_spec("the_loop")
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent
    return Path(__file__).parent


def host_version() -> str | None:
    """The version of the existing host, which `location` is the place of; none where it is not installed."""
    if find_spec("the_loop") is None:
        return None
    try:
        return metadata.version(HOST_DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return None


def installation() -> list[tuple[str, str]]:
    """What a report says of this installation."""
    host = host_version()
    return [
        *([("the-loop", host)] if host else []),
        ("the-loop-core", _core.__version__),
        ("Python", platform.python_version()),
        ("system", f"{platform.system()} {platform.machine()}"),
    ]


def redactor_for(config: SelfDiagnosisConfig) -> _core.Redactor:
    """What must not leave this machine, the tracker's token among it whatever its variable is called."""
    tokens = {f"{name}_TOKEN": os.environ[name] for name in config.token_variables if os.environ.get(name)}
    return identity.redactor({**os.environ, **tokens})


@dataclass(frozen=True)
class Findings:
    """What the agent found: a defect, or why there is none."""

    content: dict[str, Any]

    @property
    def dismissed(self) -> str | None:
        """Why the harness did nothing wrong, where the agent says so."""
        return str(self.content["reason"]) if self.content["defect"] is False else None


@dataclass(frozen=True)
class Diagnosis:
    """How reports are made: by whom, for which tracker, with what masked."""

    config: SelfDiagnosisConfig
    agent: Agent
    redactor: _core.Redactor = field(repr=False)
    clock: Callable[[], float]

    def dossier(self, evidence: dict[str, Any]) -> str:
        """The evidence as Markdown."""
        return _core.render_dossier(evidence, self.redactor)

    def scrubbed(self, text: str) -> str:
        """Text that may be logged and shown."""
        return self.redactor.scrub(_text(text)).text[:800]

    def ask(self, evidence: dict[str, Any]) -> Findings | AgentResult:
        """The agent's findings, or how it failed. Raises nothing that the agent does wrong."""
        place = str(location())
        prompt = _core.agent_prompt(
            evidence, self.redactor, version=host_version() or _core.__version__, location=place
        )
        # Private and empty: the agent sees nothing of where the daemon happens to run.
        with tempfile.TemporaryDirectory(prefix="the-loop-diagnosis-", ignore_cleanup_errors=True) as folder:
            try:
                result = self.agent(prompt, Path(folder))
            except Exception as error:
                logger.warning("the agent failed", exc_info=True)
                return AgentResult(False, error=f"{type(error).__name__}: {error}")
        if not result.ok:
            # An agent of the host's does not tell a missing program apart.
            missing = bool(getattr(result, "missing", False))
            return AgentResult(False, error=_text(result.error) or "the agent failed", missing=missing)
        try:
            return Findings(_core.parse_findings(_text(result.output)))
        except FindingsError as error:
            return AgentResult(False, error=str(error))

    def compose(self, fingerprint: str, evidence: dict[str, Any], findings: Findings) -> Report:
        """The report on a defect. Raises `ReportError` when it cannot be built in full."""
        made = _core.compose_issue(
            findings.content,
            evidence,
            self.redactor,
            fingerprint=fingerprint,
            label=self.config.label,
            environment=installation(),
            keywords=dict(self.config.keywords),
        )
        return Report(title=made.title, body=made.body)

    def still_stands(self, fingerprint: str, report: Report) -> bool:
        """Whether a report that waited may be filed: keywords may have been configured since it was composed, and
        the file that it waited in can be edited."""
        return (
            bool(report.title.strip())
            and _core.defect_marker(fingerprint) in report.body
            and _core.is_self_authored(report.body)
            and all(
                _core.parse_command(part, keywords, dialect) is None
                for part in (report.title, report.body)
                for keywords in (None, dict(self.config.keywords))
                for dialect in ("opening", "anywhere")
            )
        )


def _text(value: object) -> str:
    """Text without lone surrogates."""
    return ("" if value is None else str(value)).encode(errors="replace").decode()
