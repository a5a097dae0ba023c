"""`the-loop revision`: which working tree this is."""

from __future__ import annotations

import argparse
import json
import os

from the_loop_core._core import Workspace
from the_loop_core.cli import DONE, FAILED
from the_loop_core.errors import RevisionError


def run(arguments: argparse.Namespace) -> int:
    """Prints the fingerprint of the whole and that of the files alone, or `unknown` and why."""
    workspace = Workspace(
        arguments.path, home=os.environ.get("HOME"), config_home=os.environ.get("XDG_CONFIG_HOME") or None
    )
    try:
        revision, content = workspace.revision()
    except RevisionError as error:
        print(json.dumps({"unknown": str(error)}) if arguments.json else f"unknown {error}")
        return FAILED
    print(json.dumps({"revision": revision, "content": content}) if arguments.json else f"{revision} {content}")
    return DONE
