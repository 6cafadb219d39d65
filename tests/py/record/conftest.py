"""The recorder's suite runs natively and in Pyodide: tests that take `record` run once for each."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lone_job import job

from tracepane.record import process
from tracepane.record.trace import Trace

Record = Callable[..., Trace]

# What `make fuzz` runs lies by itself; the suite runs a sample of it.
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fuzz"))


@pytest.fixture(params=["native", "pyodide"])
def record(request: pytest.FixtureRequest) -> Record:
    """Records a program in a fresh interpreter; options are those of `lone_job.job`."""
    run = process.record if request.param == "native" else request.getfixturevalue("interpreters").record
    return lambda source, **options: run(job(source, **options))
