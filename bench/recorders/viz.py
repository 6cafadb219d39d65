"""VizTracer with its option that logs each assignment to a variable: the program is rewritten, the log is kept in C."""

from __future__ import annotations

import builtins
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.recorders.clock import now
from bench.recorders.naive import literal, look_into
from bench.recorders.program import Program
from bench.recorders.taken import Look, NotPossible, Taken

_PREFIX = "Variable Assign - "


def variables(program: Program) -> Taken:
    """All variables, as `--log_var .*` does; the making of its JSON file is timed apart."""
    if not program.alone:
        raise NotPossible("rewrites whole files, and cannot be held to one function")
    from viztracer import VizTracer
    from viztracer.code_monkey import CodeMonkey

    tracer: Any = VizTracer(verbose=0)
    monkey = CodeMonkey(str(program.shown))
    monkey.add_instrument("log_var", {"varnames": [".*"]})
    builtins.__viz_tracer__ = tracer  # type: ignore[attr-defined]
    program.replace(monkey.compile(program.text, str(program.shown), "exec"))
    began = now()
    tracer.start()
    program.call()
    tracer.stop()
    seconds = now() - began
    data, saving = _save(tracer)
    return Taken(seconds, data, saving=saving, looks=lambda: _read(data))


def _save(tracer: Any) -> tuple[bytes, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "result.json"
        began = now()
        tracer.save(str(path))
        return path.read_bytes(), now() - began


def _read(data: bytes) -> Iterator[Look]:
    """The variables as of each assignment; the log does not say whose frame's they are."""
    seen: dict[str, Any] = {}
    events = json.loads(data)["traceEvents"]
    logged = [event for event in events if event.get("ph") == "i"]
    for event in sorted(logged, key=lambda event: float(event["ts"])):
        name, _, value = event["name"].removeprefix(_PREFIX).partition(" = ")
        seen[name] = literal(value)
        yield look_into(seen)
