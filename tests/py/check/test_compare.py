"""Two real native runs compared: the first divergence, its words, and what an early end does to the verdict."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tracepane.check.compare import Verdict, compare
from tracepane.lesson import program
from tracepane.record.process import record
from tracepane.record.trace import Trace

Recorded = Callable[..., Trace]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """Record a source natively, as `prog.py`."""

    def run(source: str, **limits: float) -> Trace:
        path = tmp_path / "prog.py"
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        return record(program.job(path, limits=limits))

    return run


def altered(trace: Trace, **end: Any) -> Trace:
    """The same trace with another end."""
    return Trace.from_chunks(trace.header, trace.chunks(), trace.end | end)


def verdict(left: Trace, right: Trace, source: str = "") -> Verdict:
    """Compare with the source at hand."""
    return compare(left, right, [{"name": "prog.py", "text": textwrap.dedent(source)}])


def test_two_runs_of_a_program_are_equal(recorded: Recorded) -> None:
    """The number of events compared is all of them."""
    source = "total = 0\nfor n in range(5):\n    total += n\nprint(total)\n"
    left, right = recorded(source), recorded(source)
    assert verdict(left, right) == Verdict("equal", left.steps, f"equal: {left.steps} events")
    assert left.end["digest"] == right.end["digest"]


@pytest.mark.parametrize(
    ("before", "after", "kind", "line", "said"),
    [
        ("x = 1\ny = x\n", "x = 2\ny = x\n", "line", 2, "x = 2"),
        ("x = [1, 2]\nx.append(3)\ny = 0\n", "x = [1, 2]\nx.append(4)\ny = 0\n", "line", 3, "[1, 2, 4]"),
        ("x = 1\nif x > 0:\n    y = 1\nz = 2\n", "x = 1\nif x > 1:\n    y = 1\nz = 2\n", "line", 3, "prog.py:4"),
        ("print('a')\n", "print('b')\n", "output", 1, r"'b\n'"),
        ("open('f', 'w').write('ab')\n", "open('f', 'w').write('ac')\n", "file", 1, "f created"),
        ("def f():\n    return 1\nf()\n", "def f():\n    return 2\nf()\n", "return", 2, "return 2"),
        ("raise ValueError(1)\n", "raise ValueError(2)\n", "raise", 1, "ValueError(2)"),
        ("raise ValueError(1)\n", "raise KeyError(1)\n", "raise", 1, "KeyError(1)"),
        ("def f():\n    pass\nf()\n", "def g():\n    pass\ng()\n", "line", 3, "g = "),
    ],
)
def test_the_first_divergence_is_named(
    recorded: Recorded, before: str, after: str, kind: str, line: int, said: str
) -> None:
    """Kind, line and the other side's event are in the words."""
    found = verdict(recorded(before), recorded(after), before)
    assert found.status == "different"
    assert found.left is not None
    assert (found.left["kind"], found.left["line"]) == (kind, line)
    assert said in found.words.splitlines()[2]
    assert found.reason is None
    assert found.words.startswith(f"step {found.step} differs (the {found.step} events before it are equal)")


def test_contents_of_the_same_length_are_told_apart(recorded: Recorded) -> None:
    """A file that differs in a byte differs, though its event looks alike."""
    found = verdict(recorded("open('f', 'w').write('ab')\n"), recorded("open('f', 'w').write('ac')\n"))
    assert "the contents of a file" in found.words


def test_one_run_that_goes_on(recorded: Recorded) -> None:
    """The first event that one side has alone."""
    found = verdict(recorded("x = 1\n"), recorded("x = 1\ny = 2\n"))
    assert (found.status, found.left and found.left["kind"]) == ("different", "return")


def test_only_the_end_differs(recorded: Recorded) -> None:
    """Equal events, another exit code."""
    source = "import sys\nsys.exit(0)\n"
    left = recorded(source)
    found = verdict(left, altered(left, code=3))
    assert (found.status, found.step) == ("different", left.steps - 1)
    assert "how the run ended" in found.words
    assert "code 3" in found.words


@pytest.mark.parametrize("end", [{"status": "stopped"}, {"status": "limit", "limit": "seconds"}])
def test_a_run_that_was_ended_is_compared_up_to_there(recorded: Recorded, end: dict[str, str]) -> None:
    """Stop and a limit of seconds fall anywhere; what both have must be equal."""
    whole = recorded("for n in range(5):\n    x = n * n\nprint(x)\n")
    short = recorded("for n in range(5):\n    x = n * n\n")
    cut = Trace.from_chunks(short.header, short.chunks(), {"steps": short.steps, **end})
    # The module's own return is the first event that the shorter program has and the longer one has not.
    assert verdict(whole, cut).status == "different"
    same = Trace.from_chunks(whole.header, whole.chunks(), {"steps": whole.steps, **end})
    found = verdict(whole, same)
    assert (found.status, found.compared) == ("equal", whole.steps - 1)
    assert "shorter end" in found.note


def test_a_step_limit_is_exact(recorded: Recorded) -> None:
    """Unlike seconds, a count of steps is the same everywhere, so nothing is left out."""
    source = "n = 0\nwhile True:\n    n += 1\n"
    left, right = recorded(source, steps=500), recorded(source, steps=500)
    assert (left.end["status"], left.end["limit"]) == ("limit", "steps")
    assert dataclasses.astuple(verdict(left, right))[:2] == ("equal", left.steps)


def test_a_dead_interpreter_is_never_called_equal(recorded: Recorded) -> None:
    """Nothing is proved of what came after."""
    left = recorded("x = 1\n")
    dead = altered(left, status="crashed", detail="the interpreter was ended by SIGSEGV")
    found = verdict(left, dead)
    assert found.status == "incomparable"
    assert "SIGSEGV" in found.words


def test_the_reason_comes_from_the_line_that_ran_before(recorded: Recorded) -> None:
    """A line's effect is found at the next event; the statement behind it explains the difference."""
    left = recorded("x = 12345\ny = 0\n")
    right = recorded("x = 54321\ny = 0\n")
    assert verdict(left, right, "x = 12345\ny = 0\n").reason is None
    told = verdict(left, right, "x = hash(\n    'a')\ny = 0\n")
    assert told.reason is not None
    assert told.reason.kind == "hash"
