"""Whole scans by way of the real `gh`; what it does with each answer is in test_tracker.py."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Machine, failure
from fakes import github as faults
from fakes.github import GitHub

GH = shutil.which("gh", path="/usr/local/bin:/usr/bin:/bin")

pytestmark = pytest.mark.skipif(GH is None, reason="gh is not installed: `apt-get install gh` brings it")


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[GitHub]:
    with GitHub(tls=faults.certified(tmp_path)) as server:
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
