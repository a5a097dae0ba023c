"""`make bench`: every figure of docs/benchmarks.md, beside its peer, in one run.

    bench.py [--gigabyte] [--peer PYTHON]

`--gigabyte` adds the 1 GB logs. `--peer` names a Python that has the existing host's package installed. The corpora's
scorers are run where they lie beside the project.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from processes import in_turn

ROOT = Path(__file__).parents[1]
WORK = ROOT / ".bench"
SHARED = ROOT.parent / "shared"
BIN = Path(sys.executable).parent
RELEASE = ROOT / "target" / "release" / "examples"

HARVEST = "import sys; from the_loop_core import harvest; harvest(sys.argv[1])"
AGAIN = (
    "import sys, json; from the_loop_core import harvest; from pathlib import Path; c = Path(sys.argv[2])\n"
    "if c.exists(): harvest(sys.argv[1], json.loads(c.read_text()))\n"
    "else: c.write_text(json.dumps(harvest(sys.argv[1]).cursor))"
)
PEER_SCAN = (
    "import sys, tempfile; import the_loop.core.selfdiagnosis as s\n"
    "config = s.SelfDiagnosisConfig.from_mapping({'selfDiagnosis': {'enabled': True}})\n"
    "class R: ok = False; output = ''; error = 'x'\n"
    "s.scan(config, log_path=sys.argv[1], state_path=tempfile.mkdtemp() + '/s', dry_run=True, agent=lambda p, c: R)"
)


def heading(text: str) -> None:
    print(f"\n## {text}\n")


def row(name: str, *values: str) -> None:
    print(f"{name:<44}" + "".join(f"{value:>16}" for value in values), flush=True)


def start_up(peer: str | None) -> None:
    heading("Start-up (median wall of 21)")
    commands = [[sys.executable, "-c", "pass"], [str(BIN / "the-loop"), "--version"]]
    if peer:
        commands.append([str(Path(peer).parent / "the-loop"), "--version"])
    base, *others = in_turn(*commands, rounds=21)
    row("python -c pass", f"{base.wall * 1000:.1f} ms")
    for name, cost in zip(("the-loop --version", "the peer's"), others, strict=False):
        row(name, f"{cost.wall * 1000:.1f} ms", f"{cost.wall / base.wall:.2f} x")


def logs(gigabyte: bool) -> list[tuple[str, Path]]:
    """Logs of several sizes: the real one over and over, and generated ones in which no line repeats."""
    WORK.mkdir(exist_ok=True)
    real = (ROOT / "examples" / "events.jsonl").read_bytes()
    made = []
    for name, size in [("10 MB", 10**7), ("100 MB", 10**8), *([("1 GB", 10**9)] if gigabyte else [])]:
        repeated = WORK / f"real-{size}.jsonl"
        if not repeated.exists():
            with repeated.open("wb") as file:
                for _ in range(size // len(real) + 1):
                    file.write(real)
        generated = WORK / f"generated-{size}.jsonl"
        if not generated.exists():
            with generated.open("wb") as file:
                subprocess.run([RELEASE / "eventlog_gen", str(size)], stdout=file, check=True)
        made += [(f"{name} real, repeated", repeated), (f"{name} generated", generated)]
    return made


def scans(gigabyte: bool, peer: str | None) -> None:
    heading("Scan of an event log (CPU seconds, peak MiB; medians of 3 in turn)")
    rg = shutil.which("rg") or str(BIN / "rg")
    row("", "ours", "rg -c", "wc -l", "ours / rg", "ours MiB", "again - start")
    for name, log in logs(gigabyte):
        cursor = WORK / "cursor.json"
        cursor.unlink(missing_ok=True)
        again = [sys.executable, "-c", AGAIN, str(log), str(cursor)]
        in_turn(again, rounds=1)
        ours, ripgrep, lines, nothing, start = in_turn(
            [sys.executable, "-c", HARVEST, str(log)],
            [rg, "-c", "error|will_retry", str(log)],
            ["wc", "-l", str(log)],
            again,
            [sys.executable, "-c", "import json; from pathlib import Path; from the_loop_core import harvest"],
            rounds=3,
        )
        row(
            name,
            f"{ours.cpu:.2f}",
            f"{ripgrep.cpu:.2f}",
            f"{lines.cpu:.2f}",
            f"{ours.cpu / ripgrep.cpu:.2f} x",
            f"{ours.rss:.0f}",
            f"{(nothing.wall - start.wall) * 1000:+.1f} ms",
        )
        if peer and "1 GB" not in name:
            [theirs] = in_turn([peer, "-c", PEER_SCAN, str(log)], rounds=1)
            row("  the peer", f"{theirs.cpu:.2f}", "", "", f"{theirs.cpu / ripgrep.cpu:.0f} x", f"{theirs.rss:.0f}")


def throughput(name: str, size: float, unit: str, work: Callable[[], object]) -> None:
    work()
    started, rounds = time.process_time(), 0
    while time.process_time() - started < 2:
        work()
        rounds += 1
    row(name, f"{rounds * size / (time.process_time() - started):,.1f} {unit}")


def texts() -> list[str]:
    return [error for line in (ROOT / "examples" / "events.jsonl").open() if (error := json.loads(line).get("error"))]


def rooms(peer: str | None) -> None:
    from the_loop_core import Redactor, fingerprint

    heading("Redaction and defect ids (in process, one core, CPU time)")
    lines = (ROOT / "examples" / "events.jsonl").read_text()
    blocks = [lines[at : at + 4096] for at in range(0, len(lines), 4096)]
    own = Redactor(home="/home/ada", user="ada", host="analytical", env={"DB_PASSWORD": "not-a-real-one-77"})
    size = sum(len(block.encode()) for block in blocks) / 1e6
    throughput("redaction, the real log in 4 KiB blocks", size, "MB/s", lambda: [own.scrub(block) for block in blocks])
    errors = texts()
    throughput("defect ids, its errors", len(errors), "/s", lambda: [fingerprint("e", error) for error in errors])
    corpus = SHARED / "corpora" / "fingerprint-groups.dev.jsonl"
    if corpus.exists():
        argv = [RELEASE / "defect_bench", corpus]
        done = subprocess.run(argv, capture_output=True, text=True, check=True)
        row("defect ids, the dev corpus, in Rust", done.stdout.strip())
    if peer:
        program = (
            "import json, sys, time; from the_loop.redact import scrub; import the_loop.core.selfdiagnosis as s\n"
            "lines = open(sys.argv[1]).read(); blocks = [lines[a:a+4096] for a in range(0, len(lines), 4096)]\n"
            "own = dict(env={}, home='/home/ada', user='ada', host='analytical')\n"
            "t = time.process_time(); [scrub(b, **own) for b in blocks]\n"
            "t = time.process_time() - t; print(f'{len(lines) / 1e6 / t:.1f} MB/s')\n"
            "r = [json.loads(l) for l in open(sys.argv[1])]; r = [x for x in r if 'error' in x]\n"
            "t = time.process_time(); [s.fingerprint(x) for x in r]; t = time.process_time() - t\n"
            "print(f'{len(r) / t:,.0f} /s')"
        )
        done = subprocess.run(
            [peer, "-c", program, ROOT / "examples" / "events.jsonl"], capture_output=True, text=True, check=True
        )
        for name, value in zip(("  the peer's redaction", "  the peer's ids"), done.stdout.split("\n"), strict=False):
            row(name, value)


def corpora() -> None:
    if not (SHARED / "scorers").is_dir():
        print("\nThe corpora do not lie beside the project: their figures are left out.")
        return
    heading("Corpora")
    the_loop = str(BIN / "the-loop")
    for split in ("dev", "dev2"):
        scorer = [sys.executable, SHARED / "scorers" / "redaction.py", "--cmd", f"{the_loop} scrub --jsonl"]
        done = subprocess.run([*scorer, "--split", split], capture_output=True, text=True, check=True)
        print(f"redaction {split}")
        print("\n".join(line for line in done.stdout.splitlines() if line.startswith(("  ALL", "  neg ", "IDEM"))))
        scorer = [sys.executable, SHARED / "scorers" / "fingerprint.py", "--cmd", f"{the_loop} fingerprint --jsonl"]
        done = subprocess.run([*scorer, "--split", split], capture_output=True, text=True, check=True)
        print("defect ids", done.stdout.strip())
    adversarial = [
        sys.executable,
        SHARED / "scorers" / "redaction.py",
        "--perf-adv",
        "--cmd",
        f"{the_loop} scrub --jsonl",
    ]
    done = subprocess.run(adversarial, capture_output=True, text=True, check=True)
    print("redaction of 1 MB adversarial strings, start-up included:", done.stdout.strip().splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--gigabyte", action="store_true")
    parser.add_argument("--peer")
    arguments = parser.parse_args()
    start_up(arguments.peer)
    scans(arguments.gigabyte, arguments.peer)
    rooms(arguments.peer)
    corpora()


if __name__ == "__main__":
    main()
