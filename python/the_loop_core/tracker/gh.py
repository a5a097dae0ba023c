"""GitHub through `gh api`: whoever is logged in there files the issue."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from the_loop_core import process
from the_loop_core.tracker import Issue, TrackerError, github

_TIMEOUT = 60.0


class GhTracker:
    """Files issues through the program `gh`. A `token` is handed to it by environment, never in an argument."""

    def __init__(self, program: str, base_url: str, environ: Mapping[str, str], token: str) -> None:
        self._program = program
        self._host = environ.get("GH_HOST", "") or _host(base_url)
        self._env = {
            **environ,
            "GH_PROMPT_DISABLED": "1",
            "GH_NO_UPDATE_NOTIFIER": "1",
            "NO_COLOR": "1",
            "CLICOLOR_FORCE": "0",
        }
        if token:
            enterprise = self._host not in ("", "github.com")
            self._env.setdefault("GH_ENTERPRISE_TOKEN" if enterprise else "GH_TOKEN", token)

    def create_issue(
        self, owner: str, repo: str, title: str, body: str, labels: list[str], host: str = ""
    ) -> tuple[int, str]:
        """Creates an issue; its number and address."""
        return github.create_issue(self._to(host), owner, repo, title, body, labels)

    def find_issue(self, owner: str, repo: str, marker: str, host: str = "") -> Issue | None:
        """The oldest issue whose body holds `marker`."""
        return github.find_issue(self._to(host), owner, repo, marker)

    def issues(self, owner: str, repo: str, host: str = "") -> list[tuple[Issue, str]]:
        """The newest issues with their bodies, and older ones with a marker."""
        return github.issues(self._to(host), owner, repo)

    def _to(self, host: str) -> github.Send:
        def send(request: github.Request) -> github.Answer:
            argv = [self._program, "api", "--method", request.method, "--include", request.target]
            # By environment: the option does not take a port.
            env = {**self._env, "GH_HOST": host or self._host} if host or self._host else self._env
            data = b""
            if request.json is not None:
                argv += ["--input", "-"]
                data = json.dumps(request.json).encode()
            with tempfile.TemporaryDirectory(prefix="the-loop-gh-") as folder:
                finished = process.run(
                    argv, stdin=data, env=env, cwd=Path(folder), timeout=_TIMEOUT, keep=process.LIMIT_BYTES
                )
            return _answer(finished, writing=request.json is not None)

        return send


def _host(base_url: str) -> str:
    """The host that `gh` knows the API at `base_url` by; nothing for github.com."""
    netloc = urlsplit(base_url).netloc.rpartition("@")[2]
    return "" if netloc in ("", "api.github.com") else netloc


def _answer(finished: process.Finished, *, writing: bool) -> github.Answer:
    """Reads what `gh api --include` prints: a status line, headers, an empty line, the body."""
    if finished.how == "unstarted":
        raise TrackerError("missing", "`gh` could not be started")
    if finished.how != "exit":
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
    lines = finished.stderr.strip().splitlines()
    reason = lines[0][:300] if lines else f"it exited with {finished.code}"
    if "auth login" in finished.stderr or "GH_TOKEN" in finished.stderr:
        raise TrackerError("auth", "`gh` is not logged in: run `gh auth login` or set GH_TOKEN")
    # Only what failed before a connection is known not to have been sent.
    unsent = any(sign in reason for sign in ("error connecting", "connection refused", "no such host", "x509"))
    raise TrackerError("network", f"`gh` failed: {reason}", maybe_created=writing and not unsent)
