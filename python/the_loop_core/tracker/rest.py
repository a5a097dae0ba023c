"""GitHub's REST API with a token, over urllib3."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

import urllib3
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError, SSLError

from the_loop_core._core import __version__
from the_loop_core.tracker import Issue, TrackerError, github

_TIMEOUT = urllib3.Timeout(connect=10, read=30)
_MAX_ANSWER = 32 << 20


class RestTracker:
    """Files issues with `token` through the API at `base_url`."""

    def __init__(self, base_url: str, token: str) -> None:
        if urlsplit(base_url).scheme not in ("https", "http"):
            raise TrackerError("missing", "integrations.github.api.baseUrl is no http address: mend it")
        self._base = base_url.rstrip("/")
        self._token = token
        self._pool = urllib3.PoolManager(num_pools=2, retries=False)

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
        base = f"https://{host}/api/v3" if host else self._base

        def send(request: github.Request) -> github.Answer:
            headers = {
                "Accept": "application/vnd.github+json",
                "Authorization": f"Bearer {self._token}",
                "User-Agent": f"the-loop-core/{__version__}",
                "X-GitHub-Api-Version": "2022-11-28",
            }
            body = None
            if request.json is not None:
                body = json.dumps(request.json).encode()
                headers["Content-Type"] = "application/json"
            return self._send(request.method, f"{base}/{request.target}", headers, body)

        return send

    def _send(self, method: str, url: str, headers: dict[str, str], body: bytes | None) -> github.Answer:
        try:
            # Redirects are not followed: a token must not travel to where an answer points.
            response = self._pool.request(
                method,
                url,
                headers=headers,
                body=body,
                timeout=_TIMEOUT,
                redirect=False,
                preload_content=False,
            )
            try:
                read = response.read(_MAX_ANSWER)
            finally:
                response.release_conn()
        except (NewConnectionError, ConnectTimeoutError, SSLError) as error:
            # Nothing was sent.
            raise TrackerError("network", f"GitHub cannot be reached: {_cause(error)}") from None
        except HTTPError as error:
            raise TrackerError(
                "network", f"the connection to GitHub broke: {_cause(error)}", maybe_created=body is not None
            ) from None
        except (ValueError, UnicodeError) as error:
            raise TrackerError("missing", f"the address {url!r} cannot be used: {error}") from None
        answered = {name.lower(): value for name, value in response.headers.items()}
        return github.Answer(response.status, answered, read)


def _cause(error: Exception) -> str:
    """The last clause of urllib3's sentence: what happened, without objects and addresses."""
    return str(error).rpartition(": ")[2][:200] or type(error).__name__
