"""What running a stretch of code can change, read off its bytecode: the variables it may bind, and whether objects may.

A stretch begins where a frame stands at an event, and goes on as far as the frame can run without another event:
within one line, and through instructions that have no line. Objects change by stores, in-place operators and calls.
Calls of Python functions are seen by the trace function whatever causes them (operators, properties, iteration), and
callback.py is told of every call that the code makes itself. So only what C code may do without being called is read
off here: stores and in-place operators; and, where the program has such things, the next item of a lazy iterator
(`map(items.append, …)` changes a list while a loop runs) and the subscript of a defaultdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracepane.record.bytecode.sole import sole
from tracepane.record.bytecode.touch import ATTRIBUTE, ITEM, Constant, Place, Sum, Symbol, Touch, last_load, roots
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

NEVER, WITH_LAZY, WITH_MISSING, ALWAYS, IN_PLACE, TOUCH, WITH_MAPS, CELLS, NAMES = 0, 1, 2, 4, 8, 16, 32, 64, 128
"""When objects may change: not at all; where lazy iterators, or defaultdicts, exist; in any case; those that the names
in `in_place` are bound to; those at `touch`; where the program makes lazy iterators; the variables in `cells`;
the dict of a module or class."""
ELSE, BINDS, STORES, CALLS = 0, 1, 2, 3
"""How much a stretch of code does; see Stretch."""
WEAK = WITH_LAZY | WITH_MISSING | WITH_MAPS


class Stretch:
    """What a stretch of code can change. `binds` are locals (of a class its names), `stores` globals.

    `begun` says that it ran before: what was recorded is handed out before anything runs for the first time.
    `following` is what the next line event of its frame begins, where that can be no other one, and has begun before;
    `returns` the line at which it returns, if it does, −1 where that is not told from the stretch alone. `late`: it
    changes and stores nothing before its last call; `steady`: where `touch` finds objects does not depend on calls.
    `sole` is all that it stores into objects, where that is simple; `counter` the variable of the only operator in
    place, where nothing is stored. `owners` are where the objects are found whose methods it calls, the last one from
    the variable `holder`; `cells` the variables it binds that frames share. `way`: it changes nothing but `only`, the
    one variable it binds, empty for none (BINDS), or does nothing but its `sole` stores (STORES), nothing but what the
    methods that it calls do (CALLS), or more (ELSE, and `only` is None). `target` is what the rows of `only` name, 0
    before the first.
    `finders` find the objects in `touch`, `getters` those of `owners` (see places.py).
    """

    __slots__ = (
        "begun", "binds", "calls", "cells", "changes", "counter", "finders", "following", "getters", "holder",
        "in_place", "late", "line", "only", "owners", "plain", "returns", "sole", "steady", "stores", "target", "touch",
        "way",
    )  # fmt: skip

    def __init__(self, parts: Sequence[Part], line: int = 0) -> None:
        """Of all that do anything among its instructions, in their order."""
        self.changes, self.begun = NEVER, False
        self.line, self.calls = line, -1
        self.following: Stretch | None = None
        self.returns = -1
        binds: dict[str, None] = {}
        stores: dict[str, None] = {}
        self.in_place: tuple[str, ...] = ()
        self.touch: tuple[Touch, ...] = ()
        self.finders: tuple[Any, ...] = ()
        self.getters: tuple[Any, ...] = ()
        self.owners: tuple[Place, ...] = ()
        self.cells: tuple[str, ...] = ()
        found: list[Part] = []
        for part in parts:
            for name in part.binds:
                binds[name] = None
            for name in part.stores:
                stores[name] = None
            if part.effect is not None:
                found.append(part)
            else:
                self.changes |= part.changes
            if part.in_place:
                self.in_place += part.in_place
            if part.calls:
                self.calls = part.offset
            if part.owner is not None:
                self.owners += (part.owner,)
            if part.cell and part.cell not in self.cells:
                self.cells += (part.cell,)
        self.changes |= NAMES if stores else NEVER
        self.holder = self.owners[-1].root if self.owners else ""
        self.steady = True
        if self.in_place:
            self._tell_in_place(parts)
        if found:
            self._tell_touched(found, {**binds, **stores})
        alone = len(self.in_place) == 1 and not self.touch and not self.cells
        self.counter = self.in_place[0] if alone else ""
        self.sole = sole(self.touch) if self.touch and not self.in_place and not self.cells else None
        calls = self.calls
        self.late = not any((part.stores or part.changes & ~WEAK) and part.offset <= calls for part in parts)
        self.binds, self.stores = tuple(binds), tuple(stores)

    def take(self, plain: tuple[str, ...]) -> None:
        """Know those of `binds` that are no cells, in the order of the code."""
        self.plain, self.target = plain, 0
        self.only: str | None = plain[0] if len(plain) == 1 else ""
        counts = bool(self.counter) and self.counter == self.only and self.steady
        narrow = self.changes & (TOUCH | IN_PLACE | CELLS)
        self.way = ELSE
        if len(plain) <= 1 and not self.stores and (counts or not narrow):
            self.way = CALLS if self.owners and not plain else BINDS
        elif self.sole is not None and not self.binds and not self.stores and narrow == TOUCH:
            self.way = STORES
        else:
            self.only = None

    def heed(self, mask: int) -> None:
        """Take the long way where what the program has may make it change objects."""
        if self.changes & mask:
            self.way, self.only = ELSE, None
            self.late = self.late and not self.changes & mask & WEAK

    def _tell_in_place(self, parts: Sequence[Part]) -> None:
        """A name that is bound in other ways too may stand for another object by the time of its operator."""
        # A global, or a variable that frames share, may do so after any call.
        self.steady = not any(name in part.stores or name == part.cell for name in self.in_place for part in parts)
        for name in self.in_place:
            bound = sum(name in part.binds or name in part.stores or name == part.cell for part in parts)
            if bound > self.in_place.count(name):
                self.changes |= ALWAYS

    def _tell_touched(self, parts: list[Part], bound: dict[str, None]) -> None:
        """Take in what is known of single instructions, unless they may get into each other's way."""
        found = [part.effect for part in parts if part.effect is not None]
        if any(not roots(each.place).isdisjoint(bound) for each in found) or not _apart(parts, found):
            self.changes |= ALWAYS
            return
        self.changes |= TOUCH
        alone = len(found) == 1
        touch: dict[Touch, None] = {}
        for each in found:
            key = each.key
            if each.kind == ITEM and not (roots(key).isdisjoint(bound) and (_is_simple(key) or alone)):
                key = None
            touch[each._replace(key=key)] = None
            # Of `x.y += …` what y is comes to be known afterwards.
            if len(found) == 1 or not any(each.place.path for each in found) or each is found[1]:
                self.steady = self.steady and min(last_load(each.place), last_load(_symbol(each))) > self.calls
        self.touch = tuple(touch)


def _symbol(touch: Touch) -> Symbol:
    symbol: Symbol = touch.key if touch.kind == ITEM else None
    return symbol


def _is_simple(symbol: Symbol) -> bool:
    """Whether no store to an object can change what the symbol stands for."""
    if isinstance(symbol, Sum):
        return _is_simple(symbol.left) and _is_simple(symbol.right)
    return isinstance(symbol, Constant) or (isinstance(symbol, Place) and not symbol.path)


def _apart(parts: list[Part], found: list[Touch]) -> bool:
    """Whether it can be told afterwards what each of some instructions changed."""
    if len(found) == 1 or not any(each.place.path for each in found):
        return True
    # `x.y += …` changes either what y is, or what x has as y: never both.
    if len(found) != 2 or not (parts[0].operates and parts[1].stores_into):
        return False
    inner, outer = found[0].place, found[1]
    step = (outer.kind, outer.key)
    return inner.root == outer.place.root and inner.path == (*outer.place.path, step) and _steps_simple(inner.path)


def _steps_simple(path: tuple[tuple[int, object], ...]) -> bool:
    return all(kind == ATTRIBUTE or _is_simple(key) for kind, key in path)  # type: ignore[arg-type]


class Part:
    """An instruction that binds, changes or calls. Most attributes are those of the class: a part seldom has many."""

    binds: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()
    cell = ""
    in_place: tuple[str, ...] = ()
    effect: Touch | None = None
    owner: Place | None = None
    operates = stores_into = False

    def __init__(self, offset: int, calls: bool, changes: int) -> None:
        self.offset, self.calls, self.changes = offset, calls, changes
