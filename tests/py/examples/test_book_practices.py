"""The practices as a reader starts them: the walk-through, and the tests with their evidence."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from native import run_on_ascii

BOOK = Path(__file__).resolve().parents[3] / "docs" / "book" / "v2"
NAMED = ["test_read_slice_byte_offsets", "test_fold_expand_reference", "test_compression_cas_one_coordinator"]


@pytest.fixture
def start(tmp_path):
    """Start a file of the book, or another one by its whole path, in a folder of its own, isolated."""

    def once(file, *arguments):
        command = [sys.executable, "-I", "-B", str(BOOK / file), *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)

    return once


def test_the_walk_through_runs(start):
    """It comes to the end, and it is the same every time."""
    done = start("practices.py", "--demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == start("practices.py", "--demo").stdout
    assert "the second candidate is refused" in done.stdout


def test_the_tests_pass_and_leave_evidence(start, tmp_path):
    """At least 39, those that the contract names among them; the evidence tells each by name."""
    done = start("test_practices.py")
    assert done.returncode == 0, done.stderr
    evidence = json.loads((tmp_path / "build" / "evidence" / "practices.json").read_text("utf-8"))
    names = [name.rpartition(".")[2] for name, outcome in evidence["tests"].items() if outcome == "passed"]
    assert len(names) == evidence["passed"] >= 39
    assert evidence["not_passed"] == 0
    assert sorted(set(NAMED) - set(names)) == []


def test_a_broken_rule_fails_and_the_evidence_says_which(start, tmp_path):
    """The tests are run beside practices that repair cut characters."""
    for file in ("practices.py", "test_practices.py"):
        text = (BOOK / file).read_text("utf-8")
        repaired = 'data[start:end].decode("utf-8", "replace").encode()'
        (tmp_path / file).write_text(text.replace("return data[start:end]", f"return {repaired}"), "utf-8")
    done = start(tmp_path / "test_practices.py")
    evidence = json.loads((tmp_path / "build" / "evidence" / "practices.json").read_text("utf-8"))
    broken = {name.rpartition(".")[2] for name, outcome in evidence["tests"].items() if outcome == "failed"}
    assert done.returncode == 1
    assert {"test_read_slice_may_cut_a_character", "test_fold_expand_reference"} <= broken


def test_evidence_that_cannot_be_written_is_told(start, tmp_path):
    """The tests have passed, and still the run has failed: nobody could show it."""
    (tmp_path / "build").write_text("in the way", "utf-8")
    done = start("test_practices.py")
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "tests ran; evidence not written: " in done.stdout


@pytest.mark.parametrize("wrong", [["nonsense"], ["expand", "nonsense"], ["--help"]])
def test_a_scenario_that_is_not_there(start, wrong):
    """It says so, and what there is."""
    done = start(BOOK.parents[1] / "lessons" / "long-tasks" / "run.py", *wrong)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"no such scenario: {' '.join(wrong)}\n")
    assert "store full" in done.stderr


def test_a_scenario_on_a_terminal_that_knows_only_ascii(tmp_path):
    """What cannot be shown is escaped."""
    done = run_on_ascii(BOOK.parents[1] / "lessons" / "long-tasks" / "run.py", "expand", "lines", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert r"08:39 \u6e29\u5ea6 17.9" in done.stdout
