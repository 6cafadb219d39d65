"""What running a stretch of code can change, read off its bytecode: the variables it may bind, and whether objects may.

A stretch begins where a frame stands at an event, and goes on as far as the frame can run without another event:
within one line, and through instructions that have no line. Objects change by stores, in-place operators and calls.
Calls of Python functions are seen by the trace function whatever causes them (operators, properties, iteration), and
callback.py is told of every call that the code makes itself. So only what C code may do without being called is read
off here: stores and in-place operators; and, where the program has such things, the next item of a lazy iterator
(`map(items.append, …)` changes a list while a loop runs) and the subscript of a defaultdict.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator, Sequence
from inspect import CO_OPTIMIZED, CO_VARARGS, CO_VARKEYWORDS
from itertools import pairwise
from typing import Any

from tracepane.record.bytecode.instructions import get_instructions
from tracepane.record.bytecode.sole import sole
from tracepane.record.bytecode.touch import (
    ATTRIBUTE,
    ITEM,
    Constant,
    Method,
    Place,
    Sum,
    Symbol,
    Touch,
    last_load,
    roots,
    touches,
)
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

NEVER, WITH_LAZY, WITH_MISSING, ALWAYS, IN_PLACE, TOUCH, WITH_MAPS, CELLS, NAMES = 0, 1, 2, 4, 8, 16, 32, 64, 128
"""When objects may change: not at all; where lazy iterators, or defaultdicts, exist; in any case; those that the names
in `in_place` are bound to; those at `touch`; where the program makes lazy iterators; the variables in `cells`;
the dict of a module or class."""
ELSE, BINDS, STORES = 0, 1, 2
"""How much a stretch of code does; see Stretch."""
WEAK = WITH_LAZY | WITH_MISSING | WITH_MAPS

_ALWAYS = frozenset(
    "STORE_ATTR DELETE_ATTR STORE_SUBSCR DELETE_SUBSCR STORE_SLICE IMPORT_NAME IMPORT_FROM "
    "END_ASYNC_FOR WITH_EXCEPT_START".split()
)
_CALLS = frozenset("CALL CALL_KW CALL_FUNCTION_EX IMPORT_NAME IMPORT_FROM".split())
_CONSUMES = frozenset(
    "UNPACK_SEQUENCE UNPACK_EX LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE CONTAINS_OP FOR_ITER GET_LEN".split()
)
_NAMES = frozenset(("STORE_NAME", "DELETE_NAME", "STORE_GLOBAL", "DELETE_GLOBAL"))
_ENDS = frozenset(("RETURN_VALUE", "RAISE_VARARGS", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD"))
_HARMLESS = frozenset("range enumerate zip reversed sorted list tuple set dict len str min max abs".split())
_HARMLESS_METHODS = frozenset("items keys values split splitlines copy".split())


class Stretch:
    """What a stretch of code can change. `binds` are locals (of a class its names), `stores` globals.

    `begun` says that it ran before: what was recorded is handed out before anything runs for the first time. `late`: it
    changes and stores nothing before its last call; `steady`: where `touch` finds objects does not depend on calls.
    `sole` is all that it stores into objects, where that is simple; `counter` the variable of the only operator in place, where
    nothing is stored. `owners` are where the objects are found whose methods it calls, the last one from the variable
    `holder`; `cells` the variables it binds that frames share. `way`: it changes nothing but `only`, the one variable it binds, if any (BINDS), or does nothing
    but its `sole` stores (STORES), or more (ELSE); `target` is what the rows of `only` name, 0 before the first.
    `finders` find the objects in `touch`, `getters` those of `owners` (see places.py).
    """

    __slots__ = (
        "begun", "binds", "calls", "cells", "changes", "counter", "finders", "getters", "holder", "in_place", "late",
        "line", "only", "owners", "plain", "sole", "steady", "stores", "target", "touch", "way",
    )  # fmt: skip

    def __init__(self, parts: Sequence[_Part], line: int = 0) -> None:
        """Of all that do anything among its instructions, in their order."""
        self.changes, self.begun = NEVER, False
        self.line, self.calls = line, -1
        binds: dict[str, None] = {}
        stores: dict[str, None] = {}
        self.in_place: tuple[str, ...] = ()
        self.touch: tuple[Touch, ...] = ()
        self.finders: tuple[Any, ...] = ()
        self.getters: tuple[Any, ...] = ()
        self.owners: tuple[Place, ...] = ()
        self.cells: tuple[str, ...] = ()
        found: list[_Part] = []
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
        self.only = plain[0] if len(plain) == 1 else ""
        counts = bool(self.counter) and self.counter == self.only and self.steady
        narrow = self.changes & (TOUCH | IN_PLACE | CELLS)
        self.way = ELSE
        if len(plain) <= 1 and not self.stores and (counts or not narrow):
            self.way = BINDS
        elif self.sole is not None and not self.binds and not self.stores and narrow == TOUCH:
            self.way = STORES

    def _tell_in_place(self, parts: Sequence[_Part]) -> None:
        """A name that is bound in other ways too may stand for another object by the time of its operator."""
        # A global, or a variable that frames share, may do so after any call.
        self.steady = not any(name in part.stores or name == part.cell for name in self.in_place for part in parts)
        for name in self.in_place:
            bound = sum(name in part.binds or name in part.stores or name == part.cell for part in parts)
            if bound > self.in_place.count(name):
                self.changes |= ALWAYS

    def _tell_touched(self, parts: list[_Part], bound: dict[str, None]) -> None:
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


def _apart(parts: list[_Part], found: list[Touch]) -> bool:
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


class _Part:
    """One instruction."""

    __slots__ = (
        "acts", "binds", "calls", "cell", "changes", "effect", "in_place", "line", "next", "offset", "operates",
        "owner", "stores", "stores_into",
    )  # fmt: skip

    def __init__(self, instruction: dis.Instruction, line: int) -> None:
        name, argument = instruction.opname, instruction.argval
        self.line, self.offset = line, instruction.offset
        self.next: list[int] = []
        self.binds: tuple[str, ...] = ()
        self.stores: tuple[str, ...] = ()
        if "STORE_FAST" in name or name in ("DELETE_FAST", "LOAD_FAST_AND_CLEAR"):
            self.binds = argument if isinstance(argument, tuple) else (argument,)
            self.binds = self.binds[:1] if name == "STORE_FAST_LOAD_FAST" else self.binds
        elif name in _NAMES:
            self.stores = (argument,)
        self.cell = argument if name in ("STORE_DEREF", "DELETE_DEREF") else ""
        self.effect: Touch | None = None
        self.owner: Place | None = None
        self.in_place: tuple[str, ...] = ()
        self.operates, self.stores_into = name == "BINARY_OP", name in ("STORE_ATTR", "STORE_SUBSCR")
        self.calls = name in _CALLS
        self.changes = _changes(name, instruction.argrepr)
        self.acts = True  # known when all of the code was read

    def does_anything(self) -> bool:
        """Whether it binds, changes or calls."""
        return bool(
            self.binds or self.stores or self.cell or self.calls or self.changes or self.in_place
            or self.effect is not None or self.owner is not None
        )  # fmt: skip


def _changes(name: str, text: str) -> int:
    if name in _ALWAYS:
        return ALWAYS
    if name in ("STORE_DEREF", "DELETE_DEREF"):
        return CELLS
    if name == "SEND":
        return WITH_LAZY | WITH_MAPS
    if name == "BINARY_OP":
        return ALWAYS if text.endswith("=") else WITH_MISSING if text == "[]" else NEVER
    return WITH_LAZY if name in _CONSUMES else NEVER


class Stretches:
    """The stretches of a code, by the offset at which they begin, or of a whole line."""

    def __init__(self, code: types.CodeType) -> None:
        """Nothing is worked out before it is asked for, besides the instructions."""
        names = dict.fromkeys(code.co_varnames) if code.co_flags & CO_OPTIMIZED else {}
        self._plain = [name for name in names if name not in code.co_cellvars and not name.startswith(".")]
        self._parts: dict[int, _Part] = {}
        self.known: dict[int, Stretch] = {}
        self._lines: dict[int, Stretch] = {}
        instructions = list(get_instructions(code))
        for place, instruction in enumerate(instructions):
            part = _Part(instruction, instruction.line_number or 0)
            self._parts[instruction.offset] = self._parts[instruction.start_offset] = part
            if instruction.opname not in _ENDS and place + 1 < len(instructions):
                part.next.append(instructions[place + 1].offset)
            if instruction.jump_target is not None:
                part.next.append(instruction.jump_target)
        for instruction in _loops_of_unknown(instructions):
            self._parts[instruction.offset].changes = WITH_MAPS | WITH_LAZY
        for instruction, following in pairwise(instructions):
            if (
                instruction.opname == "BINARY_OP"
                and instruction.argrepr.endswith("=")
                and (following.opname in ("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))
            ):
                part = self._parts[instruction.offset]
                part.changes, part.in_place = IN_PLACE, (following.argval,)
        if code.co_flags & CO_OPTIMIZED or code.co_name == "<module>":  # what a class body sees is beyond this
            for offset, effect in touches(instructions).items():
                part = self._parts[offset]
                if isinstance(effect, Method):
                    part.owner = effect.owner
                elif not part.in_place:
                    part.effect = effect
        for part in self._parts.values():
            part.acts = part.does_anything()

    def entry(self, code: types.CodeType) -> Stretch:
        """What a call does before the first instruction: the arguments are bound."""
        entry = Stretch(())
        flags = code.co_flags
        count = code.co_argcount + code.co_kwonlyargcount + bool(flags & CO_VARARGS) + bool(flags & CO_VARKEYWORDS)
        entry.binds = code.co_varnames[:count]
        entry.take(tuple(name for name in self._plain if name in entry.binds))
        return entry

    def at(self, offset: int) -> Stretch:
        """From the instruction at `offset` on."""
        known = self.known.get(offset)
        if known is None:
            part = self._parts.get(offset)
            if part is None or not part.line:
                return self.line(0)
            known = self.known[offset] = self._stretch(self._reach(offset, part.line), part.line)
        return known

    def line(self, line: int) -> Stretch:
        """Whatever runs in the course of a line, wherever in it one begins; of line 0 the whole code."""
        known = self._lines.get(line)
        if known is None:
            parts = [part for part in self._parts.values() if not line or part.line in (0, line)]
            known = self._lines[line] = self._stretch(parts, line)
        return known

    def _stretch(self, parts: list[_Part], line: int) -> Stretch:
        acting = {part.offset: part for part in parts if part.acts}
        stretch = Stretch([acting[offset] for offset in sorted(acting)], line)
        binds = stretch.binds
        # In the order of the code.
        stretch.take(tuple(name for name in self._plain if name in binds) if len(binds) > 1 else self._alone(binds))
        return stretch

    def _alone(self, binds: tuple[str, ...]) -> tuple[str, ...]:
        return binds if binds and binds[0] in self._plain else ()

    def _reach(self, offset: int, line: int) -> list[_Part]:
        pending, seen = [offset], {}
        while pending:
            place = pending.pop()
            part = self._parts.get(place)
            if part is not None and place not in seen and part.line in (0, line):
                seen[place] = part
                pending.extend(part.next)
        return list(seen.values())


def _loops_of_unknown(instructions: list[dis.Instruction]) -> Iterator[dis.Instruction]:
    """The FOR_ITERs whose iterator a call made that is not known to make a harmless one."""
    header: list[dis.Instruction] = []
    harmless = True
    for instruction in instructions:
        if instruction.opname == "GET_ITER":
            harmless = _is_harmless(header)
        elif instruction.opname in ("FOR_ITER", "SEND"):
            if not harmless:
                yield instruction
            header = []
            continue
        if header and instruction.line_number != header[0].line_number:
            header = []
        header.append(instruction)


def _is_harmless(header: list[dis.Instruction]) -> bool:
    """Whether everything that the head of a loop calls gives an iterator that changes nothing when it is consumed."""
    before = None
    for instruction in header:
        name, text = instruction.argval, instruction.argrepr
        if instruction.opname == "CALL_FUNCTION_EX":
            return False
        if instruction.opname == "LOAD_ATTR" and "NULL" in text and name not in _HARMLESS_METHODS:
            return False
        if instruction.opname == "LOAD_GLOBAL" and "NULL" in text and name not in _HARMLESS:
            return False
        if instruction.opname == "PUSH_NULL" and (before is None or before.argval not in _HARMLESS):
            return False
        before = instruction
    return True
