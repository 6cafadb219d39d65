"""Tracepane's recorder, in the interpreter at hand: the job runs as everywhere, and its chunks are kept."""

from __future__ import annotations

import builtins
from typing import Any, NamedTuple

from bench.recorders.clock import now


class Kept(NamedTuple):
    """A run: seconds from the call of the program's last source to the trace's end, and the trace as it came out.

    Without recording, the seconds are those of the program and of what the runner does after it.
    """

    seconds: float
    header: dict[str, Any]
    chunks: list[bytes]
    end: dict[str, Any]


def run(job: dict[str, Any], *, record: bool) -> Kept:
    """Run the job in this interpreter, which is used up by it; recorder.zip must be on the path."""
    from tracepane.record import runner

    marks: list[float] = []
    # The program sees a simulated clock; this one tells when its last source begins.
    builtins.bench_mark = lambda: marks.append(now())  # type: ignore[attr-defined]
    headers: list[dict[str, Any]] = []
    chunks: list[bytes] = []
    ends: list[float] = []
    end = runner.run(marked(job), headers.append, chunks.append, record=record, emit_end=lambda _: ends.append(now()))
    return Kept(ends[0] - marks[0], headers[0], [bytes(chunk) for chunk in chunks], end)


def marked(job: dict[str, Any]) -> dict[str, Any]:
    """The job with a source before its last that takes the time."""
    *before, last = job["main"]
    mark = {"name": "bench_mark.py", "role": "support", "text": "bench_mark()\n"}
    return {**job, "sources": [*job["sources"], mark], "main": [*before, "bench_mark.py", last]}
