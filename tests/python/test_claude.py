"""The real `claude`, offline, against a Messages API on loopback."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import Machine
from fakes.messages import Messages, say, use

from the_loop_core.agent import AgentResult, agent_for

CLAUDE = shutil.which("claude")

pytestmark = pytest.mark.skipif(
    CLAUDE is None, reason="claude is not installed: `npm install -g @anthropic-ai/claude-code` brings it"
)


@pytest.fixture
def settled(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A user of claude with settings that would let anything happen."""
    assert CLAUDE
    monkeypatch.setenv("PATH", f"{Path(CLAUDE).parent}:/usr/bin:/bin")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "made-up")
    machine.settings["timeoutSeconds"] = 60
    folder = Path(os.environ["HOME"]) / ".claude"
    folder.mkdir()
    hook = [{"hooks": [{"type": "command", "command": f"touch '{machine.root}/hooked'"}]}]
    settings = {
        "permissions": {"defaultMode": "bypassPermissions", "allow": ["Bash", "Write", "Edit"]},
        "hooks": {"SessionStart": hook, "Stop": hook, "UserPromptSubmit": hook},
    }
    (folder / "settings.json").write_text(json.dumps(settings))
    (folder / "CLAUDE.md").write_text("Remember the walrus.")
    (machine.root / "package").mkdir()
    (machine.root / "package" / "poller.py").write_text("raise SystemExit  # the cause\n")
    (machine.root / "private").mkdir(mode=0o700)
    return machine


def ask(machine: Machine, api: Messages, monkeypatch: pytest.MonkeyPatch, prompt: str = "why?") -> AgentResult:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
    agent = agent_for(machine.config, os.environ, source=machine.root / "package")
    return agent(prompt, machine.root / "private")


def test_it_reads_the_package_and_does_nothing_else(settled: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    root = settled.root
    (root / "secret").write_text("not for you")
    tools = use(
        ("Read", {"file_path": f"{root}/package/poller.py"}),
        ("Read", {"file_path": f"{root}/secret"}),
        ("Bash", {"command": f"touch '{root}/touched'"}),
        ("Write", {"file_path": f"{root}/private/written", "content": "x"}),
    )
    with Messages(tools, say('{"title": "found"}')) as api:
        result = ask(settled, api, monkeypatch, prompt="why does it end?")
    assert result.output == '{"title": "found"}', result.error
    assert "the cause" in api.results["t0"]
    assert "not for you" not in api.results["t1"]
    assert "No such tool" in api.results["t2"]
    assert "No such tool" in api.results["t3"]
    assert not (root / "touched").exists()
    assert list((root / "private").iterdir()) == []
    asked = json.dumps(api.asked[0])
    assert "why does it end?" in asked
    assert "walrus" not in asked
    assert not (root / "hooked").exists()
    assert list(Path(os.environ["HOME"]).rglob("*.jsonl")) == [], "no record of the session stays"


def test_a_long_prompt_arrives(settled: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with Messages(say("ok")) as api:
        assert ask(settled, api, monkeypatch, prompt="long " * 60_000).output == "ok"
    assert "long " * 1000 in json.dumps(api.asked[0])


def test_a_refusal_of_the_service_is_told(settled: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with Messages(refusal="Your credit balance is too low") as api:
        result = ask(settled, api, monkeypatch)
    assert not result.ok
    assert result.error.startswith("`claude` exited with 1: it reports an error: ")
    assert "redit balance is too low" in result.error


def test_a_blank_answer_is_none(settled: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with Messages(say(" \n")) as api:
        assert ask(settled, api, monkeypatch).error == "`claude` answered with nothing"
