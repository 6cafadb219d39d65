"""Counts which of a program's known states a recording really holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from bench.recorders.taken import MISSING, Instance, Look


def mark(values: Sequence[Any]) -> str:
    """A short name for some values: equal ones of equal type, and no others, have the same."""
    return hashlib.sha256(repr(list(values)).encode()).hexdigest()[:20]


def count(looks: Iterable[Look], paths: Sequence[str], known: Iterable[str]) -> int:
    """How many of the known states, given by their marks, are seen at `paths` in some look."""
    seen = set()
    for look in looks:
        values = [follow(look, path) for path in paths]
        if not any(value is MISSING for value in values):
            seen.add(mark(values))
    return len(seen & set(known))


def follow(look: Look, path: str) -> Any:
    """The value at a path such as `shelf.newest.mark`; MISSING where the recording does not lead there."""
    name, *attributes = path.split(".")
    value = look(name)
    for attribute in attributes:
        held = value if isinstance(value, Instance) else getattr(value, "__dict__", {})
        value = held.get(attribute, MISSING)
    return value
