"""`the-loop scrub` and `the-loop fingerprint`: stdin to stdout, whole or as JSON Lines."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from the_loop_core import _core
from the_loop_core.cli import DONE, FAILED
from the_loop_core.identity import redactor


def scrub(arguments: argparse.Namespace) -> int:
    """Masks what is read; fails closed: a line that cannot be read is not passed on."""
    own = redactor()
    if arguments.jsonl:
        return _lines(lambda text: {"text": own.scrub(text).text})
    _write(own.scrub(_read()).text)
    return DONE


def fingerprint(arguments: argparse.Namespace) -> int:
    """Prints the defect id of what is read."""
    event: str = arguments.event
    if arguments.jsonl:
        return _lines(lambda text: {"fingerprint": _core.fingerprint(event, text)})
    _write(_core.fingerprint(event, _read()) + "\n")
    return DONE


def _lines(answer: Callable[[str], dict[str, str]]) -> int:
    code = DONE
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            text = request["text"]
            if not isinstance(text, str):
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            print(f'the-loop: line {number} is not an object with "id" and "text"', file=sys.stderr)
            code = FAILED
            continue
        _write(json.dumps({"id": request.get("id"), **answer(_text(text))}) + "\n")
    return code


def _read() -> str:
    return sys.stdin.buffer.read().decode(errors="replace")


def _write(text: str) -> None:
    sys.stdout.buffer.write(text.encode())


def _text(text: str) -> str:
    """`text` with lone surrogates, which JSON can spell and UTF-8 cannot, replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
