"""Native against browser: every pane and scenario, and any program, each a row of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from tracepane.check import same
from tracepane.check.compare import Verdict, compare
from tracepane.record.trace import Trace

Job = dict[str, Any]
Record = Callable[[Job], Trace]


class RunError(Exception):
    """A side could not run a job at all; the text says why and what to do."""


@dataclass(frozen=True)
class Row:
    """One thing to verify: a target's scenario, with the job of either side. `problem`: why there is none."""

    target: str
    scenario: str
    native: Job | None = None
    browser: Job | None = None
    problem: str = ""


@dataclass(frozen=True)
class Side:
    """What one side did: how its run ended, its CPython, events, and seconds with all start-up."""

    end: str = ""
    python: str = ""
    events: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Result:
    """The outcome of one row.

    `status` is `equal`, `different`, `platform` (different, for a known reason that the caller accepted) or `error`
    (a side did not run, or the jobs are not the same; `detail` says so).
    """

    row: Row
    status: str
    verdict: Verdict | None = None
    detail: str = ""
    native: Side = field(default_factory=Side)
    browser: Side = field(default_factory=Side)
    changed: tuple[same.Line, ...] = ()


@dataclass(frozen=True)
class _Run:
    trace: Trace | None
    problem: str
    seconds: float

    @property
    def side(self) -> Side:
        if self.trace is None:
            return Side(seconds=self.seconds)
        return Side(
            str(self.trace.end["status"]),
            str(self.trace.header["runtime"].get("version", "")),
            self.trace.steps,
            self.seconds,
        )


def verify(
    rows: Sequence[Row],
    native: Record,
    browser: Record,
    accept: Iterable[str] = (),
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Result]:
    """Run each row on both sides and compare; results come one by one, in the order of the rows.

    The native side runs ahead on a thread of its own, since each run is a process. `accept` names kinds of known
    platform differences (see `check.reasons`) that shall not fail a row.
    """
    accepted = frozenset(accept)
    with ThreadPoolExecutor(max_workers=1) as pool:
        ahead: dict[int, Future[_Run]] = {}
        for place, row in enumerate(rows):
            for near in range(place, min(place + 2, len(rows))):
                job = rows[near].native
                if near not in ahead and job is not None and not rows[near].problem:
                    ahead[near] = pool.submit(_attempt, native, job, clock)
            yield _result(row, ahead.pop(place, None), browser, accepted, clock)


def _result(
    row: Row, ahead: Future[_Run] | None, browser: Record, accepted: frozenset[str], clock: Callable[[], float]
) -> Result:
    if row.problem or row.native is None or row.browser is None or ahead is None:
        return Result(row, "error", detail=row.problem or "one side has no such pane or scenario")
    try:
        changed = tuple(same.changed_lines(row.native, row.browser))
    except same.NotTheSameError as error:
        return Result(row, "error", detail=f"the jobs are not the same: {error}")
    right = _attempt(browser, row.browser, clock)
    left = ahead.result()
    return _judge(row, left, right, changed, accepted)


def _judge(row: Row, left: _Run, right: _Run, changed: tuple[same.Line, ...], accepted: frozenset[str]) -> Result:
    if left.trace is None or right.trace is None or row.native is None:
        problems = [f"{name}: {run.problem}" for name, run in (("native", left), ("browser", right)) if run.problem]
        return Result(row, "error", None, "; ".join(problems), left.side, right.side, changed)
    verdict = compare(left.trace, right.trace, sources=row.native["sources"])
    status, detail = verdict.status, ""
    if status == "incomparable":
        status, detail = "error", verdict.words
    elif status == "different" and not changed and verdict.reason and verdict.reason.kind in accepted:
        status = "platform"
    return Result(row, status, verdict, detail, left.side, right.side, changed)


def _attempt(record: Record, job: Job, clock: Callable[[], float]) -> _Run:
    begun = clock()
    try:
        trace = record(job)
    except RunError as error:
        return _Run(None, str(error), clock() - begun)
    return _Run(trace, "", clock() - begun)


def exit_code(results: Sequence[Result]) -> int:
    """0 when all are equal (or accepted), 1 when one differs, else 2: one could not be compared, or there was none."""
    states = {result.status for result in results}
    if "different" in states:
        return 1
    return 2 if "error" in states or not results else 0


def shard(rows: Sequence[Row], part: str) -> list[Row]:
    """Every N-th row from the I-th on, for `I/N` with 1 <= I <= N; ValueError when it is written otherwise."""
    first, slash, count = part.partition("/")
    if not (slash and first.isdecimal() and count.isdecimal() and 1 <= int(first) <= int(count)):
        raise ValueError(f"--shard {part}: write it as I/N with 1 <= I <= N, for example 1/2")
    return list(rows[int(first) - 1 :: int(count)])
