"""This machine's identity: what must not leave it."""

from __future__ import annotations

import getpass
import os
import socket
from collections.abc import Iterable, Mapping
from pathlib import Path

from the_loop_core._core import Redactor


def redactor(environ: Mapping[str, str] | None = None, *, names: Iterable[str] = ()) -> Redactor:
    """The `Redactor` of the person and machine that run this process.

    `environ` is read in place of the process's own environment; `names` are `owner/repo` names to mask.
    """
    env = dict(os.environ if environ is None else environ)
    return Redactor(
        home=env.get("HOME") or _home(),
        user=env.get("USER") or env.get("LOGNAME") or _user(),
        host=env.get("HOSTNAME") or socket.gethostname(),
        # Values that are not valid text cannot occur in text either.
        env={k: v for k, v in env.items() if _is_text(k) and _is_text(v)},
        names=list(names),
    )


def _home() -> str:
    try:
        return str(Path.home())
    except RuntimeError:
        return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
