"""Changes of objects that are taken in without a look at them are exactly what the brute-force oracle sees."""

from __future__ import annotations

import pytest
from lone_job import job
from recording import record_all
from stored import PROGRAMS
from test_oracle import difference

from tracepane.record.trace import Trace


@pytest.fixture(scope="module")
def recorded() -> dict[str, tuple[Trace, Trace]]:
    """Every program, recorded by the recorder and the oracle."""
    jobs = [job(source) for source in PROGRAMS.values()]
    traces = record_all([(kind, each) for each in jobs for kind in ("recorder", "oracle")])
    return dict(zip(PROGRAMS, zip(traces[::2], traces[1::2], strict=True), strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_as_the_oracle(name: str, recorded: dict[str, tuple[Trace, Trace]]) -> None:
    """Each way in which a line changes an object, and those that only look like it."""
    fast, slow = recorded[name]
    assert fast.end["status"] == "finished", fast.end
    assert difference(fast, slow) == ""
