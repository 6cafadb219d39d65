"""Run the checks and tests, part by part, and end with a table of what ran: counts and seconds.

Usage: suite.py [check | python | site | browser | verify] …   (all of them when none is named)

Every part runs, also after one has failed; the exit code is 0 only when all passed. Standard library only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
RESULTS = ROOT / "build" / "test"
NODE = ROOT / "node_modules" / ".bin"


@dataclass(frozen=True)
class Outcome:
    """What one part did: tests (or checks) by result, and whether its tools themselves were content."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    ok: bool = True

    def __add__(self, other: Outcome) -> Outcome:
        """Sum two parts."""
        return Outcome(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.ok and other.ok,
        )


def call(command: Sequence[str | Path]) -> int:
    """Run a tool in the checkout, its output going where ours goes."""
    words = [str(word) for word in command]
    print(f"\033[2m$ {' '.join(words)}\033[0m".replace(f"{ROOT}/", ""), flush=True)
    environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
    return subprocess.run(words, cwd=ROOT, env=environment, check=False).returncode


CHECKS: tuple[tuple[str | Path, ...], ...] = (
    (BIN / "ruff", "check", "."),
    (BIN / "ruff", "format", "--check", "."),
    (BIN / "mypy",),
    (BIN / "mypy", "--python-version", "3.14", "--package", "tracepane.record"),
    (BIN / "lint-imports",),
    (NODE / "tsc", "--build", "site"),
    (NODE / "biome", "check", "--diagnostic-level=error", "site", "tests/site"),
    (BIN / "python", "-m", "pytest", "-q", "-n", "0", "tests/py/test_house.py"),
)


def check() -> Outcome:
    """Linters, types, formats, import rules and the house's own rules; each tool counts as one."""
    total = Outcome()
    for command in CHECKS:
        good = call(command) == 0
        total += Outcome(passed=int(good), failed=int(not good), ok=good)
    return total


def pytest(folder: str) -> Outcome:
    """All tests of one folder on two processes, one for each core that CI has.

    A hang ends its process with every stack printed, and is a failed test. The longest fixture, the whole site with its
    references, takes two minutes on two busy cores.
    """
    report = RESULTS / f"{Path(folder).name}.xml"
    report.unlink(missing_ok=True)
    workers = ["-n", "2", "--dist", "worksteal"]
    bound = ["--timeout=600", "--timeout-method=thread"]
    command: list[str | Path] = [BIN / "python", "-m", "pytest", "-q", *workers, *bound, f"--junitxml={report}", folder]
    return counted(report, call(command))


def python() -> Outcome:
    """The tests of the Python package, with the recorder's suite run natively."""
    return pytest("tests/py")


def browser() -> Outcome:
    """The tests in a real Chromium."""
    return pytest("tests/browser")


def site() -> Outcome:
    """The tests of the TypeScript, under Node's own runner."""
    report = RESULTS / "site.xml"
    report.unlink(missing_ok=True)
    files = sorted((ROOT / "tests" / "site").rglob("*.test.ts"))
    reporters = ["--test-reporter=spec", "--test-reporter-destination=stdout"]
    reporters += ["--test-reporter=junit", f"--test-reporter-destination={report}"]
    return counted(report, call(["node", "--import", "tsx", "--test", *reporters, *files]))


def counted(report: Path, code: int) -> Outcome:
    """Read a JUnit file; a runner that failed or counted nothing makes the part fail."""
    if not report.exists():
        return Outcome(ok=False)
    cases = list(ElementTree.parse(report).iter("testcase"))
    failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    return Outcome(len(cases) - failed - skipped, failed, skipped, ok=code == 0 and bool(cases))


def verify() -> Outcome:
    """Every pane and scenario, native against browser; each row counts as one."""
    report = RESULTS / "verify.json"
    report.unlink(missing_ok=True)
    code = call([BIN / "tracepane", "verify", "--json", report])
    if not report.exists():
        return Outcome(ok=False)
    rows = json.loads(report.read_text(encoding="utf-8"))["rows"]
    good = sum(row["status"] == "equal" for row in rows)
    return Outcome(passed=good, failed=len(rows) - good, ok=code == 0 and bool(rows))


PARTS: dict[str, tuple[str, Callable[[], Outcome]]] = {
    "check": ("check: linters, types, import rules", check),
    "python": ("Python tests", python),
    "site": ("TypeScript tests", site),
    "browser": ("browser tests (Chromium)", browser),
    "verify": ("verify: native against Chromium", verify),
}


def run(names: Sequence[str]) -> tuple[list[str], Outcome]:
    """Run the named parts one after the other; return the lines of the closing table, and the sum."""
    lines, total = [], Outcome()
    for name in names:
        title, part = PARTS[name]
        print(f"\033[1m== {title}\033[0m", flush=True)
        begun = time.monotonic()
        outcome = part()
        seconds = time.monotonic() - begun
        mark = "ok" if outcome.ok else "FAILED"
        lines.append(f"{title:<38}{outcome.passed:>7}{outcome.failed:>8}{outcome.skipped:>9}{seconds:>8.1f} s  {mark}")
        total += outcome
    return lines, total


def main(arguments: Sequence[str]) -> int:
    """Run the parts that are named, or all."""
    unknown = [name for name in arguments if name not in PARTS]
    if unknown:
        print(f"error: no part is called {unknown[0]}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    RESULTS.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    lines, total = run(arguments or list(PARTS))
    print(f"\n{'what ran':<38}{'passed':>7}{'failed':>8}{'skipped':>9}{'time':>8}")
    print("\n".join(lines))
    print(f"{time.monotonic() - begun:.0f} s in all; {'everything passed' if total.ok else 'NOT everything passed'}")
    print(f"{total.passed} passed, {total.failed} failed, {total.skipped} skipped", flush=True)
    return 0 if total.ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
