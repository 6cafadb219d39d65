"""State while going through a trace from its beginning: variables, objects, stack, output, files.

For whoever reads a trace in order. It costs what the events cost; nothing is copied.
"""

from __future__ import annotations

from tracepane.record.layout import FREE, GLOBAL, LOCAL, OBJECT, POPS, PUSHES, SPLICE
from tracepane.record.trace import Trace


class State:
    """The state after the events up to a step; `advance` goes one event on.

    `local` and `free` are by frame, `globals` by namespace: {name: ref}. `changed_at` holds for each of these variables
    the step at which it changed last. `versions` maps an object's id to the index of its latest version, `slots` to its
    full slots. `stack` holds frame ids, the innermost last.
    """

    def __init__(self, trace: Trace) -> None:
        """Before the first event."""
        self.trace = trace
        self.step = -1
        self.local: dict[int, dict[str, int]] = {}
        self.free: dict[int, dict[str, int]] = {}
        self.globals: dict[int, dict[str, int]] = {}
        self.changed_at: dict[tuple[int, int, str], int] = {}
        self.versions: dict[int, int] = {}
        self.slots: dict[int, list[int]] = {}
        self.object_changed_at: dict[int, int] = {}
        self.stack: list[int] = []

    def advance(self) -> int:
        """Take in the next event; its step."""
        self.step += 1
        trace, columns = self.trace, self.trace.columns
        frame = columns["event_frame"][self.step]
        kind = columns["event_kind"][self.step]
        if kind in PUSHES:
            self.stack.append(frame)
        for row in range(trace.row_starts[self.step], trace.row_starts[self.step + 1]):
            self._row(frame, columns["row_target"][row], columns["row_value"][row])
        return self.step

    def leave(self) -> None:
        """Take the frame that the present event ends off the stack."""
        if self.trace.columns["event_kind"][self.step] in POPS and self.stack:
            self.stack.pop()

    def variables(self, frame: int) -> list[tuple[int, str, int]]:
        """The variables that are known of a frame, as (space, name, ref), in the order in which they were first seen."""
        found = [(LOCAL, name, ref) for name, ref in self.local.get(frame, {}).items()]
        found += [(FREE, name, ref) for name, ref in self.free.get(frame, {}).items()]
        names = self.globals.get(self.namespace(frame), {})
        return found + [(GLOBAL, name, ref) for name, ref in names.items()]

    def owner(self, space: int, frame: int) -> int:
        """Whose a variable is: the namespace's for a global, else the frame's."""
        return self.namespace(frame) if space == GLOBAL else frame

    def namespace(self, frame: int) -> int:
        """The id of a frame's global namespace."""
        return int(self.trace.columns["frame_globals"][frame])

    def _row(self, frame: int, target: int, value: int) -> None:
        space, number = target & 3, target >> 2
        if space == OBJECT:
            self._version(number, value)
            return
        name = self.trace.strings[number]
        owner = self.owner(space, frame) if frame >= 0 else -1
        scope = {LOCAL: self.local, FREE: self.free, GLOBAL: self.globals}[space].setdefault(owner, {})
        self.changed_at[space, owner, name] = self.step
        if value:
            scope[name] = value
        else:
            scope.pop(name, None)

    def _version(self, number: int, version: int) -> None:
        trace = self.trace
        start, stop = trace.slot_starts[version], trace.slot_starts[version + 1]
        slots = list(trace.columns["slot"][start:stop])
        if trace.columns["version_form"][version] == SPLICE:
            at, removed, *added = slots
            self.slots[number][at : at + removed] = added
        else:
            self.slots[number] = slots
        self.versions[number] = version
        self.object_changed_at[number] = self.step
