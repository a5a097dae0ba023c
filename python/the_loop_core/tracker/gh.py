"""GitHub through `gh api`: whoever is logged in there files the issue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from the_loop_core import process
from the_loop_core.tracker import TrackerError, github

_TIMEOUT = 60.0


# What makes `gh` write for a person, or more than it is asked for.
_PRESENTATION = ("GH_FORCE_TTY", "GH_DEBUG", "DEBUG", "GH_PAGER", "PAGER", "CLICOLOR_FORCE", "GH_REPO")


class GhTracker(github.Api):
    """Files issues through the program `gh` at `host` (nothing: github.com).

    A `token` is handed to it by environment, never in an argument; where it has one already only with `override`.
    """

    def __init__(
        self, program: str, host: str, environ: Mapping[str, str], token: str = "", *, override: bool = False
    ) -> None:
        self._program = program
        self._host = host
        self._env = {name: value for name, value in environ.items() if name not in _PRESENTATION}
        self._env |= {"GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"}
        ours = host in ("", "github.com") or host.endswith(".ghe.com")
        variables = ("GH_TOKEN", "GITHUB_TOKEN") if ours else ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
        if token and (override or not any(environ.get(name) for name in variables)):
            self._env[variables[0]] = token

    def _to(self, host: str) -> github.Send:
        def send(request: github.Request) -> github.Answer:
            argv = [self._program, "api", "--method", request.method, "--include", request.target]
            # By environment: the option does not take a port.
            env = {**self._env, "GH_HOST": host or self._host} if host or self._host else self._env
            data = b""
            if request.json is not None:
                argv += ["--input", "-"]
                data = json.dumps(request.json).encode()
            # Not where the daemon happens to run, which may be a repository with settings of its own.
            finished = process.run(argv, stdin=data, env=env, cwd=Path("/"), timeout=_TIMEOUT, keep=process.LIMIT_BYTES)
            return _answer(finished, writing=request.json is not None)

        return send


def host_of(base_url: str) -> str | None:
    """The host that `gh` knows the API at `base_url` by: nothing for github.com, none where it cannot reach it."""
    try:
        parts = urlsplit(base_url)
        plain = parts.scheme == "https" and parts.hostname and not parts.username and not parts.query
    except ValueError:
        return None
    if not plain:
        return None
    path = parts.path.rstrip("/")
    if not path and parts.netloc == "api.github.com":
        return ""
    if not path and parts.netloc.startswith("api.") and parts.netloc.endswith(".ghe.com"):
        return parts.netloc.removeprefix("api.")
    return parts.netloc if path == "/api/v3" else None


def _answer(finished: process.Finished, *, writing: bool) -> github.Answer:
    """Reads what `gh api --include` prints: a status line, headers, an empty line, the body."""
    match finished.how:
        case "unstarted":
            raise TrackerError("missing", f"`gh` could not be started: {finished.reason}")
        case "flood":
            raise TrackerError("malformed", "GitHub's answer is too long", maybe_created=writing)
        case "timeout" | "stopped":
            raise TrackerError("network", f"`gh` gave no answer within {_TIMEOUT:g} s", maybe_created=writing)
    head, _, body = finished.stdout.replace("\r\n", "\n").partition("\n\n")
    first, *lines = head.split("\n")
    words = first.split()
    if len(words) >= 2 and words[0].startswith("HTTP/") and words[1].isdecimal():
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        return github.Answer(int(words[1]), headers, body.encode())
    said = " ".join(finished.stderr.split())
    if "gh auth login" in said:
        raise TrackerError("missing", "`gh` is not logged in: run `gh auth login` or set a token for it")
    # What failed before there was a connection is known not to have been sent; of all else it is not known.
    unsent = any(sign in said for sign in _UNSENT)
    raise TrackerError(
        "network",
        f"`gh` failed: {said[:300] or f'it exited with {finished.code}'}",
        maybe_created=writing and not unsent,
    )


_UNSENT = ("error connecting to", "connection refused", "no such host", "no route to host", "unreachable", "x509:")
