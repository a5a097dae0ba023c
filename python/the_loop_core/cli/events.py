"""`the-loop events`: the event log for a person, or for a pipe."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from the_loop_core import config
from the_loop_core._core import Tail
from the_loop_core.cli import DONE, Refused
from the_loop_core.cli.terminal import printable, styled
from the_loop_core.config import ConfigError
from the_loop_core.errors import LogError

_LEVELS = ("debug", "info", "warning", "error")
_STYLES = {"debug": "dim", "warning": "yellow", "error": "red"}
_SHOWN_FIRST = ("ts", "level", "event")
_PAUSE = 0.3
"""How long `--follow` waits between looks, in seconds."""


def run(arguments: argparse.Namespace) -> int:
    """Prints the records of the log, and with `--follow` those to come."""
    try:
        path = Path(arguments.log) if arguments.log else config.load(arguments.config).log_path
        return _show(Tail(path), arguments)
    except (ConfigError, LogError) as error:
        # The log may be replaced by something else while it is followed, too.
        raise Refused(str(error)) from error


def _show(tail: Tail, arguments: argparse.Namespace) -> int:
    least = _LEVELS.index(arguments.level)
    while True:
        records = tail.next_records()
        for record in records:
            level = record.get("level")
            if _LEVELS.index(level) < least if level in _LEVELS else least > 0:
                continue
            print(json.dumps(record, ensure_ascii=False) if arguments.json else _line(record))
        if not records:
            if not arguments.follow:
                return DONE
            # What was printed is seen while nothing more comes.
            print(end="", flush=True)
            time.sleep(_PAUSE)


def _line(record: dict[str, Any]) -> str:
    level = record.get("level")
    level = level if level in _LEVELS else "-"
    when = printable(str(record.get("ts", "-")))[:24]
    event = printable(str(record.get("event", "-")))
    rest = " ".join(
        f"{printable(key)}={_value(value)}"
        for key, value in record.items()
        if key not in (*_SHOWN_FIRST, "pid", "source")
    )
    head = f"{when:24} {level.upper():7} {event}"
    return f"{styled(head, _STYLES[level]) if level in _STYLES else head} {rest}".rstrip()


def _value(value: object) -> str:
    text = printable(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    return json.dumps(text, ensure_ascii=False) if " " in text or not text else text
