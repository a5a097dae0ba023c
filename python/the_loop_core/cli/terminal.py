"""Colour and progress: for a person at a terminal, never for a pipe."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def styled(text: str, style: str, stream: TextIO | None = None) -> str:
    """`text` in `style` where `stream` (stdout) is a terminal that wants colour."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if _colour(stream or sys.stdout) else text


def _colour(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def printable(text: str) -> str:
    """`text` on one line without what a terminal would act on: the log is written by strangers, too."""
    return "".join(c if c.isprintable() else " " for c in text)


@contextmanager
def progress(message: str) -> Iterator[None]:
    """Shows on stderr that something takes its time, with the seconds it took so far; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    started = time.monotonic()

    def show() -> None:
        while not over.wait(0.2):
            seconds = int(time.monotonic() - started)
            sys.stderr.write(f"\r\x1b[2K{message} … {seconds} s")
            sys.stderr.flush()

    shower = threading.Thread(target=show, daemon=True)
    shower.start()
    try:
        yield
    finally:
        over.set()
        shower.join()
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()
