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
    values = cli_config or {}
    log, state = configuration.places(values)
    watcher = _Watcher(settings, Path(log_path or log), Path(state_path or state), stop_event)
    thread = threading.Thread(target=watcher.run, name=THREAD_NAME, daemon=True)
    thread.start()
    return thread


class _Watcher:
    def __init__(self, settings: SelfDiagnosisConfig, log: Path, state: Path, stop: threading.Event) -> None:
        self._settings = settings
        self._log = log
        self._state = state
        self._stop = stop
        self._complained = ""

    def run(self) -> None:
        wait = min(random.uniform(*_FIRST), self._settings.interval_seconds)  # noqa: S311 — jitter, no secret
        while not self._stop.wait(wait):
            self._once()
            wait = self._settings.interval_seconds

    def _once(self) -> None:
        cause = ""
        try:
            outcomes = scan(self._settings, log_path=self._log, state_path=self._state)
        except Exception as error:  # The thread lives on, whatever happened.
            cause = f"{type(error).__name__}: {error}"
        else:
            cause = next(
                (str(o.get("error")) for o in outcomes if o["action"] == "failed" and not o["fingerprint"]), ""
            )
        # A cause that lasts is said once, not at every scan.
        if cause and cause != self._complained:
            logger.error("self-diagnosis could not scan: %s", cause)
        self._complained = cause
