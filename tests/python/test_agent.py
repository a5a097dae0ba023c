"""The debugging agent, as real processes that behave well and badly."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Machine

from the_loop_core.agent import AgentResult, agent_for


def ask(machine: Machine, behaviour: str, *, timeout: float = 20, prompt: str = "why?") -> AgentResult:
    machine.agent(behaviour)
    machine.settings["timeoutSeconds"] = timeout
    folder = machine.root / "private"
    folder.mkdir(mode=0o700, exist_ok=True)
    return agent_for(machine.config, os.environ, source=Path("/somewhere"))(prompt, folder)


def gone(pid: int) -> bool:
    try:
        # A zombie that nobody has collected yet is gone for our purpose.
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


@pytest.mark.parametrize("behaviour", ["good", "verbose_array", "not_utf8", "huge_summary"])
def test_an_answer_is_handed_on(machine: Machine, behaviour: str) -> None:
    result = ask(machine, behaviour)
    assert result.ok, result.error
    assert "Poller treats a lost connection as fatal" in result.output


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("non_zero", "exited with 3: quota exhausted"),
        ("is_error", "Credit balance is too low"),
        ("is_error_exit_zero", "reports an error"),
        ("nothing", "no result"),
        ("one_line_100_mb", "more than 64 MiB"),
        ("short_lines_100_mb", "more than 64 MiB"),
    ],
)
def test_a_failure_is_one_sentence(machine: Machine, behaviour: str, words: str) -> None:
    result = ask(machine, behaviour)
    assert not result.ok
    assert not result.missing
    assert words in result.error
    assert "\n" not in result.error


@pytest.mark.parametrize("behaviour", ["hang", "ignore_sigterm"])
def test_a_hanging_agent_is_ended(machine: Machine, behaviour: str) -> None:
    result = ask(machine, behaviour, timeout=1)
    assert result.error == "`claude` gave no answer within 1 s"


@pytest.mark.parametrize("behaviour", ["grandchild", "setsid_grandchild"])
def test_nothing_is_left_behind(machine: Machine, behaviour: str) -> None:
    """The grandchild holds stdout open, ignores SIGTERM, and in one case has left the session."""
    result = ask(machine, behaviour)
    assert result.ok
    assert gone(int((machine.bin / "left").read_text()))


def test_the_agent_is_isolated(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "tok-made-up-67890")
    monkeypatch.setenv("GH_TOKEN", "tok-made-up-67890")
    monkeypatch.setenv("AWS_THING", "kept for its model")
    monkeypatch.setenv("MY_DATABASE_URL", "postgres://u:p@h/d")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "made-up")
    assert ask(machine, "tell", prompt="find it; $(touch /tmp/x) `id`").ok
    seen: dict[str, Any] = json.loads((machine.bin / "seen.json").read_text())
    assert seen["prompt"] == "find it; $(touch /tmp/x) `id`"
    assert "find it" not in json.dumps(seen["argv"])
    assert seen["cwd"] == str(machine.root / "private")
    assert seen["mode"] & 0o777 == 0o700
    assert seen["files"] == []
    env = seen["env"]
    assert env["ANTHROPIC_API_KEY"] == "made-up"
    assert not {"GITHUB_TOKEN", "GH_TOKEN", "MY_DATABASE_URL", "TEST_TRACKER_TOKEN"} & set(env)
    argv = seen["argv"]
    assert argv[:3] == ["-p", "--output-format", "json"]
    assert argv[argv.index("--tools") + 1] == "Read,Grep,Glob"


def test_a_model_is_passed_on_and_cannot_be_an_option(machine: Machine) -> None:
    machine.settings["model"] = "opus"
    assert ask(machine, "tell").ok
    argv = json.loads((machine.bin / "seen.json").read_text())["argv"]
    assert argv[argv.index("--model") + 1] == "opus"
    machine.settings["model"] = "--dangerously-skip-permissions"
    assert not machine.config.enabled


def program(machine: Machine, name: str, script: str) -> None:
    path = machine.bin / name
    path.write_text(f"#!{sys.executable}\n{script}")
    path.chmod(0o755)


def test_codex_is_read_from_its_events(machine: Machine) -> None:
    machine.settings["harness"] = "codex"
    program(
        machine,
        "codex",
        "import sys, json\n"
        "prompt = sys.stdin.read()\n"
        "print(json.dumps({'type': 'thread.started'}))\n"
        "print('not json')\n"
        "item = {'type': 'agent_message', 'text': prompt + '|' + ' '.join(sys.argv[1:])}\n"
        "print(json.dumps({'type': 'item.completed', 'item': item}))\n"
        "print(json.dumps({'type': 'turn.completed'}))\n",
    )
    result = agent_for(machine.config, os.environ)("why?", machine.root)
    assert result.output == "why?|exec --skip-git-repo-check --json --sandbox read-only -"


def test_codex_that_fails_says_why(machine: Machine) -> None:
    machine.settings["harness"] = "codex"
    program(machine, "codex", 'print(\'{"type":"turn.failed","error":{"message":"no quota"}}\'); exit(1)\n')
    result = agent_for(machine.config, os.environ)("why?", machine.root)
    assert result.error == "`codex` exited with 1: it reports an error: no quota"


def test_cursor_takes_the_prompt_as_an_argument(machine: Machine) -> None:
    machine.settings["harness"] = "cursor"
    program(machine, "cursor-agent", "import sys, json; print(json.dumps({'type': 'result', 'result': sys.argv[2]}))\n")
    assert agent_for(machine.config, os.environ)("why?", machine.root).output == "why?"
