"""What is known of a traced code object before it runs: its names, its kind, where its `def` stands."""

from __future__ import annotations

import opcode
import types
from collections.abc import Sequence
from typing import Any

from tracepane.record.bytecode.instructions import (
    CO_ASYNC_GENERATOR,
    CO_COROUTINE,
    CO_GENERATOR,
    CO_OPTIMIZED,
    Bytecode,
    table,
)
from tracepane.record.bytecode.lines import Stretch
from tracepane.record.bytecode.stretches import Stretches
from tracepane.record.format import layout
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

Ranges = Sequence[tuple[int, int]]

# Names that the interpreter binds and a learner never wrote: noise in a list of variables.
IMPLICIT = frozenset(
    f"__{name}__"
    for name in (
        "annotate annotate_func annotations annotations_cache builtins cached class classcell classdict classdictcell "
        "conditional_annotations doc file firstlineno loader module name package path qualname spec static_attributes "
        "type_params"
    ).split()
)
GLOBAL_OPS = frozenset(
    (
        "LOAD_GLOBAL",
        "STORE_GLOBAL",
        "DELETE_GLOBAL",
        "LOAD_NAME",
        "STORE_NAME",
        "DELETE_NAME",
        "LOAD_FROM_DICT_OR_GLOBALS",
    )
)
_GLOBALS = table(GLOBAL_OPS)
_RESUME = opcode.opmap["RESUME"]
_HIDDEN_FUNCTION = "<generic parameters of "


class Code:
    """A traced code object. `number` is its id in the trace once a frame of it ran, −1 before."""

    __slots__ = (
        "begun", "cells", "code", "directs", "entry", "file", "first", "free", "globals", "idle", "kind", "locals",
        "names", "number", "opening", "plain", "quick", "raw", "seen", "stretches", "targets", "watched",
    )  # fmt: skip

    def __init__(self, code: types.CodeType, file: str, first: int) -> None:
        self.code, self.file, self.first = code, file, first
        self.number = -1
        self.targets: dict[str, int] = {}  # of the locals that were recorded before: what their rows name
        self.raw = code.co_code
        self.kind = _kind(code)
        self.cells = frozenset(code.co_cellvars)
        names = dict.fromkeys((*code.co_varnames, *code.co_cellvars))
        self.locals = tuple(name for name in names if shown(name)) if code.co_flags & CO_OPTIMIZED else ()
        self.plain = frozenset(self.locals) - self.cells
        # A class body's own namespace hides its free variables from view.
        self.free = tuple(name for name in code.co_freevars if shown(name) and code.co_flags & CO_OPTIMIZED)
        bytecode = Bytecode(code)
        self.stretches = Stretches(code, bytecode)
        self.stretches.prepare()
        self.begun: dict[int, Stretch] = {}  # by their offsets, those that ran before and have a line
        self.entry = self.stretches.entry(code)
        self.globals = tuple([name for name in _global_names(bytecode) if shown(name)])
        # Functions without shared variables, whose calls are soon recorded once their globals have been looked at: in
        # which epoch that was, and which globals; `opening` is what runs first.
        self.quick = (
            self.kind == layout.FUNCTION_CODE
            and not code.co_cellvars
            and not code.co_freevars
            and self.plain.issuperset(self.entry.binds)
            and self.raw[0] == _RESUME
        )
        self.idle: Any = [] if self.quick else None  # activations that are over, to be used again
        self.opening = self.stretches.at(0) if self.quick else self.entry
        if self.quick:
            self.opening.line = first
        self.seen = -2
        self.names: Any = None
        # Whether a call has an argument that directs output elsewhere.
        self.directs = any(type(each) is tuple and "file" in each for each in code.co_consts)
        self.watched = False  # whether its calls are told (see callback.py)

    @property
    def name(self) -> str:
        """Its qualified name."""
        return self.code.co_qualname


def shown(name: str) -> bool:
    """Whether a variable of that name is recorded."""
    return name not in IMPLICIT and not name.startswith(".")


def _kind(code: types.CodeType) -> int:
    flags = code.co_flags
    if not flags & CO_OPTIMIZED:
        return layout.MODULE_CODE if code.co_name == "<module>" else layout.CLASS_CODE
    if flags & CO_ASYNC_GENERATOR:
        return layout.ASYNC_GENERATOR_CODE
    if flags & CO_COROUTINE:
        return layout.COROUTINE_CODE
    return layout.GENERATOR_CODE if flags & CO_GENERATOR else layout.FUNCTION_CODE


def _global_names(bytecode: Bytecode) -> list[str]:
    """Names that the code may find among its globals, in the order of its `co_names`."""
    used = {bytecode.name(place) for place in bytecode.places(_GLOBALS)}
    return [name for name in bytecode.code.co_names if name in used]


def tree(code: types.CodeType) -> list[tuple[types.CodeType, int]]:
    """A compiled source's code objects, each with the line of its `def` or `class`.

    A decorated function's own first line is its decorator's; the enclosing code loads it at the line of the `def`.
    """
    found = [(code, code.co_firstlineno)]
    for outer, _ in found:  # grows
        found += Bytecode(outer).inner()
    return found


def hidden(code: types.CodeType) -> bool:
    """Code that the compiler wrote: annotations evaluated on demand, the scope of type parameters."""
    if code.co_name == "__annotate__" and code.co_posonlyargcount == 1 and code.co_argcount == 1:
        return code.co_varnames[0] in ("format", ".format")
    return code.co_name.startswith(_HIDDEN_FUNCTION)


def inside(code: types.CodeType, ranges: Ranges) -> bool:
    """Whether all lines of the code lie in one of the ranges."""
    lines = [line for _, _, line in code.co_lines() if line]
    if not lines:
        return False
    low, high = min(lines), max(lines)
    return any(first <= low and high <= last for first, last in ranges)
