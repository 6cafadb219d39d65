"""json-tracer, and its successor under another name: the whole state at every step as JSON, for Python Tutor's page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bench.recorders.clock import now
from bench.recorders.program import Program
from bench.recorders.taken import MISSING, Instance, Look, NotPossible, Taken


def trace(program: Program) -> Taken:
    """The JSON text of the whole trace; it has no other form."""
    if not program.alone:
        raise NotPossible("takes one script, not a program of several files")
    from tracer import JSONTracer

    script = f"{program.text}\n\nmain()\n"
    began = now()
    text = JSONTracer().runscript(script)
    seconds = now() - began
    return Taken(seconds, text.encode(), looks=lambda: _read(text))


def _read(text: str) -> Iterator[Look]:
    for step in json.loads(text):
        for frame in step.get("stack_to_render", [])[-1:]:
            yield _look(frame["encoded_locals"], step["heap"])


def _look(variables: dict[str, Any], heap: dict[str, Any]) -> Look:
    return lambda name: _value(variables[name], heap) if name in variables else MISSING


def _value(encoded: Any, heap: dict[str, Any]) -> Any:
    """A value; an object's attributes are only unfolded where somebody asks for them."""
    if not isinstance(encoded, list):
        return encoded
    kind, *rest = encoded
    if kind == "SPECIAL_FLOAT":
        return float(rest[0])
    if kind == "REF":
        return _object(heap[str(rest[0])], heap)
    return MISSING


def _object(encoded: list[Any], heap: dict[str, Any]) -> Any:
    kind, *rest = encoded
    if kind == "INSTANCE":
        return _Attributes(dict(rest[1:]), heap)
    if kind in ("LIST", "TUPLE"):
        items = [_value(item, heap) for item in rest]
        return items if kind == "LIST" else tuple(items)
    if kind == "DICT":
        return {_value(key, heap): _value(value, heap) for key, value in rest}
    return MISSING


class _Attributes(Instance):
    """Attributes that are unfolded when they are asked for: from one object all others may be reached."""

    def __init__(self, encoded: dict[str, Any], heap: dict[str, Any]) -> None:
        super().__init__(encoded)
        self._heap = heap

    def get(self, name: str, otherwise: Any = None) -> Any:
        return _value(self[name], self._heap) if name in self else otherwise
