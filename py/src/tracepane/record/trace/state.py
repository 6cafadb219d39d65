"""State while going through a trace from its beginning: variables, objects, stack, output, files.

For whoever reads a trace in order. It costs what the events cost; nothing is copied.
"""

from __future__ import annotations

from tracepane.record.format.layout import FREE, GLOBAL, LOCAL, OBJECT, POPS, PUSHES, SPLICE, YIELD
from tracepane.record.trace.events import Events
from tracepane.record.trace.past import Past

Scope = dict[str, tuple[int, int]]
"""Name → (ref, step at which it was bound to that). The ref is 0 once the variable is gone."""


class State:
    """The state after the events up to a step; `advance` goes one event on.

    `local` and `free` are by frame, `globals` by namespace. `versions` maps an object's id to the index of its latest
    version, `slots` to its full slots. `stack` holds frame ids, the innermost last. `past` knows what was before.
    """

    def __init__(self, trace: Events) -> None:
        """Before the first event."""
        self.trace = trace
        self.step = -1
        self.local: dict[int, Scope] = {}
        self.free: dict[int, Scope] = {}
        self.globals: dict[int, Scope] = {}
        self.versions: dict[int, int] = {}
        self.slots: dict[int, list[int]] = {}
        self.past = Past(trace)
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
        """Take the frame that the present event ends off the stack, and forget its variables if it never comes back."""
        kind = self.trace.columns["event_kind"][self.step]
        if kind in POPS and self.stack:
            frame = self.stack.pop()
            if kind != YIELD:
                self.local.pop(frame, None)
                self.free.pop(frame, None)

    def variables(self, frame: int) -> list[tuple[int, str, int, int]]:
        """The variables that are known of a frame, also those that are gone, in the order of first sight.

        Each is (space, name, ref, step at which it was bound); locals first, then free variables, then globals.
        """
        scopes = ((LOCAL, self.local.get(frame)), (FREE, self.free.get(frame)), (GLOBAL, self._globals(frame)))
        return [(space, name, *bound) for space, scope in scopes if scope for name, bound in scope.items()]

    def namespace(self, frame: int) -> int:
        """The number of a frame's globals; without a frame −1."""
        return int(self.trace.columns["frame_globals"][frame]) if frame >= 0 else frame

    def _globals(self, frame: int) -> Scope:
        return self.globals.get(self.namespace(frame), {})

    def _row(self, frame: int, target: int, value: int) -> None:
        space, number = target & 3, target >> 2
        if space == OBJECT:
            self._version(number, value)
            return
        owner = frame
        name = self.trace.strings[number]
        if space == GLOBAL:
            owner = self.namespace(frame)
            self.past.bind(owner, name, self.step, value)
        scope = {LOCAL: self.local, FREE: self.free, GLOBAL: self.globals}[space].setdefault(owner, {})
        scope[name] = (value, self.step)

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
        self.past.version(number, self.step, version)
