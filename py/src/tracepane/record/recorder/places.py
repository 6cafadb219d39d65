"""Finds the objects that a stretch of code changed, where its bytecode and its calls tell which these are."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

from tracepane.record.bytecode.lines import Stretch
from tracepane.record.bytecode.touch import ATTRIBUTE, Constant, Place, Sum, Symbol
from tracepane.record.format import layout
from tracepane.record.format.layout import ITEMS_LIMIT
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.activation import Activation
from tracepane.record.recorder.entry import Entry, Kind
from tracepane.record.recorder.heap import Heap
from tracepane.record.recorder.narrow import KEY, NAME, STORED, WHOLE, Change
from tracepane.record.values.atoms import TEXTS
from tracepane.record.values.kinds import DICT, IMMUTABLE, flags_of

globals()["__builtins__"] = BUILTINS

UNKNOWN = object()
Found = dict[Entry, list[Change]]
_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "%": operator.mod, "//": operator.floordiv,
}  # fmt: skip
_dict_get, _dict_len = dict.get, dict.__len__
_NEAR = 2_000  # slots of an object that are searched


class Places:
    """Looks from the variables of a frame, as they were last recorded."""

    def __init__(self, heap: Heap) -> None:
        """In one heap."""
        self.heap = heap

    def find(self, activation: Activation, ran: Stretch, frame: types.FrameType) -> Found | None:
        """The objects that may have changed, and where in them; None where it cannot be told."""
        found: Found = {}
        for name in ran.cells:
            cell = activation.cells.get(name)
            if cell is None:
                return None
            variables = frame.f_locals
            self.heap.cells[cell.number] = (variables[name],) if name in variables else ()
            found[cell] = [(WHOLE, None)]
        for name in ran.in_place:
            ref = self._held(activation, name)
            if ref == 0 or (ref < 0 and not self._add(found, self.heap.numbers[-ref], (WHOLE, None))):
                return None
        for touch in ran.touch:
            if touch.kind == ATTRIBUTE:
                change = (NAME, touch.key)
            else:
                key = UNKNOWN if touch.key is None else self._value(activation, touch.key)
                # An operator in place may change anything, a store one item.
                change = (KEY, key) if key is not UNKNOWN else (STORED if touch.stores else WHOLE, None)
            if not self._resolve(activation, touch.place, change, found):
                return None
        for entry, what in self.heap.touched:
            if not self._reachable(activation, ran, entry) or not self._add(found, entry, (what, None)):
                return None
        return found

    def _held(self, activation: Activation, name: str) -> int:
        """The ref of what a variable was bound to when it was last recorded."""
        cell = activation.cells.get(name)
        if cell is not None:
            return next(iter(self.heap.writer.last(cell.number)), 0)
        code = activation.code
        local = name in code.plain or code.kind == layout.CLASS_CODE
        return (activation.refs if local else activation.names.refs).get(name, 0)

    def _add(self, found: Found, entry: Entry, change: Change) -> bool:
        if not self._kind(entry).plain:
            return False
        found.setdefault(entry, []).append(change)
        return True

    def _kind(self, entry: Entry) -> Kind:
        value = entry.held if entry.held is not None else entry.watch()
        return self.heap.kind(type(value))

    def _reachable(self, activation: Activation, ran: Stretch, entry: Entry) -> bool:
        """Whether it is at hand: bound to a variable of the frame, held by something that is, or where it was found."""
        ref, names = -entry.number, activation.names.refs
        code = activation.code
        if ref in activation.refs.values() or any(self._at(activation, owner) is entry for owner in ran.owners):
            return True
        if code.kind == layout.MODULE_CODE:
            near: list[int] = list(names.values())
        else:
            near = [
                *activation.refs.values(),
                *activation.free.values(),
                *(names.get(name, 0) for name in code.globals),
            ]
        if ref in near:
            return True
        last = self.heap.writer.last
        return any(len(slots := last(-each)) <= _NEAR and ref in slots for each in near if each < 0)

    def _root(self, activation: Activation, place: Place) -> Any:
        """What a variable is bound to."""
        if place.local:
            ref = activation.refs.get(place.root, 0)
            if ref >= 0:
                return activation.atoms.get(place.root, UNKNOWN)
            entry = self.heap.numbers[-ref]
            value = entry.held if entry.held is not None else entry.watch()
            return UNKNOWN if value is None else value
        return _dict_get(activation.names.variables, place.root, UNKNOWN)

    def _resolve(self, activation: Activation, place: Place, change: Change, found: Found) -> bool:
        value = self._root(activation, place)
        for depth, (kind, key) in enumerate(place.path):
            inner = self._step(activation, value, kind, key)
            if inner is UNKNOWN:
                entry = self.heap.entries.get(id(value))
                return entry is not None and self._below(entry, place.path[depth:], found)
            value = inner
        if value is UNKNOWN:
            return False
        if id(type(value)) in TEXTS:
            return True
        entry = self.heap.entries.get(id(value))
        # What is not known yet is new, or beyond what is kept: it is met, if at all, with what holds it.
        return self._add(found, entry, change) if entry is not None else bool(place.path)

    def _at(self, activation: Activation, place: Place) -> Entry | None:
        value = self._root(activation, place)
        for kind, key in place.path:
            value = self._step(activation, value, kind, key)
        return self.heap.entries.get(id(value)) if value is not UNKNOWN else None

    def _below(self, entry: Entry, steps: tuple[tuple[int, Any], ...], found: Found) -> bool:
        """Any of the items so many levels down."""
        numbers, level = self.heap.numbers, [entry]
        for kind, _ in steps:
            if kind == ATTRIBUTE or not all(self._kind(each).holds for each in level):
                return False
            if any(len(self.heap.writer.last(each.number)) >= ITEMS_LIMIT for each in level):
                return False  # what is cut off may be seen from elsewhere
            level = [numbers[number] for each in level for number in self.heap.children(each)]
        return all(self._add(found, each, (WHOLE, None)) for each in level)

    def _step(self, activation: Activation, value: Any, kind: int, key: Any) -> Any:
        if value is UNKNOWN:
            return UNKNOWN
        if kind == ATTRIBUTE:
            own = self.heap.kind(type(value)).own
            variables = own(value) if own is not None else None
            return _dict_get(variables, key, UNKNOWN) if type(variables) is dict else UNKNOWN
        at = UNKNOWN if key is None else self._value(activation, key)
        if at is UNKNOWN:
            return UNKNOWN
        if type(value) is list or type(value) is tuple:
            if type(at) is not int or not -len(value) <= at < len(value):
                return UNKNOWN
            return _kept(value[at], at % len(value) < ITEMS_LIMIT)
        flags = flags_of(type(value))
        if id(type(at)) in TEXTS and (type(value) is dict or (flags & DICT and flags & IMMUTABLE)):
            return _kept(_dict_get(value, at, UNKNOWN), _dict_len(value) <= ITEMS_LIMIT)
        return UNKNOWN

    def _value(self, activation: Activation, symbol: Symbol) -> Any:
        """What a key is, an atom; UNKNOWN if that cannot be told."""
        if isinstance(symbol, Constant):
            return symbol.value
        if isinstance(symbol, Sum):
            left, right = self._value(activation, symbol.left), self._value(activation, symbol.right)
            if type(left) is not int or type(right) is not int:
                return UNKNOWN
            return _OPERATORS[symbol.operator](left, right) if right or symbol.operator not in "%//" else UNKNOWN
        if not isinstance(symbol, Place):
            return UNKNOWN
        value = self._root(activation, symbol)
        for kind, key in symbol.path:
            value = self._step(activation, value, kind, key)
        return value if id(type(value)) in TEXTS else UNKNOWN


def _kept(item: Any, shown: bool) -> Any:
    """An object that is cut off may be seen from elsewhere, or not at all; of an atom that does not matter."""
    return item if shown or id(type(item)) in TEXTS else UNKNOWN
