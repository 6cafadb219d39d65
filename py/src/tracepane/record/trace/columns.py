"""A trace's columns in memory, and the plain form of a chunk. Source: docs/reference/trace-format.md, "The file"."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from tracepane.record.format.container import TraceError
from tracepane.record.format.encoding import raw
from tracepane.record.format.layout import BYTE_COLUMNS, COLUMNS, TABLES

Columns = dict[str, Any]
"""Name → a bytearray, or an array of type `i`."""

_SWAP = sys.byteorder == "big"
WIDTHS = tuple(sum(1 if name in BYTE_COLUMNS else 4 for name in table) for table in TABLES)
"""Bytes that one element of each table takes in the plain form."""


def empty() -> Columns:
    """Columns without an element."""
    return {name: bytearray() if name in BYTE_COLUMNS else array("i") for name in COLUMNS}


def extend(columns: Columns, chunk: bytes) -> None:
    """Append what a plain chunk holds. Raises TraceError when its columns do not fill it."""
    place = 0
    for name in COLUMNS:
        start = place + 4
        stop = start + int.from_bytes(chunk[place:start], "little")
        if start > len(chunk) or stop > len(chunk) or ((stop - start) % 4 and name not in BYTE_COLUMNS):
            raise TraceError(f"the column {name}, at byte {place} of the chunk, does not fit in")
        _extend(columns[name], chunk[start:stop])
        place = stop
    if place != len(chunk):
        raise TraceError(f"{len(chunk) - place} bytes follow the chunk's last column")


def join(columns: Mapping[str, Any]) -> bytes:
    """The plain chunk that holds these columns."""
    parts = []
    for name in COLUMNS:
        data = raw(columns[name])
        parts += [len(data).to_bytes(4, "little"), data]
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
    """Bytes that so many elements of each table take in the plain form."""
    return sum(count * width for count, width in zip(counts, WIDTHS, strict=True))


def _extend(column: Any, data: bytes) -> None:
    if isinstance(column, bytearray):
        column += data
        return
    added = array("i", data)
    if _SWAP:
        added.byteswap()
    column.extend(added)
