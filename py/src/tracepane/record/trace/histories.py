"""Where everything in a trace changed, found in one pass: each later question is a search in a sorted list."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from tracepane.record.format.layout import FILE, GLOBAL, LINE, OBJECT, POPS, PUSHES, SPLICE, STDERR, STDOUT
from tracepane.record.trace.events import Events
from tracepane.record.trace.walk import previous

_KEPT = 64  # contents put together from splices that are kept for the next question

Lists = defaultdict[int, "array[int]"]
Owner = tuple[int, int]


def _lists() -> Lists:
    return defaultdict(lambda: array("i"))


class Histories:
    """The histories of a trace, all ascending. A moment is a row limit: the rows before it hold.

    `variables` has for each owner (space, and frame or namespace) its names' string ids in order of first sight, each
    with the rows that set it; `objects` the rows that brought a version of an object; `looks` the steps at which a
    frame was looked at; `lines` the steps of a line's events by (string id of the file, line); `output` the steps of
    output by kind of event; `files` the steps of a path's changes by string id.
    """

    def __init__(self, trace: Events) -> None:
        """Go through the trace once: the time is that of its events and rows."""
        self.trace = trace
        self.variables: defaultdict[Owner, Lists] = defaultdict(_lists)
        self.objects, self.looks, self.files = _lists(), _lists(), _lists()
        self.lines: defaultdict[Owner, array[int]] = defaultdict(lambda: array("i"))
        self.output = {STDOUT: array("i"), STDERR: array("i")}
        self.line_before = array("i", bytes(4 * trace.steps))
        # A segment is a stay of a frame on the stack; each event knows the one on top, each segment the one below.
        self.segments, self.below, self.top = array("i"), array("i"), array("i")
        self._contents: dict[int, list[int]] = {}
        self._previous = previous(trace.columns["version_object"])
        self._find_events()

    def _find_events(self) -> None:
        columns, starts = self.trace.columns, self.trace.row_starts
        current = -1
        last_line: dict[int, int] = {}
        for step, (kind, frame) in enumerate(zip(columns["event_kind"], columns["event_frame"], strict=True)):
            if kind in PUSHES:
                self.segments.append(frame)
                self.below.append(current)
                current = len(self.segments) - 1
            self.top.append(current)
            if starts[step] < starts[step + 1]:
                self._find_rows(frame, starts[step], starts[step + 1])
            if kind >= STDOUT:
                self._find_other(step, kind)
            elif frame >= 0:
                self.looks[frame].append(step)
                if kind == LINE:
                    self._find_line(step, frame)
                    self.line_before[step] = last_line.get(frame, -1)
                    last_line[frame] = step
            if kind in POPS:
                current = self.below[current]

    def _find_rows(self, frame: int, first: int, stop: int) -> None:
        columns = self.trace.columns
        for row in range(first, stop):
            target = columns["row_target"][row]
            space, number = target & 3, target >> 2
            if space == OBJECT:
                self.objects[number].append(row)
            else:
                self.variables[self.owner(space, frame)][number].append(row)

    def _find_line(self, step: int, frame: int) -> None:
        columns = self.trace.columns
        file = columns["code_file"][columns["frame_code"][frame]]
        self.lines[file, columns["event_line"][step]].append(step)

    def _find_other(self, step: int, kind: int) -> None:
        columns = self.trace.columns
        if kind in self.output:
            self.output[kind].append(step)
        elif kind == FILE:
            self.files[columns["file_path"][columns["event_arg"][step]]].append(step)

    def owner(self, space: int, frame: int) -> Owner:
        """Whose a frame's variables of a space are."""
        return space, self.trace.columns["frame_globals"][frame] if space == GLOBAL else frame

    def step_of(self, row: int) -> int:
        """The step that a change row belongs to."""
        return bisect_right(self.trace.row_starts, row) - 1

    def stack(self, step: int) -> list[int]:
        """The frames on the stack, the outermost first."""
        found, segment = [], self.top[step]
        while segment >= 0:
            found.append(self.segments[segment])
            segment = self.below[segment]
        return found[::-1]

    def version(self, number: int, moment: int) -> int:
        """The version of an object that holds at a moment, -1 if it was not seen by then."""
        row = before(self.objects[number], moment) if number in self.objects else -1
        return -1 if row < 0 else int(self.trace.columns["row_value"][row])

    def slots(self, version: int) -> list[int]:
        """What a version holds, splices applied. Not to be changed."""
        if version in self._contents:
            return self._contents[version]
        chain = []
        at = version
        while at not in self._contents and self.trace.columns["version_form"][at] == SPLICE:
            chain.append(at)
            at = self._previous[at]
        found = list(self._contents[at]) if at in self._contents else self._written(at)
        for splice in reversed(chain):
            start, removed, *added = self._written(splice)
            found[start : start + removed] = added
        if chain:
            if len(self._contents) >= _KEPT:
                del self._contents[next(iter(self._contents))]
            self._contents[version] = found
        return found

    def _written(self, version: int) -> list[int]:
        starts = self.trace.slot_starts
        return self.trace.columns["slot"][starts[version] : starts[version + 1]].tolist()  # type: ignore[no-any-return]


def before(ascending: Sequence[int], limit: int) -> int:
    """The last number below `limit`, -1 if there is none."""
    place = bisect_left(ascending, limit)
    return ascending[place - 1] if place else -1
