"""What can be seen from a frame at an event: its variables, and all that they reach.

What cannot have changed is not looked at. `Heap.epoch` counts the times when objects, cells or globals may have changed
without the frame's own doing; in the same epoch only the variables are read that the stretch of code just run can bind.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence
from typing import Any

from tracepane.record.bytecode.code import Code, shown
from tracepane.record.bytecode.lines import Stretch
from tracepane.record.format import layout
from tracepane.record.format.writer import TraceWriter
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.activation import Activation
from tracepane.record.recorder.cells import Cells
from tracepane.record.recorder.heap import Heap
from tracepane.record.recorder.namespace import Namespace, Refs
from tracepane.record.recorder.places import Places
from tracepane.record.values.kinds import is_dict

globals()["__builtins__"] = BUILTINS

_MISSING = object()
_dict_get, _dict_items = dict.get, dict.items


class Scene:
    """Writes the change rows of events."""

    def __init__(self, writer: TraceWriter, heap: Heap) -> None:
        """Rows go to `writer`."""
        self.writer, self.heap = writer, heap
        self.cells = Cells(heap)
        self.namespaces: dict[int, Namespace] = {}
        self.places = Places(heap)
        self._rows = 0

    def enter(self, activation: Activation, frame: types.FrameType) -> None:
        """A new frame begins: give it, its code and its globals their ids."""
        writer, code = self.writer, activation.code
        if code.number < 0:
            code.number = writer.code(code.file, code.name, code.first, code.kind)
        names = self.namespaces.get(id(frame.f_globals))
        if names is None:
            names = Namespace(len(self.namespaces), frame.f_globals)
            self.namespaces[id(frame.f_globals)] = names
        activation.names = names
        activation.number = writer.frame(code.number, names.number)
        if code.kind == layout.CLASS_CODE:
            activation.namespace = frame.f_locals
        if code.cells or code.free:
            activation.cells, activation.free = {}, {}

    def doubt(self, stack: Iterable[Activation]) -> None:
        """Forget what was recorded last, so that all of it is recorded anew."""
        self.heap.doubt()
        for activation in stack:
            activation.refs, activation.free, activation.atoms = {}, {}, {}
        for names in self.namespaces.values():
            names.refs = Refs()

    def observe(
        self, activation: Activation, frame: types.FrameType, ran: Stretch | None, outcome: Sequence[Any]
    ) -> tuple[int, int]:
        """Write the rows of an event; how many, and the ref of its own value.

        `ran` is what ran since the frame's last event, None if nothing is known of that. `outcome` is the event's own
        value, if it has one.
        """
        self._rows = 0
        roots: list[int] = []
        epoch = self.heap.epoch
        if activation.epoch != epoch or ran is None:
            self._all(activation, frame, ran, roots)
            activation.epoch = epoch
            if activation.code.quick:
                activation.code.seen, activation.code.names = epoch, activation.names
        else:
            self._bound(activation, frame, ran, roots)
        ref = 0
        if outcome:
            ref = self.heap.ref(outcome[0])
            roots.append(ref)
        if roots:
            self._rows += self.heap.walk(roots)
            self.heap.cells.clear()
        if self.cells.fresh:
            self.cells.settle(frame)
        return self._rows, ref

    def unbind(self, activation: Activation, name: str) -> None:
        """Write the row of a local that is not bound, or not any more."""
        self._bind(layout.LOCAL, name, _MISSING, activation.refs, [])
        activation.atoms.pop(name, None)

    def target(self, code: Code, name: str) -> int:
        """What rows of a local name; its first row puts the name into the string table."""
        target = code.targets[name] = self.writer.string(name) << 2 | layout.LOCAL
        return target

    def store(self, activation: Activation, ran: Stretch, roots: list[int]) -> None:
        """Write the rows of the globals that a stretch of code may have bound."""
        stores = ran.stores
        if activation.code.kind != layout.MODULE_CODE or len(stores) > 1 or not shown(stores[0]):
            self._bound_globals(activation, ran, roots)
            return
        name, names = stores[0], activation.names
        value = _dict_get(names.variables, name, _MISSING)
        if value is _MISSING or value is not names.refs.atoms.get(name, _MISSING):
            ref = self._bind(layout.GLOBAL, name, value, names.refs, roots)
            if ref > 0:
                names.refs.atoms[name] = value

    def everything(self, activation: Activation, frame: types.FrameType, bound: list[int]) -> list[int]:
        """The refs of all variables, once those are bound that may have been; `bound` are other roots.

        A new epoch begins: everything is looked at.
        """
        self.heap.epoch += 1
        activation.epoch = self.heap.epoch
        roots: list[int] = []
        code, names = activation.code, activation.names
        if code.kind == layout.MODULE_CODE:
            self._flat(layout.GLOBAL, names.variables, names.refs, roots)
            return roots + bound
        for name in code.locals:
            if name in code.cells:
                self._share(layout.LOCAL, name, activation, frame, roots)
            else:
                roots.append(activation.refs.get(name, 0))
        for name in code.free:
            self._share(layout.FREE, name, activation, frame, roots)
        return roots + [names.refs.get(name, 0) for name in code.globals] + bound

    def _all(self, activation: Activation, frame: types.FrameType, ran: Stretch | None, roots: list[int]) -> None:
        """Every variable: those that the frame alone can bind only as far as it did."""
        code, names = activation.code, activation.names
        if code.kind == layout.MODULE_CODE:
            self._flat(layout.GLOBAL, names.variables, names.refs, roots)
            return
        if code.kind == layout.CLASS_CODE:
            self._flat(layout.LOCAL, activation.namespace, activation.refs, roots)
        else:
            self._locals(activation, frame, ran, roots)
        variables, refs = names.variables, names.refs
        for name in code.globals:
            self._bind(layout.GLOBAL, name, _dict_get(variables, name, _MISSING), refs, roots)

    def _locals(self, activation: Activation, frame: types.FrameType, ran: Stretch | None, roots: list[int]) -> None:
        code = activation.code
        refs = activation.refs
        if code.locals:
            variables = frame.f_locals
            binds = None if ran is None else ran.binds
            for name in code.locals:
                if name in code.cells:
                    self._share(layout.LOCAL, name, activation, frame, roots)
                elif binds is None or name in binds:
                    self._local(name, variables, activation, roots)
                else:
                    ref = refs.get(name, 0)
                    if ref < 0:
                        roots.append(ref)
        for name in code.free:
            self._share(layout.FREE, name, activation, frame, roots)

    def _bound(self, activation: Activation, frame: types.FrameType, ran: Stretch, roots: list[int]) -> None:
        """The variables that the stretch of code may have bound, and no others."""
        if ran.plain:
            variables = frame.f_locals
            for name in ran.plain:
                self._local(name, variables, activation, roots)
        if ran.stores:
            self._bound_globals(activation, ran, roots)

    def _bound_globals(self, activation: Activation, ran: Stretch, roots: list[int]) -> None:
        code, names = activation.code, activation.names
        variables, refs = names.variables, names.refs
        if code.kind == layout.MODULE_CODE:
            if len(ran.stores) > 1 or ran.stores[0] not in variables:
                self._flat(layout.GLOBAL, variables, refs, roots)
            elif shown(ran.stores[0]):
                self._bind(layout.GLOBAL, ran.stores[0], variables[ran.stores[0]], refs, roots)
            return
        if code.kind == layout.CLASS_CODE:
            self._flat(layout.LOCAL, activation.namespace, activation.refs, roots)
        for name in code.globals:
            if name in ran.stores:
                self._bind(layout.GLOBAL, name, _dict_get(variables, name, _MISSING), refs, roots)

    def _local(self, name: str, variables: Any, activation: Activation, roots: list[int]) -> None:
        try:
            value = variables[name]
        except KeyError:
            value = _MISSING
        if value is activation.atoms.get(name, activation):
            return
        ref = self._bind(layout.LOCAL, name, value, activation.refs, roots)
        if ref > 0:
            activation.atoms[name] = value
        else:
            activation.atoms.pop(name, None)

    def _share(self, space: int, name: str, activation: Activation, frame: types.FrameType, roots: list[int]) -> None:
        """A variable that is bound to a cell."""
        try:
            value = frame.f_locals[name]
        except KeyError:
            value = _MISSING
        cell = activation.cells.get(name)
        if cell is None:
            if value is _MISSING:
                return
            cell = activation.cells[name] = self.cells.of(frame, name, activation.code, value)
        self.heap.cells[cell.number] = () if value is _MISSING else (value,)
        refs = activation.free if space == layout.FREE else activation.refs
        roots.append(-cell.number)
        if name not in refs:
            refs[name] = -cell.number
            self._row(space, name, -cell.number)

    def _flat(self, space: int, variables: Any, refs: dict[str, int], roots: list[int]) -> None:
        """A module's or a class's namespace, in its own order."""
        if not is_dict(variables):
            return
        count = 0
        for name, value in _dict_items(variables):
            if type(name) is str and shown(name):
                count += 1
                self._bind(space, name, value, refs, roots)
        if count < len(refs):
            for name in [name for name in refs if name not in variables]:
                self._bind(space, name, _MISSING, refs, roots)

    def _bind(self, space: int, name: str, value: Any, refs: dict[str, int], roots: list[int]) -> int:
        ref = 0 if value is _MISSING else self.heap.ref(value)
        if ref < 0:
            roots.append(ref)
        if refs.get(name, 0) == ref:
            return ref
        if ref:
            refs[name] = ref
        else:
            del refs[name]
        if space == layout.GLOBAL:
            refs.atoms.pop(name, None)  # type: ignore[attr-defined]
        self._row(space, name, ref)
        return ref

    def _row(self, space: int, name: str, ref: int) -> None:
        self.writer.row(self.writer.string(name) << 2 | space, ref)
        self._rows += 1
