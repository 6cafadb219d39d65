"""The host's side: finding a Python, one run at a time in a directory, faults before the run."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from running import job, outcome, run

from tracepane.record import job as jobs
from tracepane.record import process


def test_a_named_python_must_be_a_cpython_3_14(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the error names the variable."""
    monkeypatch.setenv("TRACEPANE_PYTHON", "/nowhere/python")
    with pytest.raises(process.PythonMissing, match=r"TRACEPANE_PYTHON is '/nowhere/python'"):
        process.find_python()


def test_no_python_at_all_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where it was looked for, and the mend."""
    monkeypatch.delenv("TRACEPANE_PYTHON", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(process.PythonMissing, match=r"uv python install 3\.14"):
        process.find_python()


def test_two_runs_of_one_job_wait_for_each_other() -> None:
    """They share a directory; neither sees the other's files."""
    source = "import os, time\nopen('x', 'w').close()\nfor _ in range(10**6): pass\nprint(os.listdir())"
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(run(source).stdout)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["['x']\n"] * 2


@pytest.mark.parametrize("name", ["../x.py", "/etc/x.py", "a//b.py", ""])
def test_a_source_outside_of_the_directory_is_refused(name: str) -> None:
    """A job can come from anywhere."""
    with pytest.raises(jobs.JobError, match="no path below"):
        run("", name=name)


def test_a_root_elsewhere_is_refused() -> None:
    """It would be emptied."""
    with pytest.raises(jobs.JobError, match="root"):
        process.record({**job(""), "root": "/home"})


def test_a_directory_that_is_no_directory_is_refused() -> None:
    """A link in its place could lead anywhere."""
    document = job("", name="linked.py")
    place = Path(document["root"])
    place.symlink_to("/etc")
    try:
        with pytest.raises(process.RunError, match="not a directory of yours"):
            process.record(document)
    finally:
        place.unlink()


def test_progress_is_told() -> None:
    """The number of steps so far."""
    steps: list[int] = []
    trace = process.record(job("for n in range(500): pass"), on_progress=steps.append)
    assert steps == sorted(steps)
    assert steps[-1] == outcome(trace).end["steps"]


def test_two_runs_give_the_same_trace() -> None:
    """Byte for byte, but for the wall time."""
    source = (
        "import random, time\nx = [random.random() for _ in range(3)]\n"
        "print(x, time.time())\nopen('f', 'w').write(str(x))"
    )
    first, second = (run(source, record=True).end["digest"] for _ in range(2))
    assert first == second
