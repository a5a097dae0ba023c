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
    """What one process took: seconds, and MiB of peak resident memory."""

    wall: float
    cpu: float
    rss: float


def run(argv: Sequence[str]) -> Cost:
    """Runs one process to its end and tells its cost; its output is thrown away. Stops the bench when it fails."""
    started = time.perf_counter()
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{argv[0]} exited with {process.returncode}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def in_turn(*commands: Sequence[str], rounds: int) -> list[Cost]:
    """The median costs of commands that took turns, so that a busy moment meets all alike."""
    taken = [[run(command) for command in commands] for _ in range(rounds)]
    return [
        Cost(
            statistics.median(cost.wall for cost in costs),
            statistics.median(cost.cpu for cost in costs),
            max(cost.rss for cost in costs),
        )
        for costs in zip(*taken, strict=True)
    ]
