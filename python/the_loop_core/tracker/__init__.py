"""Where issues are filed: `gh api` where `gh` is installed, else REST with the configured token."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from the_loop_core.config import SelfDiagnosisConfig

Kind = Literal[
    "auth",  # 401: the token is wrong
    "forbidden",  # 403: the token may not
    "not_found",  # 404: no such repository, or the token cannot see it
    "gone",  # 410: issues are switched off
    "invalid",  # 422 and other 4xx: the request itself is refused
    "rate_limited",  # 429, or 403 with a limit: come back at `retry_at`
    "server",  # 5xx
    "network",  # no connection, or one that broke
    "malformed",  # an answer that is none
    "redirect",  # the repository was renamed
    "missing",  # no way to reach a tracker is set up
]

_HEALS = {"rate_limited", "server", "network", "malformed"}


@dataclass(frozen=True)
class Issue:
    """An issue that exists."""

    number: int
    url: str


class TrackerError(Exception):
    """A request failed; the text is one sentence that says what to do about it."""

    def __init__(
        self,
        kind: Kind,
        message: str,
        *,
        retry_at: datetime | None = None,
        maybe_created: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.retry_at = retry_at
        """When the service said to come back (UTC). Waiting for it is not an attempt."""
        self.maybe_created = maybe_created
        """The request may have taken effect: search before it is sent again."""

    @property
    def healable(self) -> bool:
        """Whether trying again later can help without a person changing something."""
        return self.kind in _HEALS


class Tracker(Protocol):
    """A place for issues. `host` names another GitHub than the configured one."""

    def create_issue(
        self, owner: str, repo: str, title: str, body: str, labels: list[str], host: str = ""
    ) -> tuple[int, str]:
        """Creates an issue; its number and address."""
        ...

    def find_issue(self, owner: str, repo: str, marker: str, host: str = "") -> Issue | None:
        """The oldest issue, open or closed, whose body holds `marker`; none when there is certainly none."""
        ...

    def issues(self, owner: str, repo: str, host: str = "") -> list[tuple[Issue, str]]:
        """The newest issues, open or closed, each with its body; and whatever the search index has with a marker."""
        ...


def tracker_for(config: SelfDiagnosisConfig, environ: Mapping[str, str]) -> Tracker:
    """The tracker that this machine can reach. Raises `TrackerError` of kind `missing` when there is none.

    `gh` is preferred, since it has a login of its own; but it only speaks HTTPS, and only to addresses that it makes
    itself out of a host's name. What else `integrations.github.api.baseUrl` may be, a proxy for instance, is REST's.
    """
    named = next((name for name in config.token_variables if environ.get(name, "").strip()), "")
    token = environ[named].strip() if named else ""
    if not all("!" <= letter <= "~" for letter in token):
        raise TrackerError("missing", f"{named} holds characters that no token has: set it anew")
    program = shutil.which("gh", path=environ.get("PATH", os.defpath))
    if program is not None:
        from the_loop_core.tracker import gh

        configured = config.api_base_url != SelfDiagnosisConfig.api_base_url
        host = gh.host_of(config.api_base_url) if configured else environ.get("GH_HOST", "").strip()
        if host is not None:
            # A token of the default variables is GitHub's own or the configured host's: for the one that only GH_HOST
            # names, `gh` knows which of its variables apply.
            explicit = config.token_variables != SelfDiagnosisConfig.token_variables
            mine = token if explicit or configured or not host else ""
            return gh.GhTracker(str(Path(program).absolute()), host, environ, mine, override=explicit)
    if token:
        from the_loop_core.tracker.rest import RestTracker

        return RestTracker(config.api_base_url, token)
    names = " or ".join(config.token_variables)
    raise TrackerError("missing", f"no way to file an issue: install `gh` and log in, or set {names}")
