"""One scan: new failures in the event log → an agent's findings → one redacted issue each.

A defect passes through these states, each of them on disk before the next step is taken:
seen → (agent) → report waiting → intent → reported; or abandoned, or dismissed. Whatever ends the process, the next
scan goes on from there. See docs/decisions/exactly-once.md.
"""

from __future__ import annotations

import logging
import os
import platform
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from the_loop_core import _core, identity
from the_loop_core.agent import Agent, AgentResult, agent_for
from the_loop_core.config import SelfDiagnosisConfig
from the_loop_core.errors import EvidenceError, FindingsError, LogError, ReportError
from the_loop_core.journal import Journal, stamp
from the_loop_core.ledger import Busy, Ledger, LedgerError, Report, Seen, locked
from the_loop_core.tracker import Tracker, TrackerError, tracker_for

logger = logging.getLogger("the_loop_core")

Outcome = dict[str, Any]

DAY = 24 * 3600.0
MAX_SEEN = 500
"""How many unsettled defects the ledger holds; what comes after them waits in the log."""
_PATIENCE = DAY + 3600
"""A tracker never asks for more than a day: a `retry_at` further away was written by another clock."""


def scan(
    config: SelfDiagnosisConfig,
    *,
    log_path: str | Path,
    state_path: str | Path,
    dry_run: bool = False,
    client: Tracker | None = None,
    agent: Agent | None = None,
    now: float | None = None,
    rescan: bool = False,
) -> list[Outcome]:
    """Scans once and returns an outcome for each unsettled defect.

    An outcome has an `action` (`posted`, `deferred`, `failed`, `dismissed`, `dry-run`), the `fingerprint`, and
    `title` and `url`, or `error`, or `title` and `body`, or `dossier` and `error`; and where it helps a `reason`.
    A failure of the scan as a whole is an outcome with an empty fingerprint. `rescan` reads the whole log again.
    With `dry_run` nothing is written or sent, and it works while the feature is disabled. `now` is in epoch seconds.
    """
    if not config.enabled and not dry_run:
        return []
    setup = _Setup(
        config=config,
        log=Path(log_path),
        journal=Journal(Path(log_path)),
        redactor=identity.redactor(),
        clock=(lambda: now) if now is not None else time.time,
        client=client,
        agent=agent or agent_for(config, os.environ, source=location()),
    )
    state = Path(state_path)
    try:
        if dry_run:
            return _Preview(setup, Ledger.load(state)).run(rescan=rescan)
        with locked(state):
            return _Scan(setup, Ledger.load(state)).run(rescan=rescan)
    except Busy:
        logger.info("another scan is under way")
        return []
    except (LedgerError, LogError) as error:
        if isinstance(error, LogError) and error.kind == "missing":
            # Nothing was logged yet.
            return []
        return [{"action": "failed", "fingerprint": "", "error": str(error), "reason": "scan"}]


def location() -> Path:
    """Where the-loop is installed: what the agent is to read."""
    from importlib.util import find_spec

    spec = find_spec("the_loop")
    if spec is not None and spec.origin is not None:
        return Path(spec.origin).parent
    return Path(__file__).parent


def installation() -> list[tuple[str, str]]:
    """What a report says of this installation."""
    return [
        ("the-loop-core", _core.__version__),
        ("Python", platform.python_version()),
        ("system", f"{platform.system()} {platform.machine()}"),
    ]


@dataclass(frozen=True)
class _Setup:
    config: SelfDiagnosisConfig
    log: Path
    journal: Journal
    redactor: _core.Redactor
    clock: Callable[[], float]
    client: Tracker | None
    agent: Agent


class _Preview:
    """A scan that changes nothing."""

    def __init__(self, setup: _Setup, ledger: Ledger) -> None:
        self.setup = setup
        self.ledger = ledger

    def run(self, *, rescan: bool) -> list[Outcome]:
        outcomes = []
        for fingerprint, seen in self.unsettled(rescan=rescan).items():
            result = _ask(self.setup, seen)
            if isinstance(result, AgentResult):
                dossier = _core.render_dossier(seen.evidence, self.setup.redactor)
                outcomes.append(_outcome("dry-run", fingerprint, dossier=dossier, error=result.error))
                continue
            try:
                if result["defect"] is False:
                    outcomes.append(_outcome("dismissed", fingerprint, reason=result["reason"]))
                    continue
                report = _compose(self.setup, fingerprint, seen, result)
            except ReportError as error:
                outcomes.append(_outcome("failed", fingerprint, error=str(error), reason="report"))
                continue
            outcomes.append(_outcome("dry-run", fingerprint, title=report.title, body=report.body))
        return outcomes

    def unsettled(self, *, rescan: bool) -> dict[str, Seen]:
        """Every defect that is new or was left over, by fingerprint."""
        seen = dict(self.ledger.state.core.seen)
        self.absorb(seen, rescan=rescan)
        return seen

    def absorb(self, seen: dict[str, Seen], *, rescan: bool) -> Any:
        """Reads what is new in the log into `seen`; the cursor to go on from."""
        room = MAX_SEEN - len(seen)
        cursor = None if rescan else self.ledger.state.core.cursor
        if room <= 0:
            return cursor
        harvest = _core.harvest(self.setup.log, cursor, defects=room)
        for defect in harvest.defects:
            if self.ledger.settled(defect.id, defect.legacy):
                continue
            evidence = _core.gather_evidence(
                defect.records, self.setup.redactor, count=defect.count, first_seen=defect.first_seen
            )
            known = seen.get(defect.id)
            if known is None:
                detected = stamp(self.setup.clock())
                seen[defect.id] = Seen(evidence=evidence, legacy=defect.legacy, detected=detected)
                continue
            # Read anew from the beginning, the old counts are in the new ones.
            known.evidence = evidence if rescan else _merged(known.evidence, evidence)
            known.legacy = sorted({*known.legacy, *defect.legacy})
        return harvest.cursor


class _Scan(_Preview):
    """A scan that acts."""

    def run(self, *, rescan: bool) -> list[Outcome]:
        core = self.ledger.state.core
        if core.halted:
            # Moves the file aside if that has not happened yet.
            self.save()
            advice = "look at it, then run `the-loop diagnose --repair-ledger`"
            return [_outcome("failed", "", error=f"{core.halted}: {advice}", reason="ledger")]
        before = set(core.seen)
        try:
            core.cursor = self.absorb(core.seen, rescan=rescan)
        except LogError as error:
            if not core.seen:
                raise
            logger.warning("%s", error)
        # Times that another clock left in the future are set right for good, whether anything is posted today or not.
        self.ledger.posted_within(DAY, self.setup.clock())
        # Cursor and defects in one write: what was read is never forgotten.
        self.save()
        for fingerprint in core.seen:
            if fingerprint not in before:
                trigger = core.seen[fingerprint].evidence.get("event", "")
                self.journal("detected", fingerprint=fingerprint, trigger=trigger)
        outcomes = []
        for fingerprint in list(core.seen):
            try:
                outcomes.append(self.settle(fingerprint, core.seen[fingerprint]))
            except LedgerError:
                raise
            except Exception as error:  # One defect that cannot be handled must not hide the others.
                logger.exception("self-diagnosis failed on %s", fingerprint)
                outcomes.append(self.failed(fingerprint, "scan", f"{type(error).__name__}: {error}"))
        return outcomes

    def settle(self, fingerprint: str, seen: Seen) -> Outcome:
        """Takes one defect as far as it goes today."""
        now = self.setup.clock()
        if self.ledger.settled(fingerprint, seen.legacy):
            del self.ledger.state.core.seen[fingerprint]
            self.save()
            return _outcome("deferred", fingerprint, reason="settled meanwhile")
        cap = self.setup.config.max_issues_per_day
        if self.ledger.posted_within(DAY, now) >= cap:
            return self.deferred(fingerprint, f"daily cap (maxIssuesPerDay: {cap}) reached")
        if 0 < seen.retry_at - now < _PATIENCE:
            return self.deferred(fingerprint, f"the tracker asked to wait until {stamp(seen.retry_at)}")
        if seen.report is None:
            outcome = self.diagnose(fingerprint, seen)
            if outcome is not None:
                return outcome
        return self.post(fingerprint, seen)

    def diagnose(self, fingerprint: str, seen: Seen) -> Outcome | None:
        """Asks the agent and keeps its report; an outcome where there is none to post."""
        result = _ask(self.setup, seen)
        if isinstance(result, AgentResult):
            if result.missing:
                return self.deferred(fingerprint, result.error)
            return self.failed(fingerprint, "agent", result.error)
        if result["defect"] is False:
            reason = self.scrubbed(result["reason"])
            del self.ledger.state.core.seen[fingerprint]
            self.ledger.state.core.dismissed[fingerprint] = self.entry(seen, reason=reason)
            self.save()
            return _outcome("dismissed", fingerprint, reason=reason)
        try:
            seen.report = _compose(self.setup, fingerprint, seen, result)
        except ReportError as error:
            return self.failed(fingerprint, "agent", str(error))
        self.save()
        return None

    def post(self, fingerprint: str, seen: Seen) -> Outcome:
        """Files the report that waits, unless it was filed already: by us, or by another machine."""
        assert seen.report is not None  # noqa: S101 — settle saw to it
        owner, name = self.setup.config.owner_and_name
        try:
            tracker = self.setup.client or tracker_for(self.setup.config, os.environ)
            url = _found(tracker, owner, name, fingerprint)
            # With an intent of ours on disk, what is found is what we filed before something ended us.
            ours = url is None or bool(seen.intent)
            if url is None:
                seen.intent = stamp(self.setup.clock())
                self.save()
                labels = [self.setup.config.label]
                _, url = tracker.create_issue(owner, name, seen.report.title, seen.report.body, labels)
        except TrackerError as error:
            return self.unposted(fingerprint, seen, error)
        except Exception as error:  # A client of the host's may raise anything, after it has filed, too.
            logger.warning("posting failed", exc_info=True)
            return self.failed(fingerprint, "post", f"{type(error).__name__}: {error}")
        return self.reported(fingerprint, seen, url, ours=ours)

    def reported(self, fingerprint: str, seen: Seen, url: str, *, ours: bool) -> Outcome:
        now = self.setup.clock()
        state = self.ledger.state
        assert seen.report is not None  # noqa: S101
        title = seen.report.title
        del state.core.seen[fingerprint]
        state.attempts.pop(fingerprint, None)
        state.reported[fingerprint] = {**self.entry(seen), "url": url}
        if ours:
            state.posted.append(stamp(now))
        self.save()
        self.journal("posted", fingerprint=fingerprint, url=url)
        extra = {} if ours else {"reason": "it was there already"}
        return _outcome("posted", fingerprint, title=title, url=url, **extra)

    def unposted(self, fingerprint: str, seen: Seen, error: TrackerError) -> Outcome:
        """What becomes of a report that could not be filed: it waits."""
        if not error.maybe_created:
            seen.intent = ""
        if error.retry_at is not None:
            seen.retry_at = error.retry_at.timestamp()
        if error.kind in ("rate_limited", "missing"):
            self.save()
            return self.deferred(fingerprint, str(error))
        return self.failed(fingerprint, "post", str(error))

    def deferred(self, fingerprint: str, reason: str) -> Outcome:
        reason = self.scrubbed(reason)
        self.journal("deferred", fingerprint=fingerprint, reason=reason)
        return _outcome("deferred", fingerprint, reason=reason)

    def failed(self, fingerprint: str, stage: str, error: str) -> Outcome:
        """Counts an attempt; after `maxRetries` of them the defect is abandoned."""
        state = self.ledger.state
        error = self.scrubbed(error)
        attempt = state.attempts.get(fingerprint, 0) + 1
        state.attempts[fingerprint] = attempt
        seen = state.core.seen.get(fingerprint)
        abandoned = attempt >= self.setup.config.max_retries and seen is not None
        if abandoned and seen is not None:
            del state.core.seen[fingerprint]
            state.attempts.pop(fingerprint, None)
            state.abandoned[fingerprint] = self.entry(seen, reason=error)
        self.save()
        self.journal("failed", level="warning", fingerprint=fingerprint, stage=stage, attempt=attempt, error=error)
        extra = {"abandoned": True} if abandoned else {}
        return _outcome("failed", fingerprint, error=error, reason=stage, attempt=attempt, **extra)

    def entry(self, seen: Seen, **more: str) -> dict[str, Any]:
        return {"event": seen.evidence.get("event", ""), "ts": stamp(self.setup.clock()), **more}

    def scrubbed(self, text: str) -> str:
        return self.setup.redactor.scrub(text.encode(errors="replace").decode()).text[:800]

    def journal(self, event: str, *, level: str = "info", **fields: object) -> None:
        self.setup.journal.write(f"diagnosis.{event}", self.setup.clock(), level=level, **fields)

    def save(self) -> None:
        self.ledger.save(self.setup.clock())


def _outcome(action: str, fingerprint: str, **more: object) -> Outcome:
    return {"action": action, "fingerprint": fingerprint, **more}


def _merged(earlier: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    try:
        merged: dict[str, Any] = _core.merge_evidence(earlier, later)
    except EvidenceError:
        # What the ledger kept was altered by hand: what the log says stands.
        return later
    return merged


def _ask(setup: _Setup, seen: Seen) -> AgentResult | dict[str, Any]:
    """The agent's findings, or how it failed."""
    prompt = _core.agent_prompt(seen.evidence, setup.redactor, version=_core.__version__, location=str(location()))
    # Private and empty: the agent sees nothing of where the daemon happens to run.
    with tempfile.TemporaryDirectory(prefix="the-loop-diagnosis-", ignore_cleanup_errors=True) as folder:
        try:
            result = setup.agent(prompt, Path(folder))
        except Exception as error:
            logger.warning("the agent failed", exc_info=True)
            return AgentResult(False, error=f"{type(error).__name__}: {error}")
    if not result.ok:
        return AgentResult(False, error=result.error or "the agent failed", missing=getattr(result, "missing", False))
    try:
        findings: dict[str, Any] = _core.parse_findings(result.output.encode(errors="replace").decode())
    except FindingsError as error:
        return AgentResult(False, error=str(error))
    return findings


def _compose(setup: _Setup, fingerprint: str, seen: Seen, findings: dict[str, Any]) -> Report:
    made = _core.compose_issue(
        findings,
        seen.evidence,
        setup.redactor,
        fingerprint=fingerprint,
        label=setup.config.label,
        environment=installation(),
        keywords=dict(setup.config.keywords),
    )
    return Report(title=made.title, body=made.body)


def _found(tracker: Tracker, owner: str, name: str, fingerprint: str) -> str | None:
    """The address of the issue that this defect already has."""
    # The existing host's clients can only create: there, nothing can be looked for.
    find = getattr(tracker, "find_issue", None)
    found = find(owner, name, _core.defect_marker(fingerprint)) if find is not None else None
    return None if found is None else str(found.url)
