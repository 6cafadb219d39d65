"""Writes what whole objects hold: a new version of an object, where anything in it differs from the last one."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from tracepane.record.format import layout
from tracepane.record.format.layout import ITEMS_LIMIT
from tracepane.record.format.overlap import overlap
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.entry import Entry, Kind, Objects
from tracepane.record.recorder.narrow import Narrow
from tracepane.record.recorder.shadow import CONSTANT, AtomDict, Atoms, Entries, Items, Pairs, of_dict
from tracepane.record.recorder.shape import Attributes
from tracepane.record.values.atoms import TEXTS
from tracepane.record.values.kinds import type_name
from tracepane.record.values.readers import PROGRAM_BUILTINS
from tracepane.record.values.reading import NAME, Part

globals()["__builtins__"] = BUILTINS

_str = str.__str__
_rank = operator.itemgetter(0)
_PLAIN = {id(list): layout.LIST, id(tuple): layout.TUPLE, id(dict): layout.DICT}  # by address: see atoms.TEXTS
_SORTED = frozenset((layout.SET, layout.FROZENSET))


class Contents:
    """Reads a heap's objects. `new` has the ids of those that the object looked at last may not have held before."""

    def __init__(self, heap: Objects, narrow: Narrow) -> None:
        """For one heap."""
        self.heap, self.writer, self._narrow = heap, heap.writer, narrow
        self.new: Sequence[int] = ()
        self._types: dict[int, int] = {}  # by shape, the name of the type in the string table
        self._names: dict[str, int] = {}  # the slots of names

    def look(self, entry: Entry, value: Any) -> int:
        """Write an object's version, if anything changed; the number of change rows. `value` is None for a cell."""
        heap, writer = self.heap, self.writer
        number = entry.number
        last = writer.last_of.get(number)
        if last is not None:
            heap.looked += len(last.slots)
        else:
            shape = _PLAIN.get(id(type(value)), -1)
            if shape >= 0 and len(value) <= ITEMS_LIMIT and value is not PROGRAM_BUILTINS:
                return self._first_look(entry, value, shape)
            kind = heap.kind(type(value))
            own = kind.own(value) if kind.bare and kind.name >= 0 and kind.own is not None else None
            if type(own) is dict and not own:  # it will soon hold something: its shape is enough
                entry.shadow, entry.leaf, self.new = kind.shape, True, ()
                writer.pairs += (number << 2 | layout.OBJECT, writer.first(number, layout.INSTANCE, kind.name, 0, []))
                return 1
        if type(value) is list and len(value) <= ITEMS_LIMIT:
            return self._look_at_list(entry, value, layout.LIST)
        if type(value) is dict and value is not PROGRAM_BUILTINS and len(value) <= ITEMS_LIMIT:
            return self._look_at_dict(entry, value)
        if value is None:
            content = heap.cells.get(number)
            if content is None:
                return 0
            name, shape, length = writer.string("cell"), layout.CELL, len(content)
            slots = [heap.ref(content[0]) if content else 0]
        else:
            kind = self._name_kind(type(value))
            if kind.queue and len(value) <= ITEMS_LIMIT:
                return self._look_at_list(entry, value, layout.DEQUE)
            if kind.bare and kind.own is not None and type(own := kind.own(value)) is dict and len(own) <= ITEMS_LIMIT:
                return self._look_at_instance(entry, kind, value, own)
            shape, length, parts, attributes = kind.read(value)
            name = kind.name
            slots = self._slots(shape, parts, attributes)
            entry.shadow = kind.cast(value, heap.deaths.count)
        self._holds(entry, slots)
        version = writer.version(number, shape, name, length, slots)
        if version < 0:
            return 0
        writer.row(number << 2 | layout.OBJECT, version)
        return 1

    def _first_look(self, entry: Entry, value: Any, shape: int) -> int:
        """As `look`, of a list, tuple or dict that has no version yet."""
        heap, writer, length = self.heap, self.writer, len(value)
        ref, deaths = heap.ref, heap.deaths.count
        name = self._types.get(shape, -1)
        if name < 0:
            name = self._types[shape] = self._name_kind(type(value)).name
        if shape == layout.DICT:
            words = heap.words
            slots: list[int] = []
            for key, item in value.items():
                slots += ((words.get(key) if type(key) is str else 0) or ref(key), ref(item))
        else:
            slots = list(map(ref, value))
        self.new = [-slot for slot in slots if slot < 0]
        leaf = not self.new
        if shape == layout.TUPLE:
            entry.shadow = CONSTANT
        elif shape == layout.LIST:
            entry.shadow = Atoms(value[:], length) if leaf else Items(value, length, deaths)
        elif leaf:
            entry.shadow = AtomDict(list(value), list(value.values()), length)
        else:
            keys, items = list(value), list(value.values())
            entry.shadow = (Entries if min(slots[::2]) > 0 else Pairs)(keys, items, length, deaths)
        entry.leaf = leaf
        writer.pairs += (entry.number << 2 | layout.OBJECT, writer.first(entry.number, shape, name, length, slots))
        return 1

    def _look_at_instance(self, entry: Entry, kind: Kind, value: Any, own: dict[Any, Any]) -> int:
        """As `look`, of an instance that holds attributes and nothing else."""
        ref, names = self.heap.ref, self._names
        slots: list[int] = []
        for name, item in own.items():
            if type(name) is str:
                slots += (names.get(name) or self._name(name), ref(item))
        shape = kind.shape.of(own) if kind.shape is not None else None
        # What holds nothing is soon seen to hold something.
        entry.shadow = Attributes(own, self.heap.deaths.count, shape) if own and shape is not None else shape
        self._holds(entry, slots)
        return self._write(entry, kind, layout.INSTANCE, len(slots) // 2, slots)

    def _holds(self, entry: Entry, slots: list[int]) -> None:
        self.new = [-slot for slot in slots if slot < 0]
        entry.leaf = not self.new

    def _name_kind(self, kind: type) -> Kind:
        """What is known of a type, its name in the string table: that comes before what its objects hold."""
        known = self.heap.kind(kind)
        if known.name < 0:
            known.name = self.writer.string(type_name(kind))
        return known

    def _look_at_list(self, entry: Entry, value: Any, shape: int) -> int:
        """As `look`, reading only the items that are not the very same as before."""
        heap, kind = self.heap, self._name_kind(type(value))
        old = self.writer.last(entry.number)
        items = value if shape == layout.LIST else list(value)
        range_ = self._follow(entry, items, len(old))
        if range_ is None:
            slots = list(map(heap.ref, items))
            entry.shadow = kind.cast(value, heap.deaths.count)
            self._holds(entry, slots)
            return self._write(entry, kind, shape, len(items), slots)
        start, stop = range_
        middle = list(map(heap.ref, items[start : len(items) - stop]))
        self.new = [-slot for slot in middle if slot < 0]
        entry.leaf = type(entry.shadow) is Atoms
        return self._replace(entry, (start, len(old) - stop), middle, len(items))

    def _look_at_dict(self, entry: Entry, value: dict[Any, Any]) -> int:
        """As `look`, reading only the values that are not the very same as before."""
        heap, kind = self.heap, self._name_kind(dict)
        ref = heap.ref
        old = self.writer.last(entry.number)
        range_ = self._follow(entry, value, len(old) // 2)
        if range_ is None:
            slots = [ref(part) for item in value.items() for part in item]
            entry.shadow = of_dict(value, heap.deaths.count)
            self._holds(entry, slots)
            return self._write(entry, kind, layout.DICT, len(value), slots)
        start, stop = range_
        middle = list(map(ref, islice(value.values(), start, len(value) - stop)))
        self.new = [-slot for slot in middle if slot < 0]
        entry.leaf = type(entry.shadow) is AtomDict
        between = (2 * start + 1, 2 * (start + len(middle)))
        slots = old[slice(*between)]
        slots[::2] = middle
        return self._replace(entry, between, slots, len(value))

    def _replace(self, entry: Entry, between: tuple[int, int], slots: list[int], length: int) -> int:
        """Write the version in which other slots came between two places; the number of rows."""
        start, stop = between
        last = self.writer.last(entry.number)
        old = last[start:stop]
        prefix, suffix = overlap(old, slots)
        added, removed = slots[prefix : len(slots) - suffix], len(old) - prefix - suffix
        start += prefix
        following = last[start + removed : start + removed + 1]
        # What follows may begin with the same atoms, other objects as they may be.
        if bool(added) != bool(removed) and following == (added or last[start:])[:1]:
            rest = last[start:]
            more = overlap(rest, added + rest[removed:])[0]
            added = (added + rest)[more : more + len(added)]
            start += more
        return self._narrow.write(entry, start, removed, added, length) if added or removed else 0

    def _follow(self, entry: Entry, value: Any, held: int) -> tuple[int, int] | None:
        shadow = entry.shadow
        return shadow.follow(value, self.heap.deaths) if shadow is not None and held == shadow.length else None

    def _write(self, entry: Entry, kind: Kind, shape: int, length: int, slots: list[int]) -> int:
        """Write the version of a plain container; the number of rows."""
        writer = self.writer
        version = writer.version(entry.number, shape, kind.name, length, slots)
        if version < 0:
            return 0
        writer.row(entry.number << 2 | layout.OBJECT, version)
        return 1

    def _slots(self, shape: int, parts: list[Part], attributes: list[Part] | None) -> list[int]:
        slots = self._sorted(parts) if shape & 127 in _SORTED else self._plain(parts)
        if shape & layout.EXTENDED:
            return [len(slots), *slots, *self._plain(attributes or [])]
        return slots

    def _plain(self, parts: list[Part]) -> list[int]:
        ref = self.heap.ref
        return [self._name(part) if kind == NAME else ref(part) for kind, part in parts]

    def _name(self, text: str) -> int:
        if type(text) is not str:
            return self.writer.string(_str(text)) + 1
        slot = self._names[text] = self.writer.string(text) + 1
        return slot

    def _sorted(self, parts: Iterable[Part]) -> list[int]:
        """The refs of a set: atoms by type name and text, then objects by id. Only then do texts join the table."""
        heap = self.heap
        atoms, objects = [], []
        for _, value in parts:
            text = TEXTS.get(id(type(value)))
            if text is None:
                objects.append(heap.ref(value))
            else:
                atoms.append(((type_name(type(value)), text(value)), value))
        atoms.sort(key=_rank)
        refs = [heap.ref(value) for _, value in atoms]
        heap.ranks.update(zip(refs, map(_rank, atoms), strict=True))
        return refs + sorted(objects, reverse=True)
