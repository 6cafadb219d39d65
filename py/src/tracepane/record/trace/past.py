"""What globals and objects were at an earlier step, for whoever asks whether they are another now.

Only they can change between two events of a frame, and change back: what other frames do lies between.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

from tracepane.record.format.layout import SPLICE
from tracepane.record.trace.events import Events

_History = tuple["array[int]", "array[int]"]  # steps, and what was then


class Past:
    """Grows with a State; each history is two flat arrays of numbers."""

    def __init__(self, trace: Events) -> None:
        """Nothing has happened."""
        self.trace = trace
        self._globals: dict[tuple[int, str], _History] = {}
        self._versions: dict[int, _History] = {}
        self.latest = -1  # the step of the latest version of any object

    def bind(self, namespace: int, name: str, step: int, ref: int) -> None:
        """A global has another value from `step` on."""
        _add(self._globals.setdefault((namespace, name), (array("q"), array("q"))), step, ref)

    def version(self, number: int, step: int, version: int) -> None:
        """An object has another content from `step` on."""
        self.latest = step
        _add(self._versions.setdefault(number, (array("q"), array("q"))), step, version)

    def ref(self, namespace: int, name: str, step: int) -> int:
        """The value of a global at a step, 0 when it had none."""
        steps, refs = self._globals.get((namespace, name), ((), ()))
        at = bisect_right(steps, step) - 1
        return refs[at] if at >= 0 else 0

    def slots(self, number: int, step: int) -> list[int]:
        """The full slots of an object at a step; empty when it was not known then."""
        if number not in self._versions:
            return []
        steps, versions = self._versions[number]
        return self._slots(versions[: bisect_right(steps, step)])

    def differs(self, number: int, step: int) -> bool:
        """Whether an object's own content now is another than at a step, or was not known then."""
        steps, versions = self._versions[number]
        then, now = bisect_right(steps, step) - 1, len(versions) - 1
        # A version is written when it differs from the one before, so that one later is another for certain.
        if then < 0 or now - then < 2:
            return then < now
        columns = self.trace.columns
        for name in ("version_shape", "version_type", "version_length"):
            if columns[name][versions[then]] != columns[name][versions[now]]:
                return True
        shape = columns["version_shape"][versions[now]]
        return not self.trace.same_version(self._slots(versions[: then + 1]), self._slots(versions), shape)

    def _slots(self, versions: array[int]) -> list[int]:
        """Of the last of an object's versions: from the newest that is whole, through the splices after it."""
        trace, form = self.trace, self.trace.columns["version_form"]
        start = len(versions) - 1
        while start > 0 and form[versions[start]] == SPLICE:
            start -= 1
        slots: list[int] = []
        for version in versions[max(start, 0) :]:
            own = list(trace.columns["slot"][trace.slot_starts[version] : trace.slot_starts[version + 1]])
            if form[version] == SPLICE:
                at, removed, *added = own
                slots[at : at + removed] = added
            else:
                slots = own
        return slots


def _add(history: _History, step: int, value: int) -> None:
    history[0].append(step)
    history[1].append(value)
