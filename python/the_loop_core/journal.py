"""Appends `diagnosis.*` events to the host's event log: whole lines, whoever else is writing."""

from __future__ import annotations

import json
import logging
import os
import stat
from datetime import datetime, timezone
from pathlib import Path

logger = logging.getLogger("the_loop_core")

SOURCE = "self-diagnosis"


def stamp(seconds: float) -> str:
    """Seconds since the epoch as the host writes time: ISO-8601, UTC, milliseconds, `Z`."""
    when = datetime.fromtimestamp(seconds, timezone.utc)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Journal:
    """Writes to the event log at `path`. A log that cannot be written never stops a scan."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, event: str, now: float, *, level: str = "info", **fields: object) -> None:
        """Appends one record, in one write."""
        record = {"ts": stamp(now), "source": SOURCE, "event": event, "level": level, "pid": os.getpid(), **fields}
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"
        try:
            # Not blocking: at the path there may be a FIFO that nobody reads.
            descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            logger.warning("cannot write to the event log: %s", error.strerror)
            return
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                if self._torn(descriptor):
                    line = b"\n" + line
                os.write(descriptor, line)
        except OSError as error:
            logger.warning("cannot write to the event log: %s", error.strerror)
        finally:
            os.close(descriptor)

    def _torn(self, descriptor: int) -> bool:
        """Whether the log ends in the middle of a line: a record appended there would be lost to other readers."""
        size = os.fstat(descriptor).st_size
        if size == 0:
            return False
        with self._path.open("rb") as log:
            log.seek(size - 1)
            return log.read(1) != b"\n"
