"""The `the-loop` command as a user runs it: in a pipe, on a terminal, and interrupted."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Machine, failure

from the_loop_core import __version__
from the_loop_core.ledger import locked

THE_LOOP = str(Path(sys.executable).parent / "the-loop")
REAL = Path(__file__).parents[2] / "examples" / "events.jsonl"


def the_loop(*words: str, stdin: bytes = b"", **more: Any) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([THE_LOOP, *words], input=stdin, capture_output=True, check=False, **more)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def config(machine: Machine) -> list[str]:
    path = machine.root / ".the-loop" / "cli-config.yaml"
    path.parent.mkdir()
    path.write_text(json.dumps({**machine.cli_config, "state": {"root": "state"}}))
    return ["--config", str(path)]


def test_version() -> None:
    assert the_loop("--version").stdout == f"the-loop {__version__}\n"


@pytest.mark.parametrize("words", [[], ["nonsense"], ["diagnose", "--nonsense"], ["events", "--level", "loud"]])
def test_misuse_is_one_sentence_and_2(words: list[str]) -> None:
    done = the_loop(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "--help" in done.stderr


def test_diagnose_refuses_while_disabled(machine: Machine, config: list[str]) -> None:
    machine.settings["enabled"] = False
    Path(config[1]).write_text(json.dumps(machine.cli_config))
    done = the_loop("diagnose", *config)
    assert done.returncode == 2
    assert done.stderr.startswith("the-loop: self-diagnosis is off: set `selfDiagnosis.enabled: true` in ")
    assert config[1] in done.stderr
    assert "--dry-run" in done.stderr


def test_diagnose_with_nothing_new(machine: Machine, config: list[str]) -> None:
    done = the_loop("diagnose", *config)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "nothing to diagnose — no new failure fingerprints in the log\n"


def test_diagnose_files_and_says_so(machine: Machine, config: list[str]) -> None:
    machine.settings["maxIssuesPerDay"] = 1
    Path(config[1]).write_text(json.dumps({**machine.cli_config, "state": {"root": "state"}}))
    machine.write(failure(0), failure(1))
    done = the_loop("diagnose", *config)
    assert done.returncode == 0
    filed, deferred = done.stdout.splitlines()
    url = machine.github.issues[0]["html_url"]
    assert filed == f"filed {url} — [self-diagnosed] Poller treats a lost connection as fatal"
    assert deferred.startswith("deferred v1:")
    assert deferred.endswith(" — daily cap (maxIssuesPerDay: 1) reached")


def test_diagnose_that_fails_exits_with_1(machine: Machine, config: list[str]) -> None:
    machine.agent("non_zero")
    machine.write(failure(0))
    done = the_loop("diagnose", *config)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("failed v1:")
    assert "quota exhausted" in done.stderr


def test_dry_run_with_an_agent(machine: Machine, config: list[str]) -> None:
    machine.write(failure(0))
    done = the_loop("diagnose", "--dry-run", *config)
    assert done.returncode == 0
    first, title, empty, *_ = done.stdout.splitlines()
    assert first == "--- would file on acme/the-loop ---"
    assert title == "[self-diagnosed] Poller treats a lost connection as fatal"
    assert empty == ""
    assert machine.github.requests == []


def test_dry_run_without_an_agent(machine: Machine, config: list[str]) -> None:
    machine.write(failure(0))
    done = the_loop("diagnose", "--dry-run", "--no-agent", *config)
    assert done.stdout.startswith("--- would diagnose (agent unavailable: --no-agent) ---\n")
    assert "boom" in done.stdout


def test_json_is_one_object_a_line(machine: Machine, config: list[str]) -> None:
    machine.write(failure(0))
    done = the_loop("diagnose", "--json", *config)
    [outcome] = [json.loads(line) for line in done.stdout.splitlines()]
    assert outcome["action"] == "posted"


def test_repair(machine: Machine, config: list[str]) -> None:
    machine.write(failure(0))
    the_loop("diagnose", *config)
    machine.ledger.write_text("{")
    done = the_loop("diagnose", *config)
    assert done.returncode == 1
    assert "--repair-ledger" in done.stderr
    done = the_loop("diagnose", "--repair-ledger", *config)
    assert done.returncode == 0
    assert "1 reported" in done.stdout
    assert the_loop("diagnose", *config).stdout.startswith("nothing to diagnose")


def test_another_scan_under_way_is_said(machine: Machine, config: list[str]) -> None:
    machine.write(failure(0))
    with locked(machine.ledger):
        done = the_loop("diagnose", *config)
    assert done.returncode == 0
    assert done.stdout.startswith("another scan is under way")
    assert machine.github.requests == []


def test_repair_refuses_a_section_that_cannot_be_used(machine: Machine, config: list[str]) -> None:
    keywords = {"routing": {"control": {"keywords": {"start": "/go"}}}}
    Path(config[1]).write_text(json.dumps({"selfDiagnosis": {"enabled": True, "repo": 5}, **keywords}))
    done = the_loop("diagnose", "--repair-ledger", *config)
    assert done.returncode == 2
    assert "mend it first" in done.stderr


def test_repair_takes_a_section_that_is_off(machine: Machine, config: list[str]) -> None:
    Path(config[1]).write_text(json.dumps({"selfDiagnosis": {"enabled": False}, "state": {"root": "state"}}))
    done = the_loop("diagnose", "--repair-ledger", *config, env={**os.environ, "GH_TOKEN": "made-up"})
    assert done.returncode == 0
    assert "nothing to repair" in done.stdout


def test_what_a_terminal_cannot_show_is_escaped(machine: Machine, config: list[str]) -> None:
    machine.write(failure(0))
    for words in (["diagnose", "--dry-run", *config], ["diagnose", *config], ["diagnose", *config]):
        done = the_loop(*words, env={**os.environ, "PYTHONIOENCODING": "ascii"})
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.isascii()


def test_command_whole_and_by_lines() -> None:
    whole = json.loads(the_loop("command", stdin=b"ls -la").stdout)
    assert whole["readonly"]["read_only"] is True
    done = the_loop("command", "--jsonl", stdin=b'{"id":1,"cmd":"npm test"}\n\n{"id":2,"cmd":"rm x"}\n{"id":3}\n')
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(a["id"], a["readonly"], a["check"]) for a in answers] == [(1, False, True), (2, False, False)]
    assert done.returncode == 1
    assert 'line 4 is not an object with "id" and "cmd"' in done.stderr


def test_a_log_that_is_none_is_a_sentence(machine: Machine, config: list[str]) -> None:
    done = the_loop("diagnose", "--log", str(machine.root), *config)
    assert done.returncode == 1
    assert "is not a regular file" in done.stderr
    assert done.stderr.count("\n") == 1


def test_scrub_whole_and_by_lines(machine: Machine) -> None:
    home = os.environ["HOME"]
    assert the_loop("scrub", stdin=f"in {home}/x\n".encode()).stdout == "in <redacted:path>\n"
    lines = json.dumps({"id": 7, "text": f"at {home}"}) + '\nnonsense\n{"id": 8}\n'
    done = the_loop("scrub", "--jsonl", stdin=lines.encode())
    assert [json.loads(line) for line in done.stdout.splitlines()] == [{"id": 7, "text": "at <redacted:home>"}]
    assert done.returncode == 1
    assert "line 2 " in done.stderr
    assert home not in done.stderr


def test_scrub_survives_what_is_no_text() -> None:
    assert the_loop("scrub", stdin=b"a\xff\x00b").returncode == 0
    done = the_loop("scrub", "--jsonl", stdin=b'{"id":1,"text":"\\ud800 x"}\n')
    assert json.loads(done.stdout)["text"] == "\ufffd x"


def test_fingerprint() -> None:
    one = the_loop("fingerprint", stdin=b"connection to 10.0.0.1:80 refused").stdout
    assert one.startswith("v1:")
    assert one == the_loop("fingerprint", stdin=b"connection to 10.0.0.2:81 refused").stdout


def test_events_are_shown_and_filtered() -> None:
    done = the_loop("events", "--log", str(REAL), "--level", "error")
    lines = done.stdout.splitlines()
    assert lines
    assert all(" ERROR " in line for line in lines)
    assert "\x1b" not in done.stdout
    raw = the_loop("events", "--log", str(REAL), "--level", "error", "--json").stdout.splitlines()
    assert len(raw) == len(lines)
    assert all(json.loads(line)["level"] == "error" for line in raw)


def test_events_show_no_control_characters(machine: Machine) -> None:
    machine.write(failure(0, error="\x1b]0;owned\x07\nnext"))
    assert "\x1b" not in the_loop("events", "--log", str(machine.log)).stdout
    assert len(the_loop("events", "--log", str(machine.log)).stdout.splitlines()) == 1


def test_events_follow_what_is_appended_and_ctrl_c_ends_it(machine: Machine) -> None:
    machine.write(failure(0))
    process = subprocess.Popen([THE_LOOP, "events", "--follow", "--log", str(machine.log)], stdout=subprocess.PIPE)
    assert process.stdout
    assert b"boom" in process.stdout.readline()
    machine.write(failure(1))
    assert b"refused" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    process.stdout.close()


def test_a_log_replaced_while_it_is_followed_is_a_sentence(machine: Machine) -> None:
    machine.write(failure(0))
    process = subprocess.Popen(
        [THE_LOOP, "events", "--follow", "--log", str(machine.log)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert b"boom" in process.stdout.readline()
    machine.log.unlink()
    machine.log.mkdir()
    _, said = process.communicate(timeout=20)
    assert process.returncode == 2
    assert said.startswith(b"the-loop: ")
    assert said.count(b"\n") == 1


def test_a_broken_pipe_ends_quietly() -> None:
    done = subprocess.run(
        ["sh", "-c", f'"{THE_LOOP}" events --log "{REAL}" | head -1'], capture_output=True, check=True
    )
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


def on_a_terminal(*words: str) -> str:
    """What a person at a terminal sees."""
    own, other = pty.openpty()
    env = {**os.environ, "TERM": "xterm"}
    process = subprocess.Popen([THE_LOOP, *words], stdout=other, stderr=other, stdin=other, env=env)
    os.close(other)
    seen = b""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            data = os.read(own, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    process.wait(10)
    os.close(own)
    return seen.decode(errors="replace")


def test_a_terminal_sees_colour_and_progress(machine: Machine, config: list[str]) -> None:
    machine.agent("hang")
    machine.settings["timeoutSeconds"] = 1
    Path(config[1]).write_text(json.dumps({**machine.cli_config, "state": {"root": "state"}}))
    machine.write(failure(0))
    seen = on_a_terminal("diagnose", *config)
    assert "claude is debugging" in seen
    assert "\x1b[31mfailed\x1b[0m" in seen


def test_no_colour_when_it_is_not_wanted(machine: Machine, config: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    machine.write(failure(0))
    assert "\x1b[3" not in on_a_terminal("diagnose", *config)
