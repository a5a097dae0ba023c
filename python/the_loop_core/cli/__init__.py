"""The `the-loop` command: it parses and prints, the other rooms work.

Exit codes: 0 done or nothing to do, 1 something failed, 2 refused or misused, 130 interrupted.
"""

from __future__ import annotations

import os
import sys

# What `--version` does not need is imported where it is needed: a prompt or a hook asks for it often.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130


class Refused(Exception):
    """The command cannot be carried out as given; the text is one sentence that says what to do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit code."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    # What a terminal's encoding lacks is shown escaped, rather than ending the command.
    if (reconfigure := getattr(sys.stdout, "reconfigure", None)) is not None:
        reconfigure(errors="backslashreplace")
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except Refused as refused:
        print(f"the-loop: {refused}", file=sys.stderr)
        return REFUSED
    except BrokenPipeError:
        # Whoever read us has gone, which is not an error; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        from the_loop_core._core import __version__

        print(f"the-loop {__version__}")
        return DONE
    from the_loop_core.cli.parser import parse

    return parse(arguments)()
