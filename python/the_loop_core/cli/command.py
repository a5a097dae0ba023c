"""`the-loop command`: whether a shell command only reads, and whether it is one verification run."""

from __future__ import annotations

import argparse
import json
import sys
import time

from the_loop_core._core import judge_readonly, recognise_check
from the_loop_core.cli import DONE, FAILED


def run(arguments: argparse.Namespace) -> int:
    """Judges the command on stdin, or with `--jsonl` one a line."""
    if not arguments.jsonl:
        text = sys.stdin.buffer.read().decode(errors="replace")
        print(json.dumps({"readonly": judge_readonly(text), "check": recognise_check(text)}, ensure_ascii=False))
        return DONE
    code = DONE
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            request = json.loads(line)
            text = request["cmd"].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            print(f'the-loop: line {number} is not an object with "id" and "cmd"', file=sys.stderr)
            code = FAILED
            continue
        started = time.perf_counter_ns()
        reads = judge_readonly(text)["read_only"] is True
        checks = "verification" in recognise_check(text)
        spent = time.perf_counter_ns() - started
        print(json.dumps({"id": request.get("id"), "readonly": reads, "check": checks, "ns": spent}))
    return code
