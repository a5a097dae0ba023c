"""The public names, and that they start fast by importing little."""

from __future__ import annotations

import subprocess
import sys

import the_loop_core
from the_loop_core import _core


def test_all_is_what_there_is() -> None:
    for name in the_loop_core.__all__:
        assert getattr(the_loop_core, name) is not None
    native = {name for name in dir(_core) if not name.startswith("_")} | {"__version__"}
    elsewhere = set(the_loop_core._ELSEWHERE)
    assert set(the_loop_core.__all__) == native | elsewhere
    assert the_loop_core.__all__ == sorted(the_loop_core.__all__)


def test_the_command_line_imports_little() -> None:
    wanted = ("argparse", "pydantic")
    program = f"import sys, the_loop_core.cli; print(' '.join(m for m in {wanted!r} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert not {"argparse", "pydantic"} & set(done.stdout.split())
