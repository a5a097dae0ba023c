"""Events appended to the host's log: whole lines, whoever else writes."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path

import pytest

from the_loop_core.journal import Journal, event_record, stamp


def many(path: str, writer: int) -> None:
    journal = Journal(Path(path))
    for n in range(200):
        assert journal.append(event_record("diagnosis.detected", 0.0, fingerprint=f"{writer}-{n}", filler="x" * 2000))


def test_several_processes_write_whole_lines(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    log.touch()
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=many, args=(str(log), n)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    lines = log.read_text().splitlines()
    assert "" not in lines, "a line that was being written was taken for a torn one"
    assert len({json.loads(line)["fingerprint"] for line in lines}) == len(lines) == 800


def test_a_record_has_the_host_s_form(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    log.touch()
    record = event_record("diagnosis.failed", 1_772_359_200.25, level="warning", stage="post", error="é\ud800")
    assert Journal(log).append(record)
    record = json.loads(log.read_text())
    assert record["ts"] == "2026-03-01T10:00:00.250Z"
    assert (record["source"], record["event"], record["level"]) == ("self-diagnosis", "diagnosis.failed", "warning")
    assert (record["pid"], record["stage"], record["error"]) == (os.getpid(), "post", "é?")


def test_a_torn_line_is_ended_first(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    log.write_text('{"ts":"2026')
    assert Journal(log).append(event_record("diagnosis.posted", 0.0))
    torn, whole = log.read_text().splitlines()
    assert torn == '{"ts":"2026'
    assert json.loads(whole)["event"] == "diagnosis.posted"


def test_a_log_that_was_rotated_away_is_begun_anew(tmp_path: Path) -> None:
    """Between reading the log and writing to it a rotation may have moved it."""
    log = tmp_path / "logs" / "events.jsonl"
    record = event_record("diagnosis.posted", 0.0)
    assert Journal(log).append(record)
    assert json.loads(log.read_text()) == record


@pytest.mark.parametrize("kind", ["fifo", "folder", "below a file"])
def test_a_log_that_cannot_be_written_is_no_error(tmp_path: Path, kind: str) -> None:
    log = tmp_path / "events.jsonl"
    if kind == "fifo":
        os.mkfifo(log)
    elif kind == "folder":
        log.mkdir()
    else:
        log.write_text("")
        log = log / "events.jsonl"
    record = event_record("diagnosis.posted", 0.0)
    assert not Journal(log).append(record)
    assert not Journal(log).holds(record)


def test_what_is_logged_already_is_known_by_the_whole_record(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    first, second = (event_record("diagnosis.posted", 0.0, fingerprint=name) for name in ("v1:a", "v1:b"))
    Journal(log).append(first)
    with log.open("a") as more:
        more.write("x" * 300_000 + "\n")
    assert Journal(log).holds(first)
    assert not Journal(log).holds(second)


def test_a_time_that_no_calendar_has_is_still_a_time() -> None:
    assert stamp(-1e12) == "1970-01-01T00:00:00.000Z"
    assert stamp(1e18).startswith("9999-12-31T23:59:59")
