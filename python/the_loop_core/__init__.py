"""Keeps unattended coding agents honest: the Python face of the-loop core.

Everything listed in `__all__` is public. It is imported when it is first asked for, so that a command that needs
little starts fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from the_loop_core._core import __version__

if TYPE_CHECKING:
    from the_loop_core._core import (
        Defect,
        Harvest,
        Plan,
        Redactor,
        Report,
        Scrubbed,
        Tail,
        Workspace,
        agent_prompt,
        compose_issue,
        covers,
        debug_tag_lines,
        debug_tags_in_diff,
        defang,
        defect_marker,
        fingerprint,
        fingerprint_record,
        gather_evidence,
        harvest,
        is_candidate,
        is_self_authored,
        judge_readonly,
        legacy_fingerprint,
        mark_self_authored,
        merge_evidence,
        parse_command,
        parse_findings,
        parse_shell,
        recognise_check,
        render_dossier,
        scope,
        template,
    )
    from the_loop_core.config import SelfDiagnosisConfig
    from the_loop_core.errors import (
        CommandError,
        EvidenceError,
        FindingsError,
        LogError,
        LoopError,
        MeasureError,
        ReportError,
        RevisionError,
    )
    from the_loop_core.scan import scan
    from the_loop_core.watcher import start_watcher

_ELSEWHERE = {
    "SelfDiagnosisConfig": "config",
    "CommandError": "errors",
    "EvidenceError": "errors",
    "FindingsError": "errors",
    "LogError": "errors",
    "LoopError": "errors",
    "MeasureError": "errors",
    "ReportError": "errors",
    "RevisionError": "errors",
    "scan": "scan",
    "start_watcher": "watcher",
}
"""Public names that are not the native module's, and the room each is in."""

__all__ = [
    "CommandError",
    "Defect",
    "EvidenceError",
    "FindingsError",
    "Harvest",
    "LogError",
    "LoopError",
    "MeasureError",
    "Plan",
    "Redactor",
    "Report",
    "ReportError",
    "RevisionError",
    "Scrubbed",
    "SelfDiagnosisConfig",
    "Tail",
    "Workspace",
    "__version__",
    "agent_prompt",
    "compose_issue",
    "covers",
    "debug_tag_lines",
    "debug_tags_in_diff",
    "defang",
    "defect_marker",
    "fingerprint",
    "fingerprint_record",
    "gather_evidence",
    "harvest",
    "is_candidate",
    "is_self_authored",
    "judge_readonly",
    "legacy_fingerprint",
    "mark_self_authored",
    "merge_evidence",
    "parse_command",
    "parse_findings",
    "parse_shell",
    "recognise_check",
    "render_dossier",
    "scan",
    "scope",
    "start_watcher",
    "template",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"the_loop_core.{_ELSEWHERE.get(name, '_core')}"), name)


def __dir__() -> list[str]:
    return __all__
