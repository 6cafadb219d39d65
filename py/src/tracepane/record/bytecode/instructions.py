"""A code's bytecode, read where it is needed: `dis` makes an object with texts of every instruction."""

from __future__ import annotations

import opcode
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any, NamedTuple

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

# Flags of codes, as in `inspect`, which takes long to import.
CO_OPTIMIZED, CO_VARARGS, CO_VARKEYWORDS = 1, 4, 8
CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR = 0x20, 0x80, 0x200
EXTENDED_ARG = opcode.EXTENDED_ARG
_CACHES: Any = opcode._inline_cache_entries  # type: ignore[attr-defined]


def table(names: Iterable[str]) -> bytes:
    """For each opcode 1 if it has one of the names, else 0."""
    found = bytearray(256)
    for name in names:
        if opcode.opmap.get(name, 256) < 256:
            found[opcode.opmap[name]] = 1
    return bytes(found)


def _steps() -> bytes:
    """For each opcode the bytes that an instruction takes, its caches with it."""
    steps = bytearray(b"\2") * 256
    if isinstance(_CACHES, dict):
        for name, caches in _CACHES.items():
            steps[opcode.opmap[name]] += 2 * caches
    return bytes(steps)


STEPS = _steps()
# The argument of END_ASYNC_FOR says where its loop began: it does not go there.
JUMPS = table(name for name in map(opcode.opname.__getitem__, opcode.hasjrel) if name != "END_ASYNC_FOR")
BACK = table(("JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"))
_SKIPPING = table(("FOR_ITER", "SEND"))  # these jump behind what they lead to
_UNMARKED = table(("END_ASYNC_FOR", "END_FOR", "END_SEND", "POP_ITER", "RESUME"))
_RESUME, _POP_ITER = opcode.opmap["RESUME"], opcode.opmap.get("POP_ITER", -1)
END_ASYNC_FOR = opcode.opmap["END_ASYNC_FOR"]
# A name's place among the code's is its argument without so many bits.
_SHIFTS = {opcode.opmap.get("LOAD_GLOBAL", -1): 1, opcode.opmap.get("LOAD_ATTR", -1): 1,
           opcode.opmap.get("LOAD_SUPER_ATTR", -1): 2}  # fmt: skip
_NAMED = table(opcode.opname[each] for each in opcode.hasname if each < 256)
_LOADS = table(("LOAD_CONST",))
_LOCAL = table(
    opcode.opname[each]
    for each in (*opcode.haslocal, *opcode.hasfree)
    if each < 256 and opcode.opname[each].count("_FAST") < 2  # those have two
)


class Span(NamedTuple):
    """Instructions one after the other that are of one line, from `start` up to `stop`; `line` is None without one."""

    start: int
    stop: int
    line: int | None


class Bytecode:
    """The instructions of a code, by their offsets. `raw` is as compiled, its caches are zeros."""

    __slots__ = ("_handlers", "_jumps", "_spans", "_starts", "code", "operations", "raw")

    def __init__(self, code: CodeType) -> None:
        """Nothing is read before it is asked for."""
        self.code = code
        self.raw = code.co_code
        self.operations = self.raw[::2]  # the opcodes: that of the instruction at an offset stands at its half
        self._jumps: frozenset[int] | None = None
        self._spans: list[Span] = []
        self._starts: frozenset[int] | None = None
        self._handlers: list[tuple[int, int, int]] | None = None

    def span(self, offset: int) -> Span:
        """The instructions around the one at an offset that are of its line."""
        return self.spans()[offset >> 1]

    def spans(self) -> list[Span]:
        """For each code unit its span."""
        if self._spans:
            return self._spans
        merged: list[Span] = []
        for start, stop, line in self.code.co_lines():
            if merged and merged[-1].line == line:
                merged[-1] = Span(merged[-1].start, stop, line)
            else:
                merged.append(Span(start, stop, line))
        for span in merged:
            self._spans += [span] * ((span.stop - span.start) >> 1)
        return self._spans

    def argument(self, offset: int) -> int:
        """The argument of the instruction at an offset."""
        raw = self.raw
        value = raw[offset + 1]
        shift = 8
        while offset >= 2 and raw[offset - 2] == EXTENDED_ARG:
            offset -= 2
            value |= raw[offset + 1] << shift
            shift += 8
        return value

    def target(self, offset: int) -> int:
        """Where the jump at an offset leads."""
        operation, distance = self.raw[offset], 2 * self.argument(offset)
        return offset + STEPS[operation] + (-distance if BACK[operation] else distance)

    def targets(self) -> frozenset[int]:
        """Where the code's jumps lead."""
        if self._jumps is None:
            places = self.places(JUMPS)
            self._jumps = frozenset([self.target(each) for each in places])
        return self._jumps

    def starts(self) -> frozenset[int]:
        """Where line events are made, if the line is another one than that of the instruction that ran before.

        CPython marks instructions whose line is not that of the one before them in the code, and those that jumps and
        exceptions lead to, but none of some kinds: what comes after a loop may go on in its line without an event.
        """
        if self._starts is None:
            self._starts = frozenset((*self._begins(), *self._landings()))
        return self._starts

    def _begins(self) -> Iterator[int]:
        raw, place, before = self.raw, max(2 * self.operations.find(_RESUME), 0), None
        while place < len(raw):
            _, stop, line = self.span(place)
            while place < stop and _UNMARKED[raw[place]]:
                place += STEPS[raw[place]]
            if place < stop:
                if line is not None and line != before:
                    yield place
                before = line
            place = stop

    def _landings(self) -> Iterator[int]:
        for place in self.places(JUMPS):
            operation, target = self.raw[place], self.target(place)
            if _SKIPPING[operation]:
                target += STEPS[self.raw[target]]
            if self.raw[target] != _POP_ITER and self.span(target).line is not None:
                yield target
        for _, _, target in self._handled():
            if self.raw[target] != END_ASYNC_FOR and self.span(target).line is not None:
                yield target

    def handler(self, offset: int) -> int:
        """Where an exception leads that comes out of the instruction at an offset, −1 when out of the frame."""
        return next((target for start, stop, target in self._handled() if start <= offset < stop), -1)

    def _handled(self) -> list[tuple[int, int, int]]:
        """From where to where exceptions lead where. In the table numbers are of six bits a byte, in code units."""
        if self._handlers is None:
            numbers, number = [], 0
            for byte in self.code.co_exceptiontable:
                number = number << 6 | byte & 63
                if not byte & 64:
                    numbers.append(2 * number)
                    number = 0
            parts = zip(numbers[::4], numbers[1::4], numbers[2::4], strict=True)
            self._handlers = [(start, start + size, target) for start, size, target in parts]
        return self._handlers

    def places(self, wanted: bytes) -> list[int]:
        """The offsets of the instructions that are in a table of opcodes."""
        found, place, marks = [], -1, self.operations.translate(wanted)
        while (place := marks.find(1, place + 1)) >= 0:
            found.append(2 * place)
        return found

    def last(self, operation: int, start: int, stop: int) -> int:
        """The offset of the last instruction with that opcode between two offsets; below zero without one."""
        return 2 * self.operations.rfind(operation, start >> 1, stop >> 1)

    def name(self, offset: int) -> str:
        """The name in the argument of the instruction at an offset, empty where there is none or it has two."""
        operation = self.raw[offset]
        if _NAMED[operation]:
            return self.code.co_names[self.argument(offset) >> _SHIFTS.get(operation, 0)]
        return self.variable(self.argument(offset)) if _LOCAL[operation] else ""

    def variable(self, number: int) -> str:
        """The name of a variable of the code's own, or of one that it shares."""
        name: str = self.code._varname_from_oparg(number)  # type: ignore[attr-defined]
        return name

    def inner(self) -> list[tuple[CodeType, int]]:
        """The codes that this one loads, each with the line on which it does."""
        constants = self.code.co_consts
        if CodeType not in map(type, constants):
            return []
        loads = [(constants[self.argument(each)], each) for each in self.places(_LOADS)]
        return [(each, self.span(place).line or each.co_firstlineno) for each, place in loads if type(each) is CodeType]
