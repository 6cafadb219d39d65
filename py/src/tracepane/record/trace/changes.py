"""Which variables are another now than at an earlier step: by value, so that what changed back did not change."""

from __future__ import annotations

from tracepane.record.format.layout import CELL, GLOBAL, OBJECT
from tracepane.record.trace.expanded import Values


class Changes:
    """The changes from a step to the present one of `values`' state. One instance answers for many variables."""

    def __init__(self, values: Values, since: int, most: int = 1 << 30) -> None:
        """`most` objects are looked at to find whether a variable reaches one that changed."""
        self.values, self.since, self.most = values, since, most
        state, trace = values.state, values.trace
        targets = trace.columns["row_target"][trace.row_starts[since + 1] : trace.row_starts[state.step + 1]]
        objects = {target >> 2 for target in targets if target & 3 == OBJECT}
        self._objects = {number for number in objects if state.past.differs(number, since)}
        self._untouched: set[int] = set()

    def of(self, frame: int, space: int, name: str, ref: int, bound: int) -> bool:
        """Whether a variable, as `State.variables` tells it, has another value or one that reaches another content."""
        state = self.values.state
        if ref < 0 and self.values.shape(-ref) == CELL:
            then = state.past.slots(-ref, self.since) if bound <= self.since else []
            now = state.slots[-ref]
            return then[:1] != now[:1] or self._reaches(now[0] if now else 0)
        if bound <= self.since:
            return self._reaches(ref)
        then_ref = state.past.ref(state.namespace(frame), name, self.since) if space == GLOBAL else None
        return then_ref != ref or self._reaches(ref)

    def _reaches(self, ref: int) -> bool:
        return self.values.reaches(ref, self._objects, self._untouched, self.most)
