"""The stretches of a code, each worked out when a frame first comes to its beginning."""

from __future__ import annotations

import opcode
import types
from typing import NamedTuple

from tracepane.record.bytecode.instructions import (
    BACK,
    CO_ASYNC_GENERATOR,
    CO_COROUTINE,
    CO_GENERATOR,
    CO_OPTIMIZED,
    CO_VARARGS,
    CO_VARKEYWORDS,
    END_ASYNC_FOR,
    JUMPS,
    STEPS,
    Bytecode,
    table,
)
from tracepane.record.bytecode.lines import (
    ALWAYS,
    CELLS,
    IN_PLACE,
    WITH_LAZY,
    WITH_MAPS,
    WITH_MISSING,
    Part,
    Stretch,
)
from tracepane.record.bytecode.touch import OPERATORS, Method, Touch, touches
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_RESUMABLE = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_CALLS = "CALL CALL_KW CALL_FUNCTION_EX IMPORT_NAME IMPORT_FROM"
_CHANGES = {
    ALWAYS: "STORE_ATTR DELETE_ATTR STORE_SUBSCR DELETE_SUBSCR STORE_SLICE IMPORT_NAME IMPORT_FROM END_ASYNC_FOR "
    "WITH_EXCEPT_START",
    CELLS: "STORE_DEREF DELETE_DEREF",
    WITH_LAZY: "UNPACK_SEQUENCE UNPACK_EX LIST_EXTEND SET_UPDATE DICT_UPDATE DICT_MERGE CONTAINS_OP FOR_ITER GET_LEN",
    WITH_LAZY | WITH_MAPS: "SEND",
}
_BINDS = "STORE_FAST DELETE_FAST LOAD_FAST_AND_CLEAR STORE_FAST_MAYBE_NULL STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST"
_NAMES = "STORE_NAME DELETE_NAME STORE_GLOBAL DELETE_GLOBAL"

# By opcode.
_CHANGED = bytearray(256)
for _kind, _names in _CHANGES.items():
    for _number, _is in enumerate(table(_names.split())):
        _CHANGED[_number] |= _kind * _is
_CALL, _BIND, _STORE, _CELL = (table(each.split()) for each in (_CALLS, _BINDS, _NAMES, "STORE_DEREF DELETE_DEREF"))
_OPERATOR, _STORE_LOAD, _STORE_STORE = (
    opcode.opmap.get(each, -1) for each in ("BINARY_OP", "STORE_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST")
)
_INTO = table(("STORE_ATTR", "STORE_SUBSCR"))
_BOUND = table(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF"))
_TOUCHES = table("STORE_ATTR DELETE_ATTR STORE_SUBSCR DELETE_SUBSCR BINARY_OP CALL CALL_KW".split())
_ENDS = table(("RETURN_VALUE", "RAISE_VARARGS", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD"))
_LOOPS = table(("FOR_ITER", "SEND"))
_THROWS = table(("RERAISE", "GET_ANEXT", "SEND"))
_TURNS = bytes(map(max, _ENDS, JUMPS, _THROWS))
_ACTS = bytes(
    [
        bool(any(each) or number == _OPERATOR)
        for number, each in enumerate(zip(_CHANGED, _CALL, _BIND, _STORE, _CELL, strict=True))
    ]
)
# What loops over these changes nothing when it asks for the next item.
_HARMLESS = frozenset("range enumerate zip reversed sorted list tuple set dict len str min max abs".split())
_HARMLESS_METHODS = frozenset("items keys values split splitlines copy".split())
_GET_ITER, _FOR_ITER, _SEND, _CALL_EX, _ATTRIBUTE, _GLOBAL, _PUSH_NULL = (
    opcode.opmap.get(each, -1)
    for each in "GET_ITER FOR_ITER SEND CALL_FUNCTION_EX LOAD_ATTR LOAD_GLOBAL PUSH_NULL".split()
)
_RESUME, _RETURN, _RERAISE = (opcode.opmap.get(each, -1) for each in "RESUME RETURN_VALUE RERAISE".split())


class Reached(NamedTuple):
    """Offsets: of instructions that may do anything, of those where the next line begins, and the lines of returns.

    Among those where a line begins is −1 where there may be another event, too.
    """

    acts: list[int]
    lines: set[int]
    returns: set[int]


class Stretches:
    """The stretches of a code, by the offset at which they begin, or of a whole line."""

    def __init__(self, code: types.CodeType, bytecode: Bytecode) -> None:
        """Nothing is worked out before it is asked for."""
        names = dict.fromkeys(code.co_varnames) if code.co_flags & CO_OPTIMIZED else {}
        self._plain = [name for name in names if name not in code.co_cellvars and not name.startswith(".")]
        self._bytecode = bytecode
        self._function = code.co_flags & (CO_OPTIMIZED | _RESUMABLE) == CO_OPTIMIZED
        # What a class body sees is beyond this.
        self._followed = bool(code.co_flags & CO_OPTIMIZED) or code.co_name == "<module>"
        self._parts: dict[int, Part | None] = {}
        self._effects: dict[int, dict[int, Touch | Method]] = {}  # by where a span begins
        self.known: dict[int, Stretch] = {}
        self._lines: dict[int, Stretch] = {}
        self._leading: dict[int, list[Stretch]] = {}  # to a place where no line has begun yet

    def prepare(self) -> None:
        """Work out those that begin with a line, or where a loop goes on."""
        for place in self._bytecode.starts():
            self.at(place)

    def entry(self, code: types.CodeType) -> Stretch:
        """What a call does before the first instruction: the arguments are bound."""
        entry = Stretch(())
        flags = code.co_flags
        count = code.co_argcount + code.co_kwonlyargcount + bool(flags & CO_VARARGS) + bool(flags & CO_VARKEYWORDS)
        entry.binds = code.co_varnames[:count]
        entry.take(tuple([name for name in self._plain if name in entry.binds]))
        return entry

    def heed(self, mask: int) -> None:
        """Have all of them heed what the program has."""
        for stretch in (*self.known.values(), *self._lines.values()):
            stretch.heed(mask)

    def at(self, offset: int) -> Stretch:
        """From the instruction at `offset` on."""
        known = self.known.get(offset)
        if known is None:
            line = self._bytecode.span(offset).line if 0 <= offset < len(self._bytecode.raw) else 0
            if not line:
                return self.line(0)
            reached = self._reach(offset, line)
            known = self.known[offset] = self._stretch(reached.acts, line)
            if len(reached.returns) == 1 and self._function:
                (known.returns,) = reached.returns
            if len(reached.lines) == 1 and -1 not in reached.lines:
                self._lead(known, *reached.lines)
        return known

    def _lead(self, stretch: Stretch, place: int) -> None:
        """Its line goes on at one place only, if it does not end the frame: know what follows once that has begun."""
        following = self.known.get(place)
        if following is not None and following.begun:
            stretch.following = following
        else:
            self._leading.setdefault(place, []).append(stretch)

    def begin(self, place: int, stretch: Stretch) -> None:
        """What begins at a place has run before, from now on."""
        for before in self._leading.pop(place, ()):
            before.following = stretch

    def line(self, line: int) -> Stretch:
        """Whatever runs in the course of a line, wherever in it one begins; of line 0 the whole code."""
        known = self._lines.get(line)
        if known is None:
            places = self._bytecode.places(_ACTS)
            if line:
                places = [each for each in places if self._bytecode.span(each).line in (None, 0, line)]
            known = self._lines[line] = self._stretch(places, line)
        return known

    def _stretch(self, places: list[int], line: int) -> Stretch:
        """Of the instructions at some places that may do anything."""
        known = self._parts
        parts: list[Part] = []
        for place in sorted(places):
            part = known[place] if place in known else self._read(place)
            if part is not None:
                parts.append(part)
        stretch = Stretch(parts, line)
        binds = stretch.binds
        # In the order of the code.
        stretch.take(tuple([name for name in self._plain if name in binds]) if len(binds) > 1 else self._alone(binds))
        return stretch

    def _alone(self, binds: tuple[str, ...]) -> tuple[str, ...]:
        return binds if binds and binds[0] in self._plain else ()

    def _reach(self, offset: int, line: int) -> Reached:
        """What can run from an offset until the next event."""
        code = self._bytecode
        raw, span, starts = code.raw, code.span, code.starts()
        pending: list[tuple[int, int | None]] = [(offset, line)]
        seen, reached = set[int](), Reached([], set(), set())
        while pending:
            place, before = pending.pop()
            stop = 0
            while place < len(raw):
                if not stop or place >= stop:
                    _, stop, there = span(place)
                    if there != before and place in starts:
                        reached.lines.add(place)
                        break
                if place in seen:
                    break
                seen.add(place)
                operation = raw[place]
                if _ACTS[operation]:
                    reached.acts.append(place)
                if _TURNS[operation]:
                    if JUMPS[operation]:
                        pending.append((code.target(place), there))
                    if _strays(code, place):
                        reached.lines.add(-1)
                    if operation == _RETURN:
                        reached.returns.add(there or -1)
                    if _THROWS[operation] and (handler := self._handler(place)) >= 0:
                        pending.append((handler, there))
                    if _ENDS[operation]:
                        break
                before = there
                place += STEPS[operation]
                if operation == _RESUME:
                    before, stop = None, 0  # the same line may begin
        return reached

    def _handler(self, place: int) -> int:
        """Where it goes on after an instruction whose exception comes with no event, −1 if it has none such."""
        code = self._bytecode
        handler = code.handler(place)
        again = code.raw[place] == _RERAISE
        return handler if handler >= 0 and (again or code.raw[handler] == END_ASYNC_FOR) else -1

    def _read(self, offset: int) -> Part | None:
        """What the instruction at an offset does; None where that is nothing after all."""
        code = self._bytecode
        operation = code.raw[offset]
        part = Part(offset, bool(_CALL[operation]), _CHANGED[operation])
        if _BIND[operation]:
            part.binds = self._bound(operation, code.argument(offset))
        elif _STORE[operation]:
            part.stores = (code.name(offset),)
        elif _CELL[operation]:
            part.cell = code.name(offset)
        elif _LOOPS[operation]:
            if not self._loops_harmlessly(offset):
                part.changes = WITH_MAPS | WITH_LAZY
        elif operation == _OPERATOR:
            self._operate(part, OPERATORS[code.argument(offset)])
        else:
            part.stores_into = bool(_INTO[operation])
        if _TOUCHES[operation] and not part.in_place:
            effect = self._effect(offset)
            if isinstance(effect, Method):
                part.owner = effect.owner
            else:
                part.effect = effect
        acts = operation != _OPERATOR or part.changes or part.effect is not None
        self._parts[offset] = part if acts else None
        return self._parts[offset]

    def _bound(self, operation: int, argument: int) -> tuple[str, ...]:
        variable = self._bytecode.variable
        if operation == _STORE_STORE:
            return variable(argument >> 4), variable(argument & 15)
        return (variable(argument >> 4 if operation == _STORE_LOAD else argument),)

    def _operate(self, part: Part, operator: str) -> None:
        part.operates = True
        if operator == "[]":
            part.changes = WITH_MISSING
        elif operator.endswith("="):
            part.changes = ALWAYS
            following = part.offset + STEPS[_OPERATOR]
            if _BOUND[self._bytecode.raw[following]]:
                part.changes, part.in_place = IN_PLACE, (self._bytecode.name(following),)

    def _effect(self, offset: int) -> Touch | Method | None:
        """Which object an instruction changes, or has a method of called, where that is known."""
        if not self._followed:
            return None
        span = self._bytecode.span(offset)
        effects = self._effects.get(span.start)
        if effects is None:
            effects = self._effects[span.start] = touches(self._bytecode, span)
        return effects.get(offset)

    def _loops_harmlessly(self, offset: int) -> bool:
        """Whether no call that is not known to make a harmless iterator made that of the loop at an offset."""
        code = self._bytecode
        made = code.last(_GET_ITER, 0, offset)
        if made < 2:
            return True
        start = max(code.span(made - 2).start, *(code.last(each, 0, made) + STEPS[each] for each in (_FOR_ITER, _SEND)))
        return _is_harmless(code, start, made)


def _strays(code: Bytecode, place: int) -> bool:
    """Whether a turn may come with an event of its own: as a loop within a line does."""
    operation = code.raw[place]
    if BACK[operation]:
        return code.span(code.target(place)).line == code.span(place).line
    return operation == _RERAISE


def _is_harmless(code: Bytecode, start: int, stop: int) -> bool:
    """Whether everything that the head of a loop calls gives an iterator that changes nothing when it is consumed."""
    place, before = start, ""
    while place < stop:
        operation = code.raw[place]
        name = code.name(place)
        if operation == _CALL_EX:
            return False
        if operation == _ATTRIBUTE and code.argument(place) & 1 and name not in _HARMLESS_METHODS:
            return False
        if operation == _GLOBAL and code.argument(place) & 1 and name not in _HARMLESS:
            return False
        if operation == _PUSH_NULL and before not in _HARMLESS:
            return False
        place, before = place + STEPS[operation], name
    return True
