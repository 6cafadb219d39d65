"""What the project holds itself to, each bar beside its figure. A bar is never moved to where the figure is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.figures import median, part, per_step, ratio

Figures = dict[str, Any]

FLOOR = {"scalar": 3.0, "fib": 3.0, "bubble": 8.0, "records": 8.0, "objects": 8.0, "strings": 8.0}
SIZE = {"scalar": 4.0, "fib": 3.0, "bubble": 6.0, "objects": 12.0, "records": 30.0, "strings": 20.0}
SMALLER = {"scalar": 2.0, "bubble": 2.0, "fib": 10.0, "objects": 10.0, "records": 10.0, "strings": 10.0}


class Bar(NamedTuple):
    """A bar: `what` is a key of the words in `words/`; met when figure `sign` limit. None: not measured."""

    what: str
    on: str
    sign: str
    limit: float
    figure: float | None

    @property
    def met(self) -> bool | None:
        """Whether the figure keeps the bar."""
        if self.figure is None:
            return None
        return self.figure <= self.limit if self.sign == "≤" else self.figure >= self.limit


def bars(result: Figures) -> list[Bar]:
    """All that the result has figures for."""
    found: list[Bar] = []
    for program, measured in result.get("native", {}).items():
        found += _native(program, measured)
    for program, recorders in result.get("inside", {}).get("programs", {}).items():
        if program in FLOOR:
            found += _speed(f"{program}, Pyodide", recorders)
    for program, sizes in result.get("scale", {}).items():
        found += _scale(program, sizes)
    found += [*_million(result.get("million")), *_boot(result.get("boot")), *_press(result.get("walk"))]
    return sorted((bar for bar in found if bar.figure is not None), key=lambda bar: _ORDER.index(bar.what))


_ORDER = (
    "floor", "vs_json_tracer", "vs_pysnooper", "vs_pickle", "vs_viztracer", "bytes", "json_gzip", "json_raw",
    "linear", "memory", "p99", "snapshot", "compiled", "press",
)  # fmt: skip


def _native(program: str, measured: Figures) -> Iterator[Bar]:
    if program not in FLOOR:
        return
    recorders = measured["recorders"]
    yield Bar("floor", program, "≤", FLOOR[program], ratio(recorders, "ours", "copies"))
    yield from _speed(program, recorders)
    if program in ("scalar", "bubble"):
        yield Bar("vs_viztracer", program, "≥", 1.0, ratio(recorders, "viztracer", "ours"))
    yield from _sizes(program, recorders)


def _speed(on: str, recorders: Figures) -> Iterator[Bar]:
    yield Bar("vs_json_tracer", on, "≥", 20.0, ratio(recorders, "json_tracer", "ours"))
    yield Bar("vs_pysnooper", on, "≥", 5.0, ratio(recorders, "pysnooper", "ours"))
    yield Bar("vs_pickle", on, "≥", 1.0, ratio(recorders, "naive_pickle", "ours"))


def _sizes(program: str, recorders: Figures) -> Iterator[Bar]:
    ours = recorders.get("ours", {})
    if "stored" not in ours:
        return
    yield Bar("bytes", program, "≤", SIZE[program], ours["stored"] / ours["steps"])
    yield Bar("json_gzip", program, "≥", SMALLER[program], part(recorders, "json_tracer", "stored", ours["stored"]))
    yield Bar("json_raw", program, "≥", 20.0, part(recorders, "json_tracer", "raw", ours["raw"]))


def _scale(program: str, sizes: list[Figures]) -> Iterator[Bar]:
    costs = [per_step(size) for size in sizes if "steps" in size and size["steps"] > 5_000]
    if len(costs) > 1:
        yield Bar("linear", program, "≤", 1.15, max(costs) / min(costs))


def _million(figures: Figures | None) -> Iterator[Bar]:
    if figures:
        megabytes = figures["memory"] / 2**20 if figures["memory"] else None
        yield Bar("memory", f"{figures['steps']:,}", "≤", 500.0, megabytes)
        for name, times in figures["questions"].items():
            yield Bar("p99", name, "≤", 4.0, times["p99"])


def _boot(figures: Figures | None) -> Iterator[Bar]:
    if figures:
        stock = median(figures, "stock") or 0.0
        for name, limit in (("snapshot", 3.0), ("compiled", 2.0)):
            yield Bar(name, "Chromium", "≥", limit, stock / (median(figures, name) or 1.0))


def _press(figures: Figures | None) -> Iterator[Bar]:
    if figures:
        yield Bar("press", "prepare_context", "≤", 250.0, median(figures, "press"))
