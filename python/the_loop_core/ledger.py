"""What self-diagnosis knows: one JSON file beside the host's state, in the host's own shape and a bit more.

Every change is on disk, whole, before what it allows is done. A file that cannot be understood is moved aside and
nothing is posted until a person has looked: an empty memory would file everything once more.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from the_loop_core.journal import stamp

MAX_BYTES = 64 << 20
"""A ledger larger than this is no ledger."""


class Seen(BaseModel):
    """A defect that was detected and is not settled yet."""

    model_config = ConfigDict(extra="allow")

    evidence: dict[str, Any]
    legacy: list[str] = Field(default_factory=list)
    detected: str = ""
    report: Report | None = None
    """Composed and checked: it waits to be posted, and no agent is asked again."""
    intent: str = ""
    """When posting was begun. Until it is known what became of it, the tracker is searched first."""
    retry_at: float = 0.0
    """Not before this time (epoch seconds): the tracker asked for it."""


class Report(BaseModel):
    """A report that may be posted as it is."""

    model_config = ConfigDict(extra="forbid")

    title: str
    body: str


class Extra(BaseModel):
    """What the existing host does not have. It is kept under one key of its own."""

    model_config = ConfigDict(extra="allow")

    cursor: dict[str, Any] | None = None
    seen: dict[str, Seen] = Field(default_factory=dict)
    dismissed: dict[str, dict[str, Any]] = Field(default_factory=dict)
    halted: str = ""
    """Why nothing may be posted until a person has looked."""


class State(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="allow")

    abandoned: dict[str, dict[str, Any]] = Field(default_factory=dict)
    attempts: dict[str, int] = Field(default_factory=dict)
    posted: list[str] = Field(default_factory=list)
    reported: dict[str, dict[str, Any]] = Field(default_factory=dict)
    core: Extra = Field(default_factory=Extra)


class LedgerError(Exception):
    """The ledger cannot be read or written; the text is one sentence that says what to do."""


class Busy(Exception):
    """Another scan is under way, in this process or another."""


class Ledger:
    """The ledger at `path`, loaded."""

    def __init__(self, path: Path, state: State) -> None:
        self.path = path
        self.state = state

    @classmethod
    def load(cls, path: Path) -> Ledger:
        """Reads the ledger; a missing one is new. One that cannot be understood is left where it is, and the
        ledger returned is halted; `save` then moves it aside.

        Raises `LedgerError` where the file cannot be read at all.
        """
        try:
            text = _read(path)
        except FileNotFoundError:
            return cls(path, State())
        except OSError as error:
            raise LedgerError(f"the ledger {path} cannot be read: {error.strerror}") from error
        try:
            return cls(path, State.model_validate(_parsed(text), strict=True))
        except (ValueError, RecursionError) as error:
            where = ""
            if isinstance(error, ValidationError):
                where = ".".join(str(part) for part in error.errors()[0]["loc"])
            state = State(core=Extra(halted=f"the ledger could not be understood{f' ({where})' if where else ''}"))
            ledger = cls(path, state)
            ledger._corrupt = True
            return ledger

    _corrupt = False

    def save(self, now: float) -> None:
        """Writes the whole file: beside it, synced, renamed over it, the folder synced. Raises `LedgerError`."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self._corrupt:
                aside = self.path.with_name(f"{self.path.name}.corrupt-{stamp(now).replace(':', '')}")
                self.path.rename(aside)
                self.state.core.halted += f"; it was moved to {aside.name}"
                self._corrupt = False
            _replace(self.path, self._text())
        except OSError as error:
            raise LedgerError(
                f"the ledger {self.path} cannot be written, so nothing is posted: {error.strerror}"
            ) from error

    def _text(self) -> str:
        shape = self.state.model_dump(mode="json", exclude_defaults=False)
        return json.dumps(shape, indent=2, sort_keys=True, ensure_ascii=False) + "\n"

    # -- what is known of a defect

    def settled(self, fingerprint: str, legacy: list[str]) -> bool:
        """Whether the defect was filed, given up or dismissed, under its own id or one of the existing host's."""
        settled = (self.state.reported, self.state.abandoned, self.state.core.dismissed)
        return any(name in known for known in settled for name in (fingerprint, *legacy))

    def posted_within(self, seconds: float, now: float) -> int:
        """How many issues were filed in the last `seconds`.

        A clock that jumps back leaves times in the future behind: they count as now, so that they neither block for
        ever nor are forgotten at once.
        """
        times = [_epoch(text) for text in self.state.posted]
        known = [min(when, now) for when in times if when is not None]
        kept = [when for when in known if when > now - seconds]
        self.state.posted = [stamp(when) for when in kept]
        return len(kept)


def _epoch(text: str) -> float | None:
    from datetime import datetime

    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except (ValueError, OverflowError):
        return None


def _read(path: Path) -> str:
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MAX_BYTES + 1).decode(errors="replace")


def _parsed(text: str) -> Mapping[str, Any]:
    if len(text) > MAX_BYTES:
        raise ValueError("too large")
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("no object")  # noqa: TRY004 — one kind for everything that is no ledger
    return value


def _replace(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the lock beside the ledger at `path`. Raises `Busy` at once when somebody else does, `LedgerError` when
    there can be no lock."""
    lock = path.with_name(path.name + ".lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    except OSError as error:
        raise LedgerError(f"the state folder {path.parent} cannot be written: {error.strerror}") from error
    try:
        try:
            # The lock belongs to this open file: it ends with the process, however that ends.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy from None
        yield
    finally:
        os.close(descriptor)
