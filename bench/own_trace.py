"""Looks into a trace of ours for known states, by its expanded JSON (docs/reference/expanded-json.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bench.recorders.naive import literal
from bench.recorders.taken import MISSING, Instance, Look
from tracepane.record.trace import Trace

Json = dict[str, Any]


def looks(trace: Trace) -> Iterator[Look]:
    """The innermost frame's variables at each event."""
    stack: list[Json] = []
    heap: dict[int, Json] = {}
    for event in trace.expand()["events"]:
        if event["kind"] in ("call", "resume"):
            stack.append({})
        for name, value in event.get("set", {}).items():
            _keep(value, heap)
            stack[-1][name] = value
        if stack:
            yield _look(stack[-1], heap)
        if event["kind"] in ("return", "yield", "unwind"):
            stack.pop()


def _look(variables: Json, heap: dict[int, Json]) -> Look:
    return lambda name: _value(variables[name], heap) if name in variables else MISSING


def _keep(value: Json, heap: dict[int, Json]) -> None:
    """Note what objects hold, as of here."""
    if len(value) > 1 and "id" in value:
        heap[value["id"]] = value
    for part in value.get("items", ()):
        _keep(part, heap)
    for pair in value.get("entries", ()):
        _keep(pair[0], heap)
        _keep(pair[1], heap)
    for part in value.get("attributes", {}).values():
        _keep(part, heap)


def _value(value: Json, heap: dict[int, Json]) -> Any:
    if "id" in value:
        value = heap[value["id"]]
    if "length" in value:
        return MISSING
    if "attributes" in value:
        return _Attributes(value["attributes"], heap)
    read = _READ.get(value["type"])
    return MISSING if read is None else read(value, heap)


class _Attributes(Instance):
    """Attributes that are unfolded when they are asked for."""

    def __init__(self, attributes: Json, heap: dict[int, Json]) -> None:
        super().__init__(attributes)
        self._heap = heap

    def get(self, name: str, otherwise: Any = None) -> Any:
        return _value(self[name], self._heap) if name in self else otherwise


def _items(value: Json, heap: dict[int, Json]) -> list[Any]:
    return [_value(item, heap) for item in value["items"]]


def _entries(value: Json, heap: dict[int, Json]) -> dict[Any, Any]:
    return {_value(key, heap): _value(held, heap) for key, held in value["entries"]}


_READ: dict[str, Callable[[Json, dict[int, Json]], Any]] = {
    "str": lambda value, _: value["text"],
    "float": lambda value, _: float(value["text"]),
    "list": _items,
    "tuple": lambda value, heap: tuple(_items(value, heap)),
    "dict": _entries,
    **dict.fromkeys(("int", "bool", "NoneType"), lambda value, _: literal(value["text"])),
}
