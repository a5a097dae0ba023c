"""What this package raises: every exception is a `LoopError` with a `kind` to decide by."""

from __future__ import annotations


class LoopError(Exception):
    """The base. `kind` is a stable word to decide by; the text is a sentence for a person."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class FindingsError(LoopError):
    """An agent's answer holds no usable findings. Kinds: `no_findings`, `no_title`, `no_reason`."""


class ReportError(LoopError):
    """A report could not be built in full; nothing may be posted. Kind: `incomplete`."""


class LogError(LoopError):
    """An event log could not be read.

    Kinds: `missing`, `not_a_file` (a directory, a FIFO, a device), `unreadable` (permission or I/O).
    """


class EvidenceError(LoopError):
    """Evidence read back from a ledger has the wrong shape. Kind: `invalid`."""


class MeasureError(LoopError):
    """A measurement has no report. `kind` says why; `trial` is the position of the trial that ended it, if one did."""

    def __init__(self, kind: str, message: str, trial: int | None = None) -> None:
        super().__init__(kind, message)
        self.trial = trial


class RevisionError(LoopError):
    """What a working tree is cannot be told; the text says why. It equals nothing. Kind: `unknown`."""


class CommandError(LoopError):
    """What a shell command does cannot be proved; the text says why. Kind: `cannot_prove`."""
