"""Which variables are another now than at an earlier step: by value, so that what changed back did not change."""

from __future__ import annotations

from tracepane.record.format.layout import CELL, GLOBAL
from tracepane.record.trace.expanded import Values
from tracepane.record.trace.past import Past
from tracepane.record.trace.state import State


class Changes:
    """The changes from a step to the present one of `values`' state. One instance answers for many variables."""

    def __init__(self, values: Values, state: State, since: int, most: int = 1 << 30) -> None:
        """`most` objects are looked at to find whether a variable reaches one that changed."""
        self.values, self.state, self.since, self.most = values, state, since, most
        self._same = values.trace.same
        self._objects = _Differing(state.past, since)
        self._untouched: set[int] = set()

    def of(self, frame: int, space: int, name: str, ref: int, bound: int) -> bool:
        """Whether a variable, as `State.variables` tells it, has another value or one that reaches another content."""
        state = self.state
        if ref < 0 and self.values.shape(-ref) == CELL:
            then = state.past.slots(-ref, self.since) if bound <= self.since else []
            now = state.slots[-ref]
            held = now[0] if now else 0
            return not self._same(then[0] if then else 0, held) or self._reaches(held)
        if bound <= self.since:
            return self._reaches(ref)
        if space != GLOBAL:
            return True
        then_ref = state.past.ref(state.namespace(frame), name, self.since)
        return not self._same(then_ref, ref) or self._reaches(ref)

    def _reaches(self, ref: int) -> bool:
        return self._objects.any and self.values.reaches(ref, self._objects, self._untouched, self.most)


class _Differing:
    """The objects that hold something else than at a step: looked at when they are asked for, as they may be many."""

    def __init__(self, past: Past, since: int) -> None:
        self._past, self._since = past, since
        self._known: dict[int, bool] = {}
        self.any = past.latest > since

    def __contains__(self, number: object) -> bool:
        assert isinstance(number, int)
        found = self._known.get(number)
        if found is None:
            found = self._known[number] = self._past.differs(number, self._since)
        return found
