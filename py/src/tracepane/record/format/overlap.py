"""What two sequences have in common at their ends: a change is told by what lies between."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS


def overlap(old: Sequence[int], new: Sequence[int]) -> tuple[int, int]:
    """How many items (bytes, or slots) both have in common at the start, and of what is left at the end."""
    shorter = min(len(old), len(new))
    prefix = _most(shorter, lambda n: old[:n] == new[:n])
    return prefix, _most(shorter - prefix, lambda n: old[len(old) - n :] == new[len(new) - n :])


def _most(limit: int, agree: Callable[[int], bool]) -> int:
    """The largest n up to `limit` for which `agree(n)`, by bisection: comparing slices is far faster than a loop."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if agree(middle) else (low, middle - 1)
    return low
