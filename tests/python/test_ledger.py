"""What happens to a ledger that is damaged, or cannot be written."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from conftest import Machine, failure

from the_loop_core.ledger import Ledger, State
from the_loop_core.repair import repair
from the_loop_core.tracker import tracker_for

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


def test_a_whole_ledger_keeps_what_it_does_not_know(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    path.write_text('{"reported": {}, "future": {"a": 1}}')
    ledger = Ledger.load(path)
    ledger.save(0.0)
    assert json.loads(path.read_text())["future"] == {"a": 1}


def test_the_file_has_the_host_s_shape(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    Ledger(path, State()).save(0.0)
    text = path.read_text()
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"
    assert {"abandoned", "attempts", "posted", "reported"} < set(json.loads(text))


@pytest.fixture
def unprivileged() -> None:
    if os.geteuid() == 0:
        pytest.skip("runs as root, who may write everywhere")


def test_an_unwritable_state_folder_posts_nothing(machine: Machine, unprivileged: None) -> None:
    machine.write(failure(0))
    folder = machine.ledger.parent
    folder.chmod(0o555)
    try:
        [outcome] = machine.scan()
    finally:
        folder.chmod(0o755)
    assert outcome["action"] == "failed"
    assert machine.github.requests == []


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


def test_the_ledger_is_private(machine: Machine) -> None:
    machine.write(failure(0))
    machine.scan()
    assert stat.S_IMODE(machine.ledger.stat().st_mode) == 0o600
