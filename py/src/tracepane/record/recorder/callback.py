"""What CPython tells of the calls that traced code makes, and what that means for the objects that are known."""

from __future__ import annotations

import opcode
import sys
import types
from collections.abc import Callable
from typing import Any

from tracepane.record.bytecode.lines import TOUCH, WITH_LAZY
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.calls import (
    FIRST,
    FIRST_LAZY,
    HEAD,
    KEYED,
    LAZY,
    MAKES,
    POP,
    PURE,
    SET,
    SORT,
    SPEAKS,
    TAIL,
    UNKNOWN,
    judge,
    set_up,
)
from tracepane.record.recorder.recording import Recording
from tracepane.record.values.kinds import TYPE, flags_of, mro_of

globals()["__builtins__"] = BUILTINS

_FUNCTION, _METHOD = types.FunctionType, types.MethodType
_WITH_KEY, _LAZY = frozenset((KEYED, SORT)), frozenset((LAZY, FIRST_LAZY))
_CALL = opcode.opmap["CALL"]
_SPOKEN = frozenset((_CALL, opcode.opmap["CALL_KW"]))
_LOAD_ATTR = opcode.opmap["LOAD_ATTR"]
_CALL_NOTHING = bytes((_CALL, 0))
# A method's only argument: between the load of the method and its call nothing else can have come.
_CALL_ZERO = bytes((opcode.opmap["LOAD_SMALL_INT"], 0, _CALL, 1))
_BACK = 4 + 2 * opcode._inline_cache_entries["LOAD_ATTR"]  # type: ignore[attr-defined]


def make_callback(recording: Recording) -> Callable[[types.CodeType, int, Any, Any], None]:
    """What CPython is to tell of the calls that traced code makes."""
    heap, stack = recording.heap, recording.stack
    entries, touched = heap.entries, heap.touched
    known: dict[int, int] = {}  # by address, of what is kept
    kept: list[Any] = []
    output = sys.stdout

    def called(code: types.CodeType, offset: int, function: Any, given: Any) -> None:
        kind = type(function)
        if kind is _FUNCTION:
            heap.expected = function.__code__
            return
        what, owner = known.get(id(function)), given
        if what is None:
            if kind is _METHOD and type(function.__func__) is _FUNCTION:
                heap.expected = function.__func__.__code__
                return
            if kind is type and (init := set_up(function)) is not None:
                heap.expected = init.__code__
                return
            what, bound, lasting = judge(function)
            if bound is not None:
                owner = bound
            if lasting:
                known[id(function)] = what
                kept.append(function)
            if what == MAKES:
                heap.expected = bound.__code__ if type(bound) is _FUNCTION else None
                return
        if what == PURE:
            return
        top = stack[-1] if stack else None
        if top is None or top.code.code is not code:
            heap.disturb()
            return
        mask = heap.mask
        if what >= TAIL and not mask & TOUCH:
            entry = entries.get(id(owner))
            if entry is not None:
                touched.append((entry, _popped(top.code.raw, offset) if what == POP else what))
            return
        if what in _WITH_KEY:
            plain = top.code.raw[offset] == _CALL
            what = (LAZY if what == KEYED else FIRST_LAZY) if plain else UNKNOWN
        if what == SPEAKS and not (sys.stdout is output and top.code.raw[offset] in _SPOKEN and not top.code.directs):
            what = UNKNOWN  # a program may have anything written to
        if what == SPEAKS:
            heap.outside, heap.calm = True, -1
            return
        if what in _LAZY and not mask & WITH_LAZY:
            if what == LAZY:
                if not top.tight:
                    recording.hurry()
                return
            what = FIRST
        if what in (UNKNOWN, LAZY, FIRST_LAZY) or mask & TOUCH or (what == SET and not _is_instance(owner)):
            heap.disturb()
            top.busy = True
            if not top.tight:
                recording.hurry()
            return
        entry = entries.get(id(owner))
        if entry is not None:
            touched.append((entry, what))

    return called


def _popped(raw: bytes, offset: int) -> int:
    """What a call of a `pop` changes: by bytecode, whether it has no argument, or only 0."""
    if raw[offset : offset + 2] == _CALL_NOTHING:
        return TAIL
    return HEAD if raw[offset - 2 : offset + 2] == _CALL_ZERO and raw[offset - _BACK] == _LOAD_ATTR else FIRST


def _is_instance(value: Any) -> bool:
    """Whether an object is neither a class nor a module, whose attributes are more than its own."""
    kind = type(value)
    return not flags_of(kind) & TYPE and not any(parent is types.ModuleType for parent in mro_of(kind))
