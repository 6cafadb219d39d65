"""What running a stretch of code can change, read off its bytecode: the variables it may bind, and whether objects may.

A stretch begins where a frame stands at an event, and goes on as far as the frame can run without another event:
within one line, and through instructions that have no line. Objects change by stores, in-place operators and calls.
Calls of Python functions are seen by the trace function whatever causes them (operators, properties, iteration), so
that only what C code may do is read off here: calls; and, where the program has such things, the next item of a lazy
iterator (`map(items.append, …)` changes a list while a loop runs) and the subscript of a defaultdict.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Container, Iterator
from inspect import CO_VARARGS, CO_VARKEYWORDS
from itertools import pairwise

from tracepane.record.bytecode.touch import Effect, Place, Pure, effects
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

NEVER, WITH_LAZY, WITH_MISSING, ALWAYS, IN_PLACE, SOLE, PURE, TOUCH = 0, 1, 2, 4, 8, 16, 32, 64
"""When objects may change: not at all; where lazy iterators, or defaultdicts, exist; in any case; if `x += …` finds no
atom in x; if the only call is not of the Python function that it seems to be; if a builtin name was taken by another
function; only those at `touch`."""

_ALWAYS = frozenset(
    "STORE_ATTR DELETE_ATTR STORE_SUBSCR DELETE_SUBSCR STORE_SLICE STORE_DEREF DELETE_DEREF IMPORT_NAME IMPORT_FROM "
    "SEND YIELD_VALUE END_ASYNC_FOR WITH_EXCEPT_START CALL CALL_KW CALL_FUNCTION_EX".split()
)
_CALLS = frozenset(name for name in _ALWAYS if name.startswith(("CALL", "IMPORT")))
_CONSUMES = frozenset(
    "UNPACK_SEQUENCE UNPACK_EX LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE CONTAINS_OP FOR_ITER GET_LEN".split()
)
_NAMES = frozenset(("STORE_NAME", "DELETE_NAME", "STORE_GLOBAL", "DELETE_GLOBAL"))
_ENDS = frozenset(("RETURN_VALUE", "RAISE_VARARGS", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD"))
_HARMLESS = frozenset("range enumerate zip reversed sorted list tuple set dict len str min max abs".split())
_HARMLESS_METHODS = frozenset("items keys values split splitlines copy".split())


class Stretch:
    """What a stretch of code can change. `binds` are locals (of a class its names), `stores` globals.

    `begun` says that it ran before: what was recorded is handed out before anything runs for the first time.
    """

    __slots__ = ("begun", "binds", "calls", "changes", "in_place", "plain", "pure", "sole", "stores", "touch")

    def __init__(self, parts: list[_Part]) -> None:
        self.changes, self.calls, self.begun = NEVER, False, False
        binds: dict[str, None] = {}
        stores: dict[str, None] = {}
        self.in_place: tuple[str, ...] = ()
        self.sole = ""
        self.pure: tuple[str, ...] = ()
        self.touch: tuple[Place, ...] = ()
        for part in parts:
            self.calls = self.calls or part.calls
            binds.update(dict.fromkeys(part.binds))
            stores.update(dict.fromkeys(part.stores))
            self.in_place += part.in_place
            if part.effect is None and not part.calls:
                self.changes |= part.changes
        self._call([part for part in parts if part.calls and part.effect is None])
        self._effects([part for part in parts if part.effect is not None], {**binds, **stores})
        self.binds, self.stores = tuple(binds), tuple(stores)
        self.plain: tuple[str, ...] = ()  # those of `binds` that are no cells, in the order of the code

    def _call(self, calls: list[_Part]) -> None:
        if len(calls) == 1 and calls[0].sole and not self.changes & ALWAYS:
            self.sole = calls[0].sole
            self.changes |= SOLE
        elif calls:
            self.changes |= ALWAYS

    def _effects(self, parts: list[_Part], bound: Container[str]) -> None:
        """Take in what is known of single instructions, unless too much is changed to tell in which order."""
        places = [part.effect for part in parts if isinstance(part.effect, Place)]
        self.pure = tuple(part.effect.name for part in parts if isinstance(part.effect, Pure))
        self.changes |= PURE if self.pure else NEVER
        self.touch = tuple(dict.fromkeys(places))
        if places and (self.changes & (ALWAYS | SOLE) or any(place.root in bound for place in places)):
            self.changes |= ALWAYS
        elif places:
            one = len(self.touch) == 1 and (len(places) == 1 or not places[0].deep)
            # `x.y += …` changes either what y is, or what x has as y: never both.
            either = len(places) == 2 and parts[0].operates and parts[1].stores_into
            item = either and places[0] in (_item(places[1]), _attribute_of(places[1], places[0]))
            self.changes |= TOUCH if one or item else ALWAYS


def _item(place: Place) -> Place:
    return place._replace(deep=place.deep + 1)


def _attribute_of(owner: Place, place: Place) -> Place | None:
    """`place`, if it is an attribute of `owner`."""
    found = place.attributes[:-1] == owner.attributes and place.attributes and not place.deep and not owner.deep
    return place if found and place.root == owner.root else None


class _Part:
    """One instruction."""

    __slots__ = (
        "binds",
        "calls",
        "changes",
        "effect",
        "in_place",
        "line",
        "next",
        "operates",
        "sole",
        "stores",
        "stores_into",
    )

    def __init__(self, instruction: dis.Instruction, line: int) -> None:
        name, argument = instruction.opname, instruction.argval
        self.line = line
        self.next: list[int] = []
        self.binds: tuple[str, ...] = ()
        self.stores: tuple[str, ...] = ()
        if "STORE_FAST" in name or name in ("DELETE_FAST", "LOAD_FAST_AND_CLEAR"):
            self.binds = argument if isinstance(argument, tuple) else (argument,)
        elif name in _NAMES:
            self.stores = (argument,)
        self.effect: Effect | None = None
        self.in_place: tuple[str, ...] = ()
        self.sole = ""  # of a call, the global that is called, if that can be told
        self.operates, self.stores_into = name == "BINARY_OP", name in ("STORE_ATTR", "STORE_SUBSCR")
        self.calls = name in _CALLS
        self.changes = _changes(name, instruction.argrepr)


def _changes(name: str, text: str) -> int:
    if name in _ALWAYS:
        return ALWAYS
    if name == "BINARY_OP":
        return ALWAYS if text.endswith("=") else WITH_MISSING if text == "[]" else NEVER
    return WITH_LAZY if name in _CONSUMES else NEVER


class Stretches:
    """The stretches of a code, by the offset at which they begin, or of a whole line."""

    def __init__(self, code: types.CodeType) -> None:
        """Nothing is worked out before it is asked for, besides the instructions."""
        names = dict.fromkeys(code.co_varnames) if code.co_flags & 1 else {}
        self._plain = [name for name in names if name not in code.co_cellvars and not name.startswith(".")]
        self._parts: dict[int, _Part] = {}
        self.known: dict[int, Stretch] = {}
        self._lines: dict[int, Stretch] = {}
        instructions = list(dis.get_instructions(code))
        for place, instruction in enumerate(instructions):
            part = _Part(instruction, instruction.line_number or 0)
            self._parts[instruction.offset] = self._parts[instruction.start_offset] = part
            if instruction.opname not in _ENDS and place + 1 < len(instructions):
                part.next.append(instructions[place + 1].offset)
            if instruction.jump_target is not None:
                part.next.append(instruction.jump_target)
        for instruction in _loops_of_unknown(instructions):
            self._parts[instruction.offset].changes = ALWAYS
        for instruction, following in pairwise(instructions):
            if (
                instruction.opname == "BINARY_OP"
                and instruction.argrepr.endswith("=")
                and (following.opname in ("STORE_FAST", "STORE_NAME", "STORE_GLOBAL"))
            ):
                part = self._parts[instruction.offset]
                part.changes, part.in_place = IN_PLACE, (following.argval,)
        self._tell_callees(instructions)
        self._tell_effects(code, instructions)

    def _tell_effects(self, code: types.CodeType, instructions: list[dis.Instruction]) -> None:
        """Note what single instructions change. What frames share and what a class body sees is beyond that."""
        if code.co_cellvars or code.co_freevars or (not code.co_flags & 1 and code.co_name != "<module>"):
            return
        for offset, effect in effects(instructions).items():
            part = self._parts[offset]
            if not part.in_place:
                part.effect = effect

    def _tell_callees(self, instructions: list[dis.Instruction]) -> None:
        """Find out which global each call calls, where its name and the call lie in one line with no other call."""
        callee, line, calls = "", None, 0
        last: _Part | None = None
        for instruction in instructions:
            if instruction.line_number != line:
                callee, line, calls, last = "", instruction.line_number, 0, None
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME") and not callee and calls == 0:
                if "NULL" in instruction.argrepr:
                    callee = instruction.argval
            elif "NULL" in instruction.argrepr or instruction.opname == "PUSH_NULL":
                callee = "?"
            part = self._parts[instruction.offset]
            if part.calls:
                calls += 1
                part.sole = callee if instruction.opname in ("CALL", "CALL_KW") and callee.isidentifier() else ""
                if last is not None:
                    last.sole = part.sole = ""
                last = part

    def entry(self, code: types.CodeType) -> Stretch:
        """What a call does before the first instruction: the arguments are bound."""
        entry = Stretch([])
        flags = code.co_flags
        count = code.co_argcount + code.co_kwonlyargcount + bool(flags & CO_VARARGS) + bool(flags & CO_VARKEYWORDS)
        entry.binds = code.co_varnames[:count]
        entry.plain = tuple(name for name in self._plain if name in entry.binds)
        return entry

    def at(self, offset: int) -> Stretch:
        """From the instruction at `offset` on."""
        known = self.known.get(offset)
        if known is None:
            part = self._parts.get(offset)
            if part is None or not part.line:
                return self.line(0)
            known = self.known[offset] = self._stretch(self._reach(offset, part.line))
        return known

    def line(self, line: int) -> Stretch:
        """Whatever runs in the course of a line, wherever in it one begins; of line 0 the whole code."""
        known = self._lines.get(line)
        if known is None:
            parts = [part for part in self._parts.values() if not line or part.line in (0, line)]
            known = self._lines[line] = self._stretch(parts)
        return known

    def _stretch(self, parts: list[_Part]) -> Stretch:
        stretch = Stretch(parts)
        bound = frozenset(stretch.binds)
        stretch.plain = tuple(name for name in self._plain if name in bound)
        return stretch

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
