"""
The native half of `the_loop_core`.
"""

from _typeshed import SupportsGetItem
from os import PathLike
from pathlib import Path
from typing import Any, Final, SupportsFloat, SupportsIndex, final

__all__ = ["__version__", "Defect", "Harvest", "Plan", "Redactor", "Report", "Scrubbed", "Tail", "Workspace", "agent_prompt", "compose_issue", "covers", "debug_tag_lines", "debug_tags_in_diff", "defang", "defect_marker", "fingerprint", "fingerprint_record", "gather_evidence", "harvest", "is_candidate", "is_self_authored", "judge_readonly", "legacy_fingerprint", "mark_self_authored", "merge_evidence", "parse_command", "parse_findings", "parse_shell", "recognise_check", "render_dossier", "scope", "template"]

__version__: Final[str]
"""
The version of the core, and of this package.
"""

@final
class Defect:
    """
    One defect and what a log says of it.
    """
    @property
    def count(self, /) -> int:
        """
        How many records told of it.
        """
    @property
    def event(self, /) -> str:
        """
        The event's name.
        """
    @property
    def first_seen(self, /) -> str:
        """
        `ts` of the first of them; empty when it has none.
        """
    @property
    def id(self, /) -> str:
        """
        Its id, `v1:…`.
        """
    @property
    def last_seen(self, /) -> str:
        """
        `ts` of the last one.
        """
    @property
    def legacy(self, /) -> list[str]:
        """
        The ids under which the existing host has it.
        """
    @property
    def records(self, /) -> Any:
        """
        The last records, oldest first, as mappings.
        """

@final
class Harvest:
    """
    What one harvest brought in.
    """
    @property
    def cursor(self, /) -> Any:
        """
        Where the next harvest goes on: a JSON-able mapping.
        """
    @property
    def defects(self, /) -> list[Defect]:
        """
        The defects, in the order in which they were first met.
        """
    @property
    def stats(self, /) -> Any:
        """
        What was read, and what was passed over: names to counts.
        """

@final
class Plan:
    """
    A measurement: which trial comes next, what came of each, and the report. `spec` is a mapping with `command`,
    `expected_work` and what else a request may hold. Raises `MeasureError`.
    """
    def __new__(cls, /, spec: Any) -> Plan: ...
    def cancel(self, /) -> None:
        """
        Ends the measurement without a report.
        """
    @property
    def deadline_seconds(self, /) -> int:
        """
        How many seconds the whole measurement may take.
        """
    def next(self, /) -> Any | None:
        """
        The next trial as a mapping; none when all were recorded or one did not count.
        """
    def record(self, /, outcome: Any) -> None:
        """
        Takes what the host saw of the next trial, a mapping. Raises `MeasureError` when it does not count.
        """
    def report(self, /) -> Any:
        """
        The report as a mapping. Raises `MeasureError` unless every trial counted.
        """

@final
class Redactor:
    """
    A scrubber for one identity. `env` is the environment; only values of sensitive-named variables are
    masked. `names` are `owner/repo` names to mask.
    """
    def __new__(cls, /, home: str = "", user: str = "", host: str = "", env: dict[str, str] | None = None, names: SupportsGetItem[int, str] | None = None) -> Redactor: ...
    def scrub(self, /, text: str) -> Scrubbed:
        """
        Masks `text`. Idempotent, linear in its length; other threads run meanwhile.
        """

@final
class Report:
    """
    An issue that may be posted.
    """
    @property
    def body(self, /) -> str:
        """
        Markdown under GitHub's bound.
        """
    @property
    def title(self, /) -> str:
        """
        At most 120 characters.
        """

@final
class Scrubbed:
    """
    Text that may leave the machine.
    """
    def __repr__(self, /) -> str: ...
    def __str__(self, /) -> str: ...
    @property
    def counts(self, /) -> dict[str, int]:
        """
        How many values of each kind were replaced.
        """
    @property
    def text(self, /) -> str:
        """
        The masked text.
        """

@final
class Tail:
    """
    A log being read to its end, and on from there when called again.
    """
    def __new__(cls, /, path: str | PathLike[str]) -> Tail:
        """
        Opens the log at `path`, to be read from its beginning. Raises `LogError`.
        """
    def next_records(self, /) -> Any:
        """
        The next records as mappings, about a mebibyte's worth; empty at the end of the log for now.
        """

@final
class Workspace:
    """
    A directory, with what is remembered of its repository in memory; nothing is ever written. `home` and
    `config_home` (`XDG_CONFIG_HOME`) are where git's settings of the user are.
    """
    def __new__(cls, /, path: str | PathLike[str], *, home: str | PathLike[str] | None = None, config_home: str | PathLike[str] | None = None) -> Workspace: ...
    def changed_paths(self, /, seconds: SupportsFloat | SupportsIndex = 10.0) -> list[Path] | None:
        """
        The paths that differ from HEAD, with the untracked ones that are not ignored; none when git cannot say.
        """
    def debug_tags(self, /, seconds: SupportsFloat | SupportsIndex = 10.0) -> list[tuple[Path, int]]:
        """
        The added lines that carry `[DEBUG-`, as (path, line number).
        """
    def revision(self, /, seconds: SupportsFloat | SupportsIndex = 10.0) -> tuple[str, str]:
        """
        The identity of the working tree: (`revision`, `content`), each 64 hexadecimal digits, else
        `RevisionError`. `content` differs with the files alone, `revision` with HEAD and what is staged as well.
        Waits at most `seconds`; other threads run meanwhile.
        """

def agent_prompt(evidence: Any, redactor: Redactor, *, version: str, location: str) -> str:
    """
    The prompt for the debugging agent: the dossier of `evidence`, the version and place of the-loop, and the
    reporting instructions.
    """

def compose_issue(findings: Any, evidence: Any, redactor: Redactor, *, fingerprint: str, label: str, environment: SupportsGetItem[int, tuple[str, str]] | None = None, keywords: dict[str, str] | None = None) -> Report:
    """
    Composes the issue for one defect from findings and evidence. `environment` describes the installation.
    Raises `ReportError` when it cannot be built in full: then nothing may be posted.
    """

def covers(run: SupportsGetItem[int, str], wanted: Any) -> bool:
    """
    Whether the words of a check that was run satisfy `wanted`, one of `scope`'s commands.
    """

def debug_tag_lines(text: bytes) -> list[int]:
    """
    The numbers of the lines of a text that carry `[DEBUG-`.
    """

def debug_tags_in_diff(diff: bytes) -> list[tuple[Path, int]]:
    """
    The added lines of a diff in git's form that carry `[DEBUG-`, as (path, line number).
    """

def defang(text: str, keywords: dict[str, str] | None = None) -> str:
    """
    Breaks every control keyword in `text`, so that no dialect finds a command in it.
    """

def defect_marker(fingerprint: str) -> str:
    """
    The hidden marker by which the issue of a defect is found again.
    """

def fingerprint(event: str, error: str) -> str:
    """
    The id (`v1:…`) of the defect that `event` with the text `error` tells of.
    """

def fingerprint_record(record: Any) -> str:
    """
    The id of a whole event record (a mapping); one without `error` is told apart by its other fields.
    """

def gather_evidence(records: Any, redactor: Redactor, *, count: SupportsIndex, first_seen: str = "") -> Any:
    """
    Gathers the evidence of one defect from its last raw records (oldest first): of `count` in all, the first at
    `first_seen`. Returns a JSON-able mapping: everything in it may leave the machine.
    """

def harvest(path: str | PathLike[str], cursor: Any | None = None, *, defects: SupportsIndex | None = None) -> Harvest:
    """
    Reads what is new in the log at `path` since `cursor` (everything without one, or with one that is none) and
    groups it by defect, at most `defects` of them. Other threads run meanwhile. Raises `LogError`.
    """

def is_candidate(record: Any) -> bool:
    """
    Whether a record (a mapping) tells of a failure of the harness itself.
    """

def is_self_authored(body: str) -> bool:
    """
    Whether the-loop wrote this body.
    """

def judge_readonly(text: str) -> Any:
    """
    Whether a command is provably read-only, and why: a mapping.
    """

def legacy_fingerprint(record: Any) -> str:
    """
    The id under which the-loop 20.10.2 has this record in its ledger.
    """

def mark_self_authored(body: str) -> str:
    """
    Adds the visible attribution and the hidden marker; a body that has the marker comes back as it was.
    """

def merge_evidence(earlier: Any, later: Any) -> Any:
    """
    Joins what an earlier and a later scan saw of the same defect.
    """

def parse_command(body: str, keywords: dict[str, str] | None = None, dialect: str = "opening") -> Any:
    """
    Reads the control command of a comment: `None`, one command's name, or — two or more different commands, so
    do nothing — the list of their names.

    `keywords` maps commands to the keywords of a deployment, an empty one disabling its command; `dialect` is
    `opening` (the-loop 20) or `anywhere` (the-loop 11).
    """

def parse_findings(output: str) -> Any:
    """
    Reads an agent's answer: `{"defect": True, "title", "summary", "root_cause", "suggested_fix"}`, or
    `{"defect": False, "reason"}` when the harness did nothing wrong. Raises `FindingsError`.
    """

def parse_shell(text: str) -> Any:
    """
    The tree of a bash text as a mapping. Raises `CommandError` when what it does cannot be proved.
    """

def recognise_check(text: str) -> Any:
    """
    Whether a command is exactly one standalone verification run, and which: a mapping.
    """

def render_dossier(evidence: Any, redactor: Redactor) -> str:
    """
    The dossier as Markdown, at most 6,000 characters: the oldest records are dropped first.
    """

def scope(root: str | PathLike[str], changed: SupportsGetItem[int, str], *, tools: SupportsGetItem[int, str] | None = None) -> Any:
    """
    The commands that cover `changed` (paths relative to `root`, or absolute) in the tree below `root`; `tools` are the
    programs that are on PATH. Returns a mapping: `commands`, `open`, `uncovered`, `outside`.
    """

def template(error: str) -> str:
    """
    What is left of `error` when everything that changes between two occurrences is masked.
    """
