"""What is new in the event log → the defects that are seen and not settled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from the_loop_core import _core
from the_loop_core.diagnosis import Diagnosis
from the_loop_core.errors import EvidenceError
from the_loop_core.journal import stamp
from the_loop_core.ledger import Ledger, Seen

MAX_SEEN = 500
"""How many unsettled defects are held; what comes after them waits in the log."""


@dataclass(frozen=True)
class Intake:
    """Reads the log at `log` on behalf of `ledger`, which it leaves as it is."""

    diagnosis: Diagnosis
    log: Path
    ledger: Ledger

    def into(self, seen: dict[str, Seen], *, rescan: bool) -> dict[str, Any] | None:
        """Adds to `seen`, in place, and returns the cursor to go on from. `rescan` begins at the beginning.

        Raises `LogError`.
        """
        cursor = None if rescan else self.ledger.state.core.cursor
        # Read anew from the beginning, the old counts are in the new ones.
        outdated = set(seen) if rescan else set()
        while (room := MAX_SEEN - len(seen)) > 0:
            harvest = _core.harvest(self.log, cursor, defects=room)
            cursor = harvest.cursor
            for defect in harvest.defects:
                if not self.ledger.settled(defect.id, defect.legacy):
                    self._add(defect, seen, replace=defect.id in outdated)
                    outdated.discard(defect.id)
            if not harvest.stats["more"]:
                break
        return cursor

    def _add(self, defect: _core.Defect, seen: dict[str, Seen], *, replace: bool) -> None:
        evidence = _core.gather_evidence(
            defect.records, self.diagnosis.redactor, count=defect.count, first_seen=defect.first_seen
        )
        known = seen.get(defect.id)
        if known is None:
            detected = stamp(self.diagnosis.clock())
            seen[defect.id] = Seen(evidence=evidence, legacy=defect.legacy, detected=detected)
            return
        known.evidence = evidence if replace else _merged(known.evidence, evidence)
        known.legacy = sorted({*known.legacy, *defect.legacy})


def _merged(earlier: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    try:
        merged: dict[str, Any] = _core.merge_evidence(earlier, later)
    except EvidenceError:
        # What the ledger kept was altered by hand: what the log says stands.
        return later
    return merged
