"""State at a step, found by going through the trace from its beginning: what `Queries` is held against."""

from __future__ import annotations

from collections.abc import Sequence

from tracepane.record.format.layout import CELL, DICT, GLOBAL, INSTANCE, LINE, OBJECT, SEQUENCES, STDERR, STDOUT
from tracepane.record.trace import Trace
from tracepane.record.trace.changes import Changes
from tracepane.record.trace.expand import contents, text_of
from tracepane.record.trace.expanded import Values
from tracepane.record.trace.query import SCOPES, StackFrame, Variable
from tracepane.record.trace.state import State


class Moment:
    """A trace at one step: after the step's change rows, before what the event itself begins."""

    def __init__(self, trace: Trace, step: int) -> None:
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
        changes = Changes(self.values, self.state, self.before[frame])
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


def steps_at(trace: Trace, line: int) -> list[int]:
    """The steps of the line events at a line; there is one source."""
    columns = trace.columns
    events = enumerate(zip(columns["event_kind"], columns["event_line"], strict=True))
    return [step for step, (kind, where) in events if kind == LINE and where == line]


def hits(trace: Trace, lines: Sequence[int]) -> list[int]:
    """The steps at which a statement starts: its line events but those that go on with it on another of its lines."""
    found, last = [], dict[int, int]()
    for step in range(trace.steps):
        if trace.kind(step) == "line":
            frame, line = trace.frame(step), trace.line(step)
            goes_on = last.get(frame) in lines and last[frame] != line
            if line in lines and not goes_on and not trace.function(frame).endswith("<genexpr>"):
                found.append(step)
            last[frame] = line
    return found


class Histories:
    """What every variable, object and file was, step by step: everything is written down as it goes by."""

    def __init__(self, trace: Trace) -> None:
        """Go through the whole trace."""
        self.trace = trace
        self.variables: dict[tuple[int, int, str], list[tuple[int, int]]] = {}
        self.objects: dict[int, list[tuple[int, int, list[int]]]] = {}
        self.files: dict[str, list[tuple[int, bytes | None]]] = {}
        self.state = State(trace)
        for step in range(trace.steps):
            self.state.advance()
            self._write(step)
            self.state.leave()

    def _write(self, step: int) -> None:
        trace, columns, state = self.trace, self.trace.columns, self.state
        for row in range(trace.row_starts[step], trace.row_starts[step + 1]):
            space, number = columns["row_target"][row] & 3, columns["row_target"][row] >> 2
            value, frame = columns["row_value"][row], trace.frame(step)
            if space == OBJECT:
                shape = columns["version_shape"][value]
                self.objects.setdefault(number, []).append((step, shape, list(state.slots[number])))
            else:
                owner = columns["frame_globals"][frame] if space == GLOBAL else frame
                self.variables.setdefault((space, owner, trace.strings[number]), []).append((step, value))
        if trace.kind(step) == "file":
            path = trace.strings[columns["file_path"][columns["event_arg"][step]]]
            self.files.setdefault(path, []).append((step, contents(trace, step + 1).get(path)))

    def of_variable(self, space: int, owner: int, name: str) -> list[tuple[int, int]]:
        """The values that a variable took; of one that is bound to a cell, those of the cell."""
        rows = self.variables[space, owner, name]
        versions = self.objects.get(-rows[-1][1], [])
        if versions and versions[-1][1] & 127 == CELL:
            return [(step, slots[0] if slots else 0) for step, _, slots in versions]
        return rows

    def of_part(self, number: int, part: str | int) -> list[tuple[int, int]]:
        """The values that a part of an object took, told only where they differ."""
        found: list[tuple[int, int]] = []
        for step, shape, slots in self.objects[number]:
            ref = self.parts(shape, slots).get(part, 0)
            if ref != (found[-1][1] if found else 0):
                found.append((step, ref))
        return found

    def parts(self, shape: int, slots: list[int]) -> dict[str | int, int]:
        """The parts that an object has: items by place, else attributes and entries by name."""
        own, rest = (slots[1 : slots[0] + 1], slots[slots[0] + 1 :]) if shape & 128 else (slots, [])
        if shape == INSTANCE:
            own, rest = [], slots
        names = {self.trace.strings[name - 1]: ref for name, ref in zip(rest[::2], rest[1::2], strict=True)}
        if shape & 127 in SEQUENCES:
            return {**names, **dict(enumerate(own))}
        if shape & 127 == DICT:
            texts = [self.trace.strings[key - 1] if key > 0 else "" for key in own[::2]]
            entries = zip(texts, own[1::2], strict=True)
            return {**{text[1:]: ref for text, ref in entries if text[:1] == "s"}, **names}
        return dict(names)
