"""The real `gh` against a GitHub on loopback, over TLS."""

from __future__ import annotations

import os
import shutil
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from conftest import Machine, failure
from fakes import github as faults
from fakes.github import GitHub

from the_loop_core.tracker import TrackerError, tracker_for

GH = shutil.which("gh", path="/usr/local/bin:/usr/bin:/bin")

pytestmark = pytest.mark.skipif(GH is None, reason="gh is not installed: `apt-get install gh` brings it")


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[GitHub]:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    with GitHub(tls=context) as server:
        yield server


@pytest.fixture
def with_gh(machine: Machine, secure: GitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    assert GH
    (machine.bin / "gh").symlink_to(GH)
    monkeypatch.delenv("TEST_TRACKER_TOKEN")
    monkeypatch.setenv("GH_HOST", f"localhost:{secure.port}")
    monkeypatch.setenv("GH_ENTERPRISE_TOKEN", "made-up")
    monkeypatch.setenv("GH_CONFIG_DIR", str(tmp_path / "gh"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    machine.github = secure
    return machine


def test_an_issue_arrives_whole(with_gh: Machine) -> None:
    tracker = tracker_for(with_gh.config, os.environ)
    title, body = "@title — “quoted” $HOME", "@body\r\nline `id` $(id)\n" + "é" * 40_000
    number, url = tracker.create_issue("acme", "the-loop", title, body, ["the-loop: self-diagnosed", "a, b"])
    [issue] = with_gh.github.issues
    assert (issue["title"], issue["body"]) == (title, body)
    assert issue["labels"] == ["the-loop: self-diagnosed", "a, b"]
    assert (number, url) == (1, issue["html_url"])
    found = tracker.find_issue("acme", "the-loop", "$(id)")
    assert found is not None
    assert found.number == 1


def test_a_scan_files_once(with_gh: Machine) -> None:
    with_gh.write(failure(0))
    assert [o["action"] for o in with_gh.scan()] == ["posted"]
    assert with_gh.scan() == []
    assert len(with_gh.github.issues) == 1
    assert all("made-up" in request.headers["authorization"] for request in with_gh.github.requests)


def test_created_then_502_is_found_again(with_gh: Machine) -> None:
    with_gh.write(failure(0))
    with_gh.github.faults.append(faults.created_then_502)
    assert [o["action"] for o in with_gh.scan()] == ["failed"]
    assert [o["action"] for o in with_gh.scan()] == ["posted"]
    assert len(with_gh.github.issues) == 1


def test_created_then_closed_is_found_again(with_gh: Machine) -> None:
    with_gh.write(failure(0))
    with_gh.github.faults.append(faults.created_then_closed)
    assert [o["action"] for o in with_gh.scan()] == ["failed"]
    assert [o["action"] for o in with_gh.scan()] == ["posted"]
    assert len(with_gh.github.issues) == 1


@pytest.mark.parametrize(
    ("code", "kind"),
    [(401, "auth"), (403, "forbidden"), (404, "not_found"), (410, "gone"), (422, "invalid"), (500, "server")],
)
def test_a_refusal_has_its_kind(with_gh: Machine, code: int, kind: str) -> None:
    with_gh.github.faults.append(faults.status(code))
    with pytest.raises(TrackerError) as caught:
        tracker_for(with_gh.config, os.environ).create_issue("acme", "the-loop", "t", "b", [])
    assert caught.value.kind == kind
    assert caught.value.maybe_created is (code == 500)


def test_a_rate_limit_says_when(with_gh: Machine) -> None:
    with_gh.github.faults.append(faults.status(429, headers={"Retry-After": "120"}))
    with pytest.raises(TrackerError) as caught:
        tracker_for(with_gh.config, os.environ).create_issue("acme", "the-loop", "t", "b", [])
    assert caught.value.kind == "rate_limited"
    assert caught.value.retry_at is not None


def test_without_a_server_nothing_was_created(with_gh: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GH_HOST", "localhost:9")
    with pytest.raises(TrackerError) as caught:
        tracker_for(with_gh.config, os.environ).create_issue("acme", "the-loop", "t", "b", [])
    assert caught.value.kind == "network"
    assert not caught.value.maybe_created


def test_a_logged_out_gh_says_what_to_do(with_gh: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GH_ENTERPRISE_TOKEN")
    with pytest.raises(TrackerError) as caught:
        tracker_for(with_gh.config, os.environ).create_issue("acme", "the-loop", "t", "b", [])
    assert caught.value.kind == "auth"
    assert "log in" in str(caught.value)
