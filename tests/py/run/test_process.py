"""The host's side: finding a Python, one run at a time in a directory, faults before the run."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from lone_job import job
from running import outcome, run

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


ORPHAN = """
import json, os, signal, sys
from tracepane.record import process
process.record(json.load(sys.stdin), on_progress=lambda steps: os.kill(os.getpid(), signal.SIGKILL))
"""


def test_a_child_whose_host_was_killed_keeps_the_next_run_out() -> None:
    """It still works in the directory; the lock is free once it has ended."""
    document = job("sum(iter(int, 1))", name="orphan.py")
    lock = document["root"] + ".lock"
    subprocess.run([sys.executable, "-c", ORPHAN], input=json.dumps(document), text=True, check=False)
    with Path(lock).open() as held:
        with pytest.raises(BlockingIOError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for child in holders(lock) - {os.getpid()}:
            os.kill(child, signal.SIGKILL)
        fcntl.flock(held, fcntl.LOCK_EX)
    assert run("print(1)", name="orphan.py").stdout == "1\n"


def holders(path: str) -> set[int]:
    """The processes that have a file open."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):  # a process that ended meanwhile
            if link.samefile(path):
                found.add(int(link.parts[2]))
    return found


def test_a_run_leaves_nothing_behind() -> None:
    """Neither its directory nor its lock."""
    document = job("open('made', 'w').write('1')", name="tidy.py")
    process.record(document)
    assert not Path(document["root"]).exists()
    assert not Path(document["root"] + ".lock").exists()


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


def test_ctrl_c_stops_the_run_and_loses_nothing() -> None:
    """The first asks it to stop, whatever is being read; what came before it is there."""
    told: list[int] = []

    def progress(steps: int) -> None:
        told.append(steps)
        if len(told) == 5:
            os.kill(os.getpid(), signal.SIGINT)

    trace = process.record(job("n = 0\nwhile True:\n    n += 1\n"), on_progress=progress)
    assert trace.end["status"] == "stopped"
    assert trace.end["steps"] >= told[4]


def test_ctrl_c_while_the_child_ends_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last record has come by then."""
    start = process._Child._start

    def started(self: process._Child, writing: int) -> subprocess.Popen[bytes]:
        child = start(self, writing)
        wait = child.wait

        def interrupted(timeout: float | None = None) -> int:
            os.kill(os.getpid(), signal.SIGINT)
            return wait(timeout)

        monkeypatch.setattr(child, "wait", interrupted)
        return child

    monkeypatch.setattr(process._Child, "_start", started)
    assert run("n = 1", record=True).end["status"] == "finished"


def test_two_runs_give_the_same_trace() -> None:
    """Byte for byte, but for the wall time."""
    source = (
        "import random, time\nx = [random.random() for _ in range(3)]\n"
        "print(x, time.time())\nopen('f', 'w').write(str(x))"
    )
    first, second = (run(source, record=True).end["digest"] for _ in range(2))
    assert first == second
