"""The standard library as tracebacks show it: under one path, without source and line numbers.

Its lines are not the same in 3.14.2 and in 3.14.8, and a browser has no source of them; where the program went does not
depend on that.
"""

from __future__ import annotations

import sys
from typing import Any

from tracepane.record.hidden import hidden
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

SHOWN = "/usr/lib/python3.14/"

# Where this interpreter's own modules lie: their source is not in a browser, and not the same line for line elsewhere.
_PLACES = tuple(
    sorted({*(f"{entry}/" for entry in sys.path if entry)} | {"/lib/python314.zip/"}, key=len, reverse=True)
)


@hidden
def shown(path: str) -> str:
    """The path of a file as tracebacks show it."""
    for place in _PLACES:
        if path.startswith(place):
            return SHOWN + path[len(place) :]
    return path


def adjust_traceback(module: Any) -> None:
    """`traceback`, once it is loaded."""
    summary = module.FrameSummary
    initialise = summary.__init__

    def __init__(self: Any, filename: str, lineno: Any, name: str, *, line: Any = None, **rest: Any) -> None:
        known = shown(filename)
        if known is not filename:
            line, lineno = "", "?"
        initialise(self, known, lineno, name, line=line, **rest)

    summary.__init__ = hidden(__init__)
