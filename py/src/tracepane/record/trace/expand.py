"""A trace as expanded JSON: events by name, changed variables with values. See docs/reference/expanded-json.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tracepane.record.format import layout
from tracepane.record.format.layout import CHANGES, KINDS, STDERR, STDOUT
from tracepane.record.trace.changes import Changes
from tracepane.record.trace.events import Events
from tracepane.record.trace.expanded import Values
from tracepane.record.trace.state import State

FORMAT = "tracepane/1"
_REACH = 50_000  # objects looked at for one event, to find which variables reach a changed one


def expand(trace: Events, first: int = 0, last: int | None = None) -> dict[str, Any]:
    """The expanded form. Only the events from `first` up to `last`, which is not included, are unfolded."""
    events = list(Expansion(trace).events(first, trace.steps if last is None else last))
    return {
        "format": FORMAT,
        "runtime": trace.header.get("runtime", {}),
        "end": trace.end,
        "stdout": text_of(trace, STDOUT),
        "stderr": text_of(trace, STDERR),
        "files": files_of(trace),
        "events": events,
    }


def text_of(trace: Events, kind: int, stop: int | None = None) -> str:
    """All that was written to one stream, before the step `stop`."""
    columns, strings = trace.columns, trace.strings
    kinds = columns["event_kind"][:stop]
    return "".join(strings[columns["event_arg"][step]] for step, found in enumerate(kinds) if found == kind)


def contents(trace: Events, stop: int | None = None) -> dict[str, bytes]:
    """The files of the workspace and their bytes, as of before the step `stop`."""
    columns = trace.columns
    found: dict[str, bytes] = {}
    kinds = columns["event_kind"][:stop]
    for change in (columns["event_arg"][step] for step, kind in enumerate(kinds) if kind == layout.FILE):
        path = trace.strings[columns["file_path"][change]]
        if columns["file_change"][change] == layout.DELETED:
            found.pop(path, None)
            continue
        old = found.get(path, b"")
        start, stop_ = trace.file_starts[change], trace.file_starts[change + 1]
        prefix, suffix = columns["file_prefix"][change], columns["file_suffix"][change]
        tail = old[len(old) - suffix :] if suffix else b""
        found[path] = old[:prefix] + bytes(columns["file_bytes"][start:stop_]) + tail
    return found


def files_of(trace: Events) -> dict[str, dict[str, Any]]:
    """The files at the end: `size`, and `text` or `base64` of their bytes."""
    return {path: _file(content) for path, content in sorted(contents(trace).items())}


def _file(content: bytes) -> dict[str, Any]:
    import base64

    try:
        return {"size": len(content), "text": content.decode("utf-8")}
    except UnicodeDecodeError:
        return {"size": len(content), "base64": base64.b64encode(content).decode("ascii")}


class Expansion:
    """Goes through a trace and unfolds its events."""

    def __init__(self, trace: Events) -> None:
        """At the beginning of `trace`."""
        self.trace = trace
        self.state = State(trace)
        self.values = Values(trace, self.state)
        self.last_seen: dict[int, int] = {}

    def events(self, first: int, last: int) -> Iterator[dict[str, Any]]:
        """The events of a range of steps."""
        state = self.state
        for _ in range(min(last, self.trace.steps)):
            step = state.advance()
            frame = self.trace.frame(step)
            if step >= first:
                yield self._event(step, frame)
            if frame >= 0 and self._looks(step):
                self.last_seen[frame] = step
            state.leave()

    def _looks(self, step: int) -> bool:
        return bool(self.trace.columns["event_kind"][step] < STDOUT)

    def _event(self, step: int, frame: int) -> dict[str, Any]:
        trace = self.trace
        kind = trace.columns["event_kind"][step]
        event: dict[str, Any] = {"step": step, "kind": KINDS[kind], "file": None, "line": None, "function": None}
        if frame >= 0:
            event.update(file=trace.file(frame), line=trace.line(step) or None, function=trace.function(frame))
        event["depth"] = len(self.state.stack)
        arg = trace.columns["event_arg"][step]
        if kind < STDOUT and frame >= 0:
            event.update(self._changes(step, frame))
        event.update(self._own(kind, arg))
        return event

    def _own(self, kind: int, arg: int) -> dict[str, Any]:
        """What an event of its kind carries besides."""
        trace = self.trace
        if kind in (layout.RETURN, layout.YIELD):
            return {"value": self.values.expand(arg)}
        if kind in (layout.RAISE, layout.UNWIND):
            return {"exception": self.values.exception(arg)}
        if kind == layout.RESUME and arg:
            return {"value": self.values.expand(arg)}
        if kind in (STDOUT, STDERR):
            return {"stream": "stdout" if kind == STDOUT else "stderr", "text": trace.strings[arg]}
        if kind == layout.FILE:
            columns = trace.columns
            return {
                "path": trace.strings[columns["file_path"][arg]],
                "change": CHANGES[columns["file_change"][arg]],
                "size": columns["file_size"][arg],
            }
        return {}

    def _changes(self, step: int, frame: int) -> dict[str, Any]:
        """`set` and `unset`: the variables that changed since the frame's last event."""
        since = self.last_seen.get(frame, step - 1)
        if not self._any(since):
            return {"set": {}, "unset": []}
        changes = Changes(self.values, self.state, since, _REACH)
        new: dict[str, Any] = {}
        gone: set[str] = set()
        for space, name, ref, bound in self.state.variables(frame):
            if name in new or not changes.of(frame, space, name, ref, bound):
                continue
            value = self.values.variable(ref)
            if value is not None:
                new[name] = value
            else:
                gone.add(name)
        return {"set": new, "unset": sorted(gone - new.keys())}

    def _any(self, since: int) -> bool:
        starts = self.trace.row_starts
        return starts[since + 1] < starts[self.state.step + 1]
