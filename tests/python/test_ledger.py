"""What happens to a ledger that is damaged, or cannot be written."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import stat
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from conftest import Machine, failure
from fakes import github as faults

from the_loop_core.ledger import Busy, Ledger, LedgerError, State, locked
from the_loop_core.repair import repair
from the_loop_core.tracker import TrackerError, tracker_for

DAMAGED = {
    "empty": "",
    "garbage": "\x00\xff not json",
    "partial": '{"abandoned": {}, "reported": {"v1:00',
    "a list": "[]",
    "wrong inner type": '{"reported": []}',
    "wrong entry": '{"reported": {"x": "y"}}',
    "wrong count": '{"attempts": {"x": "three"}}',
    "wrong of ours": '{"core": {"seen": {"x": {"evidence": 5}}}}',
    "deep": "[" * 100_000,
    "deeper than can be written": '{"future": ' + "[" * 5000 + "]" * 5000 + "}",
    "a time that is none": '{"posted": ["yesterday"]}',
    "a truth for a number": '{"attempts": {"x": true}}',
    "cut off in a character": '{"reported": {"é',
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_ledger_is_moved_aside_and_posting_stops(machine: Machine, text: str) -> None:
    machine.ledger.write_text(text)
    machine.write(failure(0))
    for _ in range(2):
        [outcome] = machine.scan()
        assert outcome["action"] == "failed"
        assert "--repair-ledger" in outcome["error"]
    assert machine.github.requests == []
    [aside] = machine.ledger.parent.glob("self-diagnosis.json.corrupt-*")
    assert aside.read_text() == text
    assert machine.agent_runs == 0


def test_not_utf_8_is_damaged(machine: Machine) -> None:
    machine.ledger.write_bytes(b'{"reported": {"\xff": {}}}')
    machine.write(failure(0))
    assert machine.scan()[0]["reason"] == "ledger"


def test_a_second_damage_in_the_same_moment_keeps_both_files(machine: Machine) -> None:
    machine.write(failure(0))
    for text in ("first", "second"):
        machine.ledger.write_text(text)
        machine.scan(now=1e9)
    asides = machine.ledger.parent.glob("self-diagnosis.json.corrupt-*")
    assert sorted(aside.read_text() for aside in asides) == ["first", "second"]


@pytest.mark.parametrize("step", ["os.link", "pathlib.Path.replace"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_while_it_is_moved_aside_does_not_start_anew(machine: Machine, step: str, when: str) -> None:
    """Were there a moment without a ledger, the next process would take it for a new one and file everything."""
    machine.ledger.write_text("damaged")
    machine.write(failure(0))
    program = textwrap.dedent(f"""
        import os, pathlib, signal
        from the_loop_core.config import SelfDiagnosisConfig
        from the_loop_core.scan import scan

        inner = {step}
        def outer(*args, **more):
            if {when!r} == "after":
                inner(*args, **more)
            os.kill(os.getpid(), signal.SIGKILL)
        {step} = outer
        config = SelfDiagnosisConfig.from_mapping({machine.cli_config!r})
        scan(config, log_path={str(machine.log)!r}, state_path={str(machine.ledger)!r})
    """)
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -signal.SIGKILL
    assert machine.scan()[0]["reason"] == "ledger"
    assert machine.github.requests == []
    asides = list(machine.ledger.parent.glob("self-diagnosis.json.corrupt-*"))
    assert {aside.read_text() for aside in asides} == {"damaged"}


def test_a_file_system_without_links_keeps_a_copy(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    machine.ledger.write_text("damaged")
    machine.scan()
    [aside] = machine.ledger.parent.glob("self-diagnosis.json.corrupt-*")
    assert aside.read_text() == "damaged"


def test_repair_rebuilds_from_the_tracker_and_the_old_file(machine: Machine) -> None:
    machine.write(failure(0), failure(1))
    filed = {outcome["fingerprint"]: outcome["url"] for outcome in machine.scan()}
    old = {"x1": {"event": "e", "ts": "t", "reason": "r"}}
    machine.ledger.write_text(json.dumps({"abandoned": old, "reported": {"x": 5}}))
    machine.scan()
    said = repair(machine.ledger, machine.config, tracker_for(machine.config, os.environ))
    assert "2 reported" in said
    state = machine.state()
    assert {name: entry["url"] for name, entry in state["reported"].items()} == filed
    assert state["abandoned"] == old
    assert machine.scan() == []
    assert len(machine.github.issues) == 2
    assert "nothing to repair" in repair(machine.ledger, machine.config, tracker_for(machine.config, os.environ))


def test_repair_keeps_what_every_old_file_tells(machine: Machine) -> None:
    names = ["self-diagnosis.json.corrupt-2026-01-01T000000.000Z", "self-diagnosis.json.corrupt-2026-01-02T000000.000Z"]
    older, newer = (machine.ledger.parent / name for name in names)
    entry = {"event": "e", "ts": "t", "reason": "older"}
    older.write_text(json.dumps({"abandoned": {"a": entry, "b": entry}, "posted": ["2026-01-01T00:00:00.000Z"]}))
    newer.write_text(
        json.dumps(
            {
                "abandoned": {"a": {**entry, "reason": "newer"}, "c": None},
                "core": {"dismissed": {"d": entry}, "seen": 5},
                "posted": ["2026-01-02T00:00:00.000Z", "never", 5],
            }
        )
    )
    machine.ledger.write_text("damaged")
    repair(machine.ledger, machine.config, tracker_for(machine.config, os.environ))
    state = machine.state()
    assert {name: kept["reason"] for name, kept in state["abandoned"].items()} == {"a": "newer", "b": "older"}
    assert state["core"]["dismissed"] == {"d": entry}
    assert state["posted"] == ["2026-01-02T00:00:00.000Z"]
    assert state["core"]["halted"] == ""


def test_repair_does_not_wait_for_a_scan(machine: Machine) -> None:
    machine.ledger.write_text("damaged")
    with locked(machine.ledger), pytest.raises(LedgerError, match="under way"):
        repair(machine.ledger, machine.config, tracker_for(machine.config, os.environ))


def test_repair_changes_nothing_while_the_tracker_cannot_be_read(machine: Machine) -> None:
    machine.ledger.write_text("damaged")
    machine.github.reading_faults.append(faults.status(502))
    with pytest.raises(TrackerError):
        repair(machine.ledger, machine.config, tracker_for(machine.config, os.environ))
    assert machine.scan()[0]["reason"] == "ledger"


def test_a_ledger_of_the_host_with_a_lone_surrogate_is_whole(machine: Machine) -> None:
    """The host writes what an event was called, whatever that was."""
    entry = {"event": "odd \ud800", "ts": "", "url": "u"}
    text = json.dumps({"abandoned": {}, "attempts": {}, "posted": [], "reported": {"0011": entry}}, indent=2)
    machine.ledger.write_text(text)
    machine.write(failure(0))
    assert [outcome["action"] for outcome in machine.scan()] == ["posted"]
    assert machine.state()["reported"]["0011"] == entry


def test_a_whole_ledger_keeps_what_it_does_not_know(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    path.write_text('{"reported": {}, "future": {"a": 1}, "core": {"future": [null], "seen": {}}}')
    ledger = Ledger.load(path)
    ledger.save(0.0)
    assert json.loads(path.read_text())["future"] == {"a": 1}
    assert json.loads(path.read_text())["core"]["future"] == [None]


def test_the_file_has_the_host_s_shape(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    Ledger(path, State()).save(0.0)
    text = path.read_text()
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"
    assert {"abandoned", "attempts", "posted", "reported"} < set(json.loads(text))


# Gives up whatever lets root write where it may not, then scans and prints what came of it.
UNPRIVILEGED = """
    import ctypes, json
    none = (ctypes.c_uint32 * 6)()
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if ctypes.CDLL(None).capset(header, none):
        raise SystemExit("capabilities could not be given up")
    from the_loop_core.config import SelfDiagnosisConfig
    from the_loop_core.scan import scan
    config = SelfDiagnosisConfig.from_mapping({config!r})
    print(json.dumps(scan(config, log_path={log!r}, state_path={ledger!r})))
"""


def unprivileged(machine: Machine) -> list[dict[str, Any]]:
    values = {"config": machine.cli_config, "log": str(machine.log), "ledger": str(machine.ledger)}
    program = textwrap.dedent(UNPRIVILEGED).format(**values)
    ran = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE)
    outcomes: list[dict[str, Any]] = json.loads(ran.stdout)
    return outcomes


@pytest.mark.skipif(sys.platform != "linux", reason="gives up capabilities, which only Linux has")
@pytest.mark.parametrize("lock", [False, True], ids=["without a lock file", "with one"])
def test_an_unwritable_state_folder_posts_nothing(machine: Machine, lock: bool) -> None:
    machine.write(failure(0))
    folder = machine.ledger.parent
    if lock:
        Path(f"{machine.ledger}.lock").touch()
    folder.chmod(0o555)
    try:
        [outcome] = unprivileged(machine)
        assert outcome["action"] == "failed"
        assert "Permission denied" in outcome["error"]
        assert machine.github.requests == []
        assert machine.agent_runs == 0
    finally:
        folder.chmod(0o755)
    assert [outcome["action"] for outcome in unprivileged(machine)] == ["posted"]


@pytest.mark.skipif(sys.platform != "linux", reason="gives up capabilities, which only Linux has")
@pytest.mark.parametrize("mode", [0o000, 0o200])
def test_an_unreadable_ledger_posts_nothing_and_stays(machine: Machine, mode: int) -> None:
    machine.write(failure(0))
    machine.scan()
    before = machine.ledger.read_text()
    machine.write(failure(1))
    machine.ledger.chmod(mode)
    [outcome] = unprivileged(machine)
    assert outcome["action"] == "failed"
    assert "cannot be read" in outcome["error"]
    assert machine.ledger.read_text() == before
    assert len(machine.github.issues) == 1


@pytest.mark.parametrize("where", ["ledger", "lock", "folder"])
def test_something_in_the_way_posts_nothing(machine: Machine, where: str) -> None:
    """As an unwritable place, and for root, too: a folder or a file stands where another is needed."""
    machine.write(failure(0))
    if where == "ledger":
        machine.ledger.mkdir()
    elif where == "lock":
        Path(f"{machine.ledger}.lock").mkdir()
    else:
        machine.ledger = machine.log / "state" / "self-diagnosis.json"
    [outcome] = machine.scan()
    assert outcome["action"] == "failed"
    assert outcome["error"]
    assert machine.github.requests == []


def test_a_ledger_that_cannot_be_replaced_posts_nothing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.write(failure(0))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    [outcome] = machine.scan()
    assert outcome["action"] == "failed"
    assert "No space left" in outcome["error"]
    assert machine.github.requests == []
    assert list(machine.ledger.parent.glob(".self-diagnosis*")) == []


def test_a_ledger_that_cannot_be_written_once_an_issue_exists(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full just then: what was filed before is told, and what was filed last is found by the next scan."""
    machine.write(*(failure(n) for n in range(3)))
    fsync = os.fsync

    def full(descriptor: int) -> None:
        if len(machine.github.issues) == 2:
            raise OSError(28, "No space left on device")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    outcomes = machine.scan()
    assert [(outcome["action"], bool(outcome["fingerprint"])) for outcome in outcomes] == [
        ("posted", True),
        ("failed", False),
    ]
    monkeypatch.undo()
    monkeypatch.setenv("PATH", f"{machine.bin}:/nonexistent")
    monkeypatch.setenv("TEST_TRACKER_TOKEN", "tok-made-up-12345")
    assert [outcome["action"] for outcome in machine.scan()] == ["posted"] * 2
    assert len(machine.github.issues) == 3
    assert machine.agent_runs == 3


def test_a_folder_that_cannot_be_synced_is_no_reason_to_stop(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = os.fsync

    def no_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", no_folders)
    machine.write(failure(0))
    assert [outcome["action"] for outcome in machine.scan()] == ["posted"]


def test_what_a_killed_process_left_is_cleared_away(machine: Machine) -> None:
    (machine.ledger.parent / ".self-diagnosis.json.new").write_text("half")
    machine.write(failure(0))
    machine.scan()
    assert list(machine.ledger.parent.glob(".self-diagnosis*")) == []


def test_a_ledger_that_is_a_fifo_does_not_hang(machine: Machine) -> None:
    os.mkfifo(machine.ledger)
    machine.write(failure(0))
    assert machine.scan()[0]["action"] == "failed"
    assert machine.github.requests == []


# -- the lock


def test_a_lock_file_that_the_host_removed_is_taken_anew(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The host unlinks its lock when it is done: one that was opened just before excludes nobody any more."""
    lock = Path(f"{machine.ledger}.lock")
    flock, removed = fcntl.flock, []

    def late(descriptor: int, operation: int) -> None:
        flock(descriptor, operation)
        if not removed:
            removed.append(lock.unlink())

    monkeypatch.setattr(fcntl, "flock", late)
    with locked(machine.ledger):
        assert lock.exists()
        with pytest.raises(Busy), locked(machine.ledger):
            pass


def test_a_lock_that_cannot_be_is_one_sentence(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none_left)
    machine.write(failure(0))
    [outcome] = machine.scan()
    assert outcome["action"] == "failed"
    assert "No locks available" in outcome["error"]
    assert machine.github.requests == []


def test_a_child_that_was_forked_during_a_scan_does_not_keep_the_lock(tmp_path: Path) -> None:
    program = textwrap.dedent(f"""
        import os, pathlib, signal
        from the_loop_core.ledger import locked
        path = pathlib.Path({str(tmp_path / "l.json")!r})
        with locked(path):
            child = os.fork()
            if child == 0:
                signal.pause()
        try:
            with locked(path):
                print("free")
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    """)
    assert subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE).stdout == b"free\n"


def test_the_ledger_is_private(machine: Machine) -> None:
    machine.write(failure(0))
    machine.scan()
    assert stat.S_IMODE(machine.ledger.stat().st_mode) == 0o600
