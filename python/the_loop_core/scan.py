"""One scan: new failures in the event log → an agent's findings → one redacted issue each.

A defect passes through these states, each of them on disk before the next step is taken:
seen → (agent) → report waiting → intent → reported; or abandoned, or dismissed. Whatever ends the process, the next
scan goes on from there. See docs/decisions/exactly-once.md.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from the_loop_core.agent import Agent, AgentResult, agent_for
from the_loop_core.config import SelfDiagnosisConfig
from the_loop_core.diagnosis import Diagnosis, location, redactor_for
from the_loop_core.errors import LogError, ReportError
from the_loop_core.filing import LONGEST_WAIT, Filing, UncertainError, seconds_to_wait, was_tried
from the_loop_core.intake import Intake
from the_loop_core.journal import Journal, event_record, stamp
from the_loop_core.ledger import Busy, Ledger, LedgerError, Seen, locked
from the_loop_core.tracker import Tracker, TrackerError

logger = logging.getLogger("the_loop_core")

Outcome = dict[str, Any]

_AGENT_FAILURES = 3
"""So many defects in a row on which the agent fails, and it is the agent: the others wait for the next scan."""


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
    stop: threading.Event | None = None,
) -> list[Outcome]:
    """Scans once and returns an outcome for each unsettled defect.

    An outcome has an `action` (`posted`, `deferred`, `failed`, `dismissed`, `dry-run`), the `fingerprint`, and
    `title` and `url`, or `error`, or `title` and `body`, or `dossier` and `error`; and where it helps a `reason`.
    A failure of the scan as a whole is an outcome with an empty fingerprint. `rescan` reads the whole log again.
    With `dry_run` nothing is written or sent, and it works while the feature is disabled. `now` is in epoch seconds.
    After `stop` is set no further defect is begun.
    """
    if not config.enabled and not dry_run:
        return []
    log, state = Path(log_path), Path(state_path)
    diagnosis = Diagnosis(
        config=config,
        agent=agent or agent_for(config, os.environ, source=location()),
        redactor=redactor_for(config),
        clock=(lambda: now) if now is not None else time.time,
    )
    try:
        if dry_run:
            return list(_preview(diagnosis, log, Ledger.load(state), rescan=rescan))
        with locked(state):
            filing = Filing(config, client, os.environ)
            return _Scan(diagnosis, filing, log, Ledger.load(state), stop).run(rescan=rescan)
    except Busy:
        logger.info("another scan is under way")
        return []
    except (LedgerError, LogError) as error:
        # Where there is no log, nothing was logged yet.
        missing = isinstance(error, LogError) and error.kind == "missing"
        return [] if missing else [_whole(error)]


def _outcome(action: str, fingerprint: str, **more: object) -> Outcome:
    return {"action": action, "fingerprint": fingerprint, **more}


def _whole(error: Exception) -> Outcome:
    """The failure of a scan as a whole."""
    return _outcome("failed", "", error=str(error), reason="scan")


def _same(cursor: Any, kept: Any) -> bool:
    """Whether a cursor is the one that the ledger has; there, it is what JSON makes of it."""
    return json.dumps(cursor, sort_keys=True) == json.dumps(kept, sort_keys=True)


def _preview(diagnosis: Diagnosis, log: Path, ledger: Ledger, *, rescan: bool) -> Iterator[Outcome]:
    """What a scan would do; nothing is changed."""
    waiting = dict(ledger.state.core.seen)
    Intake(diagnosis, log, ledger).into(waiting, rescan=rescan)
    for fingerprint, seen in waiting.items():
        report = seen.report
        if report is None or not diagnosis.still_stands(fingerprint, report):
            answer = diagnosis.ask(seen.evidence)
            if isinstance(answer, AgentResult):
                error = diagnosis.scrubbed(answer.error)
                yield _outcome("dry-run", fingerprint, dossier=diagnosis.dossier(seen.evidence), error=error)
                continue
            if answer.dismissed is not None:
                yield _outcome("dismissed", fingerprint, reason=diagnosis.scrubbed(answer.dismissed))
                continue
            try:
                report = diagnosis.compose(fingerprint, seen.evidence, answer)
            except ReportError as error:
                yield _outcome("failed", fingerprint, error=str(error), reason="report")
                continue
        yield _outcome("dry-run", fingerprint, title=report.title, body=report.body)


class _Scan:
    """A scan that acts, by whoever holds the lock."""

    def __init__(
        self, diagnosis: Diagnosis, filing: Filing, log: Path, ledger: Ledger, stop: threading.Event | None
    ) -> None:
        self.diagnosis = diagnosis
        self.config = diagnosis.config
        self.filing = filing
        self.intake = Intake(diagnosis, log, ledger)
        self.journal = Journal(log)
        self.ledger = ledger
        self.core = ledger.state.core
        self.stop = stop
        self.unsaved = False
        self.shut = ""
        """Why nothing more can be filed in this scan."""
        self.agent_failures = 0

    @property
    def now(self) -> float:
        return self.diagnosis.clock()

    def run(self, *, rescan: bool) -> list[Outcome]:
        if self.core.halted:
            # Moves the file aside if that has not happened yet.
            self.ledger.save(self.now)
            advice = "look at it, then run `the-loop diagnose --repair-ledger`"
            return [_outcome("failed", "", error=f"{self.core.halted}: {advice}", reason="ledger")]
        # What an earlier scan had still to say, unless it was cut off just after it had.
        self.core.events = [record for record in self.core.events if not self.journal.holds(record)]
        outcomes = []
        try:
            self.read(rescan=rescan)
        except LogError as error:
            if not self.core.seen:
                raise
            if error.kind != "missing":
                outcomes.append(_whole(error))
        try:
            for fingerprint in self.in_order():
                if self.stop is not None and self.stop.is_set():
                    break
                outcome = self.guarded(fingerprint)
                outcomes += [outcome] if outcome is not None else []
            self.finish()
        except LedgerError as error:
            # What was done was done; what could not be written down is looked for by the next scan.
            outcomes.append(_whole(error))
        return outcomes

    def read(self, *, rescan: bool) -> None:
        """Takes in what is new, and what the clock did since."""
        known, times = set(self.core.seen), (self.ledger.state.posted, self.core.ahead)
        cursor = self.intake.into(self.core.seen, rescan=rescan)
        self.ledger.posted_within_a_day(self.now)
        unchanged = known == set(self.core.seen) and times == (self.ledger.state.posted, self.core.ahead)
        if unchanged and _same(cursor, self.core.cursor) and not rescan and not self.core.events:
            return
        self.core.cursor = cursor
        for fingerprint, seen in self.core.seen.items():
            if fingerprint not in known:
                self.note("detected", fingerprint, seen)
        # Cursor and defects in one write: what was read is never forgotten.
        self.save()

    def in_order(self) -> list[str]:
        """What may have been filed already comes first, since it counts; then what waits; the oldest first."""

        def rank(item: tuple[str, Seen]) -> tuple[bool, bool, str, str]:
            _, seen = item
            return not seen.intent, seen.report is None, seen.detected, str(seen.evidence.get("first_seen", ""))

        return [fingerprint for fingerprint, _ in sorted(self.core.seen.items(), key=rank)]

    def guarded(self, fingerprint: str) -> Outcome | None:
        """The outcome for one defect, whatever happens; none where the existing host settled it meanwhile."""
        seen = self.core.seen[fingerprint]
        try:
            if self.ledger.settled(fingerprint, seen.legacy):
                self.closed(fingerprint, seen)
                self.save()
                return None
            return self.settle(fingerprint, seen)
        except (LedgerError, KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            # One that cannot be handled must not hide the others, not even where the core panics.
            logger.exception("self-diagnosis failed on %s", fingerprint)
            return self.failed(fingerprint, seen, "scan", f"{type(error).__name__}: {error}")

    def settle(self, fingerprint: str, seen: Seen) -> Outcome:
        """Takes one defect as far as it goes today."""
        if 0 < self.core.retry_at - self.now <= LONGEST_WAIT:
            self.shut = f"the tracker asked to wait until {stamp(self.core.retry_at)}"
        if self.shut:
            return self.deferred(fingerprint, seen, "tracker", self.shut)
        looked = bool(seen.intent)
        if looked and (outcome := self.look(fingerprint, seen)) is not None:
            return outcome
        cap = self.config.max_issues_per_day
        others = [other for name, other in self.core.seen.items() if name != fingerprint]
        # What may have been filed counts as filed until it is known not to be.
        filed = self.ledger.posted_within_a_day(self.now) + self.ledger.begun_within_a_day(self.now, fingerprint)
        if filed >= cap:
            return self.deferred(fingerprint, seen, "cap", f"daily cap (maxIssuesPerDay: {cap}) reached")
        if seen.report is None or not self.diagnosis.still_stands(fingerprint, seen.report):
            # No agent works ahead of what may be filed, and none goes on failing.
            if filed + sum(bool(other.report and not other.intent) for other in others) >= cap:
                return self.deferred(fingerprint, seen, "cap", "as many reports wait as may be filed in a day")
            if self.agent_failures >= _AGENT_FAILURES:
                return self.deferred(fingerprint, seen, "agent", "the agent fails on one defect after another")
            looked = False
            if (outcome := self.diagnose(fingerprint, seen)) is not None:
                return outcome
        if not looked and (outcome := self.look(fingerprint, seen)) is not None:
            return outcome
        return self.create(fingerprint, seen)

    def diagnose(self, fingerprint: str, seen: Seen) -> Outcome | None:
        """Asks the agent and keeps its report; an outcome where there is none to post."""
        answer = self.diagnosis.ask(seen.evidence)
        if isinstance(answer, AgentResult):
            if answer.missing:
                return self.deferred(fingerprint, seen, "agent", answer.error)
            self.agent_failures += 1
            return self.failed(fingerprint, seen, "agent", answer.error)
        self.agent_failures = 0
        if answer.dismissed is not None:
            reason = self.diagnosis.scrubbed(answer.dismissed)
            self.core.dismissed[fingerprint] = self.closed(fingerprint, seen, reason=reason)
            self.save()
            return _outcome("dismissed", fingerprint, reason=reason)
        try:
            seen.report = self.diagnosis.compose(fingerprint, seen.evidence, answer)
        except ReportError as error:
            return self.failed(fingerprint, seen, "agent", str(error))
        # Attempts are counted for each stage.
        self.ledger.state.attempts.pop(fingerprint, None)
        self.save()
        return None

    def look(self, fingerprint: str, seen: Seen) -> Outcome | None:
        """Looks whether it was filed already, by us or by another machine; no outcome where it certainly was not."""
        begun = bool(seen.intent)
        try:
            url = self.filing.found(fingerprint, begun=begun)
        except UncertainError as error:
            return self.deferred(fingerprint, seen, "uncertain", str(error))
        except TrackerError as error:
            # An intent stands: nothing was learnt of what became of it.
            return self.unposted(fingerprint, seen, error, tried=False)
        if url is not None:
            # With an intent of ours on disk, what is found is what we filed before something ended us.
            return self.posted(fingerprint, seen, url, ours=begun)
        seen.intent = ""
        self.unsaved = True
        return None

    def create(self, fingerprint: str, seen: Seen) -> Outcome:
        """Files the report that waits."""
        assert seen.report is not None  # noqa: S101 — settle saw to it
        seen.intent = stamp(self.now)
        self.save()
        try:
            url = self.filing.create(seen.report)
        except TrackerError as error:
            if not error.maybe_created:
                seen.intent = ""
            return self.unposted(fingerprint, seen, error, tried=was_tried(error))
        except Exception as error:  # A client of the host's may raise anything.
            logger.warning("posting failed", exc_info=True)
            if not self.filing.searches:
                # It tells of no request that was sent, and nobody could look for one.
                seen.intent = ""
            return self.failed(fingerprint, seen, "post", f"{type(error).__name__}: {error}")
        return self.posted(fingerprint, seen, url, ours=True)

    def posted(self, fingerprint: str, seen: Seen, url: str, *, ours: bool) -> Outcome:
        """Writes down what is filed now."""
        self.note("posted", fingerprint, seen, url=url)
        self.ledger.state.reported[fingerprint] = self.closed(fingerprint, seen, url=url)
        if ours:
            self.ledger.state.posted.append(stamp(self.now))
        self.save()
        title = seen.report.title if seen.report is not None else ""
        extra = {} if ours else {"reason": "it was there already"}
        return _outcome("posted", fingerprint, title=title, url=url, **extra)

    def unposted(self, fingerprint: str, seen: Seen, error: TrackerError, *, tried: bool) -> Outcome:
        """What becomes of a report that could not be filed: it waits."""
        if tried:
            return self.failed(fingerprint, seen, "post", str(error))
        if error.retry_at is not None:
            self.core.retry_at = self.now + seconds_to_wait(error)
        # The next report would fare no better.
        self.shut = str(error)
        if error.retry_at is not None or error.kind in ("rate_limited", "missing"):
            return self.deferred(fingerprint, seen, "tracker", str(error))
        return self.failed(fingerprint, seen, "post", str(error), attempt=0)

    def deferred(self, fingerprint: str, seen: Seen, cause: str, reason: str) -> Outcome:
        """Puts a defect off; the log is told when the cause is a new one."""
        reason = self.diagnosis.scrubbed(reason)
        self.unsaved = True
        if seen.deferred != cause:
            seen.deferred = cause
            self.note("deferred", fingerprint, seen, reason=reason)
        return _outcome("deferred", fingerprint, reason=reason)

    def failed(self, fingerprint: str, seen: Seen, stage: str, error: str, *, attempt: int = 1) -> Outcome:
        """Counts an attempt (or none); after `maxRetries` of them the defect is abandoned."""
        state = self.ledger.state
        error = self.diagnosis.scrubbed(error)
        attempts = state.attempts.get(fingerprint, 0) + attempt
        abandoned = attempt > 0 and attempts >= self.config.max_retries
        seen.deferred = ""
        self.note("failed", fingerprint, seen, level="warning", stage=stage, attempt=attempts, error=error)
        if abandoned:
            state.abandoned[fingerprint] = self.closed(fingerprint, seen, reason=error)
        elif attempts:
            state.attempts[fingerprint] = attempts
        self.save()
        extra = {"abandoned": True} if abandoned else {}
        return _outcome("failed", fingerprint, error=error, reason=stage, attempt=attempts, **extra)

    def closed(self, fingerprint: str, seen: Seen, **more: str) -> dict[str, Any]:
        """Takes a defect off the list; the entry that is kept of it."""
        self.core.seen.pop(fingerprint, None)
        for name in (fingerprint, *seen.legacy):
            self.ledger.state.attempts.pop(name, None)
        return {"event": seen.evidence.get("event", ""), "ts": stamp(self.now), **more}

    def note(self, event: str, fingerprint: str, seen: Seen, **fields: Any) -> None:
        """Keeps an event to be logged once what it tells of is on disk."""
        trigger = seen.evidence.get("event", "")
        record = event_record(f"diagnosis.{event}", self.now, fingerprint=fingerprint, trigger=trigger, **fields)
        self.core.events.append(record)

    def save(self) -> None:
        """Writes the ledger, then logs what waited for that."""
        self.ledger.save(self.now)
        self.unsaved = False
        while self.core.events and self.journal.append(self.core.events[0]):
            del self.core.events[0]
            self.unsaved = True

    def finish(self) -> None:
        """Leaves nothing unsaid and nothing unsaved."""
        if self.unsaved:
            self.save()
        if self.unsaved:
            self.ledger.save(self.now)
