"""Functions of ours that the program cannot see on its stack.

CPython takes a frame for incomplete until it has run its code's first RESUME, and leaves incomplete frames out of
`sys._getframe`, `f_back`, tracebacks and trace functions. Code that has no RESUME at all stays incomplete for ever:
the program finds nothing below its `<module>` and nothing between its own call and what it called, as if these
functions were written in C. RESUME only polls for signals; calls and loops do that too.

An exception that passes such a frame would still be reported to trace functions, as if it passed the program's; the
flag CO_NO_MONITORING_EVENTS, which CPython has for code of its own, keeps that silent.

What looks for its caller's frame finds the program's: in a hidden function `super()`, `locals()` and `globals()` do not
work.
"""

from __future__ import annotations

import opcode
import sys
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeVar

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

F = TypeVar("F", bound=Callable[..., Any])

_SUPPORTED = sys.version_info[:2] == (3, 14)
_RESUME, _NOP = opcode.opmap.get("RESUME", -1), opcode.opmap["NOP"]
_NO_MONITORING_EVENTS = 0x2000000
_GENERATOR_FLAGS = 0x20 | 0x80 | 0x200


def hidden(function: F) -> F:
    """Hide the frames of `function` and of the functions defined in it. Generators cannot be hidden."""
    if _SUPPORTED:
        assert isinstance(function, FunctionType)
        function.__code__ = _without_resume(function.__code__)
    return function


def conceal(kind: type) -> type:
    """Class decorator: hide every method, property and static method."""
    for value in list(vars(kind).values()):
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        functions = (value.fget, value.fset) if isinstance(value, property) else (value,)
        for function in functions:
            if isinstance(function, FunctionType):
                hidden(function)
    return kind


def builtin(function: Callable[..., Any], like: Any = None) -> Any:
    """Wrap `function` so that it looks and binds like the built-in function `like`.

    A Python function that is an attribute of a class becomes a method; a built-in one does not (`clock = time.time`).
    Every call makes a class of its own, so that the wrapper has no attributes for a recorder to find.
    """
    name = getattr(like, "__name__", getattr(function, "__name__", "function"))

    namespace = {
        "__slots__": (),
        # Static: a call of the wrapper is one frame, no more.
        "__call__": staticmethod(function),
        "__repr__": hidden(lambda self: f"<built-in function {name}>"),
        "__reduce__": hidden(lambda self: name),
        "__name__": name,
        "__doc__": getattr(like, "__doc__", function.__doc__),
        "__module__": getattr(like, "__module__", "builtins"),
        "__text_signature__": getattr(like, "__text_signature__", None),
    }
    hidden(function) if isinstance(function, FunctionType) else None
    return type("builtin_function_or_method", (), namespace)()


def _without_resume(code: CodeType) -> CodeType:
    if code.co_flags & _GENERATOR_FLAGS:
        return code
    raw = bytearray(code.co_code)
    for at in range(0, len(raw), 2):
        if raw[at] == _RESUME:
            raw[at : at + 2] = bytes((_NOP, 0))
    constants = tuple(_without_resume(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    flags = code.co_flags | _NO_MONITORING_EVENTS
    return code.replace(co_code=bytes(raw), co_consts=constants, co_flags=flags)
