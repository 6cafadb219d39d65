"""Questions about a trace at one step: the stack, variables with what changed, output, files, and where a line ran.

Each answer goes through the trace from its beginning; whoever asks many in order uses State.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tracepane.record.format.layout import FREE, GLOBAL, LINE, LOCAL, STDERR, STDOUT
from tracepane.record.trace.changes import Changes
from tracepane.record.trace.events import Events
from tracepane.record.trace.expand import contents, text_of
from tracepane.record.trace.expanded import Json, Values
from tracepane.record.trace.state import State

SCOPES = {LOCAL: "local", FREE: "closure", GLOBAL: "global"}


class StackFrame(NamedTuple):
    """A frame on the stack: where it stands, since the event `step`. `depth` 1 is the outermost."""

    frame: int
    function: str
    file: str
    line: int
    depth: int
    step: int


class Variable(NamedTuple):
    """A variable of a frame. `changed`: another value, or another content, than at the frame's event before."""

    scope: str
    name: str
    value: Json
    changed: bool


class Moment:
    """A trace at one step: after the step's change rows, before what the event itself begins."""

    def __init__(self, trace: Events, step: int) -> None:
        """Go to `step`. Raises IndexError when there is none such."""
        if not 0 <= step < trace.steps:
            raise IndexError(f"step {step} of {trace.steps}")
        self.trace, self.step = trace, step
        self.state = State(trace)
        self.last: dict[int, int] = {}
        self.before: dict[int, int] = {}
        while self.state.advance() < step:
            self._saw()
            self.state.leave()
        self._saw()
        self.values = Values(trace, self.state)

    def _saw(self) -> None:
        step = self.state.step
        frame = self.trace.frame(step)
        if frame >= 0 and self.trace.columns["event_kind"][step] < STDOUT:
            # At a frame's first event there is nothing to compare with but the event before, as in the expanded JSON.
            self.before[frame] = self.last.get(frame, step - 1)
            self.last[frame] = step

    def stack(self) -> list[StackFrame]:
        """The frames on the stack, the innermost first."""
        trace = self.trace
        found = []
        for depth, frame in enumerate(self.state.stack, 1):
            step = self.last[frame]
            found.append(StackFrame(frame, trace.function(frame), trace.file(frame), trace.line(step), depth, step))
        return found[::-1]

    def variables(self, frame: int | None = None) -> list[Variable]:
        """The variables of a frame on the stack, of the innermost when none is given."""
        if frame is None:
            if not self.state.stack:
                return []
            frame = self.state.stack[-1]
        changes = Changes(self.values, self.before[frame])
        found = []
        for space, name, ref, bound in self.state.variables(frame):
            value = self.values.variable(ref)
            if value is not None:
                found.append(Variable(SCOPES[space], name, value, changes.of(frame, space, name, ref, bound)))
        return found

    def output(self, stream: str | None = None) -> str:
        """What was written up to and including this step, to one stream or to both."""
        kinds = {"stdout": (STDOUT,), "stderr": (STDERR,), None: (STDOUT, STDERR)}[stream]
        if len(kinds) == 1:
            return text_of(self.trace, kinds[0], self.step + 1)
        columns = self.trace.columns
        events = zip(columns["event_kind"][: self.step + 1], columns["event_arg"], strict=False)
        return "".join(self.trace.strings[arg] for kind, arg in events if kind in kinds)

    def files(self) -> dict[str, bytes]:
        """The files of the workspace."""
        return contents(self.trace, self.step + 1)


def steps_at(trace: Events, file: str, line: int) -> list[int]:
    """The steps of the line events at a line of a source."""
    columns: dict[str, Any] = trace.columns
    return [
        step
        for step, (kind, where) in enumerate(zip(columns["event_kind"], columns["event_line"], strict=True))
        if kind == LINE and where == line and trace.file(trace.frame(step)) == file
    ]
