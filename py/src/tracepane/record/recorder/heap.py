"""The identity of the program's objects, and the versions of what they hold.

An object's id is found by its address. That is sound only while the object is known to be alive:

- Most objects are watched by a weak reference with a C-level callback that notes their death before the address can be
  used again, so they live exactly as long as without a recorder.
- Lists, dicts, tuples and the like take no weak reference. They are held, and let go when nothing but the recorder
  holds them any more. Those from which a finalizer may be reached (`__del__`, a suspended generator, a file, an object
  with weak references) are looked at before every event, so that it runs before the next line does, traced like any
  other code; the rest only costs memory and is swept now and then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any

from tracepane.record.bytecode.lines import ALWAYS, WITH_LAZY, WITH_MISSING
from tracepane.record.format.layout import LONG, TEXT_LIMIT
from tracepane.record.format.writer import TraceWriter
from tracepane.record.hidden import hidden
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.atoms import LONGEST, AtomRefs
from tracepane.record.recorder.contents import Contents
from tracepane.record.recorder.entry import Entry, Kind, Watch, nothing
from tracepane.record.recorder.narrow import BY_LENGTH, NAME, Change, Narrow
from tracepane.record.recorder.shadow import Deaths, Shadow
from tracepane.record.recorder.shape import Shape
from tracepane.record.values.atoms import TEXTS

globals()["__builtins__"] = BUILTINS

_refcount = sys.getrefcount
_SWEEP_LEAST = 4_000
_COMMON = (list, dict, tuple)  # known before the program runs


class Heap(AtomRefs):
    """Gives refs to values and writes the versions of objects into a trace.

    `epoch` is counted up by the observer whenever anything may have changed that objects hold; within one epoch no
    object is looked at twice. `calm` is the epoch as long as nothing happened besides what traced code shows, else −1.
    `foreign` says that code ran that is not traced, which may have changed anything; `outside` that output may have
    been written, or files. `expected` is the code of the Python function that is called next, `touched` what functions
    in C changed since the last event, and how (see calls.py). `resumed` has the addresses of the codes of generators
    that were seen.
    """

    # With more than thirty attributes an object without slots is slower, and these are asked for at every event.
    __slots__ = (
        "_baseline", "_died", "_sweep_at", "calm", "cells", "contents", "dead", "deaths", "delicate", "entries",
        "epoch", "expected", "fickle", "finals", "foreign", "held", "kinds", "looked", "mask", "met", "narrow",
        "numbers", "outside", "resumed", "touched", "unheeded", "watched", "watchful",
    )  # fmt: skip

    def __init__(self, writer: TraceWriter) -> None:
        """Versions and strings go to `writer`."""
        super().__init__(writer)
        self.epoch = 0
        self.calm = -1
        self.foreign = self.outside = True
        self.expected: object = None
        self.touched: list[tuple[Entry, int]] = []
        self.deaths = Deaths()
        self.narrow = Narrow(self)
        self.contents = Contents(self, self.narrow)
        self.resumed: set[int] = set()
        self.looked = 0  # items that were compared or read, of objects that were looked at as a whole
        self.entries: dict[int, Entry] = {}
        self.numbers: list[Entry] = [Entry(0, 0)]
        self.held: dict[int, Entry] = {}
        self.kinds: dict[int, Kind] = {}
        self.dead: list[Watch] = []
        self.watched: dict[int, Entry] = {}
        self.cells: dict[int, tuple[Any, ...]] = {}
        self.watchful = False  # whether the program may be told of deaths
        self.delicate = False  # whether one of those, or one whose death may be noticed
        self.finals = False  # whether objects were seen that may have finalizers
        self.fickle = False  # whether the program may change the bases of classes
        self.mask = ALWAYS  # which stretches of code may change objects (see lines)
        self.unheeded = True  # whether those were not told yet
        self.met: Callable[[Any], object] = lambda function: None  # told of new functions
        self._sweep_at = _SWEEP_LEAST
        self._baseline = _entry_count()
        self._died: Callable[[Any], None] = self.dead.append
        for kind in _COMMON:
            self.kind(kind)

    def disturb(self) -> None:
        """Anything may have changed."""
        self.foreign = self.outside = True
        self.calm = -1

    def widen(self, more: int) -> None:
        """More stretches of code may change objects; what is known of each is looked at anew before the next event."""
        if more & ~self.mask:
            self.mask |= more
            self.unheeded = True
            self.disturb()

    def ref(self, value: Any) -> int:
        """The ref of a value: of its atom, or of the object, which gets the next id at first sight."""
        kind = type(value)
        if kind is int:
            known = self.ints.get(value)
            return known if known is not None else self._int(value)
        if kind is str:
            if len(value) < LONG:
                return self.words.get(value) or (self.word if value.isascii() else self._text)(value)
            return (self.long_word if value.isascii() and len(value) <= TEXT_LIMIT else self._text)(value)
        if value is None:
            self.none = known = self.none or self.writer.string("n") + 1
            return known
        entry = self.entries.get(id(value))
        if entry is not None:
            return -entry.number
        text = TEXTS.get(id(kind))
        if text is None:
            return -self._meet(value).number
        known_long = self._long.get(id(value))
        if known_long is not None:
            return known_long[1]
        atom = text(value)
        ref = self.writer.atom(atom)
        return self._remember(value, ref) if len(atom) > LONGEST else ref

    def cell(self) -> Entry:
        """A new cell: a variable that frames share. There is no object that Python code could reach."""
        entry = Entry(len(self.numbers), 0)
        self.numbers.append(entry)
        return entry

    def _meet(self, value: Any) -> Entry:
        address, number, kind = id(value), len(self.numbers), self.kinds.get(id(type(value))) or self.kind(type(value))
        entry = self.entries[address] = Entry(number, address)
        self.numbers.append(entry)
        entry.plain = kind.plain
        if kind.watchable:
            watch = entry.watch = Watch(value, self._died)
            watch.whose = entry
            if kind.finalizes or self.watchful:
                entry.sensitive = self.delicate = True
        else:
            entry.held = value
            self.held[number] = entry
            if kind.finalizes:
                entry.sensitive = self.delicate = True
                self._watch(entry)
        if kind.notable:
            self._note(kind, value)
        return entry

    def _note(self, kind: Kind, value: Any) -> None:
        """What follows for others from an object that was met."""
        self.finals = self.finals or kind.finalizes
        self.widen((WITH_LAZY if kind.lazy else 0) | (WITH_MISSING if kind.missing else 0))
        if kind.weak:
            self.beware()
        if type(value) is FunctionType:
            self.met(value)
        elif kind.code_of is not None:
            self.resumed.add(id(kind.code_of(value)))

    def kind(self, kind: type) -> Kind:
        """What is known of a type. Looked up by address, as its metaclass may define `__hash__`."""
        known = self.kinds.get(id(kind))
        if known is None:
            watch = Watch(kind, self._died)
            watch.whose = id(kind)
            known = self.kinds[id(kind)] = Kind(kind, watch)
        return known

    def forget_kinds(self) -> None:
        """Another base may make any type another one."""
        self.kinds.clear()
        for entry in self.numbers:
            entry.shadow = None

    def doubt(self) -> None:
        """Write every object anew when it is next reached."""
        self.epoch += 1
        self.cells.clear()
        for entry in self.numbers:
            entry.shadow = None
            self.writer.forget(entry.number)

    @hidden
    def bury(self) -> None:
        """Forget the objects that died: their addresses may come back with others."""
        while self.dead:
            whose = self.dead.pop().whose
            if type(whose) is int:
                self.kinds.pop(whose, None)
            else:
                self._forget(whose)

    @hidden
    def bury_unheard(self, known: int) -> None:
        """Forget what the collector let die without a call: it does so with watches that a finalizer's events set.

        So many objects were `known` before it ran.
        """
        self.bury()
        for entry in [each for each in self.numbers[known:] if each.watch is not nothing and each.watch() is None]:
            self._forget(entry)
        for address in [address for address, kind in self.kinds.items() if kind.watch() is None]:
            del self.kinds[address]

    def beware(self) -> None:
        """The program uses weak references: from now on the death of any object that takes one may be noticed."""
        if self.watchful:
            return
        self.watchful = self.delicate = True
        for entry in self.numbers:
            entry.sensitive = entry.sensitive or entry.watch is not nothing
        self._mark(list(self.held.values()))

    @hidden
    def _forget(self, entry: Entry) -> None:
        address = entry.address
        self.deaths.note(address)
        if self.entries.get(address) is entry:
            del self.entries[address]
        self.numbers[entry.number] = self.numbers[0]
        entry.leaf, entry.shadow, entry.watch, entry.held = True, None, nothing, None
        self.writer.last_of.pop(entry.number, None)

    @hidden
    def children(self, entry: Entry) -> Iterable[int]:
        """The ids of the objects in an object's last version."""
        last = None if entry.leaf else self.writer.last_of.get(entry.number)
        return () if last is None else [-slot for slot in last.slots if slot < 0]

    def walk(self, roots: Iterable[int]) -> int:
        """Write what changed in all that can be reached from some refs, breadth first; the number of change rows."""
        epoch, deaths, numbers = self.epoch, self.deaths, self.numbers
        contents = self.contents
        look, queue = contents.look, []
        rows = 0
        for ref in roots:
            if ref < 0 and (entry := numbers[-ref]).stamp != epoch:
                entry.stamp = epoch
                queue.append(entry)
        written = []
        for entry in queue:  # grows
            value = entry.held
            if value is None:
                value = entry.watch()
            shadow = entry.shadow
            if shadow is not None:
                self.looked += shadow.length
            if shadow is None or value is None or not shadow.same(value, deaths):
                rows += look(entry, value)
                written.append(entry)
            if not entry.leaf:
                met = shadow is None and value is not None
                for number in contents.new if met else self.children(entry):
                    child = numbers[number]
                    if child.stamp != epoch:
                        child.stamp = epoch
                        queue.append(child)
        if written and self.delicate:
            self._mark(written)
        return rows

    def touch(self, entry: Entry, changes: Sequence[Change]) -> int:
        """Write what some changes left behind in an object, and all that it came to hold; the number of change rows.

        Everything was up to date before.
        """
        value = entry.held
        if value is None:
            value = entry.watch()
        rows = self.narrow.take(entry, value, changes) if entry.stamp == self.epoch else None
        new = self.narrow.new
        if rows is None:
            shadow = entry.shadow
            if shadow is not None:
                self.looked += shadow.length
            if shadow is not None and value is not None and shadow.same(value, self.deaths):
                return 0
            rows = self.contents.look(entry, value)
            new = self.contents.new
        entry.stamp = self.epoch
        if new:
            rows += self.follow(entry, new)
        return rows

    def follow(self, entry: Entry, new: Sequence[int]) -> int:
        """Write what is new in what an object came to hold, by their ids; the number of change rows."""
        numbers, epoch = self.numbers, self.epoch
        if self.delicate and not entry.sensitive and any(numbers[number].sensitive for number in new):
            self._mark((entry,))
        fresh = [-number for number in new if numbers[number].stamp != epoch]
        return self.walk(fresh) if fresh else 0

    def differs(self, entry: Entry, changes: Sequence[Change]) -> bool:
        """Whether an object may hold something else than when it was last written, where some changes may have been."""
        value = entry.held if entry.held is not None else entry.watch()
        shadow = entry.shadow
        if len(changes) == 1 and changes[0][0] in BY_LENGTH and shadow is not None and shadow.length >= 0:
            return len(value) != shadow.length
        if type(shadow) is Shape and changes[0][0] == NAME and len(changes) == 1:
            return self.narrow.differs(entry, shadow, value, changes[0][1])
        if shadow is not None:
            self.looked += shadow.length
        return shadow is None or value is None or not shadow.same(value, self.deaths)

    def cast(self, entry: Entry) -> Shadow | None:
        """What an object holds now, to be known again."""
        value = entry.held if entry.held is not None else entry.watch()
        return self.kind(type(value)).cast(value, self.deaths.count)

    def _mark(self, written: Sequence[Entry]) -> None:
        """Held objects that hold something sensitive are watched, and so are those that hold them."""
        found = [entry for entry in reversed(written) if self._is_now_sensitive(entry)]
        while found:  # rare: what held it before may come in any order
            found = [entry for entry in self.held.values() if self._is_now_sensitive(entry)]

    def _is_now_sensitive(self, entry: Entry) -> bool:
        if entry.sensitive or entry.held is None:
            return False
        numbers = self.numbers
        if any(numbers[number].sensitive for number in self.children(entry)):
            entry.sensitive = True
            self._watch(entry)
            return True
        return False

    def _watch(self, entry: Entry) -> None:
        self.watched[entry.number] = entry
        self.calm = -1  # as long as something is watched

    def doomed(self) -> list[Entry]:
        """The watched objects that only the recorder keeps alive."""
        return [entry for entry in self.watched.values() if _refcount(entry.held) <= self._baseline]

    def release(self, entries: Iterable[Entry]) -> None:
        """Let go of objects; what they alone kept alive dies here, and its finalizers run."""
        for entry in entries:
            del self.held[entry.number]
            self.watched.pop(entry.number, None)
            value = entry.held
            self._forget(entry)
            del value

    def sweep(self) -> None:
        """Let go of held objects that nobody else holds, when there are many."""
        if len(self.held) < self._sweep_at:
            return
        self.shed()
        self._sweep_at = max(_SWEEP_LEAST, 2 * len(self.held))

    @hidden
    def shed(self) -> None:
        """Let go of held objects that nobody else holds, then of those that only these held; not of sensitive ones."""
        numbers, held, gone, baseline = self.numbers, self.held, set(), self._baseline
        pending = list(reversed(held.values()))
        while pending:
            entry = pending.pop()
            if entry.held is None:
                if entry.number in gone or entry.watch() is not None:
                    continue  # known, or alive
                gone.add(entry.number)
                pending += [numbers[number] for number in self.children(entry)]
            elif not entry.sensitive and _refcount(entry.held) <= baseline:
                if not entry.leaf:
                    pending += [numbers[number] for number in self.children(entry)]
                value = entry.held
                del held[entry.number]
                self._forget(entry)
                del value


def _entry_count() -> int:
    """What `sys.getrefcount` says of an object that only an entry holds."""
    entry = Entry(0, 0)
    entry.held = []
    return next(_refcount(each.held) for each in (entry,))
