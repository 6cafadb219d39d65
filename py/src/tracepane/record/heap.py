"""The identity of the program's objects, and the versions of what they hold.

An object's id is found by its address. That is sound only while the object is known to be alive:

- Most objects are watched by a weak reference with a C-level callback that notes their death before the address can be
  used again, so they live exactly as long as without a recorder.
- Lists, dicts, tuples and the like take no weak reference. They are held, and let go when nothing but the recorder
  holds them any more. Those from which a finalizer may be reached (`__del__`, a suspended generator, a file, a weak
  reference of the program's) are looked at before every event, so that it runs before the next line does, traced like
  any other code; the rest only costs memory and is swept now and then.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from tracepane.record import layout
from tracepane.record.atoms import TEXTS
from tracepane.record.finality import may_finalize
from tracepane.record.own import BUILTINS
from tracepane.record.values import NAME, Part, Read, reader, type_name
from tracepane.record.writer import TraceWriter

globals()["__builtins__"] = BUILTINS

_refcount = sys.getrefcount
_str = str.__str__
_SWEEP_LEAST = 4_000
_SORTED = frozenset((layout.SET, layout.FROZENSET))


class Watch(weakref.ref[Any]):
    """A weak reference that knows whose it was."""

    __slots__ = ("address", "number")
    address: int
    number: int


class Kind:
    """What is known of a type: its name's string id, how its objects are read, whether they may have finalizers."""

    __slots__ = ("finalizes", "name", "read", "watch")

    def __init__(self, name: int, read: Read, finalizes: bool, watch: object) -> None:
        self.name, self.read, self.finalizes, self.watch = name, read, finalizes, watch


class Heap:
    """Gives refs to values and writes the versions of objects into a trace."""

    def __init__(self, writer: TraceWriter) -> None:
        """Versions and strings go to `writer`."""
        self.writer = writer
        self.ids: dict[int, int] = {}
        self.held: dict[int, Any] = {}
        self.weak: dict[int, Watch] = {}
        self.kinds: dict[int, Kind] = {}
        self.dead: list[Watch] = []
        self.sensitive: set[int] = set()
        self.watched: dict[int, Any] = {}
        self.cells: dict[int, Any] = {}
        self.count = 0
        self._sweep_at = _SWEEP_LEAST
        self._baseline = _held_count()
        self._last_dead: Callable[[Any], None] = self.dead.append

    def ref(self, value: Any) -> int:
        """The ref of a value: of its atom, or of the object, which gets the next id at first sight."""
        text = TEXTS.get(id(type(value)))
        if text is not None:
            return self.writer.string(text(value)) + 1
        number = self.ids.get(id(value))
        return -(number if number is not None else self._meet(value))

    def cell(self) -> int:
        """The id of a new cell: a variable that frames share has no object that Python code could reach."""
        self.count += 1
        return self.count

    def object(self, number: int) -> Any:
        """The object with that id, None when it is gone (or a cell)."""
        found = self.held.get(number)
        if found is not None:
            return found
        watch = self.weak.get(number)
        return watch() if watch is not None else None

    def _meet(self, value: Any) -> int:
        self.count += 1
        number = self.ids[id(value)] = self.count
        if self.kind(type(value)).finalizes:
            self.sensitive.add(number)
        try:
            watch = Watch(value, self._last_dead)
        except TypeError:
            self.held[number] = value
            if number in self.sensitive:
                self.watched[number] = value
            return number
        watch.address, watch.number = id(value), number
        self.weak[number] = watch
        return number

    def kind(self, kind: type) -> Kind:
        """What is known of a type. Looked up by address, as its metaclass may define `__hash__`."""
        known = self.kinds.get(id(kind))
        if known is None:
            watch = Watch(kind, self._last_dead)
            watch.address, watch.number = id(kind), 0
            name = -1  # its string joins the table when a version first needs it
            known = self.kinds[id(kind)] = Kind(name, reader(kind), may_finalize(kind), watch)
        return known

    def doubt(self) -> None:
        """Write every object anew when it is next reached."""
        for number in (*self.held, *self.weak):
            self.writer.forget(number)

    def bury(self) -> None:
        """Forget the objects that died: their addresses may come back with others."""
        while self.dead:
            watch = self.dead.pop()
            if watch.number == 0:
                self.kinds.pop(watch.address, None)
            else:
                self._forget(watch.number, watch.address)

    def _forget(self, number: int, address: int) -> None:
        if self.ids.get(address) == number:
            del self.ids[address]
        self.weak.pop(number, None)
        self.sensitive.discard(number)
        self.writer.forget(number)

    def walk(self, roots: Iterable[int]) -> int:
        """Write what changed in all that can be reached from some refs, breadth first; the number of change rows."""
        queue = [-ref for ref in roots if ref < 0]
        seen = set(queue)
        rows = place = 0
        writer = self.writer
        while place < len(queue):
            number = queue[place]
            place += 1
            version, slots = self._look(number)
            if version >= 0:
                writer.row(number << 2 | layout.OBJECT, version)
                rows += 1
            for slot in slots:
                if slot < 0 and -slot not in seen:
                    seen.add(-slot)
                    queue.append(-slot)
        self._mark(queue)
        return rows

    def _look(self, number: int) -> tuple[int, list[int]]:
        if number in self.cells:
            value = self.cells[number]
            slots = [self.ref(value[0]) if value else 0]
            return self.writer.version(number, layout.CELL, self.writer.string("cell"), len(value), slots), slots
        value = self.object(number)
        if value is None:
            return -1, []
        kind = self.kind(type(value))
        reading = kind.read(value)
        if kind.name < 0:
            kind.name = self.writer.string(type_name(type(value)))
        slots = self._slots(reading.shape, reading.parts, reading.attributes)
        return self.writer.version(number, reading.shape, kind.name, reading.length, slots), slots

    def _slots(self, shape: int, parts: list[Part], attributes: list[Part] | None) -> list[int]:
        slots = self._sorted(parts) if shape & 127 in _SORTED else self._plain(parts)
        if shape & layout.EXTENDED:
            return [len(slots), *slots, *self._plain(attributes or [])]
        return slots

    def _plain(self, parts: list[Part]) -> list[int]:
        return [self._name(part) if kind == NAME else self.ref(part) for kind, part in parts]

    def _name(self, text: str) -> int:
        return self.writer.string(text if type(text) is str else _str(text)) + 1

    def _sorted(self, parts: list[Part]) -> list[int]:
        """The refs of a set: atoms by type name and text, then objects by id. Only then do texts join the table."""
        atoms, objects = [], []
        for _, value in parts:
            text = TEXTS.get(id(type(value)))
            if text is None:
                objects.append(self.ref(value))
            else:
                atoms.append((type_name(type(value)), text(value)))
        return [self.writer.string(text) + 1 for _, text in sorted(atoms)] + sorted(objects, reverse=True)

    def _mark(self, queue: list[int]) -> None:
        """Held objects that hold something sensitive are watched. Children come after their parents in `queue`."""
        for number in reversed(queue):
            if number in self.held and number not in self.sensitive and self._holds_sensitive(number):
                self.sensitive.add(number)
                self.watched[number] = self.held[number]

    def _holds_sensitive(self, number: int) -> bool:
        last = self.writer.last(number)
        return any(slot < 0 and -slot in self.sensitive for slot in last)

    def doomed(self) -> list[int]:
        """Ids of the watched objects that only the recorder keeps alive."""
        return [number for number, value in self.watched.items() if _refcount(value) <= self._baseline + 1]

    def release(self, numbers: Iterable[int]) -> None:
        """Let go of objects; what they alone kept alive dies here, and its finalizers run."""
        for number in numbers:
            value = self.held.pop(number)
            self.watched.pop(number, None)
            self._forget(number, id(value))
            del value

    def sweep(self) -> None:
        """Let go of held objects that nobody else holds, when there are many."""
        if len(self.held) < self._sweep_at:
            return
        while True:
            gone = [n for n, v in self.held.items() if n not in self.watched and _refcount(v) <= self._baseline]
            if not gone:
                break
            self.release(gone)
        self._sweep_at = max(_SWEEP_LEAST, 2 * len(self.held))


def _held_count() -> int:
    """What `sys.getrefcount` says of an object that one dict holds, asked in a loop like those above."""
    return [_refcount(value) for _, value in {0: [None]}.items()][0]
