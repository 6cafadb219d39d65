"""Questions about a trace: state at a step, where a variable, an object or a file changed, where a line ran.

`Queries` looks at the trace once; after that each answer is found by search, and costs what it is long. The browser's
reader answers the same questions from the same test vectors.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from heapq import merge
from typing import NamedTuple

from tracepane.record.format import layout
from tracepane.record.format.layout import DELETED, EXTENDED, FREE, GLOBAL, LOCAL, SEQUENCES, STDERR, STDOUT
from tracepane.record.trace.events import Events
from tracepane.record.trace.expanded import Json, Values
from tracepane.record.trace.histories import Histories, before
from tracepane.record.trace.moment import Difference, Moment

SCOPES = {LOCAL: "local", FREE: "closure", GLOBAL: "global"}
_STREAMS = {"stdout": (STDOUT,), "stderr": (STDERR,), None: (STDOUT, STDERR)}
_REACH = 1 << 30


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


class Written(NamedTuple):
    """A step that gave a variable or a part of an object the value `ref`; 0: there is none any more."""

    step: int
    ref: int


class Queries:
    """A trace that is asked. Every question raises IndexError for a step that it does not have."""

    def __init__(self, trace: Events) -> None:
        """Look at the whole trace once."""
        self.trace = trace
        self.histories = Histories(trace)
        self._sources = {trace.strings[file]: file for file in set(trace.columns["code_file"])}
        self._paths = {trace.strings[path]: path for path in self.histories.files}

    def stack(self, step: int) -> list[StackFrame]:
        """The frames on the stack, the innermost first."""
        self._moment(step)
        trace, found = self.trace, []
        for depth, frame in enumerate(self.histories.stack(step), 1):
            at = before(self.histories.looks[frame], step + 1)
            found.append(StackFrame(frame, trace.function(frame), trace.file(frame), trace.line(at), depth, at))
        return found[::-1]

    def variables(self, step: int, frame: int | None = None) -> list[Variable]:
        """The variables of a frame, of the innermost on the stack when none is given."""
        now = self._moment(step)
        if frame is None:
            stack = self.histories.stack(step)
            if not stack:
                return []
            frame = stack[-1]
        then = self._compared(frame, step)
        values = Values(self.trace, Moment(self.histories, now))
        old = Moment(self.histories, then)
        changes, untouched = Difference(self.histories, then, now), set[int]()
        found = []
        for scope, name, rows in self._places(frame, now):
            ref = self._ref(rows, now)
            value = values.variable(ref)
            if value is not None:
                shown = values.held(ref)
                touched = not self.trace.same(Values(self.trace, old).held(self._ref(rows, then)), shown)
                touched = touched or values.reaches(shown, changes, untouched, _REACH)
                found.append(Variable(scope, name, value, touched))
        return found

    def history(self, step: int, frame: int, scope: str, name: str) -> list[Written]:
        """The values that a variable took up to a step, oldest first. Of a shared one, those of its cell."""
        now = self._moment(step)
        for place, known, rows in self._places(frame, now):
            if (place, known) == (scope, name):
                return self._written(rows, now)
        return []

    def object_history(self, step: int, number: int) -> list[int]:
        """The steps up to `step` at which an object took new contents, oldest first."""
        return [self.histories.step_of(row) for row in self._versions(number, self._moment(step))]

    def part_history(self, step: int, number: int, part: str | int) -> list[Written]:
        """The values that a part of an object took: an attribute or a dict's entry by name, an item by its place."""
        found: list[Written] = []
        for row in self._versions(number, self._moment(step)):
            ref = self._part(self.trace.columns["row_value"][row], part)
            if ref != (found[-1].ref if found else 0):
                found.append(Written(self.histories.step_of(row), ref))
        return found

    def steps_at(self, file: str, line: int) -> Sequence[int]:
        """The steps of the line events at a line of a source."""
        return self.histories.lines.get((self._sources.get(file, -1), line), ())

    def hits(self, file: str, lines: Collection[int]) -> list[int]:
        """The steps at which the statement on these lines starts; a breakpoint on any of them stops there."""
        steps = merge(*(self.steps_at(file, line) for line in sorted(lines)))
        return [step for step in steps if self._starts(step, lines)]

    def output(self, step: int, stream: str | None = None) -> str:
        """What was written up to and including a step, to one stream or to both."""
        self._moment(step)
        pieces = (self.histories.output[kind] for kind in _STREAMS[stream])
        steps = merge(*(piece[: bisect_right(piece, step)] for piece in pieces))
        return "".join(self.trace.strings[self.trace.columns["event_arg"][at]] for at in steps)

    def files(self, step: int) -> dict[str, bytes]:
        """The files of the workspace."""
        found = {}
        for path, steps in self.histories.files.items():
            content = self._content(steps, bisect_right(steps, step) - 1)
            if content is not None:
                found[self.trace.strings[path]] = content
        self._moment(step)
        return found

    def file_history(self, path: str) -> list[tuple[int, bytes | None]]:
        """All contents of a file, each with its step; None where it was deleted."""
        steps = self.histories.files.get(self._paths.get(path, -1), ())
        return [(step, self._content(steps, place)) for place, step in enumerate(steps)]

    def _moment(self, step: int) -> int:
        if not 0 <= step < self.trace.steps:
            raise IndexError(f"step {step} of {self.trace.steps}")
        return self.trace.row_starts[step + 1]

    def _compared(self, frame: int, step: int) -> int:
        """The moment with which a step is compared: the frame's event before its last, or the event before in any."""
        looks = self.histories.looks[frame]
        place = bisect_right(looks, step) - 1
        if place > 0:
            return self._moment(looks[place - 1])
        return self.trace.row_starts[looks[0]] if place == 0 else 0

    def _places(self, frame: int, moment: int) -> list[tuple[str, str, Sequence[int]]]:
        """The variables that are known of a frame at a moment: scope, name, and the rows that set it."""
        found: list[tuple[str, str, Sequence[int]]] = []
        for space, scope in SCOPES.items():
            for name, rows in self.histories.variables.get(self.histories.owner(space, frame), {}).items():
                if rows[0] < moment:
                    found.append((scope, self.trace.strings[name], rows))
        return found

    def _ref(self, rows: Sequence[int], moment: int) -> int:
        row = before(rows, moment)
        return int(self.trace.columns["row_value"][row]) if row >= 0 else 0

    def _written(self, rows: Sequence[int], now: int) -> list[Written]:
        values, ref = self.trace.columns["row_value"], self._ref(rows, now)
        if Values(self.trace, Moment(self.histories, now)).shape(-ref) != layout.CELL:
            return [Written(self.histories.step_of(row), values[row]) for row in rows[: bisect_left(rows, now)]]
        cell = ((row, self.histories.slots(values[row])) for row in self._versions(-ref, now))
        return [Written(self.histories.step_of(row), slots[0] if slots else 0) for row, slots in cell]

    def _versions(self, number: int, moment: int) -> Sequence[int]:
        rows = self.histories.objects.get(number, ())
        return rows[: bisect_left(rows, moment)]

    def _part(self, version: int, part: str | int) -> int:
        """The ref of a part of a version, 0 when it has none such."""
        shape, slots = self.trace.columns["version_shape"][version], self.histories.slots(version)
        own, attributes = (slots, []) if shape != layout.INSTANCE else ([], slots)
        if shape & EXTENDED:
            own, attributes = slots[1 : slots[0] + 1], slots[slots[0] + 1 :]
        if isinstance(part, int):
            return own[part] if shape & ~EXTENDED in SEQUENCES and 0 <= part < len(own) else 0
        entries = own if shape & ~EXTENDED == layout.DICT else []
        return self._named(attributes, part) or self._named(entries, "s" + part)

    def _named(self, pairs: Sequence[int], text: str) -> int:
        """The ref that stands after a name or key with this text, 0 when there is none."""
        for name, ref in zip(pairs[::2], pairs[1::2], strict=True):
            if name > 0 and self.trace.strings[name - 1] == text:
                return ref
        return 0

    def _starts(self, step: int, lines: Collection[int]) -> bool:
        """Whether a line event starts its statement. A generator expression is part of the statement around it."""
        if self.trace.function(self.trace.frame(step)).endswith("<genexpr>"):
            return False
        last = self.histories.line_before[step]
        return last < 0 or self.trace.line(last) == self.trace.line(step) or self.trace.line(last) not in lines

    def _content(self, steps: Sequence[int], place: int) -> bytes | None:
        """The content that a file's change number `place` left; None when there is no file then."""
        columns, content = self.trace.columns, b""
        if place < 0 or columns["file_change"][columns["event_arg"][steps[place]]] == DELETED:
            return None
        first = place
        while first > 0 and self._keeps(columns["event_arg"][steps[first]]):
            first -= 1
        for step in steps[first : place + 1]:
            change = columns["event_arg"][step]
            start, stop = self.trace.file_starts[change], self.trace.file_starts[change + 1]
            suffix = columns["file_suffix"][change]
            tail = content[len(content) - suffix :] if suffix else b""
            content = content[: columns["file_prefix"][change]] + bytes(columns["file_bytes"][start:stop]) + tail
        return content

    def _keeps(self, change: int) -> bool:
        return bool(self.trace.columns["file_prefix"][change] or self.trace.columns["file_suffix"][change])
