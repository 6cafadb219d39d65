"""`tracepane verify` as an author and CI run it: real native processes, a real browser, exit codes and words."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases"
TRACEPANE = Path(sys.executable).with_name("tracepane")


def tracepane(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    command = [str(TRACEPANE), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def verified(folder: Path, *targets: str | Path) -> tuple[int, dict[str, dict[str, Any]], str]:
    """Exit code, rows by the target's file name, and what was printed."""
    report = folder / "verify.json"
    done = tracepane(folder, "verify", "--json", report, *targets)
    assert report.exists(), done.stderr
    rows = json.loads(report.read_text(encoding="utf-8"))["rows"]
    return done.returncode, {Path(row["target"]).name: row for row in rows}, done.stdout


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files, their text dedented."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")


# Two parts, so that two processes share the work.
@pytest.mark.parametrize("part", [0, 1])
def test_programs_on_which_others_fail(tmp_path: Path, part: int) -> None:
    """Equal on both sides, except where the platforms are known to differ; none hangs or breaks the tool."""
    if not CASES.is_dir():
        pytest.skip(f"{CASES} is not here: the programs come with the project's shared material")
    expected = {case["file"]: case for case in json.loads((CASES / "expected.json").read_text(encoding="utf-8"))}
    programs = sorted((CASES / "programs").glob("*.py"))[part::2]
    code, rows, _ = verified(tmp_path, *programs)
    found = {
        name: row["reason"]["kind"] if row["status"] == "different" else row["status"] for name, row in rows.items()
    }
    assert found == {path.name: expected[path.name].get("platform", "equal") for path in programs}
    endless = {name for name, row in rows.items() if row["native"]["end"] == "limit"}
    assert endless == {path.name for path in programs if expected[path.name]["nonterminating"]}
    assert code == (1 if any("platform" in expected[path.name] for path in programs) else 0)


def test_threads_and_processes_are_refused_alike(tmp_path: Path) -> None:
    """What a browser cannot give is an ordinary Python error on both sides, and names what is missing."""
    write(
        tmp_path,
        {
            "thread.py": """
                import threading
                try:
                    threading.Thread(target=print).start()
                except Exception as error:
                    print(type(error).__name__, error)
            """,
            "process.py": """
                import subprocess
                try:
                    subprocess.run(["true"])
                except Exception as error:
                    print(type(error).__name__, error)
            """,
        },
    )
    code, rows, _ = verified(tmp_path, "thread.py", "process.py")
    assert {name: row["status"] for name, row in rows.items()} == {"thread.py": "equal", "process.py": "equal"}
    assert code == 0
    done = tracepane(tmp_path, "record", "thread.py", "-o", "thread.trace")
    assert done.returncode == 0, done.stderr
    document = json.loads(tracepane(tmp_path, "show", "--json", "thread.trace").stdout)
    assert document["stdout"].startswith("RuntimeError")
    assert "thread" in document["stdout"]


def test_a_known_difference_is_named_and_may_be_accepted(tmp_path: Path) -> None:
    """Exit 1 with the reason; with `--accept` of that kind, exit 0."""
    write(tmp_path, {"wide.py": "import sys\nx = sys.maxsize\nprint(x)\n"})
    code, rows, table = verified(tmp_path, "wide.py")
    assert (code, rows["wide.py"]["reason"]["kind"], rows["wide.py"]["step"]) == (1, "pointer width", 3)
    assert "likely reason: the browser's CPython is a 32-bit build" in table
    done = tracepane(tmp_path, "verify", "--accept", "pointer width", "wide.py")
    assert done.returncode == 0
    assert "1 different for an accepted reason" in done.stdout


PROJECT = {
    "mkdocs.yml": "site_name: Small\nsite_dir: build/www\nplugins: [tracepane]\n",
    "docs/index.md": "# Small\n\n```tracepane\npane: panes.yml#double\n```\n",
    "docs/panes.yml": """
        double:
          source: ../lesson/double.py
          show: double
          call: double.call.py
          scenarios:
            small: {label: Small, set: {n: 3}}
            large: {label: Large, set: {n: 30}}
    """,
    "docs/double.call.py": "from double import double\n\nprint(double(n))\n",
    "lesson/double.py": "FACTOR = 2\n\n\ndef double(n):\n    result = n * 2\n    return result\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project and its built site."""
    folder = tmp_path_factory.mktemp("project")
    write(folder, PROJECT)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_built_site_tells_the_truth(built: Path) -> None:
    """The jobs that the site ships against those cut from the sources: two rows, both equal."""
    code, _, table = verified(built, "--site", "build/www")
    assert code == 0
    assert table.splitlines()[-1] == "2 verified: 2 equal, 0 different, 0 not run"


def test_a_traced_line_changed_on_one_side_is_caught(built: Path) -> None:
    """Exit 1; the line as either side has it, the step, and both events."""
    write(built, {"lesson/double.py": PROJECT["lesson/double.py"].replace("n * 2", "n * 2 + n // 20")})
    code, rows, table = verified(built, "--site", "build/www")
    write(built, PROJECT)
    assert code == 1
    assert rows["panes.yml#double"]["status"] == "different"  # the last of the two: large
    assert table.splitlines()[-1] == "2 verified: 1 equal, 1 different, 0 not run"
    assert (
        "double.py:5 is traced and reads `result = n * 2 + n // 20` natively, `result = n * 2` in the browser" in table
    )
    assert "step 2 differs" in table
    assert "result = 61" in table
    assert "result = 60" in table


@pytest.mark.parametrize(
    ("name", "before", "after", "told"),
    [
        ("lesson/double.py", "FACTOR = 2", "FACTOR = 3", "double.py:1 is outside what is traced"),
        (
            "docs/double.call.py",
            "print(double(n))",
            "print(double(n), n)",
            "double.call.py:3 is outside what is traced",
        ),
        ("docs/panes.yml", "n: 30", "n: 31", "scenario.py:1 is outside what is traced"),
        ("docs/panes.yml", "            large: {label: Large, set: {n: 30}}\n", "", "build it again"),
    ],
)
def test_any_other_difference_means_that_the_jobs_are_not_the_same(
    built: Path, name: str, before: str, after: str, told: str
) -> None:
    """Exit 2: where the inputs differ, equal traces would prove nothing."""
    write(built, {name: textwrap.dedent(PROJECT[name].replace(before, after))})
    code, _, table = verified(built, "--site", "build/www")
    write(built, PROJECT)
    assert code == 2
    assert "the jobs are not the same" in table
    assert told in table
