"""The packed form of a chunk: small numbers in few bytes, and texts that say what they share with an earlier one.

Source: docs/reference/trace-format.md, "A packed chunk". This is what helps the codec.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from collections.abc import Mapping
from itertools import accumulate, chain
from operator import sub
from typing import Any

from tracepane.record.format.container import LARGEST, TraceError
from tracepane.record.format.encoding import raw
from tracepane.record.format.layout import BYTE_COLUMNS, STRING_BYTES, STRINGS, TABLES
from tracepane.record.trace.columns import Columns, sizes, weight
from tracepane.record.trace.sharing import join_texts, share

COUNTS = struct.Struct(f"<{len(TABLES)}I")
_SWAP = sys.byteorder == "big"
_LAGS = (0, 1, 2)
_FEW = 32  # a shorter column is not worth a search for the best lag
_SHARED = ("string_back", "string_kept", "string_tail")
_SAMPLE = 2048  # elements on either side of a column's middle by which its lag is chosen
_SIGN = bytes(128) + b"\xff" * 128  # what stands above a byte that is the highest of a number


def pack(columns: Mapping[str, Any]) -> list[bytes]:
    """The chunk's bytes, in pieces: what lies in one piece is alike, which a codec may make use of."""
    counts = sizes(columns)
    pieces = [COUNTS.pack(*counts)]
    for table, names in enumerate(TABLES):
        if table != STRING_BYTES:
            pieces += [_packed(name, columns[name]) for name in names]
    *shares, rest = share(columns["string_length"], bytes(columns["string_bytes"]))
    pieces += [_integers(column) for column in shares]
    return [*pieces, rest]


def unpack(data: bytes) -> Columns:
    """The columns of a packed chunk. Raises TraceError for what is none."""
    if len(data) < COUNTS.size:
        raise TraceError("it is shorter than its counts")
    counts = COUNTS.unpack_from(data)
    if weight(counts) > LARGEST:
        raise TraceError(f"it claims to hold {weight(counts)} bytes; a reader takes {LARGEST}")
    reader = _Reader(data, COUNTS.size)
    columns: Columns = {}
    for table, names in enumerate(TABLES):
        if table != STRING_BYTES:
            for name in names:
                columns[name] = reader.column(name, counts[table])
    shares = [reader.column(name, counts[STRINGS]) for name in _SHARED]
    columns["string_bytes"] = join_texts(columns["string_length"], shares, data[reader.place :], counts[STRING_BYTES])
    return columns


class _Reader:
    """Takes column after column off a packed chunk."""

    def __init__(self, data: bytes, place: int) -> None:
        self.data, self.place = data, place

    def column(self, name: str, count: int) -> Any:
        if name in BYTE_COLUMNS:
            return bytearray(self._take(name, count))
        if not count:
            return array("i")
        lag, planes = self._take(name, 2)
        if lag not in _LAGS or not 1 <= planes <= 4:
            raise TraceError(f"the column {name}, before byte {self.place} of the chunk, has no known form")
        try:
            return _undo(self._take(name, count * planes), count, lag, planes)
        except OverflowError:
            raise TraceError(f"the column {name}, before byte {self.place} of the chunk, is out of bounds") from None

    def _take(self, name: str, size: int) -> bytes:
        start, self.place = self.place, self.place + size
        if self.place > len(self.data):
            raise TraceError(f"the column {name}, at byte {start} of the chunk, does not fit in")
        return self.data[start : self.place]


def _packed(name: str, column: Any) -> bytes:
    return bytes(column) if name in BYTE_COLUMNS else _integers(column)


def _integers(column: Any) -> bytes:
    """A column of 32-bit integers: lag, number of planes, planes. Nothing for a column without elements."""
    if not column:
        return b""
    return _planes(column, _lag(column)) or _planes(column, 0) or b""


def _lag(column: Any) -> int:
    """The lag that the codec gets on best with, as far as a part of the column tells."""
    if len(column) < _FEW or min(column) == max(column):
        return 0
    middle = len(column) // 2
    sample = column[max(0, middle - _SAMPLE) : middle + _SAMPLE]
    forms = ((lag, _planes(sample, lag)) for lag in _LAGS)
    return min((len(zlib.compress(form, 1)), lag) for lag, form in forms if form)[1]


def _planes(column: Any, lag: int) -> bytes | None:
    """The planes of the numbers' differences to those `lag` before; None if these do not fit into 32 bits."""
    numbers = column
    if lag:
        try:
            numbers = array("i", chain(column[:lag], map(sub, column[lag:], column)))
        except OverflowError:
            return None
    planes = _width(min(numbers), max(numbers))
    data = raw(numbers)
    return bytes((lag, planes)) + b"".join(data[plane::4] for plane in range(planes))


def _width(low: int, high: int) -> int:
    """How many bytes hold all numbers from `low` to `high`, with their sign."""
    return max((number if number >= 0 else ~number).bit_length() for number in (low, high)) // 8 + 1


def _undo(data: bytes, count: int, lag: int, planes: int) -> Any:
    numbers = array("i", _widen(data, count, planes))
    if _SWAP:
        numbers.byteswap()
    if lag == 1:
        return array("i", accumulate(numbers))
    if lag == 2:
        numbers[0::2], numbers[1::2] = (array("i", accumulate(numbers[start::2])) for start in (0, 1))
    return numbers


def _widen(data: bytes, count: int, planes: int) -> bytes:
    wide = bytearray(4 * count)
    for plane in range(planes):
        wide[plane::4] = data[plane * count : (plane + 1) * count]
    if planes < 4:
        sign = data[(planes - 1) * count :].translate(_SIGN)
        for plane in range(planes, 4):
            wide[plane::4] = sign
    return bytes(wide)
