"""A trace's columns in memory, and the plain form of a chunk. Source: docs/reference/trace-format.md, "The file"."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tracepane.record.format.container import LARGEST, TraceError
from tracepane.record.format.encoding import narrow, pick
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
    for table, width, data in _read(chunk):
        names = TABLES[table]
        room -= len(data) // (width * len(names)) * WIDTHS[table]
        if room < 0:
            raise TraceError("the trace unfolds to more than a reader takes")
        for place, name in enumerate(names):
            if width == 1 and name in BYTE_COLUMNS:
                columns[name] += data[place :: len(names)]
            else:
                _extend(columns[name], name, pick(width, data, place, len(names)))


def _read(chunk: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The tables of a plain chunk: number, width of an element, rows."""
    place, last = 0, -1
    while place < len(chunk):
        start = place + HEAD.size
        if start > len(chunk):
            raise TraceError(f"the chunk ends at byte {len(chunk)}, inside a table's head")
        table, width, count = HEAD.unpack_from(chunk, place)
        if not last < table < len(TABLES):
            raise TraceError(f"no table {table} can stand at byte {place} of the chunk")
        last, place = table, start + width * count * len(TABLES[table])
        if width not in (1, 2, 4) or not count or place > len(chunk):
            raise TraceError(f"the table of {TABLES[table][0]}, before byte {start} of the chunk, does not fit in")
        yield table, width, chunk[start:place]


def join(columns: Mapping[str, Any]) -> bytes:
    """The plain chunk that holds these columns."""
    parts = []
    for table, names in enumerate(TABLES):
        count = len(columns[names[0]])
        if count:
            fields = [0] * (count * len(names))
            for place, name in enumerate(names):
                fields[place :: len(names)] = columns[name]
            width, data = narrow(fields)
            parts += [HEAD.pack(table, width, count), data]
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


def _extend(column: Any, name: str, data: bytes | bytearray) -> None:
    """`data` has four bytes for each element."""
    if isinstance(column, bytearray):
        if any(data[1::4]) or any(data[2::4]) or any(data[3::4]):
            raise TraceError(f"the column {name} of the chunk holds a number that is out of bounds")
        column += data[::4]
        return
    added = array("i", bytes(data))
    if _SWAP:
        added.byteswap()
    column.extend(added)
