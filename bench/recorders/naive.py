"""The recorders that one writes in an evening: all variables at every step, by `repr`, or by `pickle`."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from bench.recorders.floors import traced
from bench.recorders.program import Program
from bench.recorders.taken import MISSING, Look, Taken


def reprs(program: Program) -> Taken:
    """The text of all variables at every step."""
    kept: list[str] = []

    def local(frame: FrameType, event: str, arg: Any) -> Any:
        kept.append(f"{event} {frame.f_lineno} {dict(frame.f_locals)!r}")
        return local

    seconds = traced(program, local)
    return Taken(seconds, "\n".join(kept).encode(), looks=lambda: map(_read_text, kept))


def pickles(program: Program) -> Taken:
    """All variables at every step, pickled; empty where one of them cannot be."""
    kept: list[tuple[str, int, bytes]] = []

    def local(frame: FrameType, event: str, arg: Any) -> Any:
        try:
            data = pickle.dumps(dict(frame.f_locals), 5)
        except Exception:
            data = b""
        kept.append((event, frame.f_lineno, data))
        return local

    seconds = traced(program, local)
    written = b"".join(b"%s %d %s" % (event.encode(), line, data) for event, line, data in kept)
    return Taken(seconds, written, looks=lambda: _unpickled(data for _, _, data in kept))


def _read_text(entry: str) -> Look:
    return look_into(literal(entry.split(" ", 2)[2], {}))


def _unpickled(kept: Iterator[bytes]) -> Iterator[Look]:
    for data in kept:
        if data:
            yield look_into(pickle.loads(data))


def literal(text: str, otherwise: Any = MISSING) -> Any:
    """What a `repr` says, where Python's literals can say it."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return otherwise


def look_into(variables: dict[str, Any]) -> Callable[[str], Any]:
    """A look at variables that are at hand."""
    return lambda name: variables.get(name, MISSING)
