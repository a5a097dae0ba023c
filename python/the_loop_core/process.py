"""One bounded child process: no shell, a deadline, bounded output, and nothing left behind."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

_SUPERVISE = Path(__file__).with_name("supervise.py")

KEPT_BYTES = 2 << 20
"""How much of a stream is kept unless asked for more: half of it from the beginning, half from the end."""
LIMIT_BYTES = 64 << 20
"""A child that writes more than this is ended."""
_PATIENCE = 30.0
"""How long after its deadline the supervisor may take to end everything, in seconds."""
_LOOK = 0.5
"""How often to look whether the supervisor still lives while nothing is written, in seconds."""


@dataclass(frozen=True)
class Finished:
    """How a child ended, and what it wrote (decoded leniently; the middle is left out where it was too much)."""

    how: Literal["exit", "timeout", "stopped", "unstarted", "flood"]
    code: int | None
    """The exit code; 128 + N after signal N; none unless it ended by itself."""
    stdout: str = ""
    stderr: str = ""
    reason: str = ""
    """Why it could not be started."""


class _Kept:
    """The beginning and the end of a stream."""

    def __init__(self, keep: int) -> None:
        self.half = keep // 2
        self.head = bytearray()
        self.tail = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = self.half - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        self.tail += data
        if len(self.tail) > 2 * self.half:
            del self.tail[: -self.half]

    def text(self) -> str:
        tail = bytes(self.tail[-self.half :])
        cut = self.total > len(self.head) + len(tail)
        return (bytes(self.head) + (b"\n...\n" if cut else b"") + tail).decode(errors="replace")


def run(
    argv: Sequence[str],
    *,
    stdin: bytes = b"",
    env: Mapping[str, str],
    cwd: Path,
    timeout: float,
    keep: int = KEPT_BYTES,
) -> Finished:
    """Runs `argv` (never through a shell) with exactly the environment `env`, for at most `timeout` seconds.

    When it returns, no process that came of it is left, whatever they do to escape (on Linux; elsewhere those that
    left the process group are). May be called from any thread. Never raises for what the child is or does.
    """
    if any("\0" in word for word in (*argv, *env, *env.values())):
        return Finished("unstarted", None, reason="an argument holds a NUL character")
    opened: list[int] = []
    try:
        opened += os.pipe()
        opened += os.pipe()
        live_read, live_write, status_read, status_write = opened
        with tempfile.TemporaryFile() as question:
            question.write(stdin)
            question.seek(0)
            process = subprocess.Popen(
                [*_supervisor(live_read, status_write, timeout, env), *argv],
                stdin=question,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(live_read, status_write),
                env=dict(env),
                cwd=cwd,
                start_new_session=True,
            )
    except BaseException as error:
        for descriptor in opened:
            os.close(descriptor)
        if isinstance(error, OSError):
            return Finished("unstarted", None, reason=error.strerror or str(error))
        raise
    os.close(live_read)
    os.close(status_write)
    with process, os.fdopen(status_read, "rb") as status:
        try:
            stdout, stderr, flood = _collect(process, keep, time.monotonic() + timeout + _PATIENCE)
        finally:
            # Whatever happens here, the supervisor ends what it started and then itself.
            os.close(live_write)
        how, _, detail = status.readline().decode(errors="replace").strip().partition(" ")
    told = (stdout.text(), stderr.text())
    if flood:
        return Finished("flood", None, *told)
    match how:
        case "exit":
            return Finished("exit", int(detail), *told)
        case "timeout":
            return Finished("timeout", None, *told)
        case "unstarted":
            return Finished("unstarted", None, reason=detail)
        case _:
            return Finished("stopped", None, *told)


def _supervisor(live: int, status: int, timeout: float, env: Mapping[str, str]) -> list[str]:
    locale = f"={env['LC_CTYPE']}" if "LC_CTYPE" in env else "-"
    return [sys.executable, "-I", "-S", str(_SUPERVISE), str(live), str(status), str(timeout), locale]


def _collect(process: subprocess.Popen[bytes], keep: int, deadline: float) -> tuple[_Kept, _Kept, bool]:
    """Reads both streams to their end, or until one floods.

    The supervisor closes them by ending whatever holds them. What it may not end (a program with another user's
    rights) or does not (somebody killed it) is not waited for.
    """
    assert process.stdout and process.stderr  # noqa: S101 — both were asked for
    stdout, stderr = _Kept(keep), _Kept(keep)
    with selectors.DefaultSelector() as selector:
        streams: list[tuple[IO[bytes], _Kept]] = [(process.stdout, stdout), (process.stderr, stderr)]
        for stream, kept in streams:
            selector.register(stream, selectors.EVENT_READ, kept)
        while selector.get_map() and time.monotonic() < deadline:
            ready = selector.select(_LOOK)
            if not ready and process.poll() is not None:
                break
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if not data:
                    selector.unregister(key.fileobj)
                    continue
                kept = key.data
                kept.add(data)
                if kept.total > LIMIT_BYTES:
                    return stdout, stderr, True
    return stdout, stderr, False
