"""What can be seen from a frame at an event: its variables, and all that they reach."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tracepane.record import layout
from tracepane.record.code import Code, shown
from tracepane.record.heap import Heap
from tracepane.record.own import BUILTINS
from tracepane.record.values import is_dict
from tracepane.record.writer import TraceWriter

globals()["__builtins__"] = BUILTINS

_MISSING = object()
_dict_get = dict.get
_FLAT = frozenset((layout.MODULE_CODE, layout.CLASS_CODE))


class Activation:
    """One frame of a traced code. `line` is where it stands, `address` the frame object's while it runs."""

    __slots__ = ("address", "cells", "code", "exception", "line", "names", "namespace", "number", "refs", "tracer")

    def __init__(self, number: int, code: Code, names: Namespace) -> None:
        self.number, self.code, self.names = number, code, names
        self.line = self.address = 0
        self.tracer: Any = None
        self.namespace: Any = None
        self.exception: BaseException | None = None
        self.refs: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.cells: dict[str, int] = {}


class Namespace:
    """The globals of a module, and the refs that were last recorded of them."""

    __slots__ = ("number", "refs", "variables")

    def __init__(self, number: int, variables: dict[str, Any]) -> None:
        self.number, self.variables = number, variables
        self.refs: dict[str, int] = {}


class Scene:
    """Writes the change rows of events."""

    def __init__(self, writer: TraceWriter, heap: Heap) -> None:
        """Rows go to `writer`."""
        self.writer, self.heap = writer, heap
        self.namespaces: dict[int, Namespace] = {}

    def enter(self, frame: types.FrameType, code: Code) -> Activation:
        """A new frame."""
        writer = self.writer
        if code.number < 0:
            code.number = writer.code(code.file, code.name, code.first, code.kind)
        names = self.namespaces.get(id(frame.f_globals))
        if names is None:
            names = Namespace(len(self.namespaces), frame.f_globals)
            self.namespaces[id(frame.f_globals)] = names
        activation = Activation(writer.frame(code.number, names.number), code, names)
        if code.kind == layout.CLASS_CODE:
            activation.namespace = frame.f_locals
        return activation

    def doubt(self, stack: Iterable[Activation]) -> None:
        """Forget what was recorded last, so that all of it is recorded anew."""
        self.heap.cells.clear()
        self.heap.doubt()
        for activation in stack:
            activation.refs = ({}, {})
        for names in self.namespaces.values():
            names.refs = {}

    def leave(self, activation: Activation) -> None:
        """The frame is gone."""
        activation.namespace = None

    def observe(self, activation: Activation, frame: types.FrameType, outcome: Sequence[Any]) -> tuple[int, int]:
        """Write the rows of an event; how many, and the ref of its own value."""
        roots: list[int] = []
        rows = self._variables(activation, frame, roots)
        ref = self.heap.ref(outcome[0]) if outcome else 0
        roots.append(ref)
        rows += self.heap.walk(roots)
        self.heap.cells.clear()
        return rows, ref

    def _variables(self, activation: Activation, frame: types.FrameType, roots: list[int]) -> int:
        code, names = activation.code, activation.names
        if code.kind == layout.MODULE_CODE:
            return self._flat(layout.GLOBAL, names.variables, names.refs, roots)
        rows = 0
        if code.kind == layout.CLASS_CODE:
            rows += self._flat(layout.LOCAL, activation.namespace, activation.refs[0], roots)
        values = frame.f_locals
        if code.locals:
            rows += self._named(layout.LOCAL, code.locals, _seen(values, code.locals), activation, roots)
        if code.free:
            rows += self._named(layout.FREE, code.free, _seen(values, code.free), activation, roots)
        wanted = _seen_globals(names.variables, code.globals)
        return rows + self._rows(layout.GLOBAL, code.globals, wanted, names.refs, roots)

    def _flat(self, space: int, variables: Any, refs: dict[str, int], roots: list[int]) -> int:
        """A module's or a class's namespace, in its own order."""
        found = {}
        if is_dict(variables):
            found = {n: v for n, v in dict.items(variables) if type(n) is str and shown(n)}
        order = (*found, *(name for name in refs if name not in found))
        return self._rows(space, order, found, refs, roots)

    def _named(
        self, space: int, names: Iterable[str], values: Mapping[str, Any], activation: Activation, roots: list[int]
    ) -> int:
        """Locals or free variables: those that frames share are bound to cells."""
        refs = activation.refs[space != layout.LOCAL]
        rows = 0
        for name in names:
            value = values.get(name, _MISSING)
            if space == layout.FREE or name in activation.code.cells:
                ref = self._cell(activation, name, value)
            else:
                ref = 0 if value is _MISSING else -1
                if ref:
                    rows += self._row(space, name, value, refs, roots)
                    continue
            rows += self._bind(space, name, ref, refs, roots)
        return rows

    def _cell(self, activation: Activation, name: str, value: Any) -> int:
        cell = activation.cells.get(name)
        if cell is None:
            if value is _MISSING:
                return 0
            cell = activation.cells[name] = self.heap.cell()
        self.heap.cells[cell] = () if value is _MISSING else (value,)
        return -cell

    def _rows(
        self, space: int, names: Iterable[str], values: Mapping[str, Any], refs: dict[str, int], roots: list[int]
    ) -> int:
        rows = 0
        for name in names:
            value = values.get(name, _MISSING)
            if value is _MISSING:
                rows += self._bind(space, name, 0, refs, roots)
            else:
                rows += self._row(space, name, value, refs, roots)
        return rows

    def _row(self, space: int, name: str, value: Any, refs: dict[str, int], roots: list[int]) -> int:
        return self._bind(space, name, self.heap.ref(value), refs, roots)

    def _bind(self, space: int, name: str, ref: int, refs: dict[str, int], roots: list[int]) -> int:
        if ref < 0:
            roots.append(ref)
        if refs.get(name, 0) == ref:
            return 0
        if ref:
            refs[name] = ref
        else:
            del refs[name]
        self.writer.row(self.writer.string(name) << 2 | space, ref)
        return 1


def _seen(values: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    found = {}
    for name in names:
        value = values.get(name, _MISSING)
        if value is not _MISSING:
            found[name] = value
    return found


def _seen_globals(variables: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    found = {}
    for name in names:
        value = _dict_get(variables, name, _MISSING)
        if value is not _MISSING:
            found[name] = value
    return found
