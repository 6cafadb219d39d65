"""Whether the death of an object can be noticed: a finalizer may run."""

from __future__ import annotations

import io
import types

from tracepane.record.hidden import hidden
from tracepane.record.own import BUILTINS
from tracepane.record.values.kinds import dict_of, mro_of

globals()["__builtins__"] = BUILTINS

# A suspended generator runs its `finally` when it dies, an exception holds the frames it came through, a file flushes.
_FINAL = (
    types.GeneratorType,
    types.CoroutineType,
    types.AsyncGeneratorType,
    types.TracebackType,
    types.FrameType,
    BaseException,
    io.IOBase.__mro__[-2],
)


@hidden
def may_finalize(kind: type) -> bool:
    """Whether objects of exactly this type may run code, or let others run it, when they die."""
    for parent in mro_of(kind):
        if "__del__" in dict_of(parent):
            return True
        for final in _FINAL:
            if parent is final:
                return True
    return False
