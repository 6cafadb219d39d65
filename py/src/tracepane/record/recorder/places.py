"""Finds the objects that a stretch of code changed, where its bytecode and its calls tell which these are."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any

from tracepane.record.bytecode.lines import Stretch
from tracepane.record.bytecode.touch import ATTRIBUTE, Constant, Place, Sum, Symbol, Touch, roots
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
Get = Callable[[Activation], Any]
Find = Callable[[Activation, Found], bool]
Step = Callable[[Activation, Any], Any]
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
        if ran.touch:
            for find in ran.finders or self._work_out(ran):
                if not find(activation, found):
                    return None
        for entry, what in self.heap.touched:
            if not self.reachable(activation, ran, entry) or not self._add(found, entry, (what, None)):
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

    def reachable(self, activation: Activation, ran: Stretch, entry: Entry) -> bool:
        """Whether it is at hand: bound to a variable of the frame, held by something that is, or where it was found.

        What the variables were bound to that the stretch has bound since counts for nothing.
        """
        ref, code = -entry.number, activation.code
        refs, names = activation.refs, activation.names.refs
        if ran.binds:
            refs = {name: each for name, each in refs.items() if name not in ran.binds}
        if ref in refs.values():
            return True
        if ran.owners:
            bound = {*ran.binds, *ran.stores}
            if not ran.getters:
                ran.getters = tuple(self._getter(each) for each in ran.owners if roots(each).isdisjoint(bound))
            entries = self.heap.entries
            for get in ran.getters:
                if entries.get(id(get(activation))) is entry:
                    return True
        shown = names if code.kind == layout.MODULE_CODE else code.globals
        near = [names.get(name, 0) for name in shown if name not in ran.stores]
        if code.kind != layout.MODULE_CODE:
            near = [*refs.values(), *activation.free.values(), *near]
        if ref in near:
            return True
        last = self.heap.writer.last
        return any(len(slots := last(-each)) <= _NEAR and ref in slots for each in near if each < 0)

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

    # What bytecode tells of a place is made into functions once, when the stretch first changes something.

    def _work_out(self, ran: Stretch) -> tuple[Find, ...]:
        ran.finders = tuple(
            self._local_finder(touch) if touch.place.local and not touch.place.path else self._finder(touch)
            for touch in ran.touch
        )
        return ran.finders

    def _local_finder(self, touch: Touch) -> Find:
        """Finds the object that a variable of the frame's own is bound to."""
        numbers, name, change = self.heap.numbers, touch.place.root, self._change(touch)

        def find(activation: Activation, found: Found) -> bool:
            ref = activation.refs.get(name, 0)
            return self._add(found, numbers[-ref], change(activation)) if ref < 0 else name in activation.atoms

        return find

    def _finder(self, touch: Touch) -> Find:
        """Finds the object at a place."""
        entries, path, change = self.heap.entries, touch.place.path, self._change(touch)
        root, steps = self._root(touch.place), self._steps(touch.place)

        def find(activation: Activation, found: Found) -> bool:
            value = root(activation)
            for depth, step in enumerate(steps):
                inner = step(activation, value)
                if inner is UNKNOWN:
                    entry = entries.get(id(value))
                    return entry is not None and self._below(entry, path[depth:], found)
                value = inner
            if value is UNKNOWN:
                return False
            if id(type(value)) in TEXTS:
                return True
            entry = entries.get(id(value))
            # What is not known yet is new, or beyond what is kept: it is met, if at all, with what holds it.
            return self._add(found, entry, change(activation)) if entry is not None else bool(path)

        return find

    def _change(self, touch: Touch) -> Callable[[Activation], Change]:
        """What is changed in the object."""
        if touch.kind == ATTRIBUTE:
            named = (NAME, touch.key)
            return lambda activation: named
        # An operator in place may change anything, a store one item.
        otherwise: Change = (STORED if touch.stores else WHOLE, None)
        if touch.key is None:
            return lambda activation: otherwise
        value = self._value(touch.key)

        def change(activation: Activation) -> Change:
            key = value(activation)
            return (KEY, key) if key is not UNKNOWN else otherwise

        return change

    def _getter(self, place: Place) -> Get:
        """Gets what is at a place."""
        root, steps = self._root(place), self._steps(place)

        def get(activation: Activation) -> Any:
            value = root(activation)
            for step in steps:
                value = step(activation, value)
            return value

        return get

    def _root(self, place: Place) -> Get:
        """Gets what a variable is bound to."""
        numbers, name = self.heap.numbers, place.root

        def get_local(activation: Activation) -> Any:
            ref = activation.refs.get(name, 0)
            if ref >= 0:
                return activation.atoms.get(name, UNKNOWN)
            entry = numbers[-ref]
            value = entry.held if entry.held is not None else entry.watch()
            return UNKNOWN if value is None else value

        def get_global(activation: Activation) -> Any:
            return _dict_get(activation.names.variables, name, UNKNOWN)

        return get_local if place.local else get_global

    def _steps(self, place: Place) -> tuple[Step, ...]:
        return tuple(
            self._attribute_step(key) if kind == ATTRIBUTE else self._item_step(key) for kind, key in place.path
        )

    def _attribute_step(self, name: str) -> Step:
        kind = self.heap.kind

        def step(activation: Activation, value: Any) -> Any:
            own = kind(type(value)).own if value is not UNKNOWN else None
            variables = own(value) if own is not None else None
            return _dict_get(variables, name, UNKNOWN) if type(variables) is dict else UNKNOWN

        return step

    def _item_step(self, symbol: Symbol) -> Step:
        key = self._value(symbol)

        def step(activation: Activation, value: Any) -> Any:
            at = key(activation) if value is not UNKNOWN else UNKNOWN
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

        return step

    def _value(self, symbol: Symbol) -> Get:
        """Gets what a key is, an atom; UNKNOWN if that cannot be told."""
        if isinstance(symbol, Constant):
            constant = symbol.value
            return lambda activation: constant
        if isinstance(symbol, Sum):
            return self._sum(symbol)
        if not isinstance(symbol, Place):
            return lambda activation: UNKNOWN
        if symbol.local and not symbol.path:
            name = symbol.root
            return lambda activation: activation.atoms.get(name, UNKNOWN)
        at = self._getter(symbol)

        def get(activation: Activation) -> Any:
            value = at(activation)
            return value if id(type(value)) in TEXTS else UNKNOWN

        return get

    def _sum(self, symbol: Sum) -> Get:
        one, two = self._value(symbol.left), self._value(symbol.right)
        operate, divides = _OPERATORS[symbol.operator], symbol.operator in "%//"

        def get(activation: Activation) -> Any:
            left, right = one(activation), two(activation)
            if type(left) is not int or type(right) is not int or (divides and not right):
                return UNKNOWN
            return operate(left, right)

        return get


def _kept(item: Any, shown: bool) -> Any:
    """An object that is cut off may be seen from elsewhere, or not at all; of an atom that does not matter."""
    return item if shown or id(type(item)) in TEXTS else UNKNOWN
