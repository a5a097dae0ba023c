"""Runs every case file in `tests/golden` through the Python face of the room of the same name."""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from the_loop_core import _core
from the_loop_core.errors import CommandError, FindingsError, MeasureError, ReportError

FOLDER = Path(__file__).parents[1] / "golden"


def redactor(case: dict[str, Any]) -> _core.Redactor:
    return _core.Redactor(**case.get("identity", {}))


def redact(case: dict[str, Any]) -> object:
    own = _core.Redactor(**case.get("identity", {}), names=case.get("names", []))
    scrubbed = own.scrub(case["text"])
    assert own.scrub(scrubbed.text).text == scrubbed.text
    return {"text": scrubbed.text, "counts": scrubbed.counts}


def control(case: dict[str, Any]) -> object:
    if "defang" in case:
        return _core.defang(case["defang"], case.get("keywords"))
    if "mark" in case:
        return _core.mark_self_authored(case["mark"])
    return _core.parse_command(case["body"], case.get("keywords"), case["dialect"])


def dossier(case: dict[str, Any]) -> object:
    own = redactor(case)
    records = case["records"]
    evidence = _core.gather_evidence(
        records, own, count=case.get("count", len(records)), first_seen=case.get("first_seen", "")
    )
    if "later" in case:
        later = _core.gather_evidence(case["later"], own, count=len(case["later"]))
        evidence = _core.merge_evidence(evidence, later)
    return {"evidence": evidence, "dossier": _core.render_dossier(evidence, own)}


def eventlog(case: dict[str, Any]) -> object:
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"".join(log_bytes(part) for part in case["log"]))
        file.flush()
        found = _core.harvest(file.name, defects=case.get("defects"))
    defects = [
        {
            "event": defect.event,
            "count": defect.count,
            "first_seen": defect.first_seen,
            "last_seen": defect.last_seen,
            "legacy": defect.legacy,
            "last_record": defect.records[-1],
        }
        for defect in found.defects
    ]
    return {"defects": defects, "stats": telling(found.stats)}


def log_bytes(part: Any) -> bytes:
    if isinstance(part, str):
        return part.encode()
    if "repeat" in part:
        return bytes(part["repeat"].encode() * part["times"])
    return base64.b64decode(part["base64"])


def telling(stats: dict[str, Any]) -> dict[str, Any]:
    """Without the counts that are zero."""
    inner = {name: telling(value) if isinstance(value, dict) else value for name, value in stats.items()}
    return {name: value for name, value in inner.items() if value}


def report(case: dict[str, Any]) -> object:
    try:
        if "output" in case:
            return _core.parse_findings(case["output"])
        own = redactor(case)
        made = _core.compose_issue(
            case["findings"],
            _core.gather_evidence(case["records"], own, count=len(case["records"])),
            own,
            fingerprint=case["fingerprint"],
            label=case["label"],
            environment=[(name, value) for name, value in case.get("environment", [])],
            keywords=case.get("keywords"),
        )
    except (FindingsError, ReportError) as error:
        return {"error": error.kind}
    return {"title": made.title, "body": made.body}


def defect(case: dict[str, Any]) -> object:
    if "record" in case:
        record = case["record"]
        return {"fingerprint": _core.fingerprint_record(record), "legacy": _core.legacy_fingerprint(record)}
    event, error = case.get("event", ""), case["error"]
    return {"fingerprint": _core.fingerprint(event, error), "template": _core.template(error)}


def scope(case: dict[str, Any]) -> object:
    if "run" in case:
        return _core.covers(case["run"], case["wanted"])
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "w"
        root.mkdir()
        for path, content in case["tree"].items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, dict) and "link" in content:
                place.symlink_to(
                    content["link"].replace("/w", str(root)) if content["link"].startswith("/w") else content["link"]
                )
            elif path.endswith("/"):
                place.mkdir(exist_ok=True)
            else:
                place.touch()
        changed = [str(root) + path[2:] if path.startswith("/w/") else path for path in case["changed"]]
        return _core.scope(root, changed, tools=case.get("tools", []))


def debug_tags(case: dict[str, Any]) -> object:
    if "diff" in case:
        tags = _core.debug_tags_in_diff(case["diff"].encode())
        return [{"path": str(path), "line": line} for path, line in tags]
    return _core.debug_tag_lines(case["text"].encode())


def shell(case: str) -> object:
    try:
        return _core.parse_shell(case)
    except CommandError as error:
        return {"cannot_prove": str(error)}


def measure(case: dict[str, Any]) -> object:
    good = {"success": True, "stdout": "", "truncated": False, "duration_ms": 10.0}
    good |= {"revision_before": "r1", "revision_after": "r1"}
    try:
        plan = _core.Plan(case["spec"])
        order = []
        for said in case["outcomes"]:
            trial = plan.next()
            if trial is not None:
                order.append(trial["arm"])
            outcome = dict(said)
            if "json" in outcome:
                outcome["stdout"] = json.dumps(outcome.pop("json"))
            plan.record(good | outcome)
        return {"order": order, "deadline_seconds": plan.deadline_seconds, "report": plan.report()}
    except MeasureError as error:
        return {"error": error.kind} | ({} if error.trial is None else {"trial": error.trial})


RUNNERS: dict[str, Callable[[Any], object]] = {
    "check": _core.recognise_check,
    "control": control,
    "debug_tags": debug_tags,
    "defect": defect,
    "dossier": dossier,
    "eventlog": eventlog,
    "measure": measure,
    "readonly": _core.judge_readonly,
    "redact": redact,
    "report": report,
    "scope": scope,
    "shell": shell,
}


def cases() -> list[Any]:
    found = []
    for room in RUNNERS:
        for case in json.loads((FOLDER / f"{room}.json").read_text())["cases"]:
            found.append(pytest.param(room, case, id=f"{room}: {case['name']}"))
    return found


def test_every_case_file_has_a_runner() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(RUNNERS)


@pytest.mark.parametrize(("room", "case"), cases())
def test_case(room: str, case: dict[str, Any]) -> None:
    assert RUNNERS[room](case["in"]) == case["out"]
