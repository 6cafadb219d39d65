"""The string table: texts, of which long ones say what they share with one before.

Source: docs/reference/trace-format.md, "Columns".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tracepane.record.format.container import LARGEST, TraceError
from tracepane.record.format.layout import LONG, MOST_LINKS, SHARES, STRINGS, TABLES
from tracepane.record.trace.columns import sizes, weight

_Share = tuple[int, int, int, int]


def read(columns: Mapping[str, Any]) -> list[str]:
    """Every text as a whole. Raises TraceError when one is no UTF-8, or shares what is not there."""
    texts = list(_own(columns))
    shares = list(zip(*(columns[name] for name in TABLES[SHARES]), strict=True))
    _check(shares, columns)
    for share in shares:
        string, other, kept, tail = share
        texts[string] = _joined(share, texts[other], texts[string]) if kept + tail else texts[string]
    return texts


def check_cuts(columns: Mapping[str, Any], cuts: Sequence[Sequence[int]]) -> None:
    """A string and what it shares are in one chunk. `cuts`: what each table had after each."""
    for before, after in pairwise(cuts):
        for string in columns["share_string"][before[SHARES] : after[SHARES]]:
            if not before[STRINGS] <= string < after[STRINGS]:
                raise TraceError(f"the trace is damaged: what string {string} shares is told in another chunk")


def _own(columns: Mapping[str, Any]) -> Iterator[str]:
    """What each string has of its own: UTF-8, as all cuts are between characters."""
    data, place = bytes(columns["string_bytes"]), 0
    for string, length in enumerate(columns["string_length"]):
        try:
            yield data[place : place + length].decode("utf-8")
        except UnicodeDecodeError:
            raise TraceError(f"the trace is damaged: string {string} is no UTF-8") from None
        place += length


def _check(shares: Sequence[_Share], columns: Mapping[str, Any]) -> None:
    """Before anything is put together: each shares what one before it has, and all of them are not too long."""
    own = columns["string_length"]
    room = LARGEST - weight(sizes(columns))
    known: dict[int, tuple[int, int]] = {}  # the whole length of each that shares, and its links
    last = -1
    for string, other, kept, tail in shares:
        if not (last < string < len(own) and 0 <= other < string):
            raise TraceError(f"the trace is damaged: string {string} cannot share with string {other}")
        length, links = known.get(other, (own[other], 0))
        if kept < 0 or tail < 0 or kept + tail > length or links == MOST_LINKS:
            raise TraceError(f"the trace is damaged: string {string} shares what string {other} cannot give")
        if own[string] + kept + tail < LONG:
            raise TraceError(f"the trace is damaged: string {string} is too short to share")
        known[string] = own[string] + kept + tail, links + 1
        room, last = room - kept - tail, string
    if room < 0:
        raise TraceError("the texts of the trace unfold to more than a reader takes")


def _joined(share: _Share, other: str, own: str) -> str:
    string, _, kept, tail = share
    if other.isascii():
        return other[:kept] + own + other[len(other) - tail :]
    whole = other.encode("utf-8")
    try:
        return whole[:kept].decode("utf-8") + own + whole[len(whole) - tail :].decode("utf-8")
    except UnicodeDecodeError:
        raise TraceError(f"the trace is damaged: string {string} takes part of a character") from None
