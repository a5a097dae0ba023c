"""What self-diagnosis knows: one JSON file beside the host's state, in the host's own shape and a bit more.

Every change is on disk, whole, before what it allows is done. A file that cannot be understood is moved aside and
nothing is posted until a person has looked: an empty memory would file everything once more.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from the_loop_core.journal import stamp

MAX_BYTES = 64 << 20
"""A ledger larger than this is no ledger."""
DAY = 24 * 3600.0
_MAX_AHEAD = 100
_MAX_EVENTS = 200


def _epoch(text: str) -> float:
    when = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (when if when.tzinfo else when.replace(tzinfo=timezone.utc)).timestamp()


def is_time(text: str) -> bool:
    """Whether a text is a time as the ledger has them."""
    try:
        _epoch(text)
    except (ValueError, OverflowError):
        return False
    return True


def _checked(text: str) -> str:
    if not is_time(text):
        raise ValueError("no time")
    return text


Time = Annotated[str, AfterValidator(_checked)]
"""ISO-8601."""


class Report(BaseModel):
    """A report that was composed and checked."""

    model_config = ConfigDict(extra="allow")

    title: str
    body: str


class Seen(BaseModel):
    """A defect that was detected and is not settled yet."""

    model_config = ConfigDict(extra="allow")

    evidence: dict[str, Any]
    legacy: list[str] = Field(default_factory=list)
    detected: str = ""
    report: Report | None = None
    """It waits to be posted, and no agent is asked again."""
    intent: str = ""
    """When posting was begun. Until it is known what became of it, the tracker is searched first."""
    deferred: str = ""
    """Why it was put off last: said once for each reason, not at every scan."""


class Extra(BaseModel):
    """What the existing host does not have. It is kept under one key of its own."""

    model_config = ConfigDict(extra="allow")

    cursor: dict[str, Any] | None = None
    seen: dict[str, Seen] = Field(default_factory=dict)
    dismissed: dict[str, dict[str, Any]] = Field(default_factory=dict)
    halted: str = ""
    """Why nothing may be posted until a person has looked."""
    retry_at: float = 0.0
    """Nothing is sent before this time (epoch seconds): the tracker asked for it."""
    ahead: list[Time] = Field(default_factory=list)
    """When issues were filed by a clock that was a day or more ahead of a later one. See `posted_within_a_day`."""
    events: list[dict[str, Any]] = Field(default_factory=list)
    """Records that are to be in the event log and may not be there yet."""


class State(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="allow")

    abandoned: dict[str, dict[str, Any]] = Field(default_factory=dict)
    attempts: dict[str, int] = Field(default_factory=dict)
    posted: list[Time] = Field(default_factory=list)
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
        self._corrupt = False

    @classmethod
    def load(cls, path: Path) -> Ledger:
        """Reads the ledger; a missing one is new. One that cannot be understood is left where it is, and the
        ledger returned is halted; `save` then moves it aside.

        Raises `LedgerError` where the file cannot be read at all.
        """
        try:
            data = _read(path)
        except FileNotFoundError:
            return cls(path, State())
        except OSError as error:
            raise LedgerError(f"the ledger {path} cannot be read: {error.strerror}") from error
        except ValueError as error:
            raise LedgerError(f"the ledger {str(path)!r} cannot be read: {error}") from error
        try:
            state = _understood(data)
        except (ValueError, RecursionError) as error:
            where = ""
            if isinstance(error, ValidationError):
                first = error.errors(include_input=False, include_context=False, include_url=False)[0]
                where = " ({})".format(".".join(str(part)[:60] for part in first["loc"]))
            ledger = cls(path, State(core=Extra(halted=f"the ledger could not be understood{where}")))
            ledger._corrupt = True
            return ledger
        return cls(path, state)

    def save(self, now: float) -> None:
        """Writes the whole file: beside it, synced, renamed over it, the folder synced. Raises `LedgerError`."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self._corrupt:
                aside = _kept_aside(self.path, now)
                self.state.core.halted += f"; it was moved to {aside.name}"
                self._corrupt = False
            del self.state.core.events[:-_MAX_EVENTS]
            _replace(self.path, _text(self.state))
        except (OSError, ValueError, RecursionError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise LedgerError(f"the ledger {self.path} cannot be written, so nothing is posted: {reason}") from error

    # -- what is known of a defect

    def settled(self, fingerprint: str, legacy: list[str]) -> bool:
        """Whether the defect was filed, given up or dismissed, under its own id or one of the existing host's."""
        settled = (self.state.reported, self.state.abandoned, self.state.core.dismissed)
        return any(name in known for known in settled for name in (fingerprint, *legacy))

    def posted_within_a_day(self, now: float) -> int:
        """How many issues were filed in the last 24 hours, whatever the clock did.

        A time in the future was written by a clock that has been set back since. It counts as now, so that it
        neither blocks until the clock gets there nor is forgotten at once. One that is a day or more ahead is also
        kept as it is: if the clock goes forward to it again, what was filed there still counts, and a clock that
        jumps to and fro does not free the same day twice.
        """
        core = self.state.core
        ahead = [when for when in map(_epoch, core.ahead) if when > now]
        kept = [when for when in map(_epoch, core.ahead) if when <= now]
        for when in map(_epoch, self.state.posted):
            kept.append(min(when, now))
            if when >= now + DAY:
                ahead.append(when)
        kept = sorted(when for when in kept if when > now - DAY)
        self.state.posted = [stamp(when) for when in kept]
        core.ahead = [stamp(when) for when in sorted(ahead)[-_MAX_AHEAD:]]
        return len(kept)

    def begun_within_a_day(self, now: float, but: str) -> int:
        """How many other defects than `but` may have been filed in the last 24 hours: of these nobody knows yet."""
        intents = [seen.intent for name, seen in self.state.core.seen.items() if seen.intent and name != but]
        return sum(not is_time(intent) or abs(_epoch(intent) - now) < DAY for intent in intents)


def _read(path: Path) -> bytes:
    # Not blocking: at the path there may be a FIFO.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MAX_BYTES + 1)


def _understood(data: bytes) -> State:
    """The state that `data` tells. Raises `ValueError` or `RecursionError` where it is none."""
    if len(data) > MAX_BYTES:
        raise ValueError("too large")
    state = State.model_validate(json.loads(data.decode()), strict=True)
    # What can be read and not be written again would stop every scan half-way.
    _text(state)
    return state


def _text(state: State) -> str:
    """As the host writes it, down to the escapes."""
    return json.dumps(state.model_dump(), indent=2, sort_keys=True) + "\n"


def _kept_aside(path: Path, now: float) -> Path:
    """A second name for the file at `path`, which stays where it is until another is renamed over it: at no moment
    is there no ledger, which the next process would take for a new one."""
    for n in count():
        more = f"-{n}" if n else ""
        aside = path.with_name(f"{path.name}.corrupt-{stamp(now).replace(':', '')}{more}")
        try:
            os.link(path, aside, follow_symlinks=False)
        except FileExistsError:
            continue
        except OSError:
            # A file system without links.
            with path.open("rb") as old, aside.open("xb") as new:
                shutil.copyfileobj(old, new)
                os.fsync(new.fileno())
        break
    return aside


def _replace(path: Path, text: str) -> None:
    # Always the same name: whoever holds the lock is alone, and what a killed process left is cleared away.
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    except OSError as error:
        # Some file systems cannot sync a folder; the file itself is safe.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(folder)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds the lock beside the ledger at `path`. Raises `Busy` at once when somebody else does, `LedgerError` when
    there can be no lock."""
    try:
        lock = path.with_name(path.name + ".lock")
        lock.parent.mkdir(parents=True, exist_ok=True)
        descriptor = _lock(lock)
    except BlockingIOError:
        raise Busy from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise LedgerError(f"the lock beside {str(path)!r} cannot be taken, so nothing is posted: {reason}") from error
    try:
        yield
    finally:
        # Not by closing alone: a child that was forked meanwhile has the descriptor, too.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _lock(lock: Path) -> int:
    """A descriptor that holds the lock: it ends with the process, however that ends. Raises `BlockingIOError`."""
    for _ in range(100):
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The existing host removes the file when it is done: a lock on a removed one excludes nobody.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), lock.stat()):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
    raise BlockingIOError
