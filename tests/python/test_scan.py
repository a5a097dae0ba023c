"""One scan after another, with a real agent process and a real tracker on loopback."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import Machine, failure
from fakes import github as faults

from the_loop_core import _core, intake
from the_loop_core.diagnosis import Diagnosis


def actions(outcomes: list[dict[str, Any]]) -> list[str]:
    return [outcome["action"] for outcome in outcomes]


def test_each_defect_is_filed_once_and_never_again(machine: Machine) -> None:
    machine.write(failure(0), failure(1), failure(0))
    assert actions(machine.scan()) == ["posted", "posted"]
    assert machine.scan() == []
    machine.write(failure(0), failure(1))
    assert machine.scan() == []
    assert len(machine.github.issues) == 2
    assert machine.agent_runs == 2
    assert [event["event"] for event in machine.events()] == [
        "diagnosis.detected",
        "diagnosis.detected",
        "diagnosis.posted",
        "diagnosis.posted",
    ]


def test_the_issue_says_what_it_is_and_starts_nothing(machine: Machine) -> None:
    machine.write(failure(0))
    [outcome] = machine.scan()
    [issue] = machine.github.issues
    assert issue["labels"] == ["the-loop: self-diagnosed"]
    assert outcome["url"] == issue["html_url"] == machine.state()["reported"][outcome["fingerprint"]]["url"]
    assert _core.is_self_authored(issue["body"])
    assert _core.defect_marker(outcome["fingerprint"]) in issue["body"]
    assert "`the-loop: self-diagnosed`" in issue["body"]
    for dialect in ("opening", "anywhere"):
        assert _core.parse_command(issue["body"], None, dialect) is None


def test_hostile_findings_are_defanged_and_scrubbed(machine: Machine) -> None:
    machine.agent("hostile")
    machine.write(failure(0))
    assert actions(machine.scan()) == ["posted"]
    [issue] = machine.github.issues
    whole = issue["title"] + "\n" + issue["body"]
    for dialect in ("opening", "anywhere"):
        assert _core.parse_command(issue["title"], None, dialect) is None
        assert _core.parse_command(issue["body"], None, dialect) is None
    assert "ghp_" not in whole
    assert str(machine.root) not in whole
    assert "@octocat" not in whole
    assert whole.count("<!--") == 2
    assert "![" not in whole


def test_the_prompt_names_the_host_that_is_to_be_read(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    (site / "the_loop").mkdir(parents=True)
    (site / "the_loop" / "__init__.py").touch()
    info = site / "the_loopy_one-20.10.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: the-loopy-one\nVersion: 20.10.2\n")
    monkeypatch.syspath_prepend(str(site))
    machine.agent("tell")
    machine.write(failure(0))
    machine.scan()
    prompt = json.loads((machine.bin / "seen.json").read_text())["prompt"]
    assert prompt.startswith("the-loop 20.10.2 is a harness")
    assert str(site / "the_loop") in prompt
    assert "- the-loop: 20.10.2" in machine.github.issues[0]["body"]


def test_disabled_does_nothing(machine: Machine) -> None:
    machine.settings["enabled"] = False
    machine.write(failure(0))
    assert machine.scan() == []
    assert not machine.ledger.exists()


def test_dry_run_works_while_disabled_and_changes_nothing(machine: Machine) -> None:
    machine.settings["enabled"] = False
    machine.write(failure(0))
    before = machine.log.read_bytes()
    [outcome] = machine.scan(dry_run=True)
    assert outcome["action"] == "dry-run"
    assert outcome["title"].startswith("[self-diagnosed] Poller")
    assert not machine.ledger.exists()
    assert machine.log.read_bytes() == before
    assert machine.github.requests == []


def test_a_dry_run_without_agent_shows_the_dossier(machine: Machine) -> None:
    (machine.bin / "claude").unlink()
    machine.write(failure(0))
    [outcome] = machine.scan(dry_run=True)
    assert "boom" in outcome["dossier"]
    assert "`claude`" in outcome["error"]


def test_a_missing_agent_defers_and_costs_nothing(machine: Machine) -> None:
    (machine.bin / "claude").unlink()
    machine.write(failure(0))
    for _ in range(5):
        [outcome] = machine.scan()
        assert outcome["action"] == "deferred"
        assert "`claude`" in outcome["reason"]
    assert machine.state()["attempts"] == {}
    machine.agent("good")
    assert actions(machine.scan()) == ["posted"]


def test_a_dismissed_failure_is_never_posted(machine: Machine) -> None:
    machine.agent("dismissed")
    machine.write(failure(0))
    [outcome] = machine.scan()
    assert outcome["action"] == "dismissed"
    assert outcome["reason"] == "the user cancelled the run"
    machine.write(failure(0))
    assert machine.scan() == []
    assert machine.github.requests == []
    assert machine.state()["core"]["dismissed"][outcome["fingerprint"]]["reason"] == "the user cancelled the run"


def test_failing_attempts_end_in_abandonment(machine: Machine) -> None:
    machine.agent("non_zero")
    machine.write(failure(0))
    outcomes = [machine.scan()[0] for _ in range(3)]
    assert [outcome["attempt"] for outcome in outcomes] == [1, 2, 3]
    assert "quota exhausted" in outcomes[0]["error"]
    assert outcomes[2]["abandoned"]
    machine.agent("good")
    machine.write(failure(0))
    assert machine.scan() == []
    [entry] = machine.state()["abandoned"].values()
    assert "quota exhausted" in entry["reason"]


def test_an_exception_on_one_defect_leaves_the_others(machine: Machine) -> None:
    machine.write(failure(0), failure(1), failure(2))
    calls = []

    class Client:
        def create_issue(self, *args: Any, **_: Any) -> tuple[int, str]:
            calls.append(args)
            if len(calls) == 2:
                raise RuntimeError("unexpected")
            return len(calls), f"https://github.example/{len(calls)}"

    client: Any = Client()
    assert actions(machine.scan(client=client)) == ["posted", "failed", "posted"]
    assert len(machine.state()["reported"]) == 2
    assert actions(machine.scan(client=client)) == ["posted"]
    assert machine.agent_runs == 3


class Panic(BaseException):
    """As a panic of the native module arrives: it is no `Exception`."""


def test_a_panic_on_one_defect_leaves_the_others(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.write(failure(0), failure(1), failure(2))
    compose, calls = Diagnosis.compose, []

    def once(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 2:
            raise Panic("index out of bounds")
        return compose(*args)

    monkeypatch.setattr(Diagnosis, "compose", once)
    assert actions(machine.scan()) == ["posted", "failed", "posted"]
    assert actions(machine.scan()) == ["posted"]


def test_an_event_waits_for_a_log_that_can_be_written(machine: Machine) -> None:
    """What is filed while the log is out of order is told of once it is in order again."""
    machine.write(failure(0))
    machine.github.faults.append(faults.status(500))
    machine.scan()
    kept = machine.log.read_bytes()
    machine.log.unlink()
    os.mkfifo(machine.log)
    outcomes = machine.scan()
    assert [outcome["action"] for outcome in outcomes] == ["failed", "posted"]
    assert "not a regular file" in outcomes[0]["error"]
    assert len(machine.github.issues) == 1
    machine.log.unlink()
    machine.log.write_bytes(kept)
    assert machine.scan() == []
    assert machine.scan() == []
    assert [event["event"].partition(".")[2] for event in machine.events()] == ["detected", "failed", "posted"]
    assert machine.state()["core"]["events"] == []


def test_a_scan_that_finds_nothing_new_writes_nothing(machine: Machine) -> None:
    machine.write(failure(0))
    machine.scan()
    before, log = machine.ledger.stat(), machine.log.read_bytes()
    machine.scan()
    # Its own events were read then.
    before = machine.ledger.stat()
    assert machine.scan() == []
    assert machine.ledger.stat() == before
    assert machine.log.read_bytes() == log


def test_more_defects_than_are_held_wait_in_the_log(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MAX_SEEN", 3)
    machine.settings["maxIssuesPerDay"] = 2
    machine.write(*(failure(n) for n in range(8)))
    start = 1_800_000_000.0
    for day in range(6):
        machine.scan(now=start + day * 86_401)
        assert len(machine.state()["core"]["seen"]) <= 3
    assert len(machine.github.issues) == 8
    assert machine.scan(now=start + 6 * 86_401) == []


def test_settled_defects_are_passed_over_in_one_scan(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the existing host has dropped the cursor: the log is read again from its beginning."""
    machine.write(*(failure(n) for n in range(8)))
    assert len(machine.scan()) == 8
    monkeypatch.setattr(intake, "MAX_SEEN", 3)
    state = machine.state()
    del state["core"]
    machine.ledger.write_text(json.dumps(state))
    machine.write(failure(8))
    assert actions(machine.scan()) == ["posted"]


def test_rescanning_counts_nothing_twice(machine: Machine) -> None:
    (machine.bin / "claude").unlink()
    machine.write(failure(0), failure(0))
    machine.scan()
    machine.scan(rescan=True)
    [seen] = machine.state()["core"]["seen"].values()
    assert seen["evidence"]["count"] == 2
    machine.write(failure(0))
    machine.scan()
    [seen] = machine.state()["core"]["seen"].values()
    assert seen["evidence"]["count"] == 3


def test_a_dry_run_takes_no_lock_and_leaves_no_file(machine: Machine) -> None:
    machine.write(failure(0))
    machine.scan(dry_run=True)
    assert [path.name for path in machine.ledger.parent.iterdir()] == ["logs"]


def test_the_tracker_s_token_is_masked_whatever_its_variable_is_called(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBOT", "made-up-words-of-no-shape")
    settings = machine.cli_config
    settings["integrations"]["github"]["api"]["tokenEnv"] = "ROBOT"
    machine.write(failure(0, error="cannot log in with made-up-words-of-no-shape as asked"))
    assert actions(machine.scan(cli_config=settings)) == ["posted"]
    assert "made-up-words-of-no-shape" not in machine.github.issues[0]["body"] + machine.ledger.read_text()


def test_a_defect_that_the_existing_host_settled_meanwhile_is_let_go(machine: Machine) -> None:
    machine.settings["maxIssuesPerDay"] = 1
    machine.write(failure(0), failure(1))
    assert actions(machine.scan()) == ["posted", "deferred"]
    state = machine.state()
    state["reported"][_core.legacy_fingerprint(failure(1))] = {"event": "x", "ts": "", "url": "u"}
    machine.ledger.write_text(json.dumps(state))
    assert machine.scan() == []
    assert machine.state()["core"]["seen"] == {}


def test_the_existing_host_may_write_the_ledger_in_between(machine: Machine) -> None:
    """It keeps its own four keys and drops ours: what was filed is known still, and nothing is filed twice."""
    machine.settings["maxIssuesPerDay"] = 1
    machine.write(failure(0), failure(1))
    assert actions(machine.scan()) == ["posted", "deferred"]
    state = machine.state()
    del state["core"]
    machine.ledger.write_text(json.dumps(state))
    assert actions(machine.scan()) == ["deferred"]
    machine.settings["maxIssuesPerDay"] = 2
    assert actions(machine.scan()) == ["posted"]
    assert len(machine.github.issues) == 2


def test_a_second_machine_adopts_the_issue(machine: Machine) -> None:
    machine.write(failure(0))
    machine.scan()
    machine.ledger.unlink()
    [outcome] = machine.scan()
    assert outcome["action"] == "posted"
    assert outcome["reason"] == "it was there already"
    assert len(machine.github.issues) == 1
    assert machine.state()["posted"] == []


def test_a_ledger_of_the_existing_host_is_honoured(machine: Machine) -> None:
    known, new = failure(0), failure(1)
    legacy = _core.legacy_fingerprint(known)
    reported = {legacy: {"event": "x", "ts": "", "url": "u"}}
    machine.ledger.write_text(json.dumps({"abandoned": {}, "attempts": {}, "posted": [], "reported": reported}))
    machine.write(known, new)
    assert actions(machine.scan()) == ["posted"]
    assert legacy in machine.state()["reported"]


def test_rescan_reads_everything_again_and_still_files_nothing_twice(machine: Machine) -> None:
    machine.write(failure(0))
    machine.scan()
    assert machine.scan(rescan=True) == []
    assert len(machine.github.issues) == 1


def test_the_log_of_self_diagnosis_itself_is_never_diagnosed(machine: Machine) -> None:
    machine.write(
        failure(0, event="diagnosis.failed"), {**failure(1), "event": "diagnosis.posted", "will_retry": False}
    )
    assert machine.scan() == []


def test_normal_outcomes_are_not_diagnosed(machine: Machine) -> None:
    machine.write({**failure(0), "level": "info", "event": "poll.comment_settled", "will_retry": False})
    assert machine.scan() == []
