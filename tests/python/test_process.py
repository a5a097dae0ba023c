"""One bounded child, as real processes that try to get away."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from the_loop_core import process
from the_loop_core.process import Finished

PYTHON = str(Path(sys.executable).resolve())
# The head of a program that runs children as a daemon would.
CALLER = (
    f"import os, resource, signal, sys; sys.path[:0] = {sys.path!r}\n"
    "from pathlib import Path; from the_loop_core import process\n"
)
SLEEPER = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


def run(cwd: Path, script: str, *, timeout: float = 30, stdin: bytes = b"", keep: int = process.KEPT_BYTES) -> Finished:
    argv = [PYTHON, "-I", "-c", script]
    return process.run(argv, stdin=stdin, env={"PATH": "/usr/bin:/bin"}, cwd=cwd, timeout=timeout, keep=keep)


def gone(pid: int) -> bool:
    try:
        # A zombie that nobody has collected yet is gone for our purpose.
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True


def pids(folder: Path) -> list[int]:
    """The processes that wrote themselves down."""
    return [int(path.name.removeprefix("pid-")) for path in folder.glob("pid-*")]


def test_code_and_streams_are_told_apart(tmp_path: Path) -> None:
    finished = run(tmp_path, "import sys; print('out'); print('err', file=sys.stderr); raise SystemExit(7)")
    assert finished == Finished("exit", 7, "out\n", "err\n")


def test_death_by_a_signal_is_128_and_more(tmp_path: Path) -> None:
    finished = run(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert (finished.how, finished.code) == ("exit", 128 + signal.SIGKILL)


def test_stdin_arrives_whole(tmp_path: Path) -> None:
    data = bytes(range(256)) * 20_000
    script = "import sys, hashlib; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())"
    assert run(tmp_path, script, stdin=data).stdout.strip() == hashlib.sha256(data).hexdigest()


def test_a_child_that_reads_nothing_is_no_fault(tmp_path: Path) -> None:
    assert run(tmp_path, "print('done')", stdin=b"x" * 5_000_000).stdout == "done\n"


def test_the_environment_is_exactly_what_was_given(tmp_path: Path) -> None:
    for env in ({"A": "1"}, {"A": "1", "LC_CTYPE": "C"}):
        finished = process.run(["/usr/bin/env"], env=env, cwd=tmp_path, timeout=20)
        assert finished.stdout == "".join(f"{name}={value}\n" for name, value in env.items())


def test_arguments_arrive_as_they_are(tmp_path: Path) -> None:
    words = ["$(id)", "`id`", "a b", "*", "ä—😀", "", "-n", "line\nbreak"]
    script = "import os, sys; print([os.fsencode(word) for word in sys.argv[1:]])"
    for env in ({"LC_ALL": "C"}, {"LC_ALL": "C.UTF-8"}, {}):
        finished = process.run([PYTHON, "-I", "-c", script, *words], env=env, cwd=tmp_path, timeout=20)
        assert finished.stdout.strip() == str([word.encode() for word in words])


def test_what_is_no_utf8_is_tolerated(tmp_path: Path) -> None:
    assert run(tmp_path, r"import sys; sys.stdout.buffer.write(b'a\xff\xed\xa0\x80z')").stdout.startswith("a\ufffd")


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (["/nonexistent/program"], "No such file or directory"),
        (["/"], "Permission denied"),
        (["/usr/bin/env", "x" * 3_000_000], "Argument list too long"),
        (["/usr/bin/env", "a\0b"], "an argument holds a NUL character"),
    ],
    ids=["missing", "folder", "too long", "nul"],
)
def test_what_cannot_be_started_says_why(tmp_path: Path, argv: list[str], reason: str) -> None:
    finished = process.run(argv, env={}, cwd=tmp_path, timeout=20)
    assert (finished.how, finished.reason) == ("unstarted", reason)


def test_a_script_without_its_interpreter_or_with_none(tmp_path: Path) -> None:
    script = tmp_path / "agent"
    script.write_text("#!/nonexistent/interpreter\n")
    script.chmod(0o755)
    assert process.run([str(script)], env={}, cwd=tmp_path, timeout=20).reason == "No such file or directory"
    script.write_bytes(b"\x7fnothing")
    assert process.run([str(script)], env={}, cwd=tmp_path, timeout=20).reason == "Exec format error"


def test_a_missing_folder_is_no_exception(tmp_path: Path) -> None:
    finished = process.run(["/usr/bin/env"], env={}, cwd=tmp_path / "none", timeout=20)
    assert finished == Finished("unstarted", None, reason="No such file or directory")


# Ways to survive, each as a script that writes down whom to look for.
_NOTE = "import os, signal, subprocess, sys, time; note = lambda: open(f'pid-{os.getpid()}', 'w').close()\n"
_ESCAPES = {
    "ignores SIGTERM": _NOTE + "signal.signal(signal.SIGTERM, signal.SIG_IGN); note(); time.sleep(600)",
    "stopped": _NOTE + "note(); os.kill(os.getpid(), signal.SIGSTOP)",
    "own session": _NOTE + "if os.fork() == 0:\n os.setsid()\nnote(); time.sleep(600)",
    "daemon": _NOTE
    + "if os.fork() == 0:\n os.setsid()\n if os.fork(): os._exit(0)\n signal.signal(15, signal.SIG_IGN)\n"
    "note(); time.sleep(600)",
    "tree": _NOTE + "for _ in range(4): os.fork()\nnote(); time.sleep(600)",
    "forked by a thread": _NOTE + "import threading\ndef work():\n"
    " subprocess.Popen(['/bin/sleep', '600'], start_new_session=True)\n time.sleep(600)\n"
    "threading.Thread(target=work).start(); note(); time.sleep(600)",
}


@pytest.mark.parametrize("escape", _ESCAPES)
def test_nobody_outlives_the_deadline(tmp_path: Path, escape: str) -> None:
    finished = run(tmp_path, _ESCAPES[escape], timeout=1.5)
    assert (finished.how, finished.code) == ("timeout", None)
    assert pids(tmp_path)
    assert [pid for pid in pids(tmp_path) if not gone(pid)] == []


@pytest.mark.parametrize("detached", [False, True], ids=["grandchild", "setsid grandchild"])
def test_a_grandchild_that_holds_stdout_is_ended_with_the_child(tmp_path: Path, detached: bool) -> None:
    script = _NOTE + (
        f"p = subprocess.Popen([sys.executable, '-c', {SLEEPER!r}], start_new_session={detached})\n"
        "open(f'pid-{p.pid}', 'w').close(); print('answer')"
    )
    finished = run(tmp_path, script, timeout=60)
    assert (finished.how, finished.code, finished.stdout) == ("exit", 0, "answer\n")
    [pid] = pids(tmp_path)
    assert gone(pid)


def test_one_that_forks_itself_on_and_on_is_caught(tmp_path: Path) -> None:
    """Each generation lives some milliseconds, in a session of its own, and ignores SIGTERM."""
    comet = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "if os.fork(): os._exit(0)\n"
        "while True:\n"
        " os.setsid()\n"
        " open('alive', 'w').close()\n"
        " time.sleep(0.005)\n"
        " if os.fork(): os._exit(0)\n"
    )
    assert run(tmp_path, comet).how == "exit"
    (tmp_path / "alive").unlink(missing_ok=True)
    time.sleep(0.3)
    assert not (tmp_path / "alive").exists()


def test_a_child_may_tidy_up_first(tmp_path: Path) -> None:
    script = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (print('tidied'), sys.exit(0)))\n"
        "print('ready', flush=True); time.sleep(600)"
    )
    finished = run(tmp_path, script, timeout=1.5)
    assert finished.how == "timeout"
    assert finished.stdout == "ready\ntidied\n"


def test_much_output_keeps_its_beginning_and_its_end(tmp_path: Path) -> None:
    script = "import sys; w = sys.stdout.write; w('begin'); [w('y\\n' * 500_000) for _ in range(30)]; w('end')"
    finished = run(tmp_path, script, keep=10_000)
    assert (finished.how, finished.code) == ("exit", 0)
    assert finished.stdout.startswith("begin")
    assert finished.stdout.endswith("end")
    assert len(finished.stdout) < 10_010


@pytest.mark.parametrize("block", ["'x' * 1_000_000", "'y\\n' * 500_000"], ids=["one line", "short lines"])
def test_a_flood_is_stopped_in_bounded_memory(tmp_path: Path, block: str) -> None:
    argv = [PYTHON, "-I", "-c", f"import sys\nwhile True: sys.stdout.write({block})"]
    script = CALLER + (
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"finished = process.run({argv!r}, env={{}}, cwd=Path('.'), timeout=60)\n"
        "print(finished.how, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([PYTHON, "-I", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    how, grown = done.stdout.split()
    assert how == "flood"
    assert int(grown) < 16 << 10, "KiB"


def test_other_children_of_the_caller_are_left_alone(tmp_path: Path) -> None:
    others = [subprocess.Popen(["/bin/sh", "-c", f"sleep 0.0{n}; exit {n}"]) for n in range(5)]
    longer = subprocess.Popen(["/bin/sleep", "600"])
    try:
        for _ in range(3):
            assert run(tmp_path, "print(1)").how == "exit"
        assert [other.wait() for other in others] == [0, 1, 2, 3, 4]
        assert longer.poll() is None
    finally:
        longer.kill()
        longer.wait()


def test_a_caller_that_ignores_or_blocks_sigchld(tmp_path: Path) -> None:
    script = CALLER + (
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGTERM])\n"
        "f = process.run(['/bin/sh', '-c', 'exit 4'], env={}, cwd=Path('.'), timeout=10)\n"
        "print(f.how, f.code)"
    )
    done = subprocess.run(
        [PYTHON, "-I", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "exit 4\n"


def test_a_child_that_kills_who_watches_it_does_not_hang_us(tmp_path: Path) -> None:
    script = _NOTE + (
        "p = subprocess.Popen(['/bin/sleep', '20'], start_new_session=True); open(f'pid-{p.pid}', 'w').close()\n"
        "os.kill(os.getppid(), signal.SIGKILL); time.sleep(600)"
    )
    finished = run(tmp_path, script, timeout=600)
    assert finished.how == "stopped"
    for pid in pids(tmp_path):
        os.kill(pid, signal.SIGKILL)


def test_a_child_is_run_from_any_thread_and_can_be_many(tmp_path: Path) -> None:
    done: list[Finished] = []
    threads = [threading.Thread(target=lambda n=n: done.append(run(tmp_path, f"print({n})"))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(finished.stdout) for finished in done) == list(range(8))


def test_without_descriptors_left_it_is_no_exception(tmp_path: Path) -> None:
    script = CALLER + (
        "resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))\n"
        "held = [os.open('/dev/null', 0) for _ in range(6)]\n"
        "f = process.run(['/bin/true'], env={}, cwd=Path('.'), timeout=10)\n"
        "print(f.how, f.reason)"
    )
    done = subprocess.run([PYTHON, "-I", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "unstarted Too many open files\n", done.stderr


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = opened()
    run(tmp_path, "print(1)")
    run(tmp_path, "import time; time.sleep(9)", timeout=0.5)
    process.run(["/nonexistent"], env={}, cwd=tmp_path, timeout=5)
    process.run(["/usr/bin/env"], env={}, cwd=tmp_path / "none", timeout=5)
    assert opened() == before


def test_the_children_die_with_whoever_wanted_them(tmp_path: Path) -> None:
    child = [PYTHON, "-c", _ESCAPES["own session"]]
    script = CALLER + f"process.run({child!r}, env={{}}, cwd=Path('.'), timeout=60)"
    parent = subprocess.Popen([PYTHON, "-I", "-c", script], cwd=tmp_path)
    deadline = time.monotonic() + 20
    while not pids(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.02)
    parent.kill()
    parent.wait()
    assert pids(tmp_path)
    while not all(map(gone, pids(tmp_path))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert all(map(gone, pids(tmp_path)))
