"""The command line: words → one command ready to run."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import NoReturn

from the_loop_core.cli import REFUSED


class _Parser(argparse.ArgumentParser):
    """An `ArgumentParser` whose errors are one sentence and a pointer, not a page of usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(REFUSED, f"{self.prog}: {message} (see `{self.prog} --help`)\n")


def parse(words: list[str]) -> Callable[[], int]:
    """The command that `words` ask for. Exits with 2 and a sentence when they ask for none."""
    arguments = _parser().parse_args(words)
    run: Callable[[argparse.Namespace], int] = arguments.run
    return partial(run, arguments)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="the-loop",
        description="Keeps unattended coding agents honest.",
        epilog="exit codes: 0 done or nothing to do, 1 something failed, 2 refused or misused",
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

    diagnose = commands.add_parser("diagnose", help="find what broke in the event log, debug it, file it once")
    diagnose.add_argument("--dry-run", action="store_true", help="show what would be filed; change nothing")
    diagnose.add_argument("--no-agent", action="store_true", help="show the dossiers; run no agent")
    diagnose.add_argument("--json", action="store_true", help="one JSON object a line for each outcome")
    diagnose.add_argument("--config", metavar="F", help="the host's cli-config.yaml")
    diagnose.add_argument("--log", metavar="F", help="the event log to read")
    diagnose.add_argument("--rescan", action="store_true", help="read the whole log again, not only what is new")
    diagnose.add_argument(
        "--repair-ledger", action="store_true", help="rebuild a ledger that was moved aside, from the tracker"
    )
    diagnose.set_defaults(run=_lazily("diagnose"))

    scrub = commands.add_parser("scrub", help="mask what must not leave the machine (stdin to stdout)")
    scrub.add_argument("--jsonl", action="store_true", help='lines of {"id", "text"}, answered alike')
    scrub.set_defaults(run=_lazily("filters", "scrub"))

    fingerprint = commands.add_parser("fingerprint", help="the defect id of an error text (stdin)")
    fingerprint.add_argument(
        "--jsonl", action="store_true", help='lines of {"id", "text"}, answered with "fingerprint"'
    )
    fingerprint.add_argument("--event", default="", metavar="NAME", help="the event that the text belongs to")
    fingerprint.set_defaults(run=_lazily("filters", "fingerprint"))

    command = commands.add_parser("command", help="does a shell command only read; is it a verification run (stdin)")
    command.add_argument("--jsonl", action="store_true", help='lines of {"id", "cmd"}')
    command.set_defaults(run=_lazily("filters", "command"))

    revision = commands.add_parser("revision", help="one fingerprint of a working tree: HEAD, staged, files")
    revision.add_argument("path", nargs="?", default=".", help="a folder in the repository (default: this one)")
    revision.add_argument("--json", action="store_true", help='{"revision", "content"} or {"unknown"}')
    revision.set_defaults(run=_lazily("revision"))

    events = commands.add_parser("events", help="show the event log")
    events.add_argument("--follow", action="store_true", help="go on with what is appended")
    events.add_argument(
        "--level", choices=["debug", "info", "warning", "error"], default="debug", help="this level and above"
    )
    events.add_argument("--json", action="store_true", help="whole records, one JSON object a line")
    events.add_argument("--config", metavar="F", help="the host's cli-config.yaml")
    events.add_argument("--log", metavar="F", help="the event log to read")
    events.set_defaults(run=_lazily("events"))
    return parser


def _lazily(module: str, function: str = "run") -> Callable[[argparse.Namespace], int]:
    """The `function` of a module of this package, imported when it is called: `--version` stays fast."""

    def run(arguments: argparse.Namespace) -> int:
        command: Callable[[argparse.Namespace], int] = getattr(import_module(f"the_loop_core.cli.{module}"), function)
        return command(arguments)

    return run
