"""Rebuilds a ledger that was moved aside from what the tracker and the old file still tell."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

from the_loop_core.config import SelfDiagnosisConfig
from the_loop_core.journal import stamp
from the_loop_core.ledger import Busy, Ledger, LedgerError, State, is_time, locked
from the_loop_core.tracker import Tracker

_MARKER = re.compile(r"<!-- the-loop:defect (v\d+:[0-9a-f]{8,64}) -->")


def repair(path: Path, config: SelfDiagnosisConfig, tracker: Tracker) -> str:
    """Makes the ledger at `path` usable again and says in a sentence what it holds now.

    What the tracker has is filed; of a file that was moved aside the entries that are whole are kept. Defects in
    neither are met again in the log. Raises `LedgerError` and `TrackerError`.
    """
    try:
        with locked(path):
            return _repaired(path, config, tracker)
    except Busy:
        raise LedgerError("a scan is under way: repair the ledger when it has ended") from None


def _repaired(path: Path, config: SelfDiagnosisConfig, tracker: Tracker) -> str:
    ledger = Ledger.load(path)
    if not ledger.state.core.halted:
        return "the ledger is whole: there is nothing to repair"
    now = time.time()
    ledger.save(now)
    state = _salvaged(path)
    owner, name = config.owner_and_name
    on_tracker = 0
    for issue, body in tracker.issues(owner, name):
        for fingerprint in _MARKER.findall(body):
            on_tracker += 1
            state.reported.setdefault(fingerprint, {"event": "", "ts": stamp(now), "url": issue.url})
    ledger.state = state
    ledger.save(now)
    return (
        f"the ledger is rebuilt: {len(state.reported)} reported ({on_tracker} found on {config.repo}), "
        f"{len(state.abandoned)} abandoned; the log will be read again from its beginning"
    )


def _salvaged(path: Path) -> State:
    """The whole entries of the files that were moved aside; where two have one, the newer file's."""
    state = State()
    for aside in sorted(path.parent.glob(f"{path.name}.corrupt-*"), reverse=True):
        old = _object(aside)
        core = old.get("core")
        for name, entry in _entries(old, "reported"):
            state.reported.setdefault(name, entry)
        for name, entry in _entries(old, "abandoned"):
            state.abandoned.setdefault(name, entry)
        for name, entry in _entries(core, "dismissed"):
            state.core.dismissed.setdefault(name, entry)
        # What was filed today counts towards today's cap still.
        posted = old.get("posted")
        if not state.posted and isinstance(posted, list):
            state.posted = [text for text in posted if isinstance(text, str) and is_time(text)]
    return state


def _object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _entries(parent: object, key: str) -> list[tuple[str, dict[str, Any]]]:
    items = parent.get(key) if isinstance(parent, dict) else None
    return (
        [(name, entry) for name, entry in items.items() if isinstance(entry, dict)] if isinstance(items, dict) else []
    )
