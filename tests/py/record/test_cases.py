"""The case programs, whose line, call, return and exception events on CPython 3.14.2 are known, step by step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lone_job import job
from recording import record, record_all, short

from tracepane.record.trace import Trace
from tracepane.record.trace.query import Queries

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases"
EXPECTED: list[dict[str, Any]] = json.loads((CASES / "expected.json").read_text("utf-8")) if CASES.is_dir() else []
absent = pytest.mark.skipif(not EXPECTED, reason=f"the case programs are not here: {CASES} is missing")

# A trace function's own words for what the trace tells apart.
WORDS = {"resume": "call", "yield": "return", "unwind": "return", "raise": "exception"}
# Told otherwise on purpose: a decorated function is entered at its `def`, not at its decorator's line; StopIteration
# that ends an `await`, and GeneratorExit where a generator is closed, are no exceptions of the program's. A script's
# `globals()` holds one name more than theirs.
OTHERWISE = {
    "047_stacked_decorators.py": [(["call", 19, "greet"], [["call", 21, "greet"]])],
    "049_annotations_never_run.py": [(["line", 23, "<module>"], [["line", 23, "<module>"]] * 2)],
    "057_await_without_a_loop.py": [(["exception", 20, "job"], [])],
    "106_async_generator_by_hand.py": [(["exception", 18, "numbers"], [])],
}


def source(case: dict[str, Any]) -> bytes:
    """A case's program."""
    return (CASES / "programs" / case["file"]).read_bytes()


def named(number: str) -> bytes:
    """The program of the case with that number."""
    return source(next(case for case in EXPECTED if case["file"].startswith(number)))


def steps(trace: Trace) -> list[list[Any]]:
    """The events in a trace function's words; a module's own call has no line, and is left out."""
    found = []
    for event in trace.expand()["events"]:
        kind = WORDS.get(event["kind"], event["kind"])
        if kind in ("call", "line", "return", "exception") and event["line"] is not None:
            found.append([kind, event["line"], event["function"].rpartition(".")[2]])
    return found


def wanted(case: dict[str, Any]) -> list[list[Any]]:
    """What a case says of its events."""
    found = [list(step) for step in case["steps_3.14"] if (step[0], step[2]) != ("call", "<module>")]
    for old, new in OTHERWISE.get(case["file"], []):
        place = found.index(old)
        found[place : place + 1] = new
    return found


@absent
def test_known_steps() -> None:
    """Every event, in order, with its line and function."""
    cases = [case for case in EXPECTED if "steps_3.14" in case]
    traces = record_all([("recorder", job(source(case), case["file"])) for case in cases])
    assert len(cases) > 15
    for case, trace in zip(cases, traces, strict=True):
        assert (case["file"], steps(trace)) == (case["file"], wanted(case))


def variables(trace: Trace, line: int, nth: int = 0) -> dict[str, str]:
    """The variables at a line of a case's program, in short."""
    step = Queries(trace).steps_at("prog.py", line)[nth]
    return {variable.name: short(variable.value) for variable in Queries(trace).variables(step)}


@absent
def test_the_innermost_activation() -> None:
    """006: the same line in several activations shows each one's own values."""
    trace = record(named("006"))
    assert [variables(trace, 19, nth)["n"] for nth in range(3)] == ["2", "3", "4"]


@absent
def test_half_built_object() -> None:
    """007: an object is shown as far as it is built."""
    trace = record(named("007"))
    assert variables(trace, 16)["self"] == "Tag#4()"
    assert variables(trace, 17)["self"] == "Tag#4(colour='red')"


@absent
def test_history_of_a_shared_list() -> None:
    """031: earlier steps show earlier contents, and both names the same list."""
    trace = record(named("031"))
    assert variables(trace, 18)["a"] == "list#2(1)"
    assert variables(trace, 19)["b"] == "list#2(1, 2)"
    assert variables(trace, 20)["a"] == "list#2('x', 2)"


@absent
def test_comprehension_names_stay_inside() -> None:
    """046: a comprehension's variable hides the function's only while it runs."""
    last = variables(record(named("046")), 17)
    assert last["n"] == "'outer'"
    assert last["y"] == "10"
    assert "v" not in last


@absent
def test_implicit_names_are_not_shown() -> None:
    """049, 052: what the compiler binds is no variable."""
    for number in ("049", "052"):
        events = record(named(number)).expand()["events"]
        names = {name for event in events for name in event.get("set", {})}
        assert not {name for name in names if name.startswith("__") and name != "__init__"}


@absent
def test_exception_name_vanishes() -> None:
    """056: the name of an `except` is gone after it."""
    trace = record(named("056"))
    assert variables(trace, 16)["err"].startswith("ValueError#")
    assert "err" not in variables(trace, 17)


@absent
def test_changes_beyond_any_preview() -> None:
    """104: a change far inside a long value is a change."""
    trace = record(named("104"))
    for line, name in ((16, "nums"), (17, "word"), (18, "nums")):
        step = Queries(trace).steps_at("prog.py", line)[0]
        assert {v.name for v in Queries(trace).variables(step) if v.changed} == {name}


@absent
def test_growing_data_stays_small() -> None:
    """101: two thousand rows, one more at each step, take no more room than what is new."""
    trace = record(named("101"))
    assert trace.end["status"] == "finished"
    assert len(trace.pack()) < 1_000_000
    assert short(Queries(trace).variables(trace.steps - 2)[1].value) == "1999"
