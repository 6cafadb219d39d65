"""The job of a program on its own: what every test that runs one begins with."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from typing import Any

from tracepane.record import job as jobs


def job(
    source: str | bytes,
    name: str = "prog.py",
    *,
    traced: Sequence[Sequence[int]] = ((1, 1_000_000),),
    stdin: str = "",
    closed: bool = True,
    env: Mapping[str, str] | None = None,
    limits: Mapping[str, float] | None = None,
    files: Mapping[str, str] | None = None,
    support: Mapping[str, str] | None = None,
    before: Sequence[str] = (),
) -> dict[str, Any]:
    """A job of one shown source, traced whole; `support` are more sources, those named in `before` run first."""
    data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
    ranges = [list(each) for each in traced]
    shown = {"name": name, "role": "shown", "base64": base64.b64encode(data).decode("ascii"), "traced": ranges}
    more = [{"name": key, "role": "support", "text": text} for key, text in (support or {}).items()]
    return {
        "format": jobs.FORMAT,
        "pane": name,
        "scenario": "",
        # A directory of this process's own: other tests may run a program of the same name at the same time.
        "root": jobs.root(f"{name} {os.getpid()}", ""),
        "sources": [*more, shown],
        "main": [*before, name],
        "argv": [],
        "env": dict(env or {}),
        "stdin": {"text": stdin, "closed": closed},
        "files": [{"name": key, "text": text} for key, text in (files or {}).items()],
        "limits": {"steps": 1_000_000, "bytes": 64 << 20, "seconds": 60, **(limits or {})},
        "probes": [],
    }
