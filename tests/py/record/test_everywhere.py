"""The corpus gives the same traces natively and in Pyodide, byte for byte."""

from __future__ import annotations

import pytest
from corpus import PROGRAMS
from interpreters import Interpreters
from lone_job import job
from recording import record_all
from test_oracle import difference

from tracepane.record.trace import Trace


@pytest.fixture(scope="module")
def native() -> dict[str, Trace]:
    """Every program, recorded natively."""
    traces = record_all([("recorder", job(source)) for source in PROGRAMS.values()])
    return dict(zip(PROGRAMS, traces, strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_corpus(name: str, native: dict[str, Trace], interpreters: Interpreters) -> None:
    """One program at a time."""
    assert difference(native[name], interpreters.record(job(PROGRAMS[name]))) == ""
