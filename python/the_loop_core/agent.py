"""The debugging agent: claude, cursor or codex, one shot, isolated."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
    own: tuple[str, ...]
    """How the variables begin that configure this program and bring it to its model."""
    fixed: Mapping[str, str] = field(default_factory=dict)
    """Variables that are set for it."""
    prompt_in_argv: bool = False


# What any program needs to run and to reach the network; never a token of a tracker.
_ENVIRONMENT = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TERM"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
        *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
        *("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"),
    }
)
# A cloud's credentials go along only where the operator has told the program to reach its model there.
_CLOUDS = {
    "CLAUDE_CODE_USE_BEDROCK": ("AWS_",),
    "CLAUDE_CODE_USE_VERTEX": ("GOOGLE_", "CLOUD_ML_", "VERTEX_"),
    "CLAUDE_CODE_USE_FOUNDRY": ("AZURE_",),
}
# Tokens of trackers, and the session of an agent that happens to be our parent.
_NEVER = ("GH_", "GITHUB_", "GITLAB_", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION", "CLAUDE_CODE_SSE_PORT")
_KEPT_BYTES = 8 << 20
"""How much of an agent's output is kept: an answer stands at its end, in one document with all that went before."""


def agent_for(config: SelfDiagnosisConfig, environ: Mapping[str, str], *, source: Path | None = None) -> Agent:
    """The agent that `config.harness` names. `source` is the folder that it may read beside its own."""
    harness = _HARNESSES[config.harness]
    env = _environment(harness, environ, config.token_variables)

    def run(prompt: str, cwd: Path) -> AgentResult:
        program = shutil.which(harness.program, path=env.get("PATH", os.defpath))
        if program is None:
            return AgentResult(
                False,
                error=f"`{harness.program}` is not on PATH: install it or set selfDiagnosis.harness",
                missing=True,
            )
        argv = [str(Path(program).absolute()), *harness.argv(config.model, str(source) if source else "")]
        if harness.prompt_in_argv:
            argv.insert(2, prompt)
        finished = process.run(
            argv,
            stdin=b"" if harness.prompt_in_argv else prompt.encode(errors="replace"),
            env=env,
            cwd=cwd,
            timeout=config.timeout_seconds,
            keep=_KEPT_BYTES,
        )
        return _judged(harness, finished, config.timeout_seconds)

    return run


def _environment(harness: _Harness, environ: Mapping[str, str], tokens: Sequence[str]) -> dict[str, str]:
    own = harness.own
    for switch, prefixes in _CLOUDS.items():
        if switch.startswith(own) and environ.get(switch, "").lower() in ("1", "true", "yes", "on"):
            own += prefixes
    secret = {environ[name] for name in ("GH_TOKEN", "GITHUB_TOKEN", *tokens) if environ.get(name)}
    allowed = {
        name: value
        for name, value in environ.items()
        if (name in _ENVIRONMENT or name.startswith(own))
        and not name.startswith(_NEVER)
        and name not in tokens
        and value not in secret
    }
    return {**allowed, **harness.fixed}


_REPORTS = "it reports an error: "


def _judged(harness: _Harness, finished: process.Finished, timeout: float) -> AgentResult:
    name = harness.program
    match finished.how:
        case "unstarted":
            return AgentResult(False, error=f"`{name}` could not be started: {finished.reason}", missing=True)
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
        return AgentResult(False, error=f"`{name}` exited with {finished.code}: {why}")
    if not answer.ok:
        return AgentResult(False, error=f"`{name}` gave no findings: {answer.error}")
    if not answer.output.strip():
        return AgentResult(False, error=f"`{name}` answered with nothing")
    return answer


_NOISE = re.compile(r"\x1b\[[0-9;?]{0,20}[@-~]|[\x00-\x1f\x7f]")


def _last_line(text: str) -> str:
    """The last line that says something: of an error message, the one that tells the cause."""
    for line in reversed(text[-20_000:].splitlines()):
        said = _NOISE.sub("", line).strip()
        if said:
            return said[:500]
    return ""


_RESULT = re.compile(r'\{\s{0,20}"type"\s{0,20}:\s{0,20}"result"')


def _documents(text: str) -> Iterator[Any]:
    """The JSON values in an output: one document, or one a line; what is none is passed over."""
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        # Only line feeds part them: inside a document, what Python else takes for the end of a line is text.
        for line in text.split("\n"):
            if line.lstrip().startswith(("{", "[")):
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError):
                    continue


def _envelope(text: str) -> AgentResult:
    """claude's and cursor's envelope: an object, or with `--verbose` an array or a line each, ending in a result."""
    items = [
        item
        for document in _documents(text)
        for item in (document if isinstance(document, list) else [document])
        if isinstance(item, dict)
    ]
    found = next((item for item in reversed(items) if item.get("type") == "result"), None)
    if found is None:
        found = _embedded(text) or next((item for item in reversed(items) if "result" in item), None)
    if found is None:
        return AgentResult(False, error="its output holds no result")
    result, kind = found.get("result"), found.get("subtype")
    said = result if isinstance(result, str) else json.dumps(result) if result is not None else ""
    failed = kind if isinstance(kind, str) and kind.startswith("error") else ""
    if failed or found.get("is_error", False) not in (False, None):
        return AgentResult(False, error=_REPORTS + (_last_line(said) or failed or "without a reason"))
    return AgentResult(True, output=said)


def _embedded(text: str) -> dict[str, Any] | None:
    """The last result in an output that is no JSON as a whole: one that had to be cut, or that has more around it."""
    tail = text[-(1 << 20) :]
    for match in reversed(list(_RESULT.finditer(tail))[-20:]):
        with contextlib.suppress(ValueError, RecursionError):
            found, _ = json.JSONDecoder().raw_decode(tail, match.start())
            return dict(found)
    return None


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
            failure = (_last_line(said) if isinstance(said, str) else "") or "without a reason"
        elif kind == "turn.completed":
            # What went before was a connection that it took up again.
            failure = ""
    if failure:
        return AgentResult(False, error=_REPORTS + failure)
    if not message:
        return AgentResult(False, error="its output holds no message")
    return AgentResult(True, output=message)


def _claude_argv(model: str, source: str) -> list[str]:
    # Reading is all it may do: no shell, no edits, no network of its own, nobody's MCP servers. The mode is named since
    # a user's settings may name one that asks for nothing; what would be asked for is refused, as nobody is there.
    argv = ["-p", "--output-format", "json", "--permission-mode", "default", "--tools", "Read,Grep,Glob"]
    argv += ["--strict-mcp-config", "--no-session-persistence"]
    argv += ["--add-dir", source] if source else []
    return argv + (["--model", model] if model else [])


def _codex_argv(model: str, _source: str) -> list[str]:
    # The user's own config could start MCP servers, which no sandbox holds. Its commands do not see the model's key.
    argv = ["exec", "--skip-git-repo-check", "--json", "--sandbox", "read-only", "--ephemeral", "--ignore-user-config"]
    argv += ["-c", "shell_environment_policy.inherit=core"]
    return argv + (["--model", model] if model else []) + ["-"]


def _cursor_argv(model: str, _source: str) -> list[str]:
    # The mode that only reads; the folder that it is to trust is empty.
    argv = ["-p", "--output-format", "json", "--mode", "ask", "--trust"]
    return argv + (["--model", model] if model else [])


_HARNESSES = {
    "claude": _Harness(
        "claude",
        _claude_argv,
        _envelope,
        ("ANTHROPIC_", "CLAUDE_"),
        # Safe mode: hooks, plugins and memory of the user stay out, the login stays.
        {
            "CLAUDE_CODE_SAFE_MODE": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
    ),
    "codex": _Harness("codex", _codex_argv, _codex_events, ("OPENAI_", "CODEX_")),
    "cursor": _Harness("cursor-agent", _cursor_argv, _envelope, ("CURSOR_",), prompt_in_argv=True),
}
