"""The recorder and the brute-force oracle write the same trace, byte for byte, of every program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from corpus import PROGRAMS
from hypothesis import HealthCheck, given, settings
from lone_job import job
from programs import program, straight
from recording import events, record_all

from tracepane.record.trace import Trace

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases" / "programs"

# The oracle keeps everything alive, so what notices a death runs at another time under it; it knows no way around
# the limit of recursion, and does not share `sys.settrace`.
BEYOND = {
    "finalizers", "weak_references", "generator_close_and_throw", "recursion_error", "recursion_caught_deep",
    "own_trace_function",
}  # fmt: skip
# A random program may call itself for ever: ended well before the limit of recursion.
BRIEF = {"steps": 2000}
CASES_BEYOND = ("001", "002", "004", "032", "071", "086", "092")


def difference(fast: Trace, slow: Trace) -> str:
    """Where two traces differ first, for a person; empty when they are the same."""
    if fast.end["digest"] == slow.end["digest"]:
        return ""
    pairs = zip(events(fast), events(slow), strict=False)
    found = next(((step, *pair) for step, pair in enumerate(pairs) if pair[0] != pair[1]), None)
    return f"step {found[0]}: first {found[1]}, second {found[2]}" if found else "the same events, other columns"


def record_both(jobs: Sequence[dict[str, Any]]) -> list[tuple[Trace, Trace]]:
    """The recorder's trace and the oracle's of each job."""
    traces = record_all([(kind, each) for each in jobs for kind in ("recorder", "oracle")])
    return list(zip(traces[::2], traces[1::2], strict=True))


@pytest.fixture(scope="module")
def recorded() -> dict[str, tuple[Trace, Trace]]:
    """Every program of the corpus, recorded by both."""
    names = [name for name in PROGRAMS if name not in BEYOND]
    return dict(zip(names, record_both([job(PROGRAMS[name]) for name in names]), strict=True))


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in BEYOND])
def test_corpus(name: str, recorded: dict[str, tuple[Trace, Trace]]) -> None:
    """Each construct of the corpus."""
    assert difference(*recorded[name]) == ""


def test_forgotten_atoms(recorded: dict[str, tuple[Trace, Trace]]) -> None:
    """Atoms that nothing is bound to are forgotten, and join the table again when they come again: no row differs."""
    forgetful = record_all([("forgetful", job(PROGRAMS[name])) for name in recorded])
    again = 0
    for trace, (fast, _) in zip(forgetful, recorded.values(), strict=True):
        assert trace.expand()["events"] == fast.expand()["events"]
        again += len(set(trace.strings)) < len(trace.strings)
    assert again > 5


@pytest.mark.skipif(not CASES.is_dir(), reason=f"the case programs are not here: {CASES} is missing")
def test_cases() -> None:
    """The case programs on which recorders have failed in public."""
    paths = [path for path in sorted(CASES.glob("*.py")) if not path.name.startswith(CASES_BEYOND)]
    jobs = [job(path.read_bytes(), path.name, env={"PYTHONBREAKPOINT": "0"}, limits={"steps": 400}) for path in paths]
    found = {path.name: difference(*pair) for path, pair in zip(paths, record_both(jobs), strict=True)}
    assert {name: words for name, words in found.items() if words} == {}


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(program())
def test_random_programs(source: str) -> None:
    """Programs that nobody thought of: mutation, aliasing, closures, generators and exceptions at random."""
    [pair] = record_both([job(source, limits=BRIEF)])
    assert difference(*pair) == ""


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(straight())
def test_plain_programs(source: str) -> None:
    """Programs of plain statements, for which the recorder tells from the bytecode what they change."""
    [pair] = record_both([job(source, limits=BRIEF)])
    assert difference(*pair) == ""
