"""One bounded child process: no shell, a deadline, bounded output, and nothing left behind."""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

_SUPERVISE = Path(__file__).with_name("supervise.py")

KEPT_BYTES = 2 << 20
"""How much of a stream is kept unless asked for more: half of it from the beginning, half from the end."""
LIMIT_BYTES = 64 << 20
"""A child that writes more than this is ended."""


@dataclass(frozen=True)
class Finished:
    """How a child ended, and what it wrote (decoded leniently; the middle is left out where it was too much)."""

    how: Literal["exit", "timeout", "stopped", "missing", "flood"]
    code: int | None
    stdout: str
    stderr: str


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
    left the process group are). May be called from any thread.
    """
    live_read, live_write = os.pipe()
    status_read, status_write = os.pipe()
    supervisor = [
        sys.executable,
        "-I",
        "-S",
        str(_SUPERVISE),
        str(live_read),
        str(status_write),
        str(timeout),
    ]
    try:
        with tempfile.TemporaryFile() as question:
            question.write(stdin)
            question.seek(0)
            process = subprocess.Popen(
                [*supervisor, *argv],
                stdin=question,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(live_read, status_write),
                env=dict(env),
                cwd=cwd,
                start_new_session=True,
            )
    except BaseException:
        for descriptor in (live_read, live_write, status_read, status_write):
            os.close(descriptor)
        raise
    os.close(live_read)
    os.close(status_write)
    try:
        with process, os.fdopen(status_read, "rb") as status:
            try:
                stdout, stderr, flood = _collect(process, keep)
            finally:
                # Whatever happens here, the supervisor ends what it started and then itself.
                os.close(live_write)
            said = status.readline().decode().split(maxsplit=1)
    finally:
        process.wait()
    how, detail = (said[0], said[1].strip() if len(said) > 1 else "") if said else ("stopped", "")
    code = int(detail) if how == "exit" else None
    if flood:
        return Finished("flood", code, stdout.text(), stderr.text())
    match how:
        case "exit" | "timeout" | "missing":
            return Finished(how, code, stdout.text(), stderr.text())
        case _:
            return Finished("stopped", code, stdout.text(), stderr.text())


def _collect(process: subprocess.Popen[bytes], keep: int) -> tuple[_Kept, _Kept, bool]:
    """Reads both streams to their end, or until one floods."""
    assert process.stdout and process.stderr  # noqa: S101 — both were asked for
    stdout, stderr = _Kept(keep), _Kept(keep)
    with selectors.DefaultSelector() as selector:
        streams: list[tuple[IO[bytes], _Kept]] = [(process.stdout, stdout), (process.stderr, stderr)]
        for stream, kept in streams:
            selector.register(stream, selectors.EVENT_READ, kept)
        while selector.get_map():
            for key, _ in selector.select():
                data = os.read(key.fd, 1 << 16)
                if not data:
                    selector.unregister(key.fileobj)
                    continue
                kept = key.data
                kept.add(data)
                if kept.total > LIMIT_BYTES:
                    return stdout, stderr, True
    return stdout, stderr, False
