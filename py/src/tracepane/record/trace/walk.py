"""Whether the events of a trace can have happened in their order. Source: docs/reference/trace-format.md."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import accumulate

from tracepane.record.format import layout
from tracepane.record.format.container import TraceError
from tracepane.record.format.layout import (
    CALL,
    END,
    FILE,
    LINE,
    OBJECT,
    POPS,
    PUSHES,
    RESUME,
    SPLICE,
    STDERR,
    STDOUT,
    YIELD,
)
from tracepane.record.trace.columns import Columns

_FRAMELESS = frozenset((STDOUT, STDERR, FILE))
_VALUELESS = frozenset((CALL, LINE, END))


class Walk:
    """Goes through the events: frames are pushed and popped as they must, and nothing is named before it was seen."""

    def __init__(self, columns: Columns) -> None:
        """Before the first event."""
        self._columns = columns
        self._stack: list[int] = []
        self._suspended: set[int] = set()
        self._frames = self._files = 0
        self._seen: dict[int, int] = {}  # the present version of each object
        self._previous = previous(columns["version_object"])
        self._starts = [0, *accumulate(columns["version_count"])]

    def check(self) -> None:
        """Raise TraceError at the first event that cannot be."""
        columns, stack, row = self._columns, self._stack, 0
        names = ("event_kind", "event_frame", "event_line", "event_arg", "event_rows")
        step = -1
        try:
            for step, (kind, frame, line, arg, count) in enumerate(zip(*(columns[n] for n in names), strict=True)):
                # Nearly all events are lines of the frame on top: these are told at once.
                plain = kind == LINE and line > 0 and not arg and stack and stack[-1] == frame
                if not plain:
                    self._event(kind, frame, line, step)
                if count:
                    self._rows(frame, row, row + count)
                    row += count
                if not plain:
                    self._argument(kind, arg)
                    if kind in POPS:
                        self._pop(kind, frame)
        except TraceError as error:
            raise TraceError(f"the trace is damaged at step {step}: {error}") from None

    def _event(self, kind: int, frame: int, line: int, step: int) -> None:
        if kind in PUSHES:
            self._push(kind, frame)
        elif kind == END:
            if frame != -1 or step + 1 != len(self._columns["event_kind"]):
                raise TraceError("the end is not the last event, or names a frame")
        elif frame != (self._stack[-1] if self._stack else -1):
            raise TraceError(f"it belongs to frame {frame}, which is not on top of the stack")
        elif frame < 0 and kind not in _FRAMELESS:
            raise TraceError("it needs a frame")
        elif kind == LINE and line < 1:
            raise TraceError("it has no line")

    def _push(self, kind: int, frame: int) -> None:
        if kind == CALL and frame == self._frames:
            self._frames += 1
        elif kind == RESUME and frame in self._suspended:
            self._suspended.remove(frame)
        else:
            raise TraceError(f"frame {frame} cannot begin or go on here")
        self._stack.append(frame)

    def _pop(self, kind: int, frame: int) -> None:
        self._stack.pop()
        if kind == YIELD:
            if self._columns["code_kind"][self._columns["frame_code"][frame]] < layout.GENERATOR_CODE:
                raise TraceError(f"frame {frame} cannot yield")
            self._suspended.add(frame)

    def _rows(self, frame: int, row: int, stop: int) -> None:
        targets, values = self._columns["row_target"], self._columns["row_value"]
        held, refs = list[int](), list[int]()
        for at in range(row, stop):
            value = values[at]
            if targets[at] & 3 != OBJECT:
                if value < 0:
                    refs.append(value)
                if frame < 0:
                    raise TraceError("it sets a variable of no frame")
            else:
                self._take(targets[at] >> 2, value)
                held.append(value)
        # Objects may hold each other, so what a row holds is looked at when all rows of the event are in.
        self._known(refs)
        for version in held:
            self._known(self._slots(version))

    def _take(self, number: int, version: int) -> None:
        """An object has a new version."""
        if self._seen.get(number, -1) != self._previous[version]:
            raise TraceError(f"object {number} takes its versions out of order")
        self._seen[number] = version

    def _slots(self, version: int) -> Iterable[int]:
        start = self._starts[version] + (2 if self._columns["version_form"][version] == SPLICE else 0)
        return self._columns["slot"][start : self._starts[version + 1]]  # type: ignore[no-any-return]

    def _known(self, refs: Iterable[int]) -> None:
        for ref in refs:
            if ref < 0 and -ref not in self._seen:
                raise TraceError(f"object {-ref} is named before it was seen")

    def _argument(self, kind: int, arg: int) -> None:
        if kind in _FRAMELESS:
            if kind == FILE:
                if arg != self._files:
                    raise TraceError(f"it names file change {arg}, not the next one")
                self._files += 1
        elif kind in _VALUELESS:
            if arg:
                raise TraceError(f"it has the value {arg}")
        elif arg < 0:
            self._known((arg,))
        elif arg == 0 and kind != RESUME and kind != layout.UNWIND:
            raise TraceError("it has no value")


def previous(objects: Iterable[int]) -> array[int]:
    """For each version the one before of the same object, -1 if there is none."""
    latest: dict[int, int] = {}
    found = array("i")
    for version, number in enumerate(objects):
        found.append(latest.get(number, -1))
        latest[number] = version
    return found
