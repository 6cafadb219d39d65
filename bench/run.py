"""Goes through programs and recorders, round by round, so that whatever disturbs the machine disturbs all alike."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from bench import inside as browser
from bench import scale as sizes
from bench.native import Native
from bench.peers import Peer
from bench.work import Work

Say = Callable[[str], None]
Figures = dict[str, Any]

BASE = ("plain", "silent", "bare", "copies", "naive_repr", "naive_pickle", "ours")
PATIENCE = 30.0  # seconds that one recorder gets for one program; once they are used up, it has no further rounds


def native(measurer: Native, works: list[Work], peers: list[Peer], repeat: int, say: Say) -> Figures:
    """For each program its `lines`, its `known` states and what each recorder did."""
    folders = {peer.name: [peer.folder] for peer in peers if peer.folder}
    return {work.name: _native(measurer, work, folders, repeat, say) for work in works}


def _native(measurer: Native, work: Work, folders: dict[str, list[Path]], repeat: int, say: Say) -> Figures:
    counted = measurer.measure("lines", work)
    if counted["kept"]:
        work = work._replace(known=work.known._replace(marks=counted["kept"]))
    found: dict[str, Figures] = {name: {} for name in (*BASE, *folders)}
    for turn in range(repeat):
        say(f"{work.name}: round {turn + 1} of {repeat}")
        for name, figures in found.items():
            paths, look = folders.get(name, []), turn == 0
            _once(figures, partial(measurer.measure, name, work, paths, look=look))
    return {"lines": counted["lines"], "known": len(work.known.marks), "recorders": found}


def inside(measurer: Native, works: list[Work], peers: list[Peer], repeat: int, say: Say) -> Figures:
    """The same in a browser's Pyodide, with the recorders that are pure Python; `browser` and `lines` besides."""
    lines = {work.name: measurer.measure("lines", work)["lines"] for work in works}
    pure = {peer.name: [peer] for peer in peers if peer.pure}
    with browser.opened([peer for peer in peers if peer.pure]) as page:
        programs = {work.name: _inside(page, work, pure, repeat, say) for work in works}
        return {"browser": page.browser, "lines": lines, "programs": programs}


def _inside(page: browser.Inside, work: Work, pure: dict[str, list[Peer]], repeat: int, say: Say) -> Figures:
    found: dict[str, Figures] = {name: {} for name in (*BASE, *pure)}
    for turn in range(repeat):
        say(f"{work.name} in Pyodide: round {turn + 1} of {repeat}")
        for name, figures in found.items():
            _once(figures, partial(page.measure, name, work, pure.get(name, [])))
    return found


def _once(figures: Figures, measure: Callable[[], Figures]) -> None:
    """One more round, unless the recorder cannot, failed, or has had its time."""
    if "impossible" in figures or "failed" in figures or figures.get("spent", 0) > PATIENCE:
        return
    began = time.monotonic()
    answer = measure()
    for key in ("seconds", "saving", "peak", "memory"):
        if key in answer:
            figures.setdefault(key, []).append(answer.pop(key))
    kept = {key: value for key, value in answer.items() if key not in ("header", "end", "sizes")}
    figures |= {**kept, "spent": figures.get("spent", 0) + time.monotonic() - began}


def scale(measurer: Native, most: int, repeat: int, say: Say) -> Figures:
    """For each program of scale.py what each size took, up to `most` steps."""
    found: Figures = {}
    for name in sizes.PROGRAMS:
        for steps in (size for size in sizes.SIZES if size <= most):
            say(f"{name}: {steps} steps")
            found.setdefault(name, []).append(sizes.measure(measurer, name, steps, repeat))
    return found
