"""Runs one command and ends every process that came of it. Started by `process.run` as a program of its own.

    python supervise.py LIVE STATUS SECONDS COMMAND…

A child may ignore SIGTERM, call setsid, or leave a grandchild behind that holds its output open. On Linux this
program makes itself the one to which all of them fall back (`PR_SET_CHILD_SUBREAPER`), so none can be lost and
nothing is asked of the process that wants the command run: a daemon with children of its own.

LIVE is a descriptor that reads end-of-file when the caller wants an end or has died. STATUS is a descriptor to
which one line is written: `exit N`, `timeout`, `stopped` or `missing`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_GRACE = 2.0
"""How long after SIGTERM a process may still tidy up, in seconds."""
_TICK = 0.02


def main() -> None:
    """Runs the command line of this program."""
    live, status, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    command = sys.argv[4:]
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        child = subprocess.Popen(command, start_new_session=True)
    except FileNotFoundError:
        _say(status, "missing")
        return
    except OSError as error:
        _say(status, f"missing {error.strerror}")
        return
    outcome = _wait(child.pid, live, time.monotonic() + seconds)
    _end(child.pid)
    _say(status, outcome)


def _say(status: int, outcome: str) -> None:
    os.write(status, outcome.encode() + b"\n")


def _wait(child: int, live: int, deadline: float) -> str:
    while time.monotonic() < deadline:
        readable, _, _ = select.select([live], [], [], _TICK)
        if readable:
            return "stopped"
        code = _reap(child)
        if code is not None:
            return f"exit {code}"
    return "timeout"


def _reap(child: int) -> int | None:
    """Collects whatever has ended; the exit code of `child` once it is among them."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return None
        if pid == 0:
            return None
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            return 128 - code if code < 0 else code


def _end(child: int) -> None:
    """Ends every descendant: politely at first, then not; again and again, since they may still be forking."""
    started = time.monotonic()
    while time.monotonic() < started + 2 * _GRACE:
        polite = time.monotonic() < started + _GRACE
        _reap(0)
        left = _descendants(os.getpid())
        if not left and not _group(child):
            return
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGTERM if polite else signal.SIGKILL)
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGTERM if polite else signal.SIGKILL)
        time.sleep(_TICK if len(left) < 100 else _TICK / 10)


def _group(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except OSError:
        return False
    return True


def _descendants(root: int) -> list[int]:
    """Every process below `root`, from /proc; none where there is no /proc."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name, in parentheses, may hold anything: what counts stands behind the last one.
            parent = int((entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    queue = [root]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


if __name__ == "__main__":
    main()
