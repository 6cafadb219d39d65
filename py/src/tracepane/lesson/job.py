"""The job document (docs/reference/job.md) of one pane and scenario, or of a program on its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tracepane.lesson.scenario import Scenario
from tracepane.lesson.source import Source
from tracepane.record import job


def build_job(pane: str, sources: Iterable[Source], main: Iterable[str], scenario: Scenario) -> dict[str, Any]:
    """A job; `main` names the sources that run, in order."""
    return {
        "format": job.FORMAT,
        "pane": pane,
        "root": job.root(pane, scenario.id),
        "sources": [source.job() for source in sources],
        "main": list(main),
        **scenario.job(),
        "probes": [],
    }
