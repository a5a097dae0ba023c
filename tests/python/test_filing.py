"""What becomes of a report that a tracker, or a client of the host's, does not take."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from conftest import Machine, failure
from fakes import github as faults

from the_loop_core import _core


def actions(outcomes: list[dict[str, Any]]) -> list[str]:
    return [outcome["action"] for outcome in outcomes]


class ApiError(Exception):
    """As the host's client raises them: `status` is none when no answer came."""

    def __init__(self, message: str, status: int | None = None, *, missing_token: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.missing_token = missing_token


class Creator:
    """A client that can only create. Each error of `errors` is raised by one call, after `created` where it says so."""

    def __init__(self, *errors: tuple[Exception, bool] | None) -> None:
        self.errors = list(errors)
        self.issues: list[dict[str, Any]] = []

    def create_issue(
        self, owner: str, repo: str, title: str, body: str, labels: list[str], host: str = ""
    ) -> tuple[int, str]:
        error = self.errors.pop(0) if self.errors else None
        if error is None or error[1]:
            number = len(self.issues) + 1
            url = f"https://github.example/{owner}/{repo}/issues/{number}"
            self.issues.append({"number": number, "title": title, "body": body, "labels": labels, "html_url": url})
        if error is not None:
            raise error[0]
        return number, url


class Reader(Creator):
    """A client that can also read, as the host's does: `rest(method, path) -> parsed JSON`."""

    def rest(self, method: str, path: str, payload: Any = None, host: str = "") -> Any:
        assert (method, payload, host) == ("GET", None, "")
        where = urlsplit(path)
        assert where.path == "/repos/acme/the-loop/issues"
        page = int(parse_qs(where.query)["page"][0])
        return self.issues[::-1][(page - 1) * 100 : page * 100]


# -- clients of the existing host


@pytest.mark.parametrize("error", [ApiError("bad gateway", 502), ApiError("timed out"), ConnectionResetError("reset")])
def test_a_client_that_reads_finds_what_was_created_and_not_told(machine: Machine, error: Exception) -> None:
    client: Any = Reader((error, True))
    machine.write(failure(0))
    assert actions(machine.scan(client=client)) == ["failed"]
    [outcome] = machine.scan(client=client)
    assert outcome["url"] == "https://github.example/acme/the-loop/issues/1"
    assert len(client.issues) == 1
    assert len(machine.state()["posted"]) == 1
    assert machine.agent_runs == 1


def test_a_client_that_only_creates_is_not_asked_again_while_nobody_can_look(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Better one report that waits for a person than one that is filed twice."""
    monkeypatch.delenv("TEST_TRACKER_TOKEN")
    client: Any = Creator((ApiError("bad gateway", 502), True))
    machine.write(failure(0), failure(1))
    assert sorted(actions(machine.scan(client=client))) == ["failed", "posted"]
    for _ in range(4):
        [outcome] = machine.scan(client=client)
        assert outcome["action"] == "deferred"
        assert "may have been filed" in outcome["reason"]
    assert len(client.issues) == 2
    assert machine.agent_runs == 2


def test_what_nobody_can_look_for_counts_for_a_day(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_TRACKER_TOKEN")
    machine.settings["maxIssuesPerDay"] = 1
    client: Any = Creator((ApiError("bad gateway", 502), True))
    machine.write(failure(0), failure(1))
    assert actions(machine.scan(client=client, now=2e9)) == ["failed", "deferred"]
    assert actions(machine.scan(client=client, now=2e9 + 3600)) == ["deferred", "deferred"]
    assert actions(machine.scan(client=client, now=2e9 + 86_500)) == ["deferred", "posted"]
    assert len(client.issues) == 2


def test_what_a_client_cannot_look_for_is_looked_for_by_our_own_means(machine: Machine) -> None:
    machine.write(failure(0))
    client: Any = Creator((ApiError("bad gateway", 502), True))
    machine.scan(client=client)
    machine.github.issues += client.issues
    [outcome] = machine.scan(client=client)
    assert outcome["action"] == "posted"
    assert len(client.issues) == 1
    assert machine.github.posts == []


def test_a_client_s_own_mistake_is_an_attempt_like_any_other(machine: Machine) -> None:
    client: Any = Creator(*[(RuntimeError("unexpected"), False)] * 3)
    machine.write(failure(0))
    outcomes = [machine.scan(client=client)[0] for _ in range(3)]
    assert [outcome["attempt"] for outcome in outcomes] == [1, 2, 3]
    assert outcomes[2]["abandoned"]
    assert machine.agent_runs == 1


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (ApiError("no token", missing_token=True), "deferred"),
        (ApiError("slow down: rate limit", 403), "deferred"),
        (ApiError("too many", 429), "deferred"),
        (ApiError("bad credentials", 401), "failed"),
        (ApiError("gone", 410), "failed"),
    ],
)
def test_what_a_client_says_of_the_tracker_is_no_attempt(machine: Machine, error: ApiError, action: str) -> None:
    client: Any = Reader(*[(error, False)] * 5)
    machine.write(failure(0))
    for n in range(5):
        assert actions(machine.scan(client=client, now=2e9 + n * 90_000)) == [action]
    assert machine.state()["attempts"] == {}
    assert actions(machine.scan(client=client, now=2e9 + 9e6)) == ["posted"]


def test_a_ledger_entry_of_nonsense_from_a_client_is_refused(machine: Machine) -> None:
    class Odd(Creator):
        def create_issue(self, *args: Any, **more: Any) -> Any:
            super().create_issue(*args, **more)

    client: Any = Odd()
    machine.write(failure(0))
    assert actions(machine.scan(client=client)) == ["failed"]
    assert machine.state()["reported"] == {}


# -- one tracker for all defects


def test_a_rate_limit_holds_for_every_defect_and_asks_no_agent(machine: Machine) -> None:
    machine.write(*(failure(n) for n in range(4)))
    machine.github.faults += [faults.status(429, headers={"Retry-After": "600"})] * 4
    assert actions(machine.scan()) == ["deferred"] * 4
    assert actions(machine.scan()) == ["deferred"] * 4
    assert machine.agent_runs == 1
    assert len(machine.github.posts) == 1


def test_a_busy_server_that_says_when_is_waited_for(machine: Machine) -> None:
    machine.write(failure(0))
    machine.github.faults.append(faults.status(503, headers={"Retry-After": "600"}))
    assert actions(machine.scan()) == ["deferred"]
    assert actions(machine.scan()) == ["deferred"]
    assert machine.state()["attempts"] == {}
    assert len(machine.github.posts) == 1


@pytest.mark.parametrize("code", [401, 403, 404, 410])
def test_a_tracker_that_lets_nobody_in_loses_nothing(machine: Machine, code: int) -> None:
    """A token that expired over a weekend must not end every defect that was met meanwhile."""
    machine.write(*(failure(n) for n in range(3)))
    machine.github.reading_faults += [faults.status(code)] * 6
    for _ in range(6):
        assert actions(machine.scan()) == ["failed", "deferred", "deferred"]
    assert machine.agent_runs == 1
    assert machine.state()["abandoned"] == {}
    assert actions(machine.scan()) == ["posted"] * 3


def test_a_tracker_out_of_reach_loses_nothing(machine: Machine) -> None:
    machine.write(failure(0), failure(1))
    url = machine.github.url
    with faults.GitHub() as gone:
        nowhere = gone.url
    settings = machine.cli_config
    settings["integrations"]["github"]["api"]["baseUrl"] = nowhere
    for _ in range(5):
        assert actions(machine.scan(cli_config=settings)) == ["failed", "deferred"]
    assert machine.agent_runs == 1
    settings["integrations"]["github"]["api"]["baseUrl"] = url
    assert actions(machine.scan()) == ["posted"] * 2


def test_a_report_that_is_refused_for_what_it_holds_is_given_up(machine: Machine) -> None:
    machine.write(failure(0))
    machine.github.faults += [faults.status(422)] * 3
    assert [machine.scan()[0].get("abandoned", False) for _ in range(3)] == [False, False, True]
    assert machine.agent_runs == 1
    assert machine.scan() == []


def test_attempts_are_counted_for_each_stage(machine: Machine) -> None:
    machine.agent("non_zero")
    machine.write(failure(0))
    assert [machine.scan()[0]["attempt"] for _ in range(2)] == [1, 2]
    machine.agent("good")
    machine.github.faults += [faults.status(500)] * 2
    assert [machine.scan()[0]["attempt"] for _ in range(2)] == [1, 2]
    assert actions(machine.scan()) == ["posted"]
    assert machine.state()["attempts"] == {}


# -- a report that waits


def waiting(machine: Machine) -> dict[str, Any]:
    """Makes a report that waits, and returns the ledger."""
    machine.write(failure(0))
    machine.github.faults.append(faults.status(500))
    assert actions(machine.scan()) == ["failed"]
    return machine.state()


def test_a_keyword_that_was_configured_meanwhile_is_defanged(machine: Machine) -> None:
    waiting(machine)
    machine.keywords = {"start": "refused"}
    assert actions(machine.scan()) == ["posted"]
    [issue] = machine.github.issues
    for dialect in ("opening", "anywhere"):
        assert _core.parse_command(issue["body"], machine.keywords, dialect) is None
    assert machine.agent_runs == 2


@pytest.mark.parametrize("body", ["hello", "the-loop start", "<!-- the-loop:agent-comment -->"])
def test_a_report_that_was_altered_while_it_waited_is_not_filed(machine: Machine, body: str) -> None:
    state = waiting(machine)
    [seen] = state["core"]["seen"].values()
    seen["report"]["body"] = body
    seen["intent"] = ""
    machine.ledger.write_text(json.dumps(state))
    assert actions(machine.scan()) == ["posted"]
    [issue] = machine.github.issues
    assert "## Summary" in issue["body"]
    assert machine.agent_runs == 2


def test_a_preview_shows_the_report_that_waits(machine: Machine) -> None:
    waiting(machine)
    before = machine.ledger.read_bytes()
    [outcome] = machine.scan(dry_run=True)
    assert outcome["title"].startswith("[self-diagnosed] Poller")
    assert machine.agent_runs == 1
    assert machine.ledger.read_bytes() == before
