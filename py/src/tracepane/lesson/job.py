"""The job document (docs/reference/job.md) of one pane and scenario, or of a program on its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from tracepane.lesson.scenario import Scenario
from tracepane.lesson.source import Source

FORMAT = "tracepane-job/1"


def build_job(pane: str, sources: Iterable[Source], main: Iterable[str], scenario: Scenario) -> dict[str, Any]:
    """A job; `main` names the sources that run, in order."""
    root = hashlib.sha256(f"{pane}\0{scenario.id}".encode()).hexdigest()[:8]
    return {
        "format": FORMAT,
        "pane": pane,
        "root": f"/tmp/tracepane-{root}",
        "sources": [source.job() for source in sources],
        "main": list(main),
        **scenario.job(),
        "probes": [],
    }


def job_digest(job: Mapping[str, Any]) -> str:
    """SHA-256 of the job without its probes, in hexadecimal."""
    identity = {key: value for key, value in job.items() if key != "probes"}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()
