"""What both ways to GitHub share: requests as data, answers read with suspicion."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, urlencode

from the_loop_core.tracker import Issue, Kind, TrackerError

PAGES = 3
"""How many pages of 100 issues are looked through: what the search index does not know yet is among the newest."""

_FAR = timedelta(hours=24)


@dataclass(frozen=True)
class Request:
    """One REST request: a path without leading slash, a query, and JSON to send."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    json: Mapping[str, Any] | None = None

    @property
    def target(self) -> str:
        """Path and query."""
        return f"{self.path}?{urlencode(self.query, quote_via=quote)}" if self.query else self.path


@dataclass(frozen=True)
class Answer:
    """What came back: a status, headers by lower-case name, a body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


Send = Callable[[Request], Answer]
"""Sends a request; raises `TrackerError` of kind `network` or `missing` when there is no answer at all."""


def create_issue(send: Send, owner: str, repo: str, title: str, body: str, labels: list[str]) -> tuple[int, str]:
    """Creates an issue. Whatever goes wrong after sending is told apart by whether it may exist now."""
    request = Request("POST", f"repos/{owner}/{repo}/issues", json={"title": title, "body": body, "labels": labels})
    answer = send(request)
    refuse(answer, f"{owner}/{repo}", writing=True)
    created = _json(answer.body)
    if isinstance(created, dict):
        number, url = created.get("number"), created.get("html_url")
        if isinstance(number, int) and isinstance(url, str) and url.startswith(("https://", "http://")):
            return number, url
    raise TrackerError(
        "malformed",
        f"GitHub answered {answer.status} without an issue: it is looked for first",
        maybe_created=True,
    )


def find_issue(send: Send, owner: str, repo: str, marker: str) -> Issue | None:
    """The oldest issue whose body holds `marker`."""
    found = [issue for issue, body in issues(send, owner, repo, marker) if marker in body]
    return min(found, key=lambda issue: issue.number, default=None)


def issues(send: Send, owner: str, repo: str, marker: str = "the-loop:defect") -> list[tuple[Issue, str]]:
    """The newest issues with their bodies, and those that the search index, which lags behind, has with `marker`."""
    found: list[tuple[Issue, str]] = []
    for page in range(1, PAGES + 1):
        query = {"state": "all", "sort": "created", "direction": "desc", "per_page": "100", "page": str(page)}
        answer = send(Request("GET", f"repos/{owner}/{repo}/issues", query))
        refuse(answer, f"{owner}/{repo}")
        items = _list(answer)
        found += _issues(items)
        if len(items) < 100:
            # All there are were seen: the index can tell nothing more.
            return found
    words = "".join(c if c.isalnum() or c in ":-" else " " for c in marker).split()
    text = f'repo:{owner}/{repo} is:issue in:body "{" ".join(words)}"'
    answer = send(Request("GET", "search/issues", {"q": text, "per_page": "100"}))
    refuse(answer, f"{owner}/{repo}")
    return found + _issues(_list(answer, "items"))


def _issues(items: list[Any]) -> list[tuple[Issue, str]]:
    found = []
    for item in items:
        if not isinstance(item, dict) or "pull_request" in item:
            continue
        body, number, url = item.get("body"), item.get("number"), item.get("html_url")
        if isinstance(body, str) and isinstance(number, int) and isinstance(url, str):
            found.append((Issue(number, url), body))
    return found


def _list(answer: Answer, key: str = "") -> list[Any]:
    value = _json(answer.body)
    if key and isinstance(value, dict):
        value = value.get(key)
    if not isinstance(value, list):
        raise TrackerError("malformed", "GitHub's list of issues could not be read")
    return value


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def refuse(answer: Answer, repository: str, *, writing: bool = False) -> None:
    """Raises the `TrackerError` that an answer other than success means."""
    status = answer.status
    if 200 <= status < 300:
        return
    parsed = _json(answer.body)
    said = parsed.get("message") if isinstance(parsed, dict) else None
    said = f": {said[:200]}" if isinstance(said, str) else ""
    retry_at = _retry_at(answer.headers)
    limited = status == 429 or (
        status == 403
        and (
            retry_at is not None
            or answer.headers.get("x-ratelimit-remaining", "").strip() == "0"
            or any(word in said.lower() for word in ("rate limit", "abuse"))
        )
    )
    if limited:
        when = retry_at or datetime.now(timezone.utc) + timedelta(minutes=1)
        raise TrackerError("rate_limited", f"GitHub limits the rate{said}", retry_at=when)
    if status >= 500 or status == 408:
        # A gateway that gave up does not know what became of the request.
        raise TrackerError("server", f"GitHub answered {status}{said}", retry_at=retry_at, maybe_created=writing)
    kinds: dict[int, tuple[Kind, str]] = {
        401: ("auth", "GitHub refused the token (401): log in anew or renew it"),
        403: ("forbidden", f"the token may not write issues in {repository} (403){said}"),
        404: (
            "not_found",
            f"{repository} does not exist or the token cannot see it (404): check selfDiagnosis.repo",
        ),
        410: ("gone", f"issues are switched off in {repository} (410)"),
    }
    if status in kinds:
        raise TrackerError(*kinds[status])
    if 300 <= status < 400:
        raise TrackerError("redirect", f"{repository} has moved ({status}): set selfDiagnosis.repo to its new name")
    if 400 <= status < 500:
        raise TrackerError("invalid", f"GitHub refused the issue ({status}){said}")
    raise TrackerError("malformed", f"GitHub answered with status {status}", maybe_created=writing)


def _retry_at(headers: Mapping[str, str]) -> datetime | None:
    """When to come back, from `Retry-After` (seconds or a date) or the reset of a used-up limit."""
    now = datetime.now(timezone.utc)
    when: datetime | None = None
    after = headers.get("retry-after", "").strip()
    try:
        if after.isdecimal():
            when = now + min(timedelta(seconds=int(after[:9])), _FAR)
        elif after:
            when = parsedate_to_datetime(after).astimezone(timezone.utc)
        elif headers.get("x-ratelimit-remaining", "").strip() == "0":
            when = datetime.fromtimestamp(int(headers.get("x-ratelimit-reset", "")), timezone.utc)
    except (ValueError, OverflowError, OSError):
        return None
    # A clock that is wrong, here or there, must not defer for ever.
    return None if when is None else min(max(when, now), now + _FAR)
