"""Both ways to GitHub, `gh` (the real one) and REST, against the same GitHub on loopback over TLS."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from fakes import github as faults
from fakes.github import GitHub

from the_loop_core.config import SelfDiagnosisConfig
from the_loop_core.tracker import Tracker, TrackerError, tracker_for
from the_loop_core.tracker.gh import GhTracker, host_of
from the_loop_core.tracker.rest import RestTracker

GH = shutil.which("gh", path="/usr/local/bin:/usr/bin:/bin")
TOKEN = "tok-made-up-12345"
MARKER = "<!-- the-loop:defect v1:0123456789abcdef -->"

needs_gh = pytest.mark.skipif(GH is None, reason="gh is not installed: `apt-get install gh` brings it")


@pytest.fixture
def secure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHub]:
    """A GitHub over TLS that this process and its children trust."""
    for name in list(os.environ):
        if name.startswith(("GH_", "GITHUB_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    monkeypatch.setenv("GH_CONFIG_DIR", str(tmp_path / "gh"))
    monkeypatch.setenv("TEST_TRACKER_TOKEN", TOKEN)
    with GitHub(tls=faults.certified(tmp_path)) as server:
        yield server


def config(base_url: str, *variables: str) -> SelfDiagnosisConfig:
    return SelfDiagnosisConfig(
        enabled=True, api_base_url=base_url, token_variables=variables or ("TEST_TRACKER_TOKEN",)
    )


def by(way: str, base_url: str) -> Tracker:
    path = os.path.dirname(GH or "") if way == "gh" else "/nonexistent"  # noqa: PTH120
    made = tracker_for(config(base_url), {**os.environ, "PATH": path})
    assert isinstance(made, GhTracker if way == "gh" else RestTracker)
    return made


@pytest.fixture(params=["rest", pytest.param("gh", marks=needs_gh)])
def tracker(request: pytest.FixtureRequest, secure: GitHub) -> Tracker:
    return by(request.param, secure.url)


def create(tracker: Tracker, body: str = "b") -> tuple[int, str]:
    return tracker.create_issue("acme", "the-loop", "t", body, ["a label"])


def refused(tracker: Tracker) -> TrackerError:
    with pytest.raises(TrackerError) as caught:
        create(tracker)
    assert "\n" not in str(caught.value)
    assert TOKEN not in str(caught.value)
    return caught.value


def test_an_issue_arrives_whole(tracker: Tracker, secure: GitHub) -> None:
    title, body = "@title — “quoted” $HOME", "@body\r\nline `id` $(id) \x7f\u2028\\u0041\n" + "é😀" * 15_000
    labels = ["the-loop: self-diagnosed", "a, b", "@x=1"]
    number, url = tracker.create_issue("acme", "the-loop", title, body, labels)
    [issue] = secure.issues
    assert (issue["title"], issue["body"], issue["labels"]) == (title, body, labels)
    assert (number, url) == (1, issue["html_url"])
    [request] = secure.requests
    assert request.headers["authorization"].split()[1] == TOKEN


@pytest.mark.parametrize(
    ("fault", "kind", "words", "maybe", "healable"),
    [
        (faults.status(401, {"message": "Bad credentials"}), "auth", "renew", False, False),
        (faults.status(403, {"message": "Resource not accessible"}), "forbidden", "Resource not", False, False),
        (faults.status(404), "not_found", "selfDiagnosis.repo", False, False),
        (faults.status(410), "gone", "switched off", False, False),
        (
            faults.status(422, {"message": "Validation Failed", "errors": [{"field": "title", "code": "missing"}]}),
            "invalid",
            "Validation Failed, title, missing",
            False,
            False,
        ),
        (faults.status(422, {"message": ["x"], "errors": {"a": 1}}), "invalid", "(422)", False, False),
        (faults.status(418, b"teapot\n"), "invalid", "418", False, False),
        (faults.status(500), "server", "500", True, True),
        (faults.status(503, b"<html>\nUnicorn!</html>"), "server", "503", True, True),
        (faults.status(408), "server", "408", True, True),
        (faults.created_then_502, "server", "502", True, True),
        (faults.created_then_closed, "network", "", True, True),
        (faults.closed, "network", "", True, True),
        (faults.created_then_garbage, "malformed", "201", True, True),
        (faults.status(200, b""), "malformed", "200", True, True),
        (faults.status(201, b"[" * 100_000), "malformed", "201", True, True),
        (faults.status(201, {"number": "7", "html_url": "https://x.example"}), "malformed", "201", True, True),
        (faults.status(201, {"number": True, "html_url": "https://x.example"}), "malformed", "201", True, True),
        (faults.status(201, {"number": 7, "html_url": "javascript:alert(1)"}), "malformed", "201", True, True),
        (faults.status(201, {"number": 7}), "malformed", "201", True, True),
        (faults.renamed, "redirect", "renamed", False, False),
        (faults.status(302, b"", {"Location": "https://sso.example/login"}), None, "", None, None),
    ],
    ids=[
        *("401", "403", "404", "410", "422", "422 unreadable", "418", "500", "503 html", "408", "created then 502"),
        *("created then closed", "closed", "created then html", "empty", "deep", "number as text", "number as truth"),
        *("strange address", "no address", "renamed", "sent to a login page"),
    ],
)
def test_a_refusal_has_its_kind(
    tracker: Tracker, secure: GitHub, fault: faults.Handler, kind: str | None, words: str, maybe: Any, healable: Any
) -> None:
    secure.faults.append(fault)
    error = refused(tracker)
    if kind is None:
        # `gh` follows it and finds nobody; REST does not.
        assert error.kind in ("redirect", "network")
        return
    assert (error.kind, error.maybe_created, error.healable) == (kind, maybe, healable)
    assert words in str(error)
    assert error.retry_at is None


def from_now(value: str) -> str:
    """`IN N` is the time in N seconds, `DATE IN N` the same as a date; all else stays."""
    kind, found, seconds = value.rpartition("IN ")
    if not found:
        return value
    when = datetime.fromtimestamp(time.time() + int(seconds), timezone.utc)
    return format_datetime(when, usegmt=True) if kind else str(int(when.timestamp()))


@pytest.mark.parametrize(
    ("code", "body", "headers", "seconds"),
    [
        (429, {}, {"Retry-After": "120"}, 120),
        (403, {"message": "You have exceeded a secondary rate limit"}, {"Retry-After": "120"}, 120),
        (403, {"message": "You have exceeded a secondary rate limit"}, {}, 60),
        (
            403,
            {"message": "API rate limit exceeded"},
            {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "IN 600"},
            600,
        ),
        (403, {}, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "IN -600"}, 60),
        (429, {}, {}, 60),
        (429, {}, {"Retry-After": "soon"}, 60),
        (429, {}, {"Retry-After": "99999999999999999999"}, 86_400),
        (429, {}, {"Retry-After": "Tue, 01 Jan 2199 00:00:00 GMT"}, 86_400),
        (429, {}, {"Retry-After": "DATE IN 300"}, 300),
    ],
    ids=[
        *("429", "secondary", "secondary without a time", "used up", "reset passed", "429 without a time"),
        *("unreadable", "for ever", "far date", "date"),
    ],
)
def test_a_rate_limit_says_when(
    tracker: Tracker, secure: GitHub, code: int, body: object, headers: dict[str, str], seconds: float
) -> None:
    secure.faults.append(faults.status(code, body, {name: from_now(value) for name, value in headers.items()}))
    error = refused(tracker)
    assert (error.kind, error.maybe_created, error.healable) == ("rate_limited", False, True)
    assert error.retry_at is not None
    assert abs((error.retry_at - datetime.now(timezone.utc)).total_seconds() - seconds) < 60


def test_a_server_that_asks_for_time_is_heard(tracker: Tracker, secure: GitHub) -> None:
    secure.faults.append(faults.status(503, b"", {"Retry-After": "600"}))
    error = refused(tracker)
    assert error.kind == "server"
    assert error.retry_at is not None
    assert error.maybe_created


def test_a_reset_is_read_by_the_clock_that_wrote_it(tracker: Tracker, secure: GitHub) -> None:
    theirs = datetime(2020, 1, 1, tzinfo=timezone.utc)
    reset = str(int(theirs.timestamp()) + 600)
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset, "Date": format_datetime(theirs, usegmt=True)}
    secure.faults.append(faults.status(403, {}, headers))
    retry_at = refused(tracker).retry_at
    assert retry_at is not None
    assert abs((retry_at - datetime.now(timezone.utc)).total_seconds() - 600) < 60


def fill(github: GitHub, count: int, body: str = "other") -> None:
    for _ in range(count):
        github.create({"title": "t", "body": body, "labels": []})


def test_nothing_is_found_where_nothing_is(tracker: Tracker, secure: GitHub) -> None:
    assert tracker.find_issue("acme", "the-loop", MARKER) is None
    fill(secure, 3)
    assert tracker.find_issue("acme", "the-loop", MARKER) is None


@pytest.mark.parametrize(("before", "after", "searches"), [(0, 0, 0), (150, 20, 0), (3, 299, 0), (3, 350, 1)])
def test_the_oldest_issue_with_the_marker_is_found(
    tracker: Tracker, secure: GitHub, before: int, after: int, searches: int
) -> None:
    fill(secure, before)
    fill(secure, 1, f"text\n{MARKER}\n")
    fill(secure, after)
    found = tracker.find_issue("acme", "the-loop", MARKER)
    assert found is not None
    assert found.number == before + 1
    assert len([request for request in secure.requests if request.path == "/search/issues"]) == searches


def test_what_the_index_does_not_know_yet_is_found_in_the_list(tracker: Tracker, secure: GitHub) -> None:
    fill(secure, 400)
    secure.indexed = len(secure.issues)
    fill(secure, 1, MARKER)
    found = tracker.find_issue("acme", "the-loop", MARKER)
    assert found is not None
    assert found.number == 401


def test_pull_requests_and_empty_bodies_are_no_issues(tracker: Tracker, secure: GitHub) -> None:
    fill(secure, 1, MARKER)
    secure.issues[0]["pull_request"] = {}
    fill(secure, 1)
    secure.issues[1]["body"] = None
    assert tracker.find_issue("acme", "the-loop", MARKER) is None


def test_a_marker_cannot_change_the_search(tracker: Tracker, secure: GitHub) -> None:
    fill(secure, 301)
    assert tracker.find_issue("acme", "the-loop", 'x" repo:other/one is:pr "') is None
    [request] = [request for request in secure.requests if request.path == "/search/issues"]
    assert request.query["q"] == ['repo:acme/the-loop is:issue in:body "x repo:other one is:pr"']


def test_a_search_that_gave_up_is_no_answer(tracker: Tracker, secure: GitHub) -> None:
    fill(secure, 301)
    secure.searching_faults.append(faults.status(200, {"incomplete_results": True, "items": []}))
    with pytest.raises(TrackerError) as caught:
        tracker.find_issue("acme", "the-loop", MARKER)
    assert caught.value.healable


def test_a_token_that_may_not_search_is_content_with_the_list(tracker: Tracker, secure: GitHub) -> None:
    fill(secure, 301)
    secure.searching_faults.append(faults.status(422, {"message": "Validation Failed"}))
    assert tracker.find_issue("acme", "the-loop", MARKER) is None


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (faults.status(200, b""), "malformed"),
        (faults.status(200, {"message": "hello"}), "malformed"),
        (faults.status(502, b"<html>"), "server"),
        (faults.status(404), "not_found"),
        (faults.closed, "network"),
    ],
    ids=["empty", "no list", "502", "404", "closed"],
)
def test_a_list_that_cannot_be_read_is_not_taken_for_none(
    tracker: Tracker, secure: GitHub, fault: faults.Handler, kind: str
) -> None:
    fill(secure, 1, MARKER)
    # `gh` asks again by itself when the connection breaks on reading.
    secure.reading_faults += [fault] * 5
    with pytest.raises(TrackerError) as caught:
        tracker.find_issue("acme", "the-loop", MARKER)
    assert (caught.value.kind, caught.value.maybe_created) == (kind, False)


@pytest.mark.parametrize(("owner", "name"), [("..", ".."), ("a/b", "c"), ("a", ""), ("a", "b?x"), ("a", "b\n")])
def test_a_repository_cannot_be_another_path(tracker: Tracker, secure: GitHub, owner: str, name: str) -> None:
    with pytest.raises(TrackerError) as caught:
        tracker.create_issue(owner, name, "t", "b", [])
    assert caught.value.kind == "invalid"
    assert secure.requests == []


@pytest.mark.parametrize("way", ["rest", pytest.param("gh", marks=needs_gh)])
def test_without_a_server_nothing_was_created(secure: GitHub, way: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        error = refused(by(way, f"https://localhost:{unused.getsockname()[1]}/api/v3"))
    assert (error.kind, error.maybe_created, error.healable) == ("network", False, True)


@pytest.mark.parametrize("way", ["rest", pytest.param("gh", marks=needs_gh)])
def test_a_server_that_nobody_vouches_for_gets_nothing(
    secure: GitHub, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
    error = refused(by(way, secure.url))
    assert (error.kind, error.maybe_created) == ("network", False)
    assert secure.requests == []


def test_a_redirect_files_nothing_elsewhere(tracker: Tracker, secure: GitHub) -> None:
    assert secure.tls is not None
    with GitHub(tls=secure.tls) as elsewhere:
        # Another host for the client, since its name is another.
        location = f"https://127.0.0.1:{elsewhere.port}/api/v3/repos/acme/the-loop/issues"
        for code in (301, 302, 303, 307, 308):
            secure.faults.append(faults.status(code, b"", {"Location": location}))
            secure.reading_faults.append(secure.faults[0])
            with pytest.raises(TrackerError):
                create(tracker)
            with pytest.raises(TrackerError):
                tracker.find_issue("acme", "the-loop", MARKER)
        assert elsewhere.issues == []
        if isinstance(tracker, RestTracker):
            # Not asked at all. `gh` follows by rules of its own, with the token that it has for the other host.
            assert elsewhere.requests == []


def test_a_body_that_drips_or_never_ends_is_given_up(secure: GitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    from the_loop_core.tracker import rest

    monkeypatch.setattr(rest, "_DEADLINE", 0.5)
    monkeypatch.setattr(rest, "_MAX_ANSWER", 1_000_000)
    secure.faults += [faults.dripping, faults.endless]
    tracker = by("rest", secure.url)
    slow = refused(tracker)
    assert (slow.kind, slow.maybe_created) == ("network", True)
    large = refused(tracker)
    assert (large.kind, large.maybe_created) == ("malformed", True)


def test_rest_goes_through_the_proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def proxy(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection:
            asked.append(connection.recv(65_536))
            connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=proxy, args=(server,))
        thread.start()
        monkeypatch.setenv("https_proxy", f"http://ada:s%40me@127.0.0.1:{server.getsockname()[1]}")
        monkeypatch.setenv("no_proxy", "")
        error = refused(RestTracker("https://github.example.invalid/api/v3", TOKEN))
        thread.join()
    assert error.kind == "network"
    assert asked[0].startswith(b"CONNECT github.example.invalid:443 ")
    assert b"YWRhOnNAbWU=" in asked[0]
    assert TOKEN.encode() not in asked[0]


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://api.github.com", ""),
        ("https://api.github.com/", ""),
        ("https://ghe.example.com/api/v3", "ghe.example.com"),
        ("https://ghe.example.com:8443/api/v3/", "ghe.example.com:8443"),
        ("https://api.acme.ghe.com", "acme.ghe.com"),
        ("http://ghe.example.com/api/v3", None),
        ("https://proxy.example.com/github", None),
        ("https://ghe.example.com", None),
        ("https://user:pass@ghe.example.com/api/v3", None),
        ("https://[::1/api/v3", None),
        ("nonsense", None),
    ],
)
def test_what_gh_can_reach(address: str, host: str | None) -> None:
    assert host_of(address) == host


@pytest.mark.parametrize(
    "address", ["nonsense", "ftp://x.example", "https://", "https://[::1", "https://u:p@x.example"]
)
def test_an_address_that_is_none_says_what_to_mend(address: str) -> None:
    with pytest.raises(TrackerError) as caught:
        tracker_for(config(address), {"PATH": "/nonexistent", "TEST_TRACKER_TOKEN": TOKEN})
    assert caught.value.kind == "missing"
    assert "baseUrl" in str(caught.value)


def test_without_gh_and_token_it_says_what_to_do() -> None:
    with pytest.raises(TrackerError) as caught:
        tracker_for(SelfDiagnosisConfig(), {"PATH": "/nonexistent", "GH_TOKEN": " "})
    assert caught.value.kind == "missing"
    assert str(caught.value) == "no way to file an issue: install `gh` and log in, or set GH_TOKEN or GITHUB_TOKEN"


def test_a_token_with_strange_characters_is_named_and_not_shown() -> None:
    with pytest.raises(TrackerError) as caught:
        tracker_for(config("https://api.github.com"), {"PATH": "/nonexistent", "TEST_TRACKER_TOKEN": "se\ncret"})
    assert caught.value.kind == "missing"
    assert "TEST_TRACKER_TOKEN" in str(caught.value)
    assert "cret" not in str(caught.value).replace("TEST_TRACKER_TOKEN", "")


def test_another_host_is_asked_where_one_is_named(tracker: Tracker, secure: GitHub) -> None:
    assert secure.tls is not None
    with GitHub(tls=secure.tls) as other:
        tracker.create_issue("acme", "the-loop", "t", "b", [], host=f"localhost:{other.port}")
        assert len(other.issues) == 1
    assert secure.issues == []


Check = Callable[[dict[str, str]], bool]


@needs_gh
@pytest.mark.parametrize(
    ("base_url", "variables", "environ", "expected"),
    [
        ("", (), {"GH_ENTERPRISE_TOKEN": "own"}, "own"),
        ("", (), {"GH_ENTERPRISE_TOKEN": "own", "GH_TOKEN": "of-github"}, "own"),
        ("", ("MINE",), {"GH_ENTERPRISE_TOKEN": "own", "MINE": "mine"}, "mine"),
        ("", (), {"GH_TOKEN": "of-github"}, None),
        ("configured", (), {"GH_TOKEN": "configured"}, "configured"),
        ("configured", (), {"GH_TOKEN": "configured", "GITHUB_ENTERPRISE_TOKEN": "own"}, "own"),
        ("configured", ("MINE",), {"MINE": " mine\n", "GH_ENTERPRISE_TOKEN": "own"}, "mine"),
    ],
)
def test_which_token_gh_uses(
    secure: GitHub, base_url: str, variables: tuple[str, ...], environ: dict[str, str], expected: str | None
) -> None:
    """A token of github.com does not go to another host that only GH_HOST names."""
    assert GH
    given = {**os.environ, **environ, "PATH": str(Path(GH).parent)}
    settings = config(secure.url, *(variables or SelfDiagnosisConfig.token_variables))
    if not base_url:
        given["GH_HOST"] = f"localhost:{secure.port}"
        settings = config(SelfDiagnosisConfig.api_base_url, *(variables or SelfDiagnosisConfig.token_variables))
    tracker = tracker_for(settings, given)
    if expected is None:
        with pytest.raises(TrackerError) as caught:
            create(tracker)
        assert caught.value.kind in ("auth", "missing")
        assert all("authorization" not in request.headers for request in secure.requests)
        return
    create(tracker)
    assert secure.requests[-1].headers["authorization"] == f"token {expected}"


@needs_gh
def test_gh_that_is_set_up_for_a_person_is_read_all_the_same(secure: GitHub, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"GH_FORCE_TTY": "80", "GH_DEBUG": "api", "CLICOLOR_FORCE": "1", "PAGER": "head -1"}.items():
        monkeypatch.setenv(name, value)
    assert create(by("gh", secure.url))[0] == 1


@needs_gh
def test_the_token_is_in_no_argument(secure: GitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrapper = tmp_path / "bin" / "gh"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nfor word in "$@"; do echo "$word" >> "{tmp_path}/argv"; done\nexec "{GH}" "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", str(wrapper.parent))
    create(tracker_for(config(secure.url), os.environ), body="the body")
    words = (tmp_path / "argv").read_text()
    assert TOKEN not in words
    assert "the body" not in words


def test_a_gh_that_cannot_be_started_or_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from the_loop_core.tracker import gh

    program = tmp_path / "gh"
    program.write_text("#!/nonexistent/interpreter\n")
    program.chmod(0o755)
    tracker = GhTracker(str(program), "", {})
    assert refused(tracker).kind == "missing"
    monkeypatch.setattr(gh, "_TIMEOUT", 0.5)
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    hanging = refused(GhTracker(str(program), "", {"PATH": "/usr/bin:/bin"}))
    assert (hanging.kind, hanging.maybe_created) == ("network", True)
    program.write_text("#!/bin/sh\necho 'To get started with GitHub CLI, please run:  gh auth login' >&2\nexit 4\n")
    assert refused(tracker).kind == "missing"
    program.write_text("#!/bin/sh\nkill -SEGV $$\n")
    assert refused(tracker).kind == "network"
