"""Measures whole processes: wall seconds, CPU seconds (user + system) and peak memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """What one process took. Seconds, and MiB of peak resident memory."""

    wall: float
    cpu: float
    rss: float


def run(argv: Sequence[str], *, stdin: bytes = b"", env: dict[str, str] | None = None) -> tuple[Cost, bytes]:
    """Runs one process to its end; its cost, and what it printed. Raises when it fails."""
    read, write = os.pipe()
    started = time.perf_counter()
    with os.fdopen(write, "wb") as out:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=out, env=env)
    if process.stdin:
        process.stdin.write(stdin)
        process.stdin.close()
    with os.fdopen(read, "rb") as printed:
        output = printed.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{argv[0]} exited with {process.returncode}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), output


def paired(first: Sequence[str], second: Sequence[str], *, rounds: int) -> tuple[Cost, Cost]:
    """The median costs of two commands that took turns, so that a busy moment meets both alike."""
    pairs = [(run(first)[0], run(second)[0]) for _ in range(rounds)]
    return _median([a for a, _ in pairs]), _median([b for _, b in pairs])


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(c.wall for c in costs),
        statistics.median(c.cpu for c in costs),
        max(c.rss for c in costs),
    )
