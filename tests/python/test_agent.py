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
        ("blank_result", "answered with nothing"),
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
    assert not {"GITHUB_TOKEN", "GH_TOKEN", "MY_DATABASE_URL", "TEST_TRACKER_TOKEN", "AWS_THING"} & set(env)
    argv = seen["argv"]
    assert argv[:3] == ["-p", "--output-format", "json"]
    assert argv[argv.index("--tools") + 1] == "Read,Grep,Glob"
    assert argv[argv.index("--permission-mode") + 1] == "default"
    assert argv[argv.index("--add-dir") + 1] == "/somewhere"


def test_what_an_agent_may_know_of_the_environment(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "ANTHROPIC_BASE_URL": "http://localhost:1",
        "CLAUDE_CODE_OAUTH_TOKEN": "made-up",
        "CLAUDE_CODE_USE_BEDROCK": "1",
        "AWS_PROFILE": "models",
        "GOOGLE_APPLICATION_CREDENTIALS": "elsewhere",
        "OPENAI_API_KEY": "of another program",
        "CLAUDE_CODE_SSE_PORT": "of the session that we run in",
        "ANTHROPIC_LOOKALIKE": "tok-made-up-12345",
        "LC_ALL": "C.UTF-8",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert ask(machine, "tell").ok
    env = json.loads((machine.bin / "seen.json").read_text())["env"]
    assert {name for name in given if name in env} == {
        "ANTHROPIC_BASE_URL",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_USE_BEDROCK",
        "AWS_PROFILE",
        "LC_ALL",
    }, "a variable that holds the tracker's token stays out whatever its name is"


def test_a_long_prompt_arrives_whole(machine: Machine) -> None:
    prompt = "ä—😀\n" * 60_000
    assert ask(machine, "tell", prompt=prompt).ok
    assert json.loads((machine.bin / "seen.json").read_text())["prompt"] == prompt


def test_a_model_is_passed_on_and_cannot_be_an_option(machine: Machine) -> None:
    machine.settings["model"] = "opus"
    assert ask(machine, "tell").ok
    argv = json.loads((machine.bin / "seen.json").read_text())["argv"]
    assert argv[argv.index("--model") + 1] == "opus"
    machine.settings["model"] = "--dangerously-skip-permissions"
    assert not machine.config.enabled


RESULT = {"type": "result", "subtype": "success", "is_error": False, "result": "found"}


@pytest.mark.parametrize(
    "printed",
    [
        json.dumps(RESULT),
        json.dumps(RESULT, indent=2),
        "\ufeff" + json.dumps(RESULT),
        json.dumps([{"type": "system"}, {"type": "assistant", "result": "not yet"}, RESULT]),
        json.dumps([RESULT, {"type": "telemetry", "result": "later"}]),
        '{"type":"system"}\nnoise\n' + json.dumps(RESULT) + "\n",
        "Update available!\n" + json.dumps(RESULT) + "\nBye",
        json.dumps({**RESULT, "extra": "a\u2028b\x85c"}, ensure_ascii=False),
        "[" + "{}," * 3_000_000 + json.dumps(RESULT) + "]",
        "[" * 200_000 + "\n" + json.dumps(RESULT),
        json.dumps({"type": "result", "result": "found"}),
        json.dumps({"result": "found"}),
    ],
    ids=[
        *("object", "indented", "byte order mark", "array", "something after", "lines", "notices around"),
        *("unusual line ends", "an array that was cut", "deep nesting", "without is_error", "result alone"),
    ],
)
def test_an_envelope_is_found(machine: Machine, printed: str) -> None:
    result = of_output(machine, "claude", printed)
    assert (result.output, result.error) == ("found", "")


@pytest.mark.parametrize(
    ("printed", "error"),
    [
        ("", "`claude` gave no findings: its output holds no result"),
        ("Here you are", "`claude` gave no findings: its output holds no result"),
        ("null", "`claude` gave no findings: its output holds no result"),
        (json.dumps({**RESULT, "result": None}), "`claude` answered with nothing"),
        (json.dumps({**RESULT, "result": " \n\t"}), "`claude` answered with nothing"),
        (
            json.dumps({**RESULT, "is_error": True, "result": ""}),
            "`claude` gave no findings: it reports an error: without a reason",
        ),
        (
            json.dumps({**RESULT, "is_error": "true", "result": "API Error\n\x1b[31mno quota\x1b[0m\n"}),
            "`claude` gave no findings: it reports an error: no quota",
        ),
        (
            json.dumps({"type": "result", "subtype": "error_max_turns", "is_error": False}),
            "`claude` gave no findings: it reports an error: error_max_turns",
        ),
        (
            json.dumps([RESULT, {**RESULT, "is_error": True, "result": "overloaded"}]),
            "`claude` gave no findings: it reports an error: overloaded",
        ),
    ],
    ids=[
        *("empty", "prose", "null", "no result", "blank", "error without words", "error as text"),
        *("error by its kind", "error at the end"),
    ],
)
def test_an_envelope_without_an_answer(machine: Machine, printed: str, error: str) -> None:
    result = of_output(machine, "claude", printed)
    assert (result.ok, result.output, result.error) == (False, "", error)


def program(machine: Machine, name: str, script: str) -> None:
    path = machine.bin / name
    path.unlink(missing_ok=True)
    path.write_text(f"#!{Path(sys.executable).resolve()} -I\n{script}")
    path.chmod(0o755)


def of_output(machine: Machine, harness: str, printed: str) -> AgentResult:
    """What is made of a program that prints this and is content."""
    machine.settings["harness"] = harness
    (machine.bin / "printed").write_text(printed)
    copy = "import pathlib, sys; sys.stdout.buffer.write(pathlib.Path(sys.argv[0]).with_name('printed').read_bytes())"
    program(machine, "cursor-agent" if harness == "cursor" else harness, copy)
    return agent_for(machine.config, os.environ)("why?", machine.root)


@pytest.mark.parametrize(("harness", "name"), [("claude", "claude"), ("codex", "codex"), ("cursor", "cursor-agent")])
def test_a_missing_program_is_named(machine: Machine, harness: str, name: str) -> None:
    machine.settings["harness"] = harness
    (machine.bin / "claude").unlink()
    result = agent_for(machine.config, os.environ)("why?", machine.root)
    assert result.missing
    assert result.error == f"`{name}` is not on PATH: install it or set selfDiagnosis.harness"


def test_a_program_that_cannot_be_started_is_as_good_as_missing(machine: Machine) -> None:
    (machine.bin / "claude").write_text("#!/nonexistent/node\n")
    result = agent_for(machine.config, os.environ)("why?", machine.root)
    assert result.missing
    assert result.error == "`claude` could not be started: No such file or directory"


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
    prompt, _, argv = agent_for(machine.config, os.environ)("why?", machine.root).output.partition("|")
    assert prompt == "why?"
    words = argv.split()
    assert words[:5] == ["exec", "--skip-git-repo-check", "--json", "--sandbox", "read-only"]
    assert words[-1] == "-"
    assert "--ignore-user-config" in words


def codex_events(*events: dict[str, Any]) -> str:
    return "WARNING: proceeding\n" + "".join(json.dumps(event) + "\n" for event in events)


def message(text: str) -> dict[str, Any]:
    return {"type": "item.completed", "item": {"type": "agent_message", "text": text}}


@pytest.mark.parametrize(
    ("events", "output", "error"),
    [
        ([message("first"), message("last"), {"type": "turn.completed"}], "last", ""),
        ([{"type": "error", "message": "Reconnecting... 1/5"}, message("x"), {"type": "turn.completed"}], "x", ""),
        (
            [{"type": "item.completed", "item": {"type": "error", "message": "metadata not found"}}, message("x")],
            "x",
            "",
        ),
        (
            [message("half"), {"type": "turn.failed", "error": {"message": "no quota"}}],
            "",
            "`codex` gave no findings: it reports an error: no quota",
        ),
        (
            [{"type": "turn.failed", "error": None}],
            "",
            "`codex` gave no findings: it reports an error: without a reason",
        ),
        ([{"type": "turn.completed"}], "", "`codex` gave no findings: its output holds no message"),
        ([message("  ")], "", "`codex` answered with nothing"),
    ],
    ids=["last message", "reconnected", "a warning", "failed", "failed without words", "silent", "blank"],
)
def test_what_codex_says(machine: Machine, events: list[dict[str, Any]], output: str, error: str) -> None:
    result = of_output(machine, "codex", codex_events(*events))
    assert (result.output, result.error) == (output, error)


def test_codex_that_fails_says_why(machine: Machine) -> None:
    machine.settings["harness"] = "codex"
    program(machine, "codex", 'print(\'{"type":"turn.failed","error":{"message":"no quota"}}\'); exit(1)\n')
    result = agent_for(machine.config, os.environ)("why?", machine.root)
    assert result.error == "`codex` exited with 1: it reports an error: no quota"


def test_cursor_takes_the_prompt_as_an_argument_and_only_reads(machine: Machine) -> None:
    machine.settings["harness"] = "cursor"
    program(
        machine,
        "cursor-agent",
        "import sys, json; print(json.dumps({'type': 'result', 'result': json.dumps(sys.argv[1:])}))\n",
    )
    argv = json.loads(agent_for(machine.config, os.environ)("why? $(id)", machine.root).output)
    assert argv[:2] == ["-p", "why? $(id)"]
    assert argv[argv.index("--mode") + 1] == "ask"
    assert "--force" not in argv
