"""GitHub's REST API with a token, over urllib3."""

from __future__ import annotations

import json
import time
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

from the_loop_core._core import __version__
from the_loop_core.tracker import TrackerError, github

_TIMEOUT = urllib3.Timeout(connect=10, read=30)
_DEADLINE = 60.0
"""How long an answer's body may take, in seconds: a server may keep a read alive by a byte at a time."""
_MAX_ANSWER = 32 << 20


class RestTracker(github.Api):
    """Files issues with `token` through the API at `base_url`, through a proxy where the environment names one."""

    def __init__(self, base_url: str, token: str) -> None:
        try:
            parts = urlsplit(base_url)
            usable = parts.scheme in ("https", "http") and parts.hostname and not parts.username
        except ValueError:
            usable = False
        if not usable:
            raise TrackerError("missing", "integrations.github.api.baseUrl is no address of an API: mend it")
        self._base = base_url.rstrip("/")
        self._token = token

    def _to(self, host: str) -> github.Send:
        base = _api_of(host) if host else self._base

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
        deadline = time.monotonic() + _DEADLINE
        try:
            # Redirects are not followed: a token must not travel to where an answer points. Nor is anything sent twice.
            with (
                _pool(url) as pool,
                pool.request(
                    method,
                    url,
                    headers=headers,
                    body=body,
                    timeout=_TIMEOUT,
                    redirect=False,
                    retries=False,
                    preload_content=False,
                ) as response,
            ):
                answered = {name.lower(): value for name, value in response.headers.items()}
                read = bytearray()
                while chunk := response.read1(1 << 16):
                    read += chunk
                    if len(read) > _MAX_ANSWER:
                        raise TrackerError("malformed", "GitHub's answer is too long", maybe_created=body is not None)
                    if time.monotonic() > deadline:
                        raise TrackerError(
                            "network", f"GitHub's answer took over {_DEADLINE:g} s", maybe_created=body is not None
                        )
                return github.Answer(response.status, answered, bytes(read))
        except HTTPError as error:
            # What failed before there was a connection is known not to have been sent; of all else it is not known.
            unsent = isinstance(error, NewConnectionError | ConnectTimeoutError) or "CERTIFICATE" in str(error)
            what = "GitHub cannot be reached" if unsent else "the connection to GitHub broke"
            raise TrackerError(
                "network", f"{what}: {_cause(error)}", maybe_created=body is not None and not unsent
            ) from None
        except ValueError:
            raise TrackerError("missing", "integrations.github.api.baseUrl cannot be used: mend it") from None


def _api_of(host: str) -> str:
    if host == "github.com":
        return "https://api.github.com"
    return f"https://api.{host}" if host.endswith(".ghe.com") else f"https://{host}/api/v3"


def _pool(url: str) -> urllib3.PoolManager:
    """A pool for one request: to the proxy that the environment names for it, if any; never for this machine itself."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    proxy = getproxies().get(parts.scheme)
    if not proxy or host == "localhost" or host.startswith("127.") or host == "::1" or proxy_bypass(host):
        return urllib3.PoolManager()
    address = proxy if "://" in proxy else f"http://{proxy}"
    user = urlsplit(address)
    headers = None
    if user.username:
        headers = urllib3.make_headers(proxy_basic_auth=f"{unquote(user.username)}:{unquote(user.password or '')}")
    return urllib3.ProxyManager(address, proxy_headers=headers)


def _cause(error: Exception) -> str:
    """The last clause of urllib3's sentence: what happened, without objects and addresses."""
    return str(error).rpartition(": ")[2][:200] or type(error).__name__
