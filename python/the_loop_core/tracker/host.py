"""The existing host's GitHub client as a tracker: what it raises is told apart, what it can read is searched."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from the_loop_core.tracker import Issue, Tracker, TrackerError, github


def as_tracker(client: Any) -> Tracker:
    """`client` itself where it can find issues; else a tracker over its `create_issue` and, if it has one, `rest`."""
    return client if hasattr(client, "find_issue") else HostTracker(client)


class HostTracker:
    """Files issues through a client that need only have
    `create_issue(owner, repo, title, body, labels) -> (number, url)`."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.searches = callable(getattr(client, "rest", None))
        """Whether an issue that exists can be found. Where not, `find_issue` never finds one."""

    def create_issue(
        self, owner: str, repo: str, title: str, body: str, labels: list[str], host: str = ""
    ) -> tuple[int, str]:
        """Creates an issue; its number and address. An exception that tells nothing of a request goes through."""
        where = {"host": host} if host else {}
        try:
            number, url = self._client.create_issue(owner, repo, title, body, labels, **where)
        except Exception as error:
            raise _translated(error, f"{owner}/{repo}", writing=True) from error
        return int(number), str(url)

    def find_issue(self, owner: str, repo: str, marker: str, host: str = "") -> Issue | None:
        """The oldest issue whose body holds `marker`, as far as this client can tell."""
        return github.find_issue(self._to(host), owner, repo, marker) if self.searches else None

    def issues(self, owner: str, repo: str, host: str = "") -> list[tuple[Issue, str]]:
        """The newest issues with their bodies, and older ones with a marker."""
        return github.issues(self._to(host), owner, repo) if self.searches else []

    def _to(self, host: str) -> github.Send:
        def send(request: github.Request) -> github.Answer:
            query = f"?{urlencode(request.query)}" if request.query else ""
            try:
                read = self._client.rest(request.method, f"/{request.path}{query}", None, host)
            except Exception as error:
                raise _translated(error, request.path, writing=False) from error
            return github.Answer(200, {}, json.dumps(read).encode())

        return send


def _translated(error: Exception, repository: str, *, writing: bool) -> Exception:
    """The `TrackerError` that an exception of the host's means: by its `status`, or by its being one of a broken
    connection; the exception itself where it is neither."""
    if isinstance(error, TrackerError):
        return error
    if getattr(error, "missing_token", False) is True:
        return TrackerError("missing", str(error))
    status = getattr(error, "status", None)
    if isinstance(status, int):
        try:
            said = json.dumps({"message": str(getattr(error, "message", ""))}).encode()
            github.refuse(github.Answer(status, {}, said), repository, writing=writing)
        except TrackerError as refusal:
            return refusal
    if isinstance(error, OSError) or hasattr(error, "status"):
        return TrackerError("network", f"the connection to GitHub broke: {error}"[:300], maybe_created=writing)
    return error
