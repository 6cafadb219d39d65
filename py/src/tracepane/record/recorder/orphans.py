"""Objects that only garbage reaches, and the recorder that holds them: found by trial deletion.

What the recorder holds the collector takes for alive, and with it every cycle that goes through it. So before a
collection the recorder lets go of what it alone, or it and garbage, hold. References are counted as the collector
counts them; the recorder's own do not count.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Collection
from typing import Any

from tracepane.record.hidden import hidden
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.heap import Heap
from tracepane.record.values.atoms import TEXTS

globals()["__builtins__"] = BUILTINS

_objects, _referents, _refcount = gc.get_objects, gc.get_referents, sys.getrefcount
_BASE = next(map(_refcount, [[]]))  # what it says of an object that only a list holds
_PART = 50_000  # objects asked at once
_PLAIN = frozenset(map(id, (list, dict, tuple))) | TEXTS.keys()  # by address: see atoms.TEXTS
_FEW = 1_000


@hidden
def forsake(heap: Heap, among: set[int] | None = None, *, counted: bool = True) -> set[int]:
    """Let go of the held objects that only garbage reaches, if their addresses are `among` these; the addresses.

    Those that nothing at all reaches go first, and are not told of: most often that leaves none to look for. Where
    garbage is not `counted` all stay if nothing is reached from them whose death could be noticed.
    """
    if not counted and _is_idle(heap):
        return set()
    heap.shed()
    if not counted and _is_idle(heap):
        return set()
    addresses = find(heap.held.values())
    if among is not None:
        addresses &= among
    heap.release([entry for entry in heap.held.values() if id(entry.held) in addresses])
    return addresses


@hidden
def _is_idle(heap: Heap) -> bool:
    """Whether plain containers and atoms are all that can be reached from the held objects, and soon."""
    objects = [entry.held for entry in heap.held.values()]
    seen = set(map(id, objects))
    while objects:
        if len(seen) > _FEW or not _PLAIN.issuperset(map(id, map(type, objects))):
            return False
        objects = list({id(each): each for each in _referents(*objects) if id(each) not in seen}.values())
        seen.update(map(id, objects))
    return True


@hidden
def find(holders: Collection[Any]) -> set[int]:
    """The addresses of what the holders have as their `held`, once each, where nothing but garbage reaches it."""
    if not holders:
        return set()
    holder = type(next(iter(holders)))
    objects = _objects()
    counts = {id(value): count - _BASE for value, count in zip(objects, list(map(_refcount, objects)), strict=True)}
    others = [value for value in objects if type(value) is not holder]
    _subtract(others, counts)
    held = {id(entry.held) for entry in holders} & counts.keys()
    for address in held:
        counts[address] -= 1
    return held - _reach([value for value in others if counts[id(value)] > 0], counts, holder)


@hidden
def _subtract(objects: list[Any], counts: dict[int, int]) -> None:
    """Take off the references that the objects have to each other."""
    for start in range(0, len(objects), _PART):
        for value in _referents(*objects[start : start + _PART]):
            if id(value) in counts:
                counts[id(value)] -= 1


@hidden
def _reach(roots: list[Any], known: Collection[int], holder: type) -> set[int]:
    """The addresses of all known objects that can be reached, not by way of a holder."""
    reached = set(map(id, roots))
    while roots:
        found = []
        for start in range(0, len(roots), _PART):
            for value in _referents(*roots[start : start + _PART]):
                if id(value) in known and id(value) not in reached and type(value) is not holder:
                    reached.add(id(value))
                    found.append(value)
        roots = found
    return reached
