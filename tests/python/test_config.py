"""What a config may hold, and what becomes of one that holds something else."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from the_loop_core import config
from the_loop_core.config import ConfigError, SelfDiagnosisConfig


def test_absent_and_off_are_disabled_without_a_word(caplog: pytest.LogCaptureFixture) -> None:
    for values in (None, {}, {"selfDiagnosis": None}, {"selfDiagnosis": {}}, {"selfDiagnosis": {"enabled": False}}):
        assert SelfDiagnosisConfig.from_mapping(values) == SelfDiagnosisConfig()
    assert caplog.records == []


def test_defaults() -> None:
    read = SelfDiagnosisConfig.from_mapping({"selfDiagnosis": {"enabled": True}})
    assert read == SelfDiagnosisConfig(enabled=True)
    assert (read.repo, read.label) == ("MadaraUchiha-314/the-loop", "the-loop: self-diagnosed")
    assert (read.harness, read.model, read.timeout_seconds, read.interval_seconds) == ("claude", "", 900, 3600)
    assert (read.max_issues_per_day, read.max_retries) == (3, 3)
    assert read.token_variables == ("GH_TOKEN", "GITHUB_TOKEN")


MALFORMED: list[tuple[str, Any]] = [
    ("selfDiagnosis", []),
    ("selfDiagnosis", "on"),
    ("selfDiagnosis", True),
    ("selfDiagnosis.enabled", {"enabled": "yes"}),
    ("selfDiagnosis.enabled", {"enabled": 1}),
    ("selfDiagnosis.repo", {"enabled": True, "repo": None}),
    ("selfDiagnosis.repo", {"enabled": True, "repo": "no-slash"}),
    ("selfDiagnosis.repo", {"enabled": True, "repo": "a/b/c"}),
    ("selfDiagnosis.repo", {"enabled": True, "repo": "a/b\n"}),
    ("selfDiagnosis.label", {"enabled": True, "label": ""}),
    ("selfDiagnosis.label", {"enabled": True, "label": "   "}),
    ("selfDiagnosis.harness", {"enabled": True, "harness": "bash"}),
    ("selfDiagnosis.model", {"enabled": True, "model": "--yolo"}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": 0}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": float("nan")}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": True}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": 1e30}),
    ("selfDiagnosis.intervalSeconds", {"enabled": True, "intervalSeconds": -5}),
    ("selfDiagnosis.maxIssuesPerDay", {"enabled": True, "maxIssuesPerDay": 0}),
    ("selfDiagnosis.maxIssuesPerDay", {"enabled": True, "maxIssuesPerDay": "3"}),
    ("selfDiagnosis.maxRetries", {"enabled": True, "maxRetries": 2.5}),
    ("selfDiagnosis.colour", {"enabled": True, "colour": "red"}),
    ("selfDiagnosis.5", {"enabled": True, 5: "x"}),
]


@pytest.mark.parametrize(("key", "section"), MALFORMED)
def test_malformed_is_disabled_and_said_once(key: str, section: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert not SelfDiagnosisConfig.from_mapping({"selfDiagnosis": section}).enabled
    [record] = caplog.records
    assert record.levelno == logging.ERROR
    assert key in record.getMessage()


@pytest.mark.parametrize(
    "arming",
    [
        {"routing": {"autoExecuteLabel": "The-Loop: Go"}},
        {"routing": {"autoExecuteLabels": ["x", "the-loop: go "]}},
        {"polling": {"sources": [{"label": "THE-LOOP: GO"}]}},
        {"polling": {"sources": [{}, {"labels": ["the-loop: go"]}]}},
    ],
)
def test_a_label_that_starts_work_is_refused(arming: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    section = {"enabled": True, "label": " the-loop: go"}
    assert not SelfDiagnosisConfig.from_mapping({"selfDiagnosis": section, **arming}).enabled
    assert "selfDiagnosis.label" in caplog.text


def test_other_sections_may_hold_anything() -> None:
    odd: Any
    for odd in (None, 5, "x", [], [5], {"control": 5}, {"control": {"keywords": ["a"]}}, {"sources": {"a": 1}}):
        values = {"selfDiagnosis": {"enabled": True}, "routing": odd, "polling": odd, "integrations": odd}
        assert SelfDiagnosisConfig.from_mapping(values).enabled


def test_keywords_and_tracker_are_read() -> None:
    read = SelfDiagnosisConfig.from_mapping(
        {
            "selfDiagnosis": {"enabled": True},
            "routing": {"control": {"keywords": {"start": "/go", "stop": ""}}},
            "integrations": {"github": {"api": {"baseUrl": "https://git.example/api/v3", "tokenEnv": "MY_TOKEN"}}},
        }
    )
    assert read.keywords == {"start": "/go", "stop": ""}
    assert read.api_base_url == "https://git.example/api/v3"
    assert read.token_variables == ("MY_TOKEN",)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_where_the_config_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    env = {"HOME": str(home)}
    assert config.load(environ=env).path == home / ".the-loop/cli-config.yaml"
    assert config.load(environ=env).ledger_path == home / ".the-loop/self-diagnosis.json"
    write(home / ".the-loop/cli-config.yaml", "a: 1")
    assert config.load(environ=env).values == {"a": 1}
    write(work / ".the-loop/cli-config.yaml", "a: 2")
    assert config.load(environ=env).values == {"a": 2}
    named = write(tmp_path / "named.yaml", "a: 3")
    assert config.load(environ={**env, "THE_LOOP_CLI_CONFIG": str(named)}).values == {"a": 3}
    other = write(tmp_path / "other.yaml", "a: 4")
    assert config.load(str(other), environ={**env, "THE_LOOP_CLI_CONFIG": str(named)}).values == {"a": 4}


def test_where_state_lives(tmp_path: Path) -> None:
    path = write(tmp_path / "p/.the-loop/cli-config.yaml", "state: {root: st}\n")
    host = config.load(str(path))
    assert host.ledger_path == tmp_path / "p/st/self-diagnosis.json"
    assert host.log_path == tmp_path / "p/st/logs/events.jsonl"
    write(path, f"state: {{root: {tmp_path}/abs}}\neventLog: {{path: {tmp_path}/e.jsonl}}\n")
    host = config.load(str(path))
    assert host.state_root == tmp_path / "abs"
    assert host.log_path == tmp_path / "e.jsonl"


@pytest.mark.parametrize("text", ["a: [", "- a list", "5", "a: \x00", "&a [*a", "x: " + "[" * 3000])
def test_a_file_that_is_no_config_is_one_sentence(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "c.yaml", text)
    with pytest.raises(ConfigError) as caught:
        config.load(str(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no config file"):
        config.load(str(tmp_path / "none.yaml"))
