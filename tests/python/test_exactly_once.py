"""Whatever ends a scan, and whatever the tracker answers: no defect is lost, none is filed twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Machine, failure
from fakes import github as faults

from the_loop_core.ledger import locked

TESTS = Path(__file__).parent

# Where a scan can be cut off: just before or after each of these is called.
STEPS = [
    "before Journal.append",
    "after Journal.append",
    "before Ledger.save",
    "after Ledger.save",
    "before create",
    "after create",
    "before agent",
    "after agent",
    "before rename",
    "after rename",
]


def killed(machine: Machine, step: str, nth: int) -> bool:
    """Runs one scan in a process that kills itself at the `nth` time it comes to `step`; whether it came there."""
    program = textwrap.dedent(f"""
        import os, pathlib, signal, sys
        sys.path.insert(0, {str(TESTS)!r})
        from the_loop_core import scan as room
        from the_loop_core.diagnosis import Diagnosis
        from the_loop_core.config import SelfDiagnosisConfig
        from the_loop_core.journal import Journal
        from the_loop_core.ledger import Ledger
        from the_loop_core.tracker.rest import RestTracker

        step, left = {step!r}, [{nth}]

        def cut(when, name):
            if step == f"{{when}} {{name}}":
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        def wrap(owner, attribute, name):
            inner = getattr(owner, attribute)
            def outer(*args, **more):
                cut("before", name)
                result = inner(*args, **more)
                cut("after", name)
                return result
            setattr(owner, attribute, outer)

        wrap(Journal, "append", "Journal.append")
        wrap(Ledger, "save", "Ledger.save")
        wrap(RestTracker, "create_issue", "create")
        wrap(Diagnosis, "ask", "agent")
        wrap(pathlib.Path, "replace", "rename")
        config = SelfDiagnosisConfig.from_mapping({machine.cli_config!r})
        room.scan(config, log_path={str(machine.log)!r}, state_path={str(machine.ledger)!r})
    """)
    code = subprocess.run([sys.executable, "-c", program], check=False).returncode
    assert code in (0, -signal.SIGKILL)
    return code != 0


@pytest.mark.parametrize("step", STEPS)
def test_kill_9_at_every_step(machine: Machine, step: str) -> None:
    machine.write(failure(0), failure(1))
    nth = 1
    while killed(machine, step, nth):
        nth += 1
        assert nth < 30
    assert nth > 1, "the step was never reached"
    machine.scan()
    titles = [issue["body"].split("the-loop:defect ")[1][:19] for issue in machine.github.issues]
    assert len(titles) == len(set(titles)) == 2
    assert len(machine.state()["reported"]) == 2
    assert machine.scan() == []
    told = sorted((event["event"], event["fingerprint"]) for event in machine.events())
    assert len(told) == len(set(told)) == 4, "each was told of once: that it was detected, and that it was posted"
    left = {path.name for path in machine.ledger.parent.iterdir()}
    assert left == {"self-diagnosis.json", "self-diagnosis.json.lock", "logs"}


@pytest.mark.parametrize(
    "fault",
    [faults.created_then_502, faults.created_then_closed, faults.created_then_garbage],
    ids=lambda f: f.__name__,
)
def test_created_and_not_told(machine: Machine, fault: faults.Handler) -> None:
    machine.write(failure(0))
    machine.github.faults.append(fault)
    [first] = machine.scan()
    assert first["action"] == "failed"
    [second] = machine.scan()
    assert second["action"] == "posted"
    assert "reason" not in second
    assert len(machine.github.issues) == 1
    assert len(machine.state()["posted"]) == 1, "it counts towards the cap: it was ours"
    assert machine.agent_runs == 1


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (401, "token"),
        (403, "403"),
        (404, "selfDiagnosis.repo"),
        (410, "switched off"),
        (422, "422"),
        (500, "500"),
        (503, "503"),
    ],
)
def test_a_refusal_says_what_to_do_and_asks_no_agent_again(machine: Machine, code: int, kind: str) -> None:
    machine.write(failure(0))
    machine.github.faults.append(faults.status(code))
    [outcome] = machine.scan()
    assert outcome["action"] == "failed"
    assert kind in outcome["error"]
    assert [o["action"] for o in machine.scan()] == ["posted"]
    assert machine.agent_runs == 1
    assert len(machine.github.issues) == 1


@pytest.mark.parametrize(
    "fault",
    [
        faults.status(429, headers={"Retry-After": "120"}),
        faults.status(403, {"message": "You have exceeded a secondary rate limit"}, {"Retry-After": "120"}),
        faults.status(403, headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 300)}),
        faults.status(403, headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"}),
        faults.status(429),
    ],
    ids=["429", "secondary limit", "used up", "used up, no time", "429 without a time"],
)
def test_a_rate_limit_defers_and_is_no_attempt(machine: Machine, fault: faults.Handler) -> None:
    now = time.time()

    def limited(exchange: faults.Exchange) -> None:
        fault(exchange)

    machine.write(failure(0))
    machine.github.faults += [limited] * 10
    for n in range(5):
        [outcome] = machine.scan(now=now + n)
        assert outcome["action"] == "deferred"
    assert len(machine.github.posts) == 1, "it waited as it was told"
    assert machine.state()["attempts"] == {}
    machine.github.faults.clear()
    assert [o["action"] for o in machine.scan(now=now + 90_000)] == ["posted"]
    assert machine.agent_runs == 1


@pytest.mark.parametrize(
    "fault",
    [
        faults.status(200, b""),
        faults.status(201, b"<html>hello</html>"),
        faults.status(201, {"number": "seven"}),
        faults.status(301, {"message": "Moved Permanently"}, {"Location": "http://127.0.0.1:9/elsewhere"}),
        faults.closed,
    ],
    ids=["empty", "html", "wrong types", "redirect", "closed"],
)
def test_an_answer_that_is_none_is_a_failed_attempt(machine: Machine, fault: faults.Handler) -> None:
    machine.write(failure(0))
    machine.github.faults.append(fault)
    assert [o["action"] for o in machine.scan()] == ["failed"]
    assert [o["action"] for o in machine.scan()] == ["posted"]
    assert len(machine.github.issues) == 1


def test_nothing_is_posted_while_the_tracker_cannot_be_searched(machine: Machine) -> None:
    machine.write(failure(0))
    machine.github.reading_faults.append(faults.status(502))
    assert [o["action"] for o in machine.scan()] == ["failed"]
    assert machine.github.posts == []
    assert [o["action"] for o in machine.scan()] == ["posted"]


def test_the_token_does_not_follow_a_redirect(machine: Machine) -> None:
    with faults.GitHub() as elsewhere:
        machine.write(failure(0))
        machine.github.faults.append(faults.status(307, {}, {"Location": f"{elsewhere.url}/x"}))
        machine.scan()
        assert elsewhere.requests == []


def test_an_issue_beyond_the_listed_pages_is_found_by_search(machine: Machine) -> None:
    machine.write(failure(0))
    machine.scan()
    for n in range(350):
        machine.github.create({"title": f"t{n}", "body": "b", "labels": []})
    machine.ledger.unlink()
    [outcome] = machine.scan()
    assert outcome["reason"] == "it was there already"
    assert len(machine.github.posts) == 1


def test_two_scanners_as_processes_and_threads(machine: Machine) -> None:
    machine.write(*(failure(n) for n in range(4)))
    threads = [threading.Thread(target=machine.scan) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    machine.scan()
    assert len(machine.github.issues) == 4
    assert machine.agent_runs == 4


def test_scanners_in_several_processes(machine: Machine) -> None:
    machine.write(*(failure(n) for n in range(4)))
    program = textwrap.dedent(f"""
        from the_loop_core.config import SelfDiagnosisConfig
        from the_loop_core.scan import scan
        config = SelfDiagnosisConfig.from_mapping({machine.cli_config!r})
        for _ in range(3):
            scan(config, log_path={str(machine.log)!r}, state_path={str(machine.ledger)!r})
    """)
    children = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    assert len(machine.github.issues) == 4
    assert machine.agent_runs == 4
    assert machine.scan() == []


def test_a_scanner_does_not_wait_for_another(machine: Machine) -> None:
    machine.write(failure(0))
    with locked(machine.ledger):
        assert machine.scan() == []
    assert [o["action"] for o in machine.scan()] == ["posted"]


def test_a_full_run_on_a_real_log_twice(machine: Machine) -> None:
    real = TESTS.parents[1] / "examples" / "events.jsonl"
    machine.log.write_bytes(real.read_bytes())
    first: list[dict[str, Any]] = machine.scan()
    assert {o["action"] for o in first} == {"posted"}
    assert len(first) > 20
    assert machine.scan() == []
    assert machine.scan(rescan=True) == []
    assert len(machine.github.issues) == len(first) == machine.agent_runs
    bodies = "".join(issue["body"] for issue in machine.github.issues)
    assert "acme/widgets" not in bodies
    assert os.environ["HOME"] not in bodies
