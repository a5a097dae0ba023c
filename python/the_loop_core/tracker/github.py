"""What both ways to GitHub share: requests as data, answers read with suspicion."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
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
"""The longest wait that is believed."""
_UNTOLD = timedelta(minutes=1)
"""How long to wait where a limit does not say."""


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


class Api(ABC):
    """A tracker over GitHub's REST API, whichever way a request takes."""

    def create_issue(
        self, owner: str, repo: str, title: str, body: str, labels: list[str], host: str = ""
    ) -> tuple[int, str]:
        """Creates an issue; its number and address."""
        return create_issue(self._to(host), owner, repo, title, body, labels)

    def find_issue(self, owner: str, repo: str, marker: str, host: str = "") -> Issue | None:
        """The oldest issue whose body holds `marker`."""
        return find_issue(self._to(host), owner, repo, marker)

    def issues(self, owner: str, repo: str, host: str = "") -> list[tuple[Issue, str]]:
        """The newest issues with their bodies, and older ones with a marker."""
        return issues(self._to(host), owner, repo)

    @abstractmethod
    def _to(self, host: str) -> Send:
        """How requests reach `host` (nothing: the configured one)."""


def create_issue(send: Send, owner: str, repo: str, title: str, body: str, labels: list[str]) -> tuple[int, str]:
    """Creates an issue. Whatever goes wrong after sending is told apart by whether it may exist now."""
    where = _repository(owner, repo)
    answer = send(Request("POST", f"repos/{where}/issues", json={"title": title, "body": body, "labels": labels}))
    refuse(answer, where, writing=True)
    created = _json(answer.body)
    if isinstance(created, dict):
        number, url = created.get("number"), created.get("html_url")
        if type(number) is int and number > 0 and isinstance(url, str) and url.startswith(("https://", "http://")):
            return number, url
    raise TrackerError(
        "malformed",
        f"GitHub answered {answer.status} without an issue: it is looked for first",
        maybe_created=True,
    )


def find_issue(send: Send, owner: str, repo: str, marker: str) -> Issue | None:
    """The oldest issue whose body holds `marker`; none when neither the newest nor the search index have one."""
    where = _repository(owner, repo)
    listed, complete = _listed(send, where)
    found = _having(listed, marker)
    if not found and not complete:
        found = _having(_searched(send, where, marker), marker)
    return min(found, key=lambda issue: issue.number, default=None)


def issues(send: Send, owner: str, repo: str, words: str = "the-loop:defect") -> list[tuple[Issue, str]]:
    """The newest issues with their bodies, and those that the search index, which lags behind, has with `words`."""
    where = _repository(owner, repo)
    listed, complete = _listed(send, where)
    return listed if complete else listed + _searched(send, where, words)


def _repository(owner: str, repo: str) -> str:
    for name in (owner, repo):
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,100}", name) or set(name) == {"."}:
            raise TrackerError("invalid", "selfDiagnosis.repo is no owner/name of a repository: mend it")
    return f"{owner}/{repo}"


def _having(found: list[tuple[Issue, str]], marker: str) -> list[Issue]:
    return [issue for issue, body in found if marker in body]


def _listed(send: Send, where: str) -> tuple[list[tuple[Issue, str]], bool]:
    """The newest issues, and whether they are all there are. Without a filter: GitHub drops labels silently."""
    found: list[tuple[Issue, str]] = []
    for page in range(1, PAGES + 1):
        query = {"state": "all", "sort": "created", "direction": "desc", "per_page": "100", "page": str(page)}
        answer = send(Request("GET", f"repos/{where}/issues", query))
        refuse(answer, where)
        items = _json(answer.body)
        if not isinstance(items, list):
            raise TrackerError("malformed", "GitHub's list of issues could not be read")
        found += _issues(items)
        if len(items) < 100:
            return found, True
    return found, False


def _searched(send: Send, where: str, marker: str) -> list[tuple[Issue, str]]:
    """What the search index has. A quote or a qualifier in `marker` cannot become part of the query's grammar."""
    words = "".join(letter if letter.isalnum() or letter in ":-" else " " for letter in marker).split()
    words = [word for word in words if word.strip("-")]
    query = f'repo:{where} is:issue in:body "{" ".join(words)}"'
    answer = send(Request("GET", "search/issues", {"q": query, "per_page": "100"}))
    if answer.status == 422:
        # A token may list what it may not search.
        return []
    refuse(answer, where)
    page = _json(answer.body)
    items = page.get("items") if isinstance(page, dict) else None
    if not isinstance(items, list):
        raise TrackerError("malformed", "GitHub's search could not be read")
    found = _issues(items)
    if page.get("incomplete_results") is True and not _having(found, marker):
        raise TrackerError("server", "GitHub's search gave up before its end: it is asked again")
    return found


def _issues(items: list[Any]) -> list[tuple[Issue, str]]:
    found = []
    for item in items:
        if not isinstance(item, dict) or "pull_request" in item:
            continue
        body, number, url = item.get("body"), item.get("number"), item.get("html_url")
        if isinstance(body, str) and isinstance(number, int) and isinstance(url, str):
            found.append((Issue(number, url), body))
    return found


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
    said = _said(answer)
    now = datetime.now(timezone.utc)
    retry_at = _retry_at(answer.headers, now)
    limited = status == 429 or (
        status == 403
        and (
            "retry-after" in answer.headers
            or answer.headers.get("x-ratelimit-remaining", "").strip() == "0"
            or any(words in said.lower() for words in ("rate limit", "abuse"))
        )
    )
    if limited:
        when = retry_at if retry_at is not None and retry_at > now else now + _UNTOLD
        raise TrackerError("rate_limited", f"GitHub limits the rate{said}", retry_at=when)
    if status >= 500 or status == 408:
        # A gateway that gave up does not know what became of the request.
        raise TrackerError("server", f"GitHub answered {status}{said}", retry_at=retry_at, maybe_created=writing)
    if 300 <= status < 400:
        if "/repositories/" in answer.headers.get("location", ""):
            raise TrackerError(
                "redirect", f"{repository} was renamed ({status}): set selfDiagnosis.repo to its new name"
            )
        raise TrackerError(
            "redirect",
            f"GitHub's API sends elsewhere ({status}): check selfDiagnosis.repo and integrations.github.api.baseUrl",
        )
    kinds: dict[int, tuple[Kind, str]] = {
        401: ("auth", "GitHub refused the token (401): log in anew or renew it"),
        403: ("forbidden", f"the token may not write issues in {repository} (403){said}"),
        404: (
            "not_found",
            f"{repository} does not exist or the token cannot see it (404): check selfDiagnosis.repo",
        ),
        410: ("gone", f"issues are switched off in {repository} (410): switch them on or set selfDiagnosis.repo"),
    }
    if status in kinds:
        raise TrackerError(*kinds[status])
    if 400 <= status < 500:
        raise TrackerError("invalid", f"GitHub refused the request ({status}){said}")
    raise TrackerError("malformed", f"GitHub answered with status {status}", maybe_created=writing)


def _said(answer: Answer) -> str:
    """What GitHub says is wrong, as the end of a sentence; nothing where it says nothing."""
    parsed = _json(answer.body)
    if not isinstance(parsed, dict):
        return ""
    words = [parsed.get("message")]
    errors = parsed.get("errors")
    for error in errors[:3] if isinstance(errors, list) else []:
        # Of a refused field: a sentence, or its name and a code.
        words += [error.get("message") or error.get("field"), error.get("code")] if isinstance(error, dict) else [error]
    told = " ".join(", ".join(word for word in words if isinstance(word, str)).split())
    return f": {told[:300]}" if told else ""


def _retry_at(headers: Mapping[str, str], now: datetime) -> datetime | None:
    """When to come back by our clock, from `Retry-After` (seconds or a date) or the reset of a used-up limit."""
    # Their times are read by their clock: ours may be wrong.
    theirs = _date(headers.get("date", "")) or now
    after = headers.get("retry-after", "").strip()
    reset = headers.get("x-ratelimit-reset", "").strip()
    wait: timedelta | None = None
    if after.isascii() and after.isdecimal():
        wait = timedelta(seconds=int(after[:9]))
    elif when := _date(after):
        wait = when - theirs
    elif headers.get("x-ratelimit-remaining", "").strip() == "0" and reset.isascii() and reset.isdecimal():
        wait = timedelta(seconds=int(reset[:12]) - theirs.timestamp())
    # A time that makes no sense must not defer for ever.
    return None if wait is None else now + min(max(wait, timedelta()), _FAR)


def _date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text).astimezone(timezone.utc)
    except (ValueError, TypeError, OverflowError):
        return None
