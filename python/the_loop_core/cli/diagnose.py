"""`the-loop diagnose`: one scan by hand."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path

from the_loop_core import config
from the_loop_core.agent import Agent, AgentResult, agent_for
from the_loop_core.cli import DONE, FAILED, Refused
from the_loop_core.cli.terminal import progress, styled
from the_loop_core.config import ConfigError, HostConfig, SelfDiagnosisConfig
from the_loop_core.diagnosis import location
from the_loop_core.ledger import Busy, LedgerError, locked
from the_loop_core.scan import Outcome, scan


def run(arguments: argparse.Namespace) -> int:
    """Scans and says what came of it."""
    logging.basicConfig(format="the-loop: %(message)s", level=logging.ERROR)
    try:
        host = config.load(arguments.config)
    except ConfigError as error:
        raise Refused(str(error)) from error
    settings = SelfDiagnosisConfig.from_mapping(host.values)
    if arguments.repair_ledger:
        return _repair(settings, host)
    if not settings.enabled and not arguments.dry_run:
        raise Refused(
            f"self-diagnosis is off: set `selfDiagnosis.enabled: true` in {host.path}, or preview with --dry-run"
        )
    outcomes = scan(
        settings,
        log_path=Path(arguments.log) if arguments.log else host.log_path,
        state_path=host.ledger_path,
        dry_run=arguments.dry_run,
        agent=_no_agent if arguments.no_agent else _shown(_agent(settings), settings.harness),
        rescan=arguments.rescan,
    )
    for outcome in outcomes:
        _tell(outcome, settings, as_json=arguments.json)
    if not outcomes and not arguments.json:
        print(_nothing(host.ledger_path, dry_run=arguments.dry_run))
    return FAILED if any(outcome["action"] == "failed" for outcome in outcomes) else DONE


def _nothing(ledger: Path, *, dry_run: bool) -> str:
    try:
        if not dry_run:
            with locked(ledger):
                pass
    except Busy:
        return "another scan is under way: its outcomes are in the event log (`the-loop events`)"
    except LedgerError:
        pass
    return "nothing to diagnose — no new failure fingerprints in the log"


def _agent(settings: SelfDiagnosisConfig) -> Agent:
    import os

    return agent_for(settings, os.environ, source=location())


def _no_agent(prompt: str, cwd: Path) -> AgentResult:
    del prompt, cwd
    return AgentResult(False, error="--no-agent", missing=True)


def _shown(agent: Agent, name: str) -> Agent:
    """The same agent, with a sign of life on a terminal while it runs."""

    def run(prompt: str, cwd: Path) -> AgentResult:
        with progress(f"{name} is debugging"):
            return agent(prompt, cwd)

    return run


def _tell(outcome: Outcome, settings: SelfDiagnosisConfig, *, as_json: bool) -> None:
    """Prints one outcome: failures to stderr, everything else to stdout."""
    if as_json:
        print(json.dumps(outcome, ensure_ascii=False))
        return
    match outcome["action"]:
        case "dry-run" if "dossier" in outcome:
            head = f"--- would diagnose (agent unavailable: {outcome['error']}) ---"
            print(f"{styled(head, 'cyan')}\n{outcome['fingerprint']}\n\n{outcome['dossier']}")
        case "dry-run":
            head = f"--- would file on {settings.repo} ---"
            print(f"{styled(head, 'cyan')}\n{styled(outcome['title'], 'bold')}\n\n{outcome['body']}")
        case "posted":
            there = f" ({outcome['reason']})" if "reason" in outcome else ""
            print(f"{styled('filed', 'green')} {outcome['url']} — {outcome['title']}{there}")
        case "failed":
            name = f" {outcome['fingerprint']}" if outcome["fingerprint"] else ""
            given_up = " (given up)" if outcome.get("abandoned") else ""
            print(f"{styled('failed', 'red', sys.stderr)}{name} — {outcome['error']}{given_up}", file=sys.stderr)
        case action:
            print(f"{styled(action, 'yellow')} {outcome['fingerprint']} — {outcome['reason']}")


def _repair(settings: SelfDiagnosisConfig, host: HostConfig) -> int:
    import os

    if settings.malformed:
        raise Refused(f"the selfDiagnosis section of {host.path} cannot be used: mend it first")
    from the_loop_core.repair import repair
    from the_loop_core.tracker import TrackerError, tracker_for

    try:
        found = repair(host.ledger_path, settings, tracker_for(settings, os.environ))
    except (TrackerError, LedgerError) as error:
        print(f"the-loop: {error}", file=sys.stderr)
        return FAILED
    print(found)
    return DONE
