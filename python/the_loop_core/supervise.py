"""Runs one command and ends every process that came of it. Started by `process.run` as a program of its own.

    python supervise.py LIVE STATUS SECONDS LOCALE COMMAND…

A child may ignore SIGTERM, call setsid, or leave a grandchild behind that holds its output open. On Linux this
program makes itself the one to which all of them fall back (`PR_SET_CHILD_SUBREAPER`), so none can be lost and
nothing is asked of the process that wants the command run: a daemon with children of its own. Elsewhere the
command's process group is what is ended.

LIVE is a descriptor that reads end-of-file when the caller wants an end or has died. STATUS is a descriptor to
which one line is written: `exit N`, `timeout`, `stopped` or `unstarted REASON`. LOCALE is `=VALUE` where the
environment was given `LC_CTYPE`: in the C locale Python sets that variable for itself, and for its children.
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

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_GRACE = 2.0
"""How long after SIGTERM a process may still tidy up, in seconds."""
_FORCE = 5.0
"""How long SIGKILL is sent again to what keeps forking, in seconds."""
_TICK = 0.02
_LISTED = Path("/proc/thread-self/children").exists()
"""Whether the kernel lists the children of a thread."""


def main() -> None:
    """Runs the command line of this program."""
    live, status, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    os.environ.pop("LC_CTYPE", None)
    if sys.argv[4].startswith("="):
        os.environ["LC_CTYPE"] = sys.argv[4][1:]
    command = sys.argv[5:]
    # A caller that ignores SIGCHLD, or was started with signals blocked, hands that on: neither may reach the command.
    ended = _wake_on_child()
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    try:
        # Should this program be killed, the command goes with it. It has no threads: the hook is safe.
        child = subprocess.Popen(
            command,
            start_new_session=True,
            preexec_fn=lambda: _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL),  # noqa: PLW1509
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        _say(status, f"unstarted {reason or error}")
        return
    outcome = _wait(child.pid, live, ended, time.monotonic() + seconds)
    _end(child.pid)
    _say(status, outcome)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _wake_on_child() -> int:
    """A descriptor that can be read when a child has ended."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    return reading


def _say(status: int, outcome: str) -> None:
    os.write(status, outcome.encode(errors="replace") + b"\n")


def _wait(child: int, live: int, ended: int, deadline: float) -> str:
    while (left := deadline - time.monotonic()) > 0:
        readable, _, _ = select.select([live, ended], [], [], min(left, 60))
        if live in readable:
            return "stopped"
        if ended in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(ended, 4096)
        code = _reap(child)
        if code is not None:
            return f"exit {code}"
    return "timeout"


def _reap(child: int) -> int | None:
    """Collects whatever has ended; the exit code of `child` once it is among them."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            found = 128 - code if code < 0 else code


def _end(child: int) -> None:
    """Ends every descendant: politely at first, then not; again and again, since they may still be forking."""
    started = time.monotonic()
    told: set[int] = set()
    while (passed := time.monotonic() - started) < _GRACE + _FORCE:
        _reap(child)
        left = _descendants(child)
        if not left:
            return
        if passed < _GRACE:
            # Told once: a second SIGTERM makes some programs skip what they do at the first.
            _send(signal.SIGTERM, [pid for pid in left if pid not in told])
            told.update(left)
            time.sleep(_TICK)
        else:
            # Without a pause: what forks faster than it is looked for is caught while it is young.
            _send(signal.SIGKILL, left)


def _send(number: signal.Signals, pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            if pid < 0:
                os.killpg(-pid, number)
            else:
                os.kill(pid, number)


def _descendants(child: int) -> list[int]:
    """Every process below this one. Where there is no /proc, the group of `child` as a negative number, if any."""
    if sys.platform != "linux":
        return [-child] if _group(child) else []
    found: list[int] = []
    queue = [os.getpid()]
    while queue:
        below = _children(queue.pop())
        found += below
        queue += below
    return found


def _children(pid: int) -> list[int]:
    """The children of a process, of all its threads; none when it is gone."""
    if not _LISTED:
        return _children_by_search(pid)
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (thread / "children").read_bytes().split())
    return found


def _children_by_search(parent: int) -> list[int]:
    """For a kernel that keeps no list of children: looks at every process."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name, in parentheses, may hold anything: what counts stands behind the last one.
            if int((entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[1]) == parent:
                found.append(int(entry.name))
    return found


def _group(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
