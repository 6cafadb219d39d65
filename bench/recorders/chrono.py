"""ChronoTrace: events and values by `sys.monitoring`, kept in memory, then written as one compressed file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from bench.recorders.clock import now
from bench.recorders.naive import look_into
from bench.recorders.program import Program
from bench.recorders.taken import MISSING, Instance, Look, NotPossible, Taken


def record(program: Program) -> Taken:
    """As its command does it: into memory, then to a file, which is timed apart. It has no uncompressed form."""
    if not program.alone:
        raise NotPossible("records whole files, and cannot be held to one function")
    from chronotrace.cli import _to_chrono
    from chronotrace.recorder import Recorder
    from chronotrace.recorder.scope import Scope
    from chronotrace.recorder.sink import MemorySink

    sink = MemorySink()
    recorder = Recorder(sink, scope=Scope(roots=[str(program.root)], include=(), exclude=()))
    began = now()
    with recorder:
        program.call()
    seconds = now() - began
    began = now()
    data = _to_chrono(recorder, sink)
    return Taken(seconds, b"", data, now() - began, lambda: _read(data))


def _read(data: bytes) -> Iterator[Look]:
    from chronotrace.store import ChronoReader

    with ChronoReader.from_bytes(data) as reader:
        names = list(reader.strings().names)
        frames: dict[int, dict[str, Any]] = defaultdict(dict)
        for event in reader.iter_events():
            if event.name_id is not None and event.value_ref is not None:
                frames[event.frame_id][names[event.name_id]] = _value(reader.value(event.value_ref))
                yield look_into(frames[event.frame_id])


def _value(captured: Any) -> Any:
    """A captured value; MISSING where it was cut."""
    if not isinstance(captured, dict):
        return captured
    kind = captured["$"]
    if captured.get("truncated") or kind in ("budget", "depth", "cycle"):
        return MISSING
    if kind == "dict":
        return _whole({_value(key): _value(value) for key, value in captured["items"]})
    if kind in ("list", "tuple"):
        items = _whole([_value(item) for item in captured["items"]])
        return tuple(items) if kind == "tuple" and items is not MISSING else items
    return Instance({name: _value(value) for name, value in captured.get("attrs", {}).items()})


def _whole(held: Any) -> Any:
    parts = held.values() if isinstance(held, dict) else held
    return MISSING if any(part is MISSING for part in parts) else held
