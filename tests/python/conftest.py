"""What several tests share: a machine of one's own, an agent on PATH, a GitHub on loopback."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakes.github import GitHub

from the_loop_core.config import SelfDiagnosisConfig
from the_loop_core.scan import Outcome, scan


class Machine:
    """A home, a state folder, an event log, an agent, a tracker."""

    def __init__(self, root: Path, github: GitHub) -> None:
        self.root = root
        self.github = github
        self.bin = root / "bin"
        self.bin.mkdir()
        self.log = root / "state" / "logs" / "events.jsonl"
        self.log.parent.mkdir(parents=True)
        self.log.touch()
        self.ledger = root / "state" / "self-diagnosis.json"
        self.keywords: dict[str, str] = {}
        self.settings: dict[str, Any] = {"enabled": True, "repo": github.repository, "maxIssuesPerDay": 50}

    def agent(self, behaviour: str) -> None:
        """Puts the scripted agent on PATH as `claude`."""
        script = self.bin / "agent.py"
        shutil.copy(Path(__file__).parent / "fakes" / "agent.py", script)
        program = self.bin / "claude"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I "{script}" "$@"\n')
        program.chmod(0o755)
        (self.bin / "behaviour").write_text(behaviour)

    @property
    def agent_runs(self) -> int:
        runs = self.bin / "runs"
        return len(runs.read_text().splitlines()) if runs.exists() else 0

    def write(self, *records: dict[str, Any] | bytes) -> None:
        """Appends records to the log, or raw bytes."""
        with self.log.open("ab") as log:
            for record in records:
                log.write(record if isinstance(record, bytes) else json.dumps(record).encode() + b"\n")

    @property
    def cli_config(self) -> dict[str, Any]:
        api = {"baseUrl": self.github.url, "tokenEnv": "TEST_TRACKER_TOKEN"}
        return {
            "selfDiagnosis": self.settings,
            "integrations": {"github": {"api": api}},
            "routing": {"control": {"keywords": self.keywords}},
        }

    @property
    def config(self) -> SelfDiagnosisConfig:
        return SelfDiagnosisConfig.from_mapping(self.cli_config)

    def scan(self, *, cli_config: dict[str, Any] | None = None, **more: Any) -> list[Outcome]:
        config = SelfDiagnosisConfig.from_mapping(cli_config or self.cli_config)
        return scan(config, log_path=self.log, state_path=self.ledger, **more)

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self.ledger.read_text())
        return state

    def events(self) -> list[dict[str, Any]]:
        found = []
        for line in self.log.read_bytes().splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and str(record.get("event", "")).startswith("diagnosis."):
                found.append(record)
        return found


def failure(n: int = 0, error: str = "", **more: Any) -> dict[str, Any]:
    """A record that tells of a failure; another `n` is another defect."""
    causes = ["boom", "connection refused", "database is locked", "no space left on device", "bad gateway"]
    return {
        "ts": f"2026-03-01T10:{n % 60:02}:00.000Z",
        "source": "poller",
        "event": f"poll.{'abcdefghij'[n % 10]}_failed",
        "level": "error",
        "pid": 1,
        "error": error or causes[n % 5],
        **more,
    }


@pytest.fixture
def github() -> Iterator[GitHub]:
    with GitHub() as server:
        yield server


@pytest.fixture
def machine(tmp_path: Path, github: GitHub, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine without `gh`: issues go through REST with a token."""
    made = Machine(tmp_path, github)
    home = tmp_path / "home"
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("GH_", "GITHUB_", "THE_LOOP", "ANTHROPIC_", "CLAUDE")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", f"{made.bin}:/nonexistent")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USER", "ada")
    monkeypatch.setenv("TEST_TRACKER_TOKEN", "tok-made-up-12345")
    # Commands that the scripted agent needs.
    for name in ("sh", "env"):
        found = shutil.which(name, path="/bin:/usr/bin")
        assert found
        (made.bin / name).symlink_to(found)
    made.agent("good")
    return made
