"""The work that recorders are measured on: each program as one job, which every recorder gets alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from bench import known
from tracepane.check import target
from tracepane.lesson import program

ROOT = Path(__file__).resolve().parent.parent
PANE = str(ROOT / "docs/lessons/context-compact/panes.yml#prepare_context")
NAMES = ("scalar", "bubble", "records", "fib", "objects", "strings")


class Work(NamedTuple):
    """A program as a job. `target` is the function that decorators take; `alone`: one file, recorded whole.

    `kept` is a variable of `__main__` that has the known state at the end, where it cannot be worked out without a run.
    """

    name: str
    job: dict[str, Any]
    target: str
    alone: bool
    known: known.Known
    kept: str = ""


def workload(name: str) -> Work:
    """One of the programs of `workloads/`: imported first, then its `main()` is called."""
    job = program.job(Path(__file__).parent / "workloads" / f"{name}.py", limits={"seconds": 120})
    job["sources"] += [
        {"name": "prepare.py", "role": "setup", "text": f"import {name}\n"},
        {"name": "call.py", "role": "call", "text": f"{name}.main()\n"},
    ]
    job["main"] = ["prepare.py", "call.py"]
    return Work(name, job, f"{name}:main", True, known.states(name))


def pane(scenario: str = "summary") -> Work:
    """The run of a lesson's pane, `prepare_context`."""
    job = dict(target.single(PANE).job(scenario))
    return Work(
        "prepare_context", job, "s08.core.runtime:prepare_context", False, known.Known(["messages"], []), "before"
    )


def every() -> list[Work]:
    """All of it."""
    return [*map(workload, NAMES), pane()]
