"""The background thread of a daemon."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Machine, failure

from the_loop_core import watcher
from the_loop_core.watcher import start_watcher


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher, "_FIRST", (0.01, 0.02))


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def start(machine: Machine, stop: threading.Event) -> threading.Thread | None:
    return start_watcher(machine.cli_config, stop, log_path=machine.log, state_path=machine.ledger)


@pytest.mark.parametrize("section", [None, {}, {"enabled": False}, [], {"enabled": True, "repo": 5}])
def test_no_thread_unless_enabled(section: Any) -> None:
    assert start_watcher({"selfDiagnosis": section}, threading.Event()) is None
    assert start_watcher(None, threading.Event()) is None


def test_it_files_what_broke_and_stops_promptly(machine: Machine) -> None:
    machine.write(failure(0))
    stop = threading.Event()
    thread = start(machine, stop)
    assert thread is not None
    assert thread.daemon
    assert thread.name == "the-loop-self-diagnosis"
    until(lambda: machine.github.issues)
    until(lambda: machine.ledger.exists() and machine.state()["reported"])
    stop.set()
    thread.join(5)
    assert not thread.is_alive()


def test_the_host_s_config_alone_tells_where_things_are(machine: Machine) -> None:
    machine.write(failure(0))
    stop = threading.Event()
    values = {**machine.cli_config, "state": {"root": str(machine.ledger.parent)}}
    thread = start_watcher(values, stop)
    until(lambda: machine.ledger.exists() and machine.state()["reported"])
    stop.set()
    assert thread is not None
    thread.join(5)


def test_a_failing_scan_is_logged_once_per_cause_and_the_thread_lives_on(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    machine.settings["intervalSeconds"] = 1
    scans = []

    def broken(*_: object, **__: object) -> list[Any]:
        scans.append(1)
        raise RuntimeError("first" if len(scans) < 4 else "second")

    monkeypatch.setattr(watcher, "scan", broken)
    stop = threading.Event()
    instance = watcher._Watcher(machine.config, machine.log, machine.ledger, stop)
    with caplog.at_level(logging.ERROR):
        for _ in range(6):
            instance.once()
    assert [record.getMessage().rpartition(": ")[2] for record in caplog.records] == ["first", "second"]


def test_two_causes_that_take_turns_are_said_once_each(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    causes = iter(["a", "b", "a", "b", "", "a"])

    def scan(*_: object, **__: object) -> list[Any]:
        error = next(causes)
        return [{"action": "failed", "fingerprint": "", "error": error}] if error else []

    monkeypatch.setattr(watcher, "scan", scan)
    instance = watcher._Watcher(machine.config, machine.log, machine.ledger, threading.Event())
    for _ in range(6):
        instance.once()
    assert [record.getMessage()[-1] for record in caplog.records] == ["a", "b", "a"]


@pytest.mark.parametrize("odd", [{"state": {"root": "~nobody-at-all"}}, {"state": [1]}, {"eventLog": {"path": "a\0b"}}])
def test_a_config_whose_places_make_no_sense_never_raises(machine: Machine, odd: dict[str, Any]) -> None:
    stop = threading.Event()
    stop.set()
    thread = start_watcher({**machine.cli_config, **odd}, stop)
    if thread is not None:
        thread.join(5)
        assert not thread.is_alive()


def test_a_thread_that_cannot_start_does_not_end_the_daemon(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def no_more(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", no_more)
    assert start(machine, threading.Event()) is None
    assert "could not start" in caplog.text


def test_it_scans_again_after_the_interval(machine: Machine) -> None:
    machine.settings["intervalSeconds"] = 1
    stop = threading.Event()
    thread = start(machine, stop)
    machine.write(failure(0))
    until(lambda: len(machine.github.issues) == 1)
    machine.write(failure(1))
    until(lambda: len(machine.github.issues) == 2)
    stop.set()
    assert thread is not None
    thread.join(5)


def test_it_stops_between_two_defects(machine: Machine) -> None:
    machine.write(failure(0), failure(1))
    stop = threading.Event()

    def posted_one(exchange: Any) -> None:
        stop.set()
        exchange.answer(201, exchange.create())

    machine.github.faults.append(posted_one)
    thread = start(machine, stop)
    assert thread is not None
    thread.join(30)
    assert not thread.is_alive()
    assert len(machine.github.issues) == 1


def test_a_log_that_is_a_fifo_does_not_stop_it(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    import os

    machine.log.unlink()
    os.mkfifo(machine.log)
    instance = watcher._Watcher(machine.config, machine.log, machine.ledger, threading.Event())
    instance.once()
    assert "not a regular file" in caplog.text
    machine.log.unlink()
    machine.write(failure(0))
    instance.once()
    assert len(machine.github.issues) == 1
