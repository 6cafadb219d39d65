"""Takes in a change of an object of which it is known where in the object it is: without looking at the rest."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from tracepane.record.format import layout
from tracepane.record.format.layout import FULL, ITEMS_LIMIT, SPLICE
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.calls import HEAD, ONE, TAIL
from tracepane.record.recorder.entry import Entry, Objects
from tracepane.record.recorder.shadow import AtomDict, Atoms, Entries, Items, Pairs
from tracepane.record.recorder.shape import Attributes, Shape
from tracepane.record.values.atoms import TEXTS
from tracepane.record.values.kinds import type_name

globals()["__builtins__"] = BUILTINS

WHOLE, KEY, NAME, STORED = -1, -2, -3, -4
"""Besides what calls.py tells: anything in it; the item with a key; the attribute of a name; one item."""
BY_LENGTH = frozenset((TAIL, HEAD, ONE))  # what changes the number of items, or nothing
Change = tuple[int, Any]
FARTHEST = 64  # items between two that were stored

_dict_get, _dict_items, _dict_len = dict.get, dict.items, dict.__len__


def _rank(ref: int) -> int:
    return -ref if ref < 0 else 0


class Narrow:
    """Writes new versions of a heap's objects. `new` has the ids of the objects that the last one did not hold before.

    The methods give the number of change rows, None where the change is not what it was taken for.
    """

    def __init__(self, heap: Objects) -> None:
        """For one heap."""
        self.heap, self.writer = heap, heap.writer
        self.new: Sequence[int] = ()
        self._ref = heap.ref
        self._pairs, self._records, self._slots = self.writer.pairs, self.writer.records, self.writer.slots

    def take(self, entry: Entry, value: Any, changes: Sequence[Change]) -> int | None:
        """Write what some changes left behind in an object that was up to date before them."""
        shadow, kind = entry.shadow, type(value)
        self.new = ()
        if kind is dict:
            return self._of_dict(entry, shadow, value, changes) if isinstance(shadow, AtomDict) else None
        shape = shadow.shape if type(shadow) is Attributes else shadow
        if type(shape) is Shape:
            what, name = changes[0]
            alone = what == NAME and len(changes) == 1 and id(kind) == shape.kind
            return self.attribute(entry, shape, value, name) if alone else None
        if type(shadow) is not Atoms and type(shadow) is not Items:
            return None
        if kind is list:
            return self._of_list(entry, shadow, value, changes)
        if kind is set:
            if len(changes) != 1 or changes[0][0] != ONE:
                return None
            if isinstance(shadow, Atoms):
                return self._of_set(entry, shadow, value)
            return self._of_members(entry, shadow, value)
        return self._of_deque(entry, shadow, value, changes)

    def _of_list(self, entry: Entry, shadow: Atoms | Items, value: list[Any], changes: Sequence[Change]) -> int | None:
        before, now = shadow.length, len(value)
        what = changes[0][0]
        if what == TAIL and now == before + 1 <= ITEMS_LIMIT and len(changes) == 1:
            return self._append(entry, shadow, value[-1], now)
        if what == KEY:
            start, stop = now, -1
            for what, key in changes:
                if what != KEY or type(key) is not int:
                    return None
                place = key + now if key < 0 else key
                start, stop = min(start, place), max(stop, place + 1)
            if before != now or start < 0 or stop > now or stop - start > FARTHEST:
                return None
            stop = min(stop, ITEMS_LIMIT)
            return self._range(entry, shadow, (start, stop), value[start:stop], now) if start < stop else 0
        if len(changes) != 1:
            return None
        if what == HEAD:
            return self._start(entry, shadow, before, now)
        return self._end(entry, shadow, value, before, now) if what == TAIL else None

    def _end(self, entry: Entry, shadow: Atoms | Items, value: Any, before: int, now: int) -> int | None:
        """One item more or less at the end."""
        if now == before:
            return 0
        if not -1 <= now - before <= 1:
            return None
        if min(before, now) >= ITEMS_LIMIT:
            shadow.length = now
            return self.write(entry, len(self.writer.last(entry.number)), 0, [], now)
        added = [value[-1]] if now > before else []
        return self._range(entry, shadow, (min(before, now), before), added, now)

    def _append(self, entry: Entry, shadow: Atoms | Items, item: Any, now: int) -> int:
        ref = self._ref(item)
        if type(shadow) is Items:
            shadow.items.append(id(item))
            shadow.atoms.append(item if ref > 0 else None)
            shadow.length = now
        elif not shadow.put(now - 1, now - 1, (item,), now):
            entry.shadow = self.heap.cast(entry)
        return self.write(entry, now - 1, 0, (ref,), now)

    def _range(
        self, entry: Entry, shadow: Atoms | Items, between: tuple[int, int], items: Sequence[Any], length: int
    ) -> int:
        """Other items between two places, up to the end or as many as there were."""
        start, stop = between
        refs = list(map(self._ref, items))
        if not shadow.put(start, stop, items, length):
            entry.shadow = self.heap.cast(entry)
        old = self.writer.last(entry.number)
        if len(refs) == stop - start:
            if refs == old[start:stop]:
                return 0
            while refs[0] == old[start]:
                start += 1
                del refs[0]
            while refs[-1] == old[stop - 1]:
                stop -= 1
                del refs[-1]
        return self.write(entry, start, stop - start, refs, length)

    def _of_deque(self, entry: Entry, shadow: Atoms | Items, value: Any, changes: Sequence[Change]) -> int | None:
        what, before, now = changes[0][0], shadow.length, len(value)
        if len(changes) != 1 or value.maxlen is not None:
            return None
        if what == TAIL:
            return self._end(entry, shadow, value, before, now)
        return self._start(entry, shadow, before, now) if what == HEAD else None

    def _start(self, entry: Entry, shadow: Atoms | Items, before: int, now: int) -> int | None:
        """One item less at the start."""
        if now == before:
            return 0
        if now != before - 1 or before > ITEMS_LIMIT:
            return None
        shadow.put(0, 1, (), now)
        slots = self.writer.last(entry.number)
        place = 0  # a splice begins where the two differ, not where something was taken out
        while place < now and slots[place] == slots[place + 1]:
            place += 1
        return self.write(entry, place, 1, [], now)

    def _of_set(self, entry: Entry, shadow: Atoms, value: set[Any]) -> int | None:
        """One atom more or less. Sets over the limit show the first in their own order, which mostly stay the same."""
        before, now = shadow.length, len(value)
        if now == before:
            return 0
        if min(before, now) > ITEMS_LIMIT:
            shadow.length = now
            if not shadow.same(value, self.heap.deaths):
                return None
            return self.write(entry, len(self.writer.last(entry.number)), 0, [], now)
        items = list(value)
        added, gone = list(value.difference(shadow.items)), list(set(shadow.items).difference(value))
        if len(added) + len(gone) != 1 or max(before, now) > ITEMS_LIMIT or not shadow.put(0, before, items, now):
            return None
        slots = self.writer.last(entry.number)
        if gone:
            return self.write(entry, slots.index(self._ref(gone[0])), 1, [], now)
        ref = self._ref(added[0])
        rank = self.heap.ranks[ref] = (type_name(type(added[0])), TEXTS[id(type(added[0]))](added[0]))
        return self.write(entry, bisect_left(slots, rank, key=self.heap.ranks.__getitem__), 0, [ref], now)

    def _of_members(self, entry: Entry, shadow: Items, value: set[Any]) -> int | None:
        """One object more in a set that has objects already."""
        now = len(value)
        if now != shadow.length + 1 or now > ITEMS_LIMIT:
            return 0 if now == shadow.length else None
        items = list(value)
        added = set(map(id, items)).difference(shadow.items)
        found = [item for item in items if id(item) in added]
        if len(found) != 1 or id(type(found[0])) in TEXTS:
            return None
        ref = self._ref(found[0])
        shadow.put(0, shadow.length, items, now)
        # Atoms come first, then the objects by their ids.
        return self.write(entry, bisect_left(self.writer.last(entry.number), -ref, key=_rank), 0, [ref], now)

    def _of_dict(self, entry: Entry, shadow: AtomDict, value: dict[Any, Any], changes: Sequence[Change]) -> int | None:
        what, key = changes[0]
        if len(changes) != 1:
            return None
        if what == KEY and id(type(key)) in TEXTS and type(shadow) is not Pairs:  # whose keys are never asked
            return self._entry(entry, shadow, value, key, _dict_get(value, key))
        if what in (STORED, KEY):  # under a key that is not known, or no atom
            return self.last_entry(entry, shadow, value) if _dict_len(value) == shadow.length + 1 else None
        return self.last_entry(entry, shadow, value) if what == TAIL else None

    def _entry(self, entry: Entry, shadow: AtomDict, value: dict[Any, Any], key: Any, item: Any) -> int | None:
        """An entry that may be new."""
        places, now = shadow.places, _dict_len(value)
        place = places.get(key, -1) if places is not None else shadow.place(key)
        if place < 0:
            return self.last_entry(entry, shadow, value) if now == shadow.length + 1 else None
        if now != shadow.length:
            return None
        ref = self._ref(item)
        if type(shadow) is Entries:
            shadow.items[place], shadow.atoms[place] = id(item), item if ref > 0 else None
        elif not shadow.put(place, item):
            entry.shadow = self.heap.cast(entry)
        return self.put(entry, 2 * place + 1, ref, now)

    def last_entry(self, entry: Entry, shadow: AtomDict, value: dict[Any, Any]) -> int | None:
        """An entry more at the end."""
        before, now = shadow.length, _dict_len(value)
        if now == before:
            return 0
        if now != before + 1:
            return None
        if before >= ITEMS_LIMIT:
            shadow.length = now
            return self.write(entry, len(self.writer.last(entry.number)), 0, [], now)
        key, item = next(reversed(_dict_items(value)))
        refs = [self._ref(key), self._ref(item)]
        if not shadow.add(key, item):
            entry.shadow = self.heap.cast(entry)
        return self.write(entry, 2 * before, 0, refs, now)

    def attribute(self, entry: Entry, shape: Shape, value: Any, name: str) -> int | None:
        """One attribute, which may be new."""
        own, missing = shape.get(value), self
        item, place = own.get(name, missing), shape.places.get(name, shape.length)
        new = place >= shape.length
        if item is missing or len(own) != shape.length + new or shape.length >= ITEMS_LIMIT or name == "__class__":
            return None
        if not new:
            entry.shadow = shape
            return self.put(entry, 2 * place + 1, self._ref(item), shape.length)
        entry.shadow = shape.then(name)
        return self.write(entry, 2 * shape.length, 0, (self.writer.string(name) + 1, self._ref(item)), shape.length + 1)

    def differs(self, entry: Entry, shape: Shape, value: Any, name: str) -> bool:
        """Whether an instance may have something else as its attribute of that name than when it was last written."""
        own = shape.get(value) if id(type(value)) == shape.kind else {}
        place, slots, heap = shape.places.get(name, shape.length), self.writer.last(entry.number), self.heap
        if name not in own or len(own) != shape.length or place >= shape.length:
            return True
        item, ref = own[name], slots[2 * place + 1]
        known = heap.entries.get(id(item))
        if known is not None:
            return ref != -known.number
        if type(item) is int:
            return ref != heap.ints.get(item)
        return type(item) is not str or ref != heap.words.get(item)

    def put(self, entry: Entry, place: int, ref: int, length: int) -> int:
        """As `write`, where one slot is another one, if it is."""
        number = entry.number
        last = self.writer.last_of[number]
        slots = last.slots
        if slots[place] == ref:
            return 0
        slots[place] = ref
        last.length, size = length, len(slots)
        if last.spliced + 3 < size:
            last.spliced += 3
            self._records.extend((number, last.shape, last.kind, length, SPLICE, 3))
            self._slots.extend((place, 1, ref))
        else:
            last.spliced = 0
            self._records.extend((number, last.shape, last.kind, length, FULL, size))
            self._slots.extend(slots)
        self._pairs.extend((number << 2 | layout.OBJECT, self.writer.versions))
        self.writer.versions += 1
        if ref < 0:
            self.new, entry.leaf = (-ref,), False
        return 1

    def write(self, entry: Entry, start: int, removed: int, added: Sequence[int], length: int) -> int:
        """The version in which `added` came in place of `removed` slots from `start` on; see TraceWriter.version."""
        number = entry.number
        last = self.writer.last_of[number]
        slots, cost = last.slots, 2 + len(added)
        slots[start : start + removed] = added
        last.length = length
        size, records = len(slots), self._records
        if cost < size and last.spliced + cost < size:
            last.spliced += cost
            records.extend((number, last.shape, last.kind, length, SPLICE, cost))
            self._slots.extend((start, removed, *added))
        else:
            last.spliced = 0
            records.extend((number, last.shape, last.kind, length, FULL, size))
            self._slots.extend(slots)
        self._pairs.extend((number << 2 | layout.OBJECT, self.writer.versions))
        self.writer.versions += 1
        if added and min(added) < 0:
            self.new = [-ref for ref in added if ref < 0]
            entry.leaf = False
        return 1
