"""Rebuilds a ledger that was moved aside from what the tracker and the old file still tell."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from the_loop_core.config import SelfDiagnosisConfig
from the_loop_core.journal import stamp
from the_loop_core.ledger import Extra, Ledger, State, locked
from the_loop_core.tracker import Tracker

_MARKER = re.compile(r"<!-- the-loop:defect (v\d+:[0-9a-f]{8,64}) -->")


def repair(path: Path, config: SelfDiagnosisConfig, tracker: Tracker) -> str:
    """Makes the ledger at `path` usable again and says in a sentence what it holds now.

    What the tracker has is filed; of a file that was moved aside the entries that are whole are kept. Defects in
    neither are met again in the log. Raises `LedgerError`, `TrackerError`, `Busy`.
    """
    with locked(path):
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
        state.core = Extra()
        ledger.state = state
        ledger.save(now)
        return (
            f"the ledger is rebuilt: {len(state.reported)} reported ({on_tracker} found on {config.repo}), "
            f"{len(state.abandoned)} abandoned; the log will be read again from its beginning"
        )


def _salvaged(path: Path) -> State:
    """The whole entries of the newest file that was moved aside."""
    state = State()
    for aside in sorted(path.parent.glob(f"{path.name}.corrupt-*"), reverse=True)[:1]:
        try:
            old: Any = json.loads(aside.read_text(encoding="utf-8", errors="replace"))
        except (OSError, ValueError, RecursionError):
            continue
        if not isinstance(old, dict):
            continue
        for key in ("abandoned", "reported", "posted"):
            items = old.get(key)
            pairs = items.items() if isinstance(items, dict) else ()
            for fingerprint, entry in pairs:
                try:
                    part = State.model_validate({key: {fingerprint: entry}}, strict=True)
                except ValidationError:
                    continue
                getattr(state, key).update(getattr(part, key))
            if key == "posted" and isinstance(items, list):
                state.posted = [item for item in items if isinstance(item, str)]
    return state
