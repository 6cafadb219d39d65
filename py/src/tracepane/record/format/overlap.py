"""What two sequences have in common at their ends: a change is told by what lies between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_FEW = 32  # items that are compared first: most sequences that differ do so near an end


def overlap(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """How many items (bytes, characters or slots) both have in common at the start, and of what is left at the end."""
    shorter = min(len(old), len(new))
    prefix = _start(old, new, shorter)
    return prefix, _end(old, new, shorter - prefix)


def _start(old: Sequence[Any], new: Sequence[Any], most: int) -> int:
    """How many items both start with, by bisection: comparing slices is far faster than a loop."""
    low, high = 0, most
    if high > _FEW and old[:_FEW] != new[:_FEW]:
        high = _FEW
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if old[low:middle] == new[low:middle] else (low, middle - 1)
    return low


def _end(old: Sequence[Any], new: Sequence[Any], most: int) -> int:
    low, high, last, end = 0, most, len(old), len(new)
    if high > _FEW and old[last - _FEW :] != new[end - _FEW :]:
        high = _FEW
    while low < high:
        middle = (low + high + 1) // 2
        alike = old[last - middle : last - low] == new[end - middle : end - low]
        low, high = (middle, high) if alike else (low, middle - 1)
    return low
