"""`the-loop scrub`, `fingerprint` and `command`: stdin to stdout, whole or as JSON Lines."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping

from the_loop_core import _core
from the_loop_core.cli import DONE, FAILED
from the_loop_core.identity import redactor


def scrub(arguments: argparse.Namespace) -> int:
    """Masks what is read; fails closed: a line that cannot be read is not passed on."""
    own = redactor()
    if arguments.jsonl:
        return _lines("text", lambda text: {"text": own.scrub(text).text})
    _write(own.scrub(_read()).text)
    return DONE


def fingerprint(arguments: argparse.Namespace) -> int:
    """Prints the defect id of what is read."""
    event: str = arguments.event
    if arguments.jsonl:
        return _lines("text", lambda text: {"fingerprint": _core.fingerprint(event, text)})
    _write(_core.fingerprint(event, _read()) + "\n")
    return DONE


def command(arguments: argparse.Namespace) -> int:
    """Says whether a shell command only reads, and whether it is one verification run."""
    if arguments.jsonl:
        return _lines("cmd", _judged)
    text = _read()
    verdict = {"readonly": _core.judge_readonly(text), "check": _core.recognise_check(text)}
    _write(json.dumps(verdict, ensure_ascii=False) + "\n")
    return DONE


def _judged(text: str) -> dict[str, object]:
    started = time.perf_counter_ns()
    reads = _core.judge_readonly(text)["read_only"] is True
    checks = "verification" in _core.recognise_check(text)
    return {"readonly": reads, "check": checks, "ns": time.perf_counter_ns() - started}


def _lines(key: str, answer: Callable[[str], Mapping[str, object]]) -> int:
    """Answers each line of {"id", key} with {"id", …}."""
    code = DONE
    for number, line in enumerate(sys.stdin.buffer, 1):
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            text = request[key]
            if not isinstance(text, str):
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            print(f'the-loop: line {number} is not an object with "id" and "{key}"', file=sys.stderr)
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
