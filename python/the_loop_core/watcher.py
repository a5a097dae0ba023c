"""Scans in the background of a daemon."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from the_loop_core import config as configuration
from the_loop_core.config import SelfDiagnosisConfig
from the_loop_core.scan import scan

logger = logging.getLogger("the_loop_core")

THREAD_NAME = "the-loop-self-diagnosis"

_FIRST = (2.0, 10.0)
"""The first scan comes this long after the start, in seconds: two daemons that start together do not collide."""


def start_watcher(
    cli_config: Mapping[str, Any] | None,
    stop_event: threading.Event,
    *,
    log_path: str | Path | None = None,
    state_path: str | Path | None = None,
) -> threading.Thread | None:
    """Starts the thread that scans every `intervalSeconds` until `stop_event` is set.

    Returns none, and starts nothing, where self-diagnosis is off. Never raises.
    """
    settings = SelfDiagnosisConfig.from_mapping(cli_config)
    if not settings.enabled:
        return None
    try:
        log, state = configuration.places(cli_config or {})
        watcher = _Watcher(settings, Path(log_path or log), Path(state_path or state), stop_event)
        thread = threading.Thread(target=watcher.run, name=THREAD_NAME, daemon=True)
        thread.start()
    except Exception:  # The daemon goes on, whatever keeps this from starting.
        logger.exception("self-diagnosis could not start")
        return None
    logger.info("self-diagnosis watches %s every %g s", watcher.log, settings.interval_seconds)
    return thread


class _Watcher:
    def __init__(self, settings: SelfDiagnosisConfig, log: Path, state: Path, stop: threading.Event) -> None:
        self.settings = settings
        self.log = log
        self.state = state
        self.stop = stop
        self._said: set[str] = set()

    def run(self) -> None:
        wait = min(random.uniform(*_FIRST), self.settings.interval_seconds)  # noqa: S311 — jitter, no secret
        while not self.stop.wait(wait):
            self.once()
            wait = self.settings.interval_seconds

    def once(self) -> None:
        """Scans; a cause that lasts is said once, not at every scan, until a scan has gone well."""
        try:
            outcomes = scan(self.settings, log_path=self.log, state_path=self.state, stop=self.stop)
        except BaseException as error:  # The thread lives on, whatever happened: after a panic of the core, too.
            causes = {f"{type(error).__name__}: {error}"}
        else:
            whole = [o for o in outcomes if o["action"] == "failed" and not o["fingerprint"]]
            causes = {str(outcome["error"]) for outcome in whole}
        for cause in sorted(causes - self._said):
            logger.error("self-diagnosis could not scan: %s", cause)
        self._said = self._said | causes if causes else set()
