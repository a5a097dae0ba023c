"""Events appended to the host's log: whole lines, whoever else writes."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path

import pytest

from the_loop_core.journal import Journal


def many(path: str, writer: int) -> None:
    journal = Journal(Path(path))
    for n in range(200):
        journal.write("diagnosis.detected", 0.0, fingerprint=f"{writer}-{n}", filler="x" * 2000)


def test_several_processes_write_whole_lines(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    log.touch()
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=many, args=(str(log), n)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    seen = {json.loads(line)["fingerprint"] for line in log.read_text().splitlines()}
    assert len(seen) == 800


def test_a_record_has_the_host_s_form(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    log.touch()
    Journal(log).write("diagnosis.failed", 1_772_359_200.25, level="warning", stage="post", error="é\ud800")
    record = json.loads(log.read_text())
    assert record["ts"] == "2026-03-01T10:00:00.250Z"
    assert (record["source"], record["event"], record["level"]) == ("self-diagnosis", "diagnosis.failed", "warning")
    assert (record["pid"], record["stage"], record["error"]) == (os.getpid(), "post", "é?")


def test_a_torn_line_is_ended_first(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    log.write_text('{"ts":"2026')
    Journal(log).write("diagnosis.posted", 0.0)
    torn, whole = log.read_text().splitlines()
    assert torn == '{"ts":"2026'
    assert json.loads(whole)["event"] == "diagnosis.posted"


@pytest.mark.parametrize("kind", ["fifo", "folder", "missing"])
def test_a_log_that_cannot_be_written_is_no_error(tmp_path: Path, kind: str) -> None:
    log = tmp_path / "events.jsonl"
    if kind == "fifo":
        os.mkfifo(log)
    elif kind == "folder":
        log.mkdir()
    Journal(log).write("diagnosis.posted", 0.0)
