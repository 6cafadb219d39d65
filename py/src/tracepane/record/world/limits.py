"""The limit of recursion as the program knows it: counted from its own first frame, whatever lies below that."""

from __future__ import annotations

import sys
from typing import Any

from tracepane.record.hidden import builtin, hidden
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

NATURAL = 1000  # CPython's own default

_get, _set = sys.getrecursionlimit, sys.setrecursionlimit


@hidden
def depth() -> int:
    """How many Python frames the caller has below it and itself. CPython tells by refusing too low a limit."""
    try:
        _set(1)
    except RecursionError as error:
        words = str(error).replace(":", "").split()
        return int(words[words.index("depth") + 1]) - 1
    return 0


@hidden
def install(below: int, room: int) -> None:
    """Set the natural limit for a program whose first frame will have `below` frames of ours under it.

    A recorder needs `room` frames above the program's deepest one.
    """
    more = below + room
    _set(NATURAL + more)

    def getrecursionlimit() -> int:
        return _get() - more

    def setrecursionlimit(limit: Any, /) -> None:
        limit = limit.__index__()
        if limit < 1:
            raise ValueError("recursion limit must be greater or equal than 1")
        now = depth() - below - 1
        if now >= limit:
            raise RecursionError(
                f"cannot set the recursion limit to {limit} at the recursion depth {now}: the limit is too low"
            )
        _set(limit + more)

    sys.getrecursionlimit = builtin(getrecursionlimit, _get)
    sys.setrecursionlimit = builtin(setrecursionlimit, _set)
