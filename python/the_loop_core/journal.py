"""Appends `diagnosis.*` events to the host's event log: whole lines, whoever else is writing."""

from __future__ import annotations

import json
import logging
import os
import stat
import time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

logger = logging.getLogger("the_loop_core")

SOURCE = "self-diagnosis"
_FIRST = ("ts", "source", "event", "level", "pid")
_TAIL = 1 << 20
"""How far back `holds` looks, in bytes."""
_LAST_SECOND = 253402300799.0
"""The end of the year 9999: what lies beyond has no ISO form."""


def stamp(seconds: float) -> str:
    """Seconds since the epoch as the host writes time: ISO-8601, UTC, milliseconds, `Z`."""
    when = datetime.fromtimestamp(min(max(seconds, 0.0), _LAST_SECOND), timezone.utc)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def event_record(event: str, now: float, *, level: str = "info", **fields: object) -> dict[str, Any]:
    """A record as the host writes them."""
    return {"ts": stamp(now), "source": SOURCE, "event": event, "level": level, "pid": os.getpid(), **fields}


_LOOKS = 10
_PAUSE = 0.005
"""How often, and how many seconds apart, a line that seems torn is looked at."""


class Journal:
    """The event log at `path`, to be appended to. A log that cannot be written never stops a scan."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._complained = False

    def append(self, record: dict[str, Any]) -> bool:
        """Appends one record in one write; whether it is in the log now. Neither blocks nor raises."""
        line = _line(record)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # For reading, too: that opens even a FIFO without waiting for its other end.
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(self._path, flags, 0o644)
        except (OSError, ValueError) as error:
            return self._unwritable(error)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return self._unwritable("it is not a regular file")
            if _torn(descriptor):
                # A record appended in the middle of a line would be lost to other readers.
                line = b"\n" + line
            return os.write(descriptor, line) == len(line)
        except OSError as error:
            return self._unwritable(error)
        finally:
            os.close(descriptor)

    def _unwritable(self, why: object) -> bool:
        if not self._complained:
            logger.warning("cannot write to the event log: %s", getattr(why, "strerror", None) or why)
        self._complained = True
        return False

    def holds(self, record: dict[str, Any]) -> bool:
        """Whether the end of the log has this very record already. Neither blocks nor raises."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError):
            return False
        try:
            size = os.fstat(descriptor).st_size
            return _line(record) in os.pread(descriptor, _TAIL, max(0, size - _TAIL))
        except OSError:
            return False
        finally:
            os.close(descriptor)


def _torn(descriptor: int) -> bool:
    """Whether the log ends in the middle of a line that nobody is writing any more.

    Another process's write can be seen half done, so one look does not tell: a torn line stays as it is. Takes
    `_LOOKS * _PAUSE` seconds at most, and none where the log ends with a line.
    """
    before = -1
    for _ in range(_LOOKS):
        size = os.fstat(descriptor).st_size
        if size == 0 or os.pread(descriptor, 1, size - 1) == b"\n":
            return False
        if before not in (-1, size):
            # It grows: whoever writes there ends the line.
            return False
        before = size
        time.sleep(_PAUSE)
    return True


def _line(record: dict[str, Any]) -> bytes:
    # In one order, whether the record was just made or comes out of the ledger.
    ordered = {key: record[key] for key in (*_FIRST, *sorted(record)) if key in record}
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"
