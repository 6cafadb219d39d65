"""Texts that begin or end like an earlier one: a string that grows is told by what it grew.

Source: docs/reference/trace-format.md, "A packed chunk".
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate

from tracepane.record.format.container import TraceError
from tracepane.record.format.overlap import overlap

_LEAST = 12  # bytes that must be shared: fewer cost more to tell than to repeat
_HINT = 8  # texts are looked up by so many bytes at their start and end

Shares = tuple[Sequence[int], Sequence[int], Sequence[int], bytes]
"""For each text how far back the other one is (0: none), bytes kept of its start and end; then all other bytes."""


def share(lengths: Sequence[int], data: bytes) -> Shares:
    """What each text shares with one before it. The texts lie one after the other in `data`."""
    backs, kepts, tails = (array("i", bytes(4 * len(lengths))) for _ in range(3))
    places = [0, *accumulate(lengths)]
    by_start: dict[bytes, int] = {}
    by_end: dict[bytes, int] = {}
    rest, done = [], 0
    for number in [number for number, length in enumerate(lengths) if length > _LEAST]:
        text = data[places[number] : places[number + 1]]
        start, end = text[:_HINT], text[-_HINT:]
        found = _best(text, data, places, {by_start.get(start, number), by_end.get(end, number)} - {number})
        by_start[start] = by_end[end] = number
        if found:
            other, kepts[number], tails[number] = found
            backs[number] = number - other
            rest += [data[done : places[number]], text[kepts[number] : len(text) - tails[number]]]
            done = places[number + 1]
    return backs, kepts, tails, b"".join((*rest, data[done:]))


def _best(text: bytes, data: bytes, places: Sequence[int], others: Iterable[int]) -> tuple[int, int, int] | None:
    """The text that has most in common with this one: its number, bytes in common at the start and at the end."""
    found = [(other, *overlap(data[places[other] : places[other + 1]], text)) for other in others]
    best = max(found, key=lambda one: (one[1] + one[2], one[0]), default=None)
    return best if best is not None and best[1] + best[2] >= _LEAST else None


def join_texts(lengths: Sequence[int], shares: Sequence[Sequence[int]], rest: bytes, size: int) -> bytearray:
    """The texts one after the other, `size` bytes in all. Raises TraceError when the numbers do not fit together."""
    _bound(lengths, shares, len(rest), size)
    backs, kepts, tails = shares
    places = [0, *accumulate(lengths)]
    found, taken = bytearray(), 0
    for number in [number for number, back in enumerate(backs) if back]:
        kept, tail, between = kepts[number], tails[number], places[number] - len(found)
        other = number - backs[number]
        if not 0 <= other < number or kept + tail > lengths[other]:
            raise TraceError(f"text {number} of the chunk shares what no earlier text has")
        own = taken + between + lengths[number] - kept - tail
        found += rest[taken : taken + between]
        found += found[places[other] : places[other] + kept]
        found += rest[taken + between : own]
        found += found[places[other + 1] - tail : places[other + 1]]
        taken = own
    return found + rest[taken:]


def _bound(lengths: Sequence[int], shares: Sequence[Sequence[int]], rest: int, size: int) -> None:
    """Before anything is built: lengths add up to the size, and what is not shared to the rest."""
    rows = zip(lengths, *shares, strict=True)
    if any(kept < 0 or tail < 0 or kept + tail > (length if back else 0) for length, back, kept, tail in rows):
        raise TraceError("a text of the chunk shares more than it is long, or shares with no other")
    if min(lengths, default=0) < 0 or sum(lengths) != size or size - sum(shares[1]) - sum(shares[2]) != rest:
        raise TraceError("the texts of the chunk do not add up to their bytes")
