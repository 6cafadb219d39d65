"""Ours at a thousand to a million steps: what an event costs must not depend on how many came before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench import pages
from bench.known import Known
from bench.native import Native
from bench.work import Work, workload

SIZES = (1_000, 10_000, 100_000, 1_000_000)
_LIMITS = {"steps": 2_000_000, "bytes": 1 << 30, "seconds": 250}
_NONE = Known([], [])


def scalar(steps: int) -> Work:
    """The loop over whole numbers, four lines a round, with so many events."""
    return _sized(lambda text: text.replace("< 5000", f"< {steps // 4}"))


def mixed(steps: int) -> Work:
    """Ten events a turn: calls, fields, a dict, a list that grows, new objects and texts, output."""
    text = pages.PROGRAM.strip().rpartition("\n")[0]
    return _sized(lambda _: f"{text}\n\ndef main():\n    return work({steps // 10})\n")


PROGRAMS: dict[str, Callable[[int], Work]] = {"scalar": scalar, "mixed": mixed}


def measure(native: Native, name: str, steps: int, repeat: int) -> dict[str, Any]:
    """`steps` really recorded, `seconds` and `plain` of each round, `peak` bytes, `raw` and `stored` bytes."""
    work = PROGRAMS[name](steps)
    first = native.measure("ours", work, look=True)
    if "failed" in first:
        return first
    rounds = [first, *(native.measure("ours", work) for _ in range(repeat - 1))]
    plain = [native.measure("silent", work) for _ in range(repeat)]
    for each in (*rounds, *plain):
        if "failed" in each:
            return each
    times = {"seconds": [each["seconds"] for each in rounds], "plain": [each["seconds"] for each in plain]}
    return {key: first[key] for key in ("steps", "raw", "stored", "peak")} | times


def _sized(change: Callable[[str], str]) -> Work:
    """The workload `scalar` with another text, recorded whole."""
    work = workload("scalar")
    sources = [dict(source) for source in work.job["sources"]]
    shown = sources[0]
    shown["text"] = change(shown["text"])
    shown["traced"] = [[1, shown["text"].count("\n") + 1]]
    job = {**work.job, "sources": sources, "limits": _LIMITS}
    return work._replace(job=job, known=_NONE)
