"""A trace's columns in memory, and the plain form of a chunk. Source: docs/reference/trace-format.md, "The file"."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tracepane.record.format.container import LARGEST, TraceError
from tracepane.record.format.encoding import narrow, widen
from tracepane.record.format.layout import BYTE_COLUMNS, COLUMNS, TABLES
from tracepane.record.format.outgoing import HEAD

Columns = dict[str, Any]
"""Name → a bytearray, or an array of type `i`."""

_SWAP = sys.byteorder == "big"
WIDTHS = tuple(sum(1 if name in BYTE_COLUMNS else 4 for name in table) for table in TABLES)
"""Bytes that one element of each table takes in memory."""


def empty() -> Columns:
    """Columns without an element."""
    return {name: bytearray() if name in BYTE_COLUMNS else array("i") for name in COLUMNS}


def extend(columns: Columns, chunk: bytes) -> None:
    """Append what a plain chunk holds. Raises TraceError for what is none, or when it is too much."""
    room = LARGEST - weight(sizes(columns))
    for name, width, data in _read(chunk):
        room -= len(data) if name in BYTE_COLUMNS else len(data) // width * 4
        if room < 0:
            raise TraceError("the trace unfolds to more than a reader takes")
        _extend(columns[name], width, data)


def _read(chunk: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Names, widths and bytes of a plain chunk's columns."""
    place, last = 0, -1
    while place < len(chunk):
        if place + HEAD.size > len(chunk):
            raise TraceError(f"the chunk ends at byte {len(chunk)}, inside a column's head")
        number, width, count = HEAD.unpack_from(chunk, place)
        if not last < number < len(COLUMNS):
            raise TraceError(f"no column {number} can stand at byte {place} of the chunk")
        name, start, place = COLUMNS[number], place + HEAD.size, place + HEAD.size + width * count
        if width not in ((1,) if name in BYTE_COLUMNS else (1, 2, 4)) or not count or place > len(chunk):
            raise TraceError(f"the column {name}, before byte {start} of the chunk, does not fit in")
        yield name, width, chunk[start:place]
        last = number


def join(columns: Mapping[str, Any]) -> bytes:
    """The plain chunk that holds these columns."""
    parts = []
    for number, name in enumerate(COLUMNS):
        if len(columns[name]):
            width, data = narrow(list(columns[name]))
            parts += [HEAD.pack(number, width, len(columns[name])), data]
    return b"".join(parts)


def sizes(columns: Mapping[str, Any]) -> tuple[int, ...]:
    """How many elements each table has. Raises TraceError when the columns of one differ."""
    found = []
    for table in TABLES:
        lengths = {len(columns[name]) for name in table}
        if len(lengths) > 1:
            raise TraceError(f"the columns {', '.join(table)} are of different lengths")
        found.append(lengths.pop())
    return tuple(found)


def part(columns: Mapping[str, Any], start: Sequence[int], stop: Sequence[int]) -> Columns:
    """The elements of each table from `start` to before `stop`."""
    bounds = zip(TABLES, start, stop, strict=True)
    return {name: columns[name][low:high] for table, low, high in bounds for name in table}


def weight(counts: Sequence[int]) -> int:
    """Bytes that so many elements of each table take in memory."""
    return sum(count * width for count, width in zip(counts, WIDTHS, strict=True))


def _extend(column: Any, width: int, data: bytes) -> None:
    if isinstance(column, bytearray):
        column += data
        return
    added = array("i", widen(width, data))
    if _SWAP:
        added.byteswap()
    column.extend(added)
