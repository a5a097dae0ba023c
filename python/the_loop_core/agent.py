"""The debugging agent: claude, cursor or codex, one shot, isolated."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from the_loop_core import process
from the_loop_core.config import SelfDiagnosisConfig


@dataclass(frozen=True)
class AgentResult:
    """What came of one run: the findings as text in `output`, or one sentence in `error`."""

    ok: bool
    output: str = ""
    error: str = ""
    missing: bool = False
    """The program is not installed: nothing was tried, so it costs no attempt."""


class Agent(Protocol):
    """Anything that answers a prompt; `cwd` is a private empty folder."""

    def __call__(self, prompt: str, cwd: Path) -> AgentResult: ...


@dataclass(frozen=True)
class _Harness:
    program: str
    argv: Callable[[str, str], list[str]]
    """Model (or nothing) and the folder to read → the arguments."""
    answer: Callable[[str], AgentResult]
    prompt_in_argv: bool = False


# What an agent needs to run and to reach its model; never a token of a tracker.
_ENVIRONMENT = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TERM"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "CODEX_HOME"),
        *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
        *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"),
    }
)
_OWN_PREFIXES = ("ANTHROPIC_", "CLAUDE_", "OPENAI_", "CURSOR_", "AWS_", "GOOGLE_", "CLOUD_ML_", "VERTEX_")
_NEVER = ("GH_", "GITHUB_", "GITLAB_")


def agent_for(config: SelfDiagnosisConfig, environ: Mapping[str, str], *, source: Path | None = None) -> Agent:
    """The agent that `config.harness` names. `source` is the folder that it may read beside its own."""
    harness = _HARNESSES[config.harness]
    env = {
        name: value
        for name, value in environ.items()
        if (name in _ENVIRONMENT or name.startswith(_OWN_PREFIXES)) and not name.startswith(_NEVER)
    }

    def run(prompt: str, cwd: Path) -> AgentResult:
        program = shutil.which(harness.program, path=env.get("PATH"))
        if program is None:
            return AgentResult(
                False,
                error=f"`{harness.program}` is not on PATH: install it or set selfDiagnosis.harness",
                missing=True,
            )
        argv = [program, *harness.argv(config.model, str(source) if source else "")]
        if harness.prompt_in_argv:
            argv.insert(2, prompt)
        finished = process.run(
            argv,
            stdin=b"" if harness.prompt_in_argv else prompt.encode(errors="replace"),
            env=env,
            cwd=cwd,
            timeout=config.timeout_seconds,
        )
        return _judged(harness, finished, config.timeout_seconds)

    return run


_REPORTS = "it reports an error: "


def _judged(harness: _Harness, finished: process.Finished, timeout: float) -> AgentResult:
    name = harness.program
    match finished.how:
        case "unstarted":
            return AgentResult(False, error=f"`{name}` could not be started", missing=True)
        case "timeout":
            return AgentResult(False, error=f"`{name}` gave no answer within {timeout:g} s")
        case "flood":
            return AgentResult(False, error=f"`{name}` wrote more than {process.LIMIT_BYTES >> 20} MiB")
        case "stopped":
            return AgentResult(False, error=f"`{name}` was stopped")
    answer = harness.answer(finished.stdout)
    if finished.code != 0:
        reported = answer.error if answer.error.startswith(_REPORTS) else ""
        why = reported or _last_line(finished.stderr) or _last_line(finished.stdout) or "it printed nothing"
        return AgentResult(False, error=f"`{name}` exited with {finished.code}: {why}"[:2000])
    if answer.ok and not answer.output.strip():
        return AgentResult(False, error=f"`{name}` answered with nothing")
    return answer


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:500] if lines else ""


def _documents(text: str) -> Iterator[Any]:
    """The JSON values in an output: one document, or one a line; what else stands there is passed over."""
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        for line in text.splitlines():
            starts = [at for at in (line.find("{"), line.find("[")) if at >= 0]
            if starts:
                try:
                    yield json.JSONDecoder().raw_decode(line, min(starts))[0]
                except (ValueError, RecursionError):
                    continue


def _envelope(text: str) -> AgentResult:
    """claude's and cursor's envelope: an object, or with `--verbose` an array or a line each, ending in a result."""
    found: dict[str, Any] | None = None
    for document in _documents(text):
        for item in document if isinstance(document, list) else [document]:
            if isinstance(item, dict) and (item.get("type") == "result" or "result" in item):
                found = item
    if found is None:
        return AgentResult(False, error="its output holds no result")
    result = found.get("result")
    text = result if isinstance(result, str) else json.dumps(result) if result is not None else ""
    if found.get("is_error") is True:
        return AgentResult(False, error=f"{_REPORTS}{_last_line(text) or 'without a reason'}")
    return AgentResult(True, output=text)


def _codex_events(text: str) -> AgentResult:
    """codex's JSON Lines: the last message of the agent, unless the turn failed."""
    message, failure = "", ""
    for event in _documents(text):
        if not isinstance(event, dict):
            continue
        kind = event.get("type")
        item = event.get("item")
        if kind == "item.completed" and isinstance(item, dict) and item.get("type") == "agent_message":
            message = item["text"] if isinstance(item.get("text"), str) else message
        elif kind in ("error", "turn.failed"):
            error = event.get("error", event)
            said = error.get("message") if isinstance(error, dict) else error
            failure = said if isinstance(said, str) else "without a reason"
        elif kind == "turn.completed":
            failure = ""
    if failure or not message:
        return AgentResult(False, error=f"{_REPORTS}{failure}" if failure else "its output holds no message")
    return AgentResult(True, output=message)


def _claude_argv(model: str, source: str) -> list[str]:
    # Reading is all it may do: no shell, no edits, no network of its own, nobody's MCP servers.
    argv = ["-p", "--output-format", "json", "--tools", "Read,Grep,Glob", "--strict-mcp-config"]
    argv += ["--add-dir", source] if source else []
    return argv + (["--model", model] if model else [])


def _codex_argv(model: str, _source: str) -> list[str]:
    argv = ["exec", "--skip-git-repo-check", "--json", "--sandbox", "read-only"]
    return argv + (["--model", model] if model else []) + ["-"]


def _cursor_argv(model: str, _source: str) -> list[str]:
    # Without `--force` it proposes changes instead of making them.
    return ["-p", "--output-format", "json"] + (["--model", model] if model else [])


_HARNESSES = {
    "claude": _Harness("claude", _claude_argv, _envelope),
    "codex": _Harness("codex", _codex_argv, _codex_events),
    "cursor": _Harness("cursor-agent", _cursor_argv, _envelope, prompt_in_argv=True),
}
