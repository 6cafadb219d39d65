"""A worker boots, runs, stops, dies and is replaced; what it recorded stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from worker_page import WorkerPage, outcome

from tracepane.record.trace import Trace

SECOND = 1000


def stdout(trace: Trace) -> str:
    """What the program printed."""
    return str(trace.expand()["stdout"])


def test_boot_reports_bytes_and_phases(cold_page: WorkerPage, tmp_path: Path) -> None:
    """Loading counts up to all bytes, names its phases in order, and ends when the interpreter starts."""
    cold_page.run(tmp_path, "print(1)")
    progress = cold_page.page.evaluate("() => tracepane.progress")
    phases = [each["phase"] for each in progress]
    assert phases == sorted(phases, key=["core", "library", "recorder", "start"].index)
    loaded = [each["loaded"] for each in progress]
    assert loaded == sorted(loaded)
    assert progress[-1]["phase"] == "start"
    assert progress[-1]["loaded"] == progress[-1]["total"] > 10_000_000


def test_run_prints_and_finishes(worker_page: WorkerPage, tmp_path: Path) -> None:
    """A program's output and its end come back."""
    trace = worker_page.run(tmp_path, "for i in range(3):\n    print(i)\n")
    assert (outcome(trace), stdout(trace)) == ("finished", "0\n1\n2\n")


def test_every_run_has_a_fresh_interpreter(worker_page: WorkerPage, tmp_path: Path) -> None:
    """What one run leaves in a module, a file or the environment, the next does not find."""
    source = (
        "import builtins, os, sys\n"
        "print(hasattr(builtins, 'mark'), os.path.exists('mark'), 'MARK' in os.environ)\n"
        "builtins.mark = 1; open('mark', 'w').close(); os.environ['MARK'] = '1'\n"
    )
    assert [stdout(worker_page.run(tmp_path, source)) for _ in range(3)] == ["False False False\n"] * 3


def test_the_same_job_gives_the_same_digest(worker_page: WorkerPage, tmp_path: Path) -> None:
    """Twice in a row, byte for byte."""
    source = "import random\nxs = [random.random() for _ in range(5)]\nprint(xs, {'a': 1, 'b': {2, 3}})\n"
    first, second = (worker_page.run(tmp_path, source).end["digest"] for _ in range(2))
    assert first == second


def test_run_without_recording(worker_page: WorkerPage, tmp_path: Path) -> None:
    """Run (not Debug) gives the output and no line events."""
    trace = worker_page.run(tmp_path, "for i in range(1000):\n    pass\nprint(i)\n", record=False)
    assert (outcome(trace), stdout(trace)) == ("finished", "999\n")
    assert trace.steps < 10


ENDLESS = {
    "silent": "n = 0\nwhile True:\n    n += 1\n",
    "output": "while True:\n    print('x' * 1000)\n",
    "in C": "print('begun', flush=True)\nsum(range(10 ** 12))\n",
    "catching": "while True:\n    try:\n        1 / 0\n    except BaseException:\n        pass\n",
    "exec": "while True:\n    exec('1 + 1')\n",
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_stop_answers_within_a_second_and_keeps_the_steps(worker_page: WorkerPage, tmp_path: Path, source: str) -> None:
    """Whatever the program does, Stop ends it at once and what came before can be walked."""
    run = worker_page.begin(tmp_path, source)
    worker_page.until_chunks(run, 1)
    assert worker_page.stop(run) < SECOND
    trace = worker_page.trace(run)
    assert outcome(trace) == "stopped"
    assert trace.steps == trace.end["steps"] > 0


def test_a_stopped_program_does_not_hold_up_the_next(worker_page: WorkerPage, tmp_path: Path) -> None:
    """After Stop the next run starts in another interpreter, and no worker of the first is left."""
    run = worker_page.begin(tmp_path, ENDLESS["silent"])
    worker_page.until_chunks(run, 1)
    worker_page.stop(run)
    assert outcome(worker_page.run(tmp_path, "print(1)")) == "finished"
    worker_page.until_idle()
    worker_page.until_workers(3)
    assert len(worker_page.page.workers) == 3  # one warm, two spares


def test_the_limit_of_steps_ends_a_loop(worker_page: WorkerPage, tmp_path: Path) -> None:
    """The recorder ends the run by itself, and nothing of the program runs after."""
    source = "try:\n    while True:\n        n = 1\nfinally:\n    print('never')\n"
    trace = worker_page.run(tmp_path, source, steps=5000)
    assert (trace.end["status"], trace.end["limit"], stdout(trace)) == ("limit", "steps", "")


def test_the_limit_of_seconds_ends_a_loop(worker_page: WorkerPage, tmp_path: Path) -> None:
    """The recorder looks at the machine's clock, not at the program's."""
    trace = worker_page.run(tmp_path, ENDLESS["silent"], seconds=0.5)
    assert (trace.end["status"], trace.end["limit"]) == ("limit", "seconds")


def test_the_page_ends_a_program_that_is_stuck_in_c(worker_page: WorkerPage, tmp_path: Path) -> None:
    """No Python runs that could look at a clock; the page's own timer ends it, and the steps stay."""
    trace = worker_page.run(tmp_path, ENDLESS["in C"], seconds=0.2)
    assert (trace.end["status"], trace.end["limit"], stdout(trace)) == ("limit", "seconds", "begun\n")


DEATHS = {
    "calls": "import functools\nf = functools.partial(int)\nf.__setstate__((f, (), {}, {}))\nprint('before')\nf()\n",
    "repr": "exec('x = []\\nfor _ in range(100_000): x = [x]\\n')\nprint('before')\nrepr(x)\n",
}


@pytest.mark.parametrize("source", DEATHS.values(), ids=DEATHS)
def test_the_death_of_an_interpreter_leaves_what_was_recorded(
    worker_page: WorkerPage, tmp_path: Path, source: str
) -> None:
    """The end says `crashed` and why, the trace reaches the line that killed it, and the next run works."""
    trace = worker_page.run(tmp_path, source)
    assert outcome(trace) == "crashed"
    assert trace.end["detail"]
    assert stdout(trace) == "before\n"
    lines = [event["line"] for event in trace.expand()["events"] if event["kind"] == "line"]
    assert lines[-1] == len(source.splitlines())
    assert outcome(worker_page.run(tmp_path, "print(1)")) == "finished"


@pytest.mark.parametrize("record", [True, False], ids=["recorded", "not recorded"])
def test_a_program_that_uses_up_the_browser_s_stack_says_so(
    worker_page: WorkerPage, tmp_path: Path, record: bool
) -> None:
    """Recursion through a slot in C takes the engine's stack: the end names it, and the steps up to there stay."""
    source = (
        "class Echo:\n    def __getattr__(self, name):\n        return getattr(self, name + 'x')\nprint(1)\nEcho().y\n"
    )
    trace = worker_page.run(tmp_path, source, record=record)
    assert (outcome(trace), trace.end["limit"], stdout(trace)) == ("crashed", "stack", "1\n")
    assert trace.steps > 100 or not record


def test_exit_without_goodbye(worker_page: WorkerPage, tmp_path: Path) -> None:
    """`os._exit` ends as `exit` with its code; nothing after it runs."""
    trace = worker_page.run(
        tmp_path, "import os\nprint('before')\ntry:\n    os._exit(3)\nfinally:\n    print('never')\n"
    )
    assert (trace.end["status"], trace.end["code"], stdout(trace)) == ("exit", 3, "before\n")


def test_memory_has_a_bound(worker_page: WorkerPage, tmp_path: Path) -> None:
    """A program that asks for too much gets a MemoryError, and the page lives."""
    assert outcome(worker_page.run(tmp_path, "x = bytearray(1 << 31 - 1)\ny = bytearray(1 << 30)\n")).startswith(
        "MemoryError"
    )


def test_a_third_run_waits_and_says_so(worker_page: WorkerPage, tmp_path: Path) -> None:
    """Two programs run at once; the third starts when one of them ends."""
    endless = [worker_page.begin(tmp_path, ENDLESS["silent"]) for _ in range(2)]
    for run in endless:
        worker_page.until_chunks(run, 1)
    third = worker_page.begin(tmp_path, "print(1)")
    assert worker_page.look(third)["events"] == ["waiting busy"]
    worker_page.stop(endless[0])
    assert outcome(worker_page.trace(third)) == "finished"
    assert worker_page.look(third)["events"][-1] == "started"
    assert worker_page.look(endless[1])["end"] is None
    worker_page.stop(endless[1])


def test_dispose_leaves_no_worker(cold_page: WorkerPage, tmp_path: Path) -> None:
    """Instant navigation leaves the page without unloading it: dispose ends every worker and run."""
    run = cold_page.begin(tmp_path, ENDLESS["silent"])
    cold_page.until_chunks(run, 1)
    cold_page.page.evaluate("() => tracepane.runtime.dispose()")
    assert cold_page.wait(run)["end"]["status"] == "stopped"
    assert cold_page.census() == {}
    cold_page.until_workers(0)


def test_two_pages_run_side_by_side(cold_page: WorkerPage, tmp_path: Path) -> None:
    """Another page has interpreters of its own: one's endless program does not hold up the other's."""
    run = cold_page.begin(tmp_path, ENDLESS["silent"], record=False)
    cold_page.until_started(run)
    other = WorkerPage(cold_page.page.context.new_page(), cold_page.site)
    assert outcome(other.run(tmp_path, "print(1)")) == "finished"
    assert cold_page.look(run)["end"] is None
    cold_page.stop(run)
