"""The measured programs do what they are said to do, and recordings of them are judged by what they really hold."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
from bench import known, peers, work
from bench.native import Native
from bench.recorders import sight
from bench.recorders.taken import MISSING, Instance

from tracepane.record.process import find_python

RESULTS: dict[str, Any] = {
    "scalar": (1492059200, 2139621208),
    "records": (12, 12),
    "fib": 610,
    "objects": 200,
    "strings": 20000,
}
LINES = {"scalar": 20007, "bubble": 7886, "records": 501, "fib": 5922, "objects": 3508, "strings": 1505}
STATES = {"scalar": 5000, "bubble": 755, "records": 12, "fib": 14, "objects": 198, "strings": 500}


@pytest.mark.parametrize("name", RESULTS)
def test_a_workload_gives_what_it_always_gave(name: str) -> None:
    """A changed program would make figures of two days incomparable."""
    assert importlib.import_module(f"bench.workloads.{name}").main() == RESULTS[name]


def test_bubble_sorts() -> None:
    """Its result is the list in order, and the counts of a bubble sort of sixty numbers."""
    numbers, seen = importlib.import_module("bench.workloads.bubble").main()
    assert (numbers, seen["compared"], seen["swapped"]) == (sorted(numbers), 60 * 59 // 2, STATES["bubble"])


def test_the_known_states_are_as_many_as_ever() -> None:
    """They are what recordings are searched for."""
    assert {name: len(known.states(name).marks) for name in work.NAMES} == STATES


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Native:
    """Measurements on the CPython 3.14 at hand."""
    return Native(find_python(), tmp_path_factory.mktemp("recorder") / "recorder.zip")


@pytest.mark.parametrize("name", ["fib", "records"])
def test_the_programs_run_as_many_lines_as_ever(native: Native, name: str) -> None:
    """The divisor of all times."""
    assert native.measure("lines", work.workload(name))["lines"] == LINES[name]


@pytest.mark.parametrize(("recorder", "found"), [("ours", 12), ("naive_pickle", 12), ("naive_repr", 12)])
def test_what_a_recorder_really_recorded_is_counted(native: Native, recorder: str, found: int) -> None:
    """All twelve records, with every value in them."""
    answer = native.measure(recorder, work.workload("records"), look=True)
    assert (answer["found"], answer["raw"] > answer["stored"] > 0) == (found, True)


def test_an_address_is_no_state(native: Native) -> None:
    """The `repr` of an object says nothing of what is in it; ours leads through one to the next."""
    objects = work.workload("objects")
    assert native.measure("naive_repr", objects, look=True)["found"] == 0


def test_the_pane_is_measured_in_its_shown_function_alone(native: Native) -> None:
    """What else runs is no line of it; and the program keeps the state that is looked for."""
    pane = work.pane()
    counted = native.measure("lines", pane)
    assert 10 < counted["lines"] < 40
    seen = pane._replace(known=pane.known._replace(marks=counted["kept"]))
    assert native.measure("ours", seen, look=True)["found"] == 1


def test_a_recorder_that_fails_is_reported_as_such(native: Native) -> None:
    """It has a reason in the place of figures."""
    assert native.measure("viztracer", work.workload("fib"), look=True).keys() == {"failed"}


@pytest.mark.parametrize("recorder", ["ours", "silent"])
def test_a_run_that_does_not_finish_has_no_figure(native: Native, recorder: str) -> None:
    """Neither of the two runs whose difference is our cost: the process ends with it."""
    fib = work.workload("fib")
    broken = [{**source, "text": source["text"] + "\nraise ValueError\n"} for source in fib.job["sources"]]
    answer = native.measure(recorder, fib._replace(job={**fib.job, "sources": broken}))
    assert answer == {"failed": "exit code 1"}


def test_a_peer_that_does_not_install_is_reported_with_a_reason(tmp_path: Path) -> None:
    """Pip's own words, without a folder; nothing is asked of a registry for what no release can satisfy."""
    peer = peers.install(find_python(), "tracepane==0", tmp_path, options=["--no-index"])
    assert (peer.folder, peer.pure) == (None, False)
    assert "tracepane==0" in peer.reason


def test_every_pin_names_one_release() -> None:
    """Figures of two days are of the same recorders."""
    assert all(pin.count("==") == 1 for pin in peers.pins())


def test_states_are_seen_by_value_and_type() -> None:
    """A path leads through objects; what is missing, or of another type, does not count."""
    looks = [{"a": Instance(b=1)}, {"a": Instance(b=True)}, {"a": MISSING}, {}]
    found = sight.count([lambda name, at=at: at.get(name, MISSING) for at in looks], ["a.b"], [sight.mark([1])])
    assert (found, sight.mark([1]) == sight.mark([True])) == (1, False)
