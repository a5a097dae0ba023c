"""Files one report, once: looks for the issue by its hidden marker before it creates one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from the_loop_core import _core
from the_loop_core.config import SelfDiagnosisConfig
from the_loop_core.ledger import Report
from the_loop_core.tracker import Tracker, TrackerError, tracker_for
from the_loop_core.tracker.host import as_tracker

LONGEST_WAIT = 25 * 3600.0
"""A tracker asks for a day at most (seconds): a longer wait was written down by another clock."""


class UncertainError(Exception):
    """An issue may exist, and nothing at hand can look for it."""


class Filing:
    """Issues of one repository, through `client` or else through what `environ` lets us reach."""

    def __init__(self, config: SelfDiagnosisConfig, client: Any | None, environ: Mapping[str, str]) -> None:
        self._config = config
        self._environ = environ
        self._given = None if client is None else as_tracker(client)
        self._own: Tracker | None = None

    @property
    def searches(self) -> bool:
        """Whether issues can be found."""
        return bool(getattr(self._given, "searches", True))

    def found(self, fingerprint: str, *, begun: bool) -> str | None:
        """The address of the issue that a defect has already. `begun`: we may have filed it ourselves.

        Raises `TrackerError`, and `UncertainError` where it may exist and cannot be looked for.
        """
        tracker = self._tracker()
        if begun and not self.searches:
            try:
                tracker = self._reached()
            except TrackerError as error:
                raise UncertainError(_UNCERTAIN) from error
        try:
            issue = tracker.find_issue(*self._config.owner_and_name, _core.defect_marker(fingerprint))
        except TrackerError as error:
            if begun and not self.searches:
                raise UncertainError(_UNCERTAIN) from error
            raise
        return None if issue is None else str(issue.url)

    def create(self, report: Report) -> str:
        """Creates the issue; its address. Raises `TrackerError`, and whatever a client of the host's raises."""
        labels = [self._config.label]
        _, url = self._tracker().create_issue(*self._config.owner_and_name, report.title, report.body, labels)
        return str(url)

    def _tracker(self) -> Tracker:
        return self._given if self._given is not None else self._reached()

    def _reached(self) -> Tracker:
        if self._own is None:
            self._own = tracker_for(self._config, self._environ)
        return self._own


_UNCERTAIN = "it may have been filed before and this client cannot look for it: give access to the tracker"


def was_tried(error: TrackerError) -> bool:
    """Whether a failure to create an issue is an attempt: a request was made, and was refused for what it holds or
    got no clear answer. A tracker that is out of reach, lets nobody in or asks for time says nothing of the report."""
    return error.retry_at is None and (error.maybe_created or error.kind in ("invalid", "malformed"))


def seconds_to_wait(error: TrackerError) -> float:
    """How long the tracker asked to wait, by the clock that its answer was read by."""
    if error.retry_at is None:
        return 0.0
    return max(0.0, (error.retry_at - datetime.now(timezone.utc)).total_seconds())
