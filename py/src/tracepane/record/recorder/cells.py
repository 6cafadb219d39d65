"""Which variables of different frames are one variable: those that share a cell.

A frame does not show its cells, only what they hold. Two variables are the same if what is written to one is read from
the other, so that is tried, with an object of ours, and taken back before any code of the program can run. Variables
are looked for in the frames on the stack and in the closures of functions that were seen.
"""

from __future__ import annotations

import gc
import types
import weakref
from collections.abc import Iterator
from typing import Any

from tracepane.record.bytecode.code import Code
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.activation import Activation
from tracepane.record.recorder.entry import Entry
from tracepane.record.recorder.heap import Heap
from tracepane.record.values.kinds import mro_of

globals()["__builtins__"] = BUILTINS

_closure_of = types.FunctionType.__dict__["__closure__"].__get__
_code_of = types.FunctionType.__dict__["__code__"].__get__
_contents_of = types.CellType.__dict__["cell_contents"].__get__
_referrers = gc.get_referrers
_MOST_SEARCHES = 1_000  # of the whole heap, for functions that no variable ever showed


class Closure:
    """A variable in the closure of a function that was seen; `entry` is its cell's, once known."""

    __slots__ = ("entry", "function", "index")

    def __init__(self, function: weakref.ref[Any], index: int) -> None:
        self.function, self.index = function, index
        self.entry: Entry | None = None

    def holds(self, value: object) -> bool:
        """Whether the cell holds exactly `value`."""
        function = self.function()
        if function is None:
            return False
        try:
            return _contents_of((_closure_of(function) or ())[self.index]) is value
        except (ValueError, IndexError):
            return False


class Cells:
    """Finds the cell of a variable."""

    def __init__(self, heap: Heap) -> None:
        """New cells are the heap's."""
        self.heap = heap
        self.closures: dict[str, list[Closure]] = {}
        self.fresh: list[Closure] = []
        self._searches = 0
        heap.met = self._met

    def of(self, frame: types.FrameType, name: str, code: Code, value: object) -> Entry:
        """The cell that a variable of `frame` is bound to, which holds `value` now."""
        variables = frame.f_locals
        mark = object()
        own = name in code.cells
        found = None
        variables[name] = mark
        try:
            if not own:
                found = self._in_closures(name, mark) or self._on_stack(frame.f_back, name, mark)
                if found is None and self._search(code, name):
                    found = self._in_closures(name, mark)
            entry = found or self.heap.cell()
            self._link(name, mark, entry)
        finally:
            variables[name] = value
        return entry

    def _met(self, function: types.FunctionType) -> None:
        """The heap saw a new function: its closure is noted."""
        if _closure_of(function) is not None:
            self._note(function)

    def _note(self, function: types.FunctionType) -> None:
        watch = weakref.ref(function)
        for index, name in enumerate(_code_of(function).co_freevars):
            closure = Closure(watch, index)
            self.closures.setdefault(name, []).append(closure)
            self.fresh.append(closure)

    def settle(self, frame: types.FrameType) -> None:
        """Find the cells of the functions that were seen at this event, while the frames that made them still run."""
        for closure in self.fresh:
            function = closure.function()
            if closure.entry is None and function is not None:
                cell = (_closure_of(function) or ())[closure.index]
                name = _code_of(function).co_freevars[closure.index]
                try:
                    value = cell.cell_contents
                except ValueError:  # empty: known when it is first filled
                    continue
                mark = object()
                cell.cell_contents = mark
                try:
                    closure.entry = self._in_closures(name, mark) or self._on_stack(frame, name, mark)
                finally:
                    cell.cell_contents = value
        self.fresh.clear()

    def _in_closures(self, name: str, mark: object) -> Entry | None:
        known = self.closures.get(name)
        if known is None:
            return None
        self.closures[name] = known = [closure for closure in known if closure.function() is not None]
        return next((closure.entry for closure in known if closure.entry and closure.holds(mark)), None)

    def _on_stack(self, frame: types.FrameType | None, name: str, mark: object) -> Entry | None:
        for outer, cells in _activations(frame):
            entry = cells.get(name)
            if entry is not None and outer.f_locals.get(name) is mark:
                return entry
        return None

    def _search(self, code: Code, name: str) -> bool:
        """Look for functions of this code that were never seen: methods, functions that only C code holds."""
        if self._searches >= _MOST_SEARCHES:
            return False
        self._searches += 1
        known = {id(closure.function()) for closure in self.closures.get(name, ())}
        found = [each for each in _referrers(code.code) if type(each) is types.FunctionType and id(each) not in known]
        for function in found:
            if _code_of(function) is code.code:
                self._note(function)
        return bool(found)

    def _link(self, name: str, mark: object, entry: Entry) -> None:
        for closure in self.closures.get(name, ()):
            if closure.entry is None and closure.holds(mark):
                closure.entry = entry


def _activations(frame: types.FrameType | None) -> Iterator[tuple[types.FrameType, dict[str, Entry]]]:
    while frame is not None:
        local = frame.f_trace
        bound: Any = local.__self__ if type(local) is types.MethodType else None
        if any(base is Activation for base in mro_of(type(bound))) and bound.cells:
            yield frame, bound.cells
        frame = frame.f_back
