"""What a config may hold, and what becomes of one that holds something else."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
    ("selfDiagnosis.label", {"enabled": True, "label": "two\nlines"}),
    ("selfDiagnosis.label", {"enabled": True, "label": "x" * 51}),
    ("selfDiagnosis.label", {"enabled": True, "label": ["a"]}),
    ("selfDiagnosis.label", {"enabled": True, "label": "the-loop: auto-execute"}),
    ("selfDiagnosis.label", {"enabled": False, "label": " The-Loop: Auto-Execute "}),
    ("selfDiagnosis.harness", {"enabled": True, "harness": "bash"}),
    ("selfDiagnosis.harness", {"enabled": True, "harness": {"a": 1}}),
    ("selfDiagnosis.model", {"enabled": True, "model": "--yolo"}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": 0}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": float("nan")}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": True}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": 1e30}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": 10**400}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": "60"}),
    ("selfDiagnosis.timeoutSeconds", {"enabled": True, "timeoutSeconds": None}),
    ("selfDiagnosis.intervalSeconds", {"enabled": True, "intervalSeconds": float("inf")}),
    ("selfDiagnosis.intervalSeconds", {"enabled": True, "intervalSeconds": False}),
    ("selfDiagnosis.maxIssuesPerDay", {"enabled": True, "maxIssuesPerDay": True}),
    ("selfDiagnosis.maxIssuesPerDay", {"enabled": True, "maxIssuesPerDay": 10**400}),
    ("selfDiagnosis.maxRetries", {"enabled": True, "maxRetries": 0}),
    ("selfDiagnosis.intervalSeconds", {"enabled": True, "intervalSeconds": -5}),
    ("selfDiagnosis.maxIssuesPerDay", {"enabled": True, "maxIssuesPerDay": 0}),
    ("selfDiagnosis.maxIssuesPerDay", {"enabled": True, "maxIssuesPerDay": "3"}),
    ("selfDiagnosis.maxRetries", {"enabled": True, "maxRetries": 2.5}),
    ("selfDiagnosis.colour", {"enabled": True, "colour": "red"}),
    ("selfDiagnosis.5", {"enabled": True, 5: "x"}),
]


@pytest.mark.parametrize(("key", "section"), MALFORMED)
def test_malformed_is_disabled_and_said_once(key: str, section: Any, caplog: pytest.LogCaptureFixture) -> None:
    read = SelfDiagnosisConfig.from_mapping({"selfDiagnosis": section})
    assert not read.enabled
    assert read.malformed
    [record] = caplog.records
    assert record.levelno == logging.ERROR
    assert key in record.getMessage()


class Hostile(Mapping[str, Any]):
    """A mapping that raises for whatever it is asked."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError(key)

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("no")

    def __len__(self) -> int:
        raise RuntimeError("no")


@pytest.mark.parametrize("values", [Hostile(), {"selfDiagnosis": Hostile()}])
def test_a_mapping_that_raises_is_disabled_and_said_once(values: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert SelfDiagnosisConfig.from_mapping(values) == SelfDiagnosisConfig(malformed=True)
    [record] = caplog.records
    assert "selfDiagnosis" in record.getMessage()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.dates() | st.binary(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10) | st.integers(), inner, max_size=4)
    ),
    max_leaves=10,
)
KEYS = st.sampled_from([*config._Section.model_fields, "colour"])
NAMES = ("routing", "polling", "integrations", "state", "eventLog")


@given(st.dictionaries(KEYS, ANYTHING), st.dictionaries(st.sampled_from(NAMES), ANYTHING), ANYTHING)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_nothing_that_a_config_holds_raises(section: Any, around: dict[str, Any], whole: Any) -> None:
    for values in (whole, {"selfDiagnosis": whole, **around}, {"selfDiagnosis": section, **around}):
        read = SelfDiagnosisConfig.from_mapping(values)
        assert not read.enabled or read.max_issues_per_day >= 1 <= read.timeout_seconds
        if isinstance(values, dict):
            config.places(values)


def test_where_the_tracker_is_and_what_starts_work_are_known_while_it_is_off() -> None:
    """A preview needs them: it shows what would leave the machine."""
    around = {
        "routing": {"control": {"keywords": {"start": "/go"}}},
        "integrations": {"github": {"api": {"baseUrl": "https://git.example/api/v3", "tokenEnv": ["", " ", "ROBOT"]}}},
    }
    for section in (None, {"enabled": False}, {"enabled": 5}):
        read = SelfDiagnosisConfig.from_mapping({"selfDiagnosis": section, **around})
        assert not read.enabled
        assert read.keywords == {"start": "/go"}
        assert read.api_base_url == "https://git.example/api/v3"
        assert read.token_variables == ("ROBOT",)


@pytest.mark.parametrize("named", ["", [], ["", None, 5], {"a": 1}])
def test_a_token_variable_without_a_name_is_the_default(named: Any) -> None:
    values = {"integrations": {"github": {"api": {"tokenEnv": named}}}}
    assert SelfDiagnosisConfig.from_mapping(values).token_variables == ("GH_TOKEN", "GITHUB_TOKEN")


@pytest.mark.parametrize(
    "arming",
    [
        {"routing": {"autoExecuteLabel": "The-Loop: Go"}},
        {"routing": {"autoExecuteLabels": ["x", "the-loop: go "]}},
        {"polling": {"sources": [{"label": "THE-LOOP: GO"}]}},
        {"polling": {"sources": [{}, {"labels": ["the-loop: go"]}]}},
        {"polling": {"sources": {"label": "the-loop: go"}}},
        {"polling": {"sources": ({"label": ("the-loop: go",)},)}},
    ],
)
def test_a_label_that_starts_work_is_refused(arming: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    section = {"enabled": True, "label": " the-loop: go"}
    assert not SelfDiagnosisConfig.from_mapping({"selfDiagnosis": section, **arming}).enabled
    assert "selfDiagnosis.label" in caplog.text


def test_a_label_that_yaml_made_a_number_of_is_compared_as_well() -> None:
    section = {"enabled": True, "label": "2026"}
    for routing in ({"autoExecuteLabels": [2026]}, {"autoExecuteLabel": 2026}):
        assert not SelfDiagnosisConfig.from_mapping({"selfDiagnosis": section, "routing": routing}).enabled


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


@pytest.mark.parametrize(
    "text", ["a: [", "- a list", "5", "a: \x00", "&a [*a", "x: " + "[" * 3000, "a: !!bool x", "a: !!int ''"]
)
def test_a_file_that_is_no_config_is_one_sentence(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "c.yaml", text)
    with pytest.raises(ConfigError) as caught:
        config.load(str(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_config_that_is_no_file_is_one_sentence(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (fifo, tmp_path, Path("nul\0")):
        with pytest.raises(ConfigError):
            config.load(str(path))


def test_the_home_of_nobody_is_a_plain_name(tmp_path: Path) -> None:
    path = write(tmp_path / "c.yaml", "state: {root: ~nobody-at-all/x}\neventLog: {path: ~nobody-at-all/e}\n")
    host = config.load(str(path))
    assert host.state_root == tmp_path / "~nobody-at-all/x"
    assert host.log_path == Path("~nobody-at-all/e")


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no config file"):
        config.load(str(tmp_path / "none.yaml"))
