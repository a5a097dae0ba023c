"""However much breaks, and whatever the clock does: few issues, few agents, and nothing dropped."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from conftest import Machine, failure
from fakes import github as faults

from the_loop_core.agent import AgentResult
from the_loop_core.journal import stamp
from the_loop_core.ledger import DAY, Ledger, State

START = 1_800_000_000.0
YEARS = 10 * 365 * DAY


def actions(outcomes: list[dict[str, Any]]) -> list[str]:
    return [outcome["action"] for outcome in outcomes]


def test_the_daily_cap_defers_and_never_drops(machine: Machine) -> None:
    machine.settings["maxIssuesPerDay"] = 2
    machine.write(*(failure(n) for n in range(5)))
    assert actions(machine.scan(now=START)) == ["posted", "posted", "deferred", "deferred", "deferred"]
    assert actions(machine.scan(now=START + 3600)) == ["deferred"] * 3
    assert actions(machine.scan(now=START + DAY + 1)) == ["posted", "posted", "deferred"]
    assert actions(machine.scan(now=START + 2 * DAY + 2)) == ["posted"]
    assert len(machine.github.issues) == 5
    assert machine.agent_runs == 5


def test_the_cap_rolls(machine: Machine) -> None:
    machine.settings["maxIssuesPerDay"] = 2
    machine.write(failure(0))
    machine.scan(now=START)
    machine.write(*(failure(n) for n in range(1, 4)))
    assert actions(machine.scan(now=START + 0.9 * DAY)) == ["posted", "deferred", "deferred"]
    assert actions(machine.scan(now=START + 1.1 * DAY)) == ["posted", "deferred"]
    assert actions(machine.scan(now=START + 1.2 * DAY)) == ["deferred"]
    assert actions(machine.scan(now=START + 2 * DAY)) == ["posted"]


def test_the_oldest_comes_first(machine: Machine) -> None:
    machine.settings["maxIssuesPerDay"] = 1
    order = [3, 0, 1, 4]
    for day, n in enumerate(order):
        machine.write(failure(n))
        if day < 2:
            machine.scan(now=START + day)
    for day in range(1, 4):
        machine.scan(now=START + day * (DAY + 10))
    filed = [event["trigger"] for event in machine.events() if event["event"] == "diagnosis.posted"]
    assert filed == [failure(n)["event"] for n in order]


def test_what_may_have_been_filed_counts(machine: Machine) -> None:
    machine.settings["maxIssuesPerDay"] = 1
    machine.write(failure(0), failure(1))
    machine.github.faults.append(faults.created_then_502)
    assert actions(machine.scan()) == ["failed", "deferred"]
    machine.github.reading_faults.append(faults.status(502))
    assert actions(machine.scan()) == ["failed", "deferred"]
    assert actions(machine.scan()) == ["posted", "deferred"]
    assert len(machine.github.issues) == 1


def test_what_was_not_filed_after_all_does_not_count(machine: Machine) -> None:
    machine.settings["maxIssuesPerDay"] = 1
    machine.write(failure(0), failure(1))
    machine.github.faults.append(faults.closed)
    assert actions(machine.scan()) == ["failed", "deferred"]
    assert actions(machine.scan()) == ["posted", "deferred"]


def test_what_was_filed_before_is_found_though_the_cap_is_reached(machine: Machine) -> None:
    machine.settings["maxIssuesPerDay"] = 1
    machine.write(failure(0))
    machine.github.faults.append(faults.created_then_closed)
    machine.scan(now=START)
    state = machine.state()
    state["posted"] = [stamp(START)]
    machine.ledger.write_text(json.dumps(state))
    assert actions(machine.scan(now=START + 60)) == ["posted"]
    assert len(machine.state()["posted"]) == 2


def test_no_agent_works_ahead_of_the_cap(machine: Machine) -> None:
    machine.settings["maxIssuesPerDay"] = 2
    machine.write(*(failure(n) for n in range(5)))
    machine.github.faults += [faults.status(500)] * 2
    assert actions(machine.scan()) == ["failed", "failed", "deferred", "deferred", "deferred"]
    assert machine.agent_runs == 2


def test_an_agent_that_fails_on_one_defect_after_another_is_left_alone(machine: Machine) -> None:
    machine.agent("non_zero")
    machine.write(*(failure(n) for n in range(6)))
    assert actions(machine.scan()) == ["failed"] * 3 + ["deferred"] * 3
    assert machine.agent_runs == 3
    machine.agent("good")
    assert actions(machine.scan()) == ["posted"] * 6


def test_an_agent_that_raises_is_one_that_fails(machine: Machine) -> None:
    def agent(prompt: str, cwd: Path) -> AgentResult:
        raise OSError("out of memory")

    machine.write(failure(0))
    [outcome] = machine.scan(agent=agent)
    assert (outcome["action"], outcome["attempt"]) == ("failed", 1)
    assert "out of memory" in outcome["error"]


def test_putting_off_is_logged_once_for_each_cause(machine: Machine) -> None:
    machine.settings["maxIssuesPerDay"] = 1
    machine.write(failure(0), failure(1))
    for n in range(5):
        machine.scan(now=START + n)
    (machine.bin / "claude").unlink()
    for n in range(5):
        machine.scan(now=START + 2 * DAY + n)
    deferred = [event for event in machine.events() if event["event"] == "diagnosis.deferred"]
    assert ["maxIssuesPerDay" in event["reason"] for event in deferred] == [True, False]
    assert {(event["trigger"], event["level"]) for event in deferred} == {(failure(1)["event"], "info")}


def test_every_event_names_its_trigger(machine: Machine) -> None:
    machine.write(failure(0))
    machine.github.faults.append(faults.status(500))
    machine.scan()
    machine.scan()
    events = machine.events()
    assert [event["event"].partition(".")[2] for event in events] == ["detected", "failed", "posted"]
    assert {event["trigger"] for event in events} == {failure(0)["event"]}
    assert (events[1]["stage"], events[1]["attempt"], events[1]["level"]) == ("post", 1, "warning")
    assert events[2]["url"] == machine.github.issues[0]["html_url"]


def test_stopping_leaves_the_rest_for_later(machine: Machine) -> None:
    machine.write(*(failure(n) for n in range(3)))
    stop = threading.Event()

    def agent(prompt: str, cwd: Path) -> AgentResult:
        stop.set()
        return AgentResult(False, error="interrupted")

    assert actions(machine.scan(agent=agent, stop=stop)) == ["failed"]
    assert actions(machine.scan()) == ["posted"] * 3


# -- clocks


@pytest.mark.parametrize("jump", [-YEARS, 2 * DAY, YEARS], ids=["ten years back", "two days forward", "ten years on"])
def test_a_clock_that_jumps_neither_blocks_nor_floods(machine: Machine, jump: float) -> None:
    machine.settings["maxIssuesPerDay"] = 1
    machine.write(*(failure(n) for n in range(5)))
    assert actions(machine.scan(now=START)).count("posted") == 1
    machine.scan(now=START + jump)
    assert len(machine.github.issues) <= 2
    # Wherever the clock goes on, a day there frees the cap once.
    assert actions(machine.scan(now=START + jump + 1)).count("posted") == 0
    assert actions(machine.scan(now=START + jump + DAY + 100)).count("posted") == 1


@pytest.mark.parametrize("jump", [-YEARS, 2 * DAY, YEARS], ids=["ten years back", "two days forward", "ten years on"])
def test_a_clock_that_goes_to_and_fro_frees_the_cap_at_most_once(machine: Machine, jump: float) -> None:
    machine.settings["maxIssuesPerDay"] = 1
    machine.write(*(failure(n) for n in range(5)))
    for n in range(6):
        machine.scan(now=START + n * 60 + (jump if n % 2 else 0))
    assert len(machine.github.issues) == (1 if jump < 0 else 2)
    # And it never blocks for ever: once it has gone on by itself for a while, one is filed a day.
    filed = sum(actions(machine.scan(now=START + day * (DAY + 1))).count("posted") for day in range(1, 5))
    assert filed >= 2


def ledger(*posted: float, ahead: tuple[float, ...] = ()) -> Ledger:
    made = Ledger(Path("unused"), State(posted=[stamp(when) for when in posted]))
    made.state.core.ahead = [stamp(when) for when in ahead]
    return made


def test_a_time_a_little_ahead_is_now_and_ages(machine: Machine) -> None:
    """A clock that is corrected by seconds, as clocks are."""
    known = ledger(START + 2)
    assert known.posted_within_a_day(START) == 1
    assert known.state.posted == [stamp(START)]
    assert known.state.core.ahead == []
    assert known.posted_within_a_day(START + DAY + 1) == 0


def test_one_issue_never_counts_twice(machine: Machine) -> None:
    known = ledger(START + 2 * DAY)
    for hour in range(24 * 5):
        assert known.posted_within_a_day(START + hour * 3600) <= 1
    assert known.state.core.ahead == []


def test_times_ahead_are_bounded(machine: Machine) -> None:
    known = ledger(*(START + YEARS + n for n in range(500)))
    known.posted_within_a_day(START)
    assert len(known.state.core.ahead) == 100


def test_a_wait_that_another_clock_wrote_down_does_not_hold(machine: Machine) -> None:
    machine.write(failure(0))
    machine.github.faults.append(faults.status(429, headers={"Retry-After": "3600"}))
    assert actions(machine.scan(now=START)) == ["deferred"]
    assert actions(machine.scan(now=START + 60)) == ["deferred"]
    assert actions(machine.scan(now=START - YEARS)) == ["posted"]
