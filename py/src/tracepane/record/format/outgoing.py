"""Columns on their way out: what leaves with the next chunk, in its plain form, and the digests of all that left."""

from __future__ import annotations

import hashlib
import operator
import struct
from collections.abc import Sequence

from tracepane.record.format.encoding import START, Narrow, narrow_columns, widen
from tracepane.record.format.layout import BYTE_COLUMNS, COLUMNS, TABLES
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

HEAD = struct.Struct("<BBI")
"""Before a column of a plain chunk: its number, the bytes that an element takes, and how many there are."""
_BYTES = frozenset(place for place, name in enumerate(COLUMNS) if name in BYTE_COLUMNS)
_NUMBERS = 1 << 10  # of a table: so many are worth hashing by themselves
_PIECE = 1 << 16  # bytes of a text column that are hashed at once
_head, _sha256, _column = HEAD.pack, hashlib.sha256, operator.itemgetter(0)


class Outgoing:
    """Takes tables piece after piece. A digest is over whole columns: small pieces are hashed with those after them."""

    def __init__(self) -> None:
        """Nothing is to leave."""
        self._pieces: list[tuple[int, int, bytes]] = []  # of columns: number, width, elements
        self._digests = [_sha256() for _ in COLUMNS]
        self._fields: list[list[int]] = [[] for _ in TABLES]  # that are not hashed yet
        self._bytes: list[list[bytes]] = [[] for _ in COLUMNS]  # the same
        self._sizes = [0] * len(COLUMNS)

    def add(self, table: int, fields: list[int]) -> None:
        """More rows of a table, field after field."""
        columns, place, put = narrow_columns(fields, len(TABLES[table])), START[table], self._pieces.append
        for width, data in columns:
            put((place, width, data))
            place += 1
        kept = self._fields[table]
        if len(fields) < _NUMBERS:
            kept += fields
            if len(kept) >= _NUMBERS:
                self._hash(table)
        else:
            if kept:
                self._hash(table)
            self._update(table, columns)

    def add_bytes(self, table: int, data: bytes) -> None:
        """More of a table whose one column is bytes."""
        place = START[table]
        self._pieces.append((place, 1, data))
        self._bytes[place].append(data)
        self._sizes[place] += len(data)
        if self._sizes[place] >= _PIECE:
            self._hash_bytes(place)

    def take(self) -> bytes:
        """The plain chunk of what was added since the last one; empty when nothing was."""
        pieces, parts, last = self._pieces, list[bytes](), -1
        pieces.sort(key=_column)
        for number, (place, width, data) in enumerate(pieces):
            if place == last:
                continue
            last = place
            if number + 1 < len(pieces) and pieces[number + 1][0] == place:
                parts += _join([piece for piece in pieces if piece[0] == place])
            else:
                parts += (_head(place, width, len(data) // width), data)
        pieces.clear()
        return b"".join(parts)

    def digests(self) -> Sequence[str]:
        """The hexadecimal digests of all columns so far."""
        for table, fields in enumerate(self._fields):
            if fields:
                self._hash(table)
        for place, pieces in enumerate(self._bytes):
            if pieces:
                self._hash_bytes(place)
        return [digest.hexdigest() for digest in self._digests]

    def _hash(self, table: int) -> None:
        fields = self._fields[table]
        self._update(table, narrow_columns(fields, len(TABLES[table])))
        fields.clear()

    def _update(self, table: int, columns: Sequence[Narrow]) -> None:
        for place, (width, data) in enumerate(columns, START[table]):
            self._digests[place].update(data if place in _BYTES else widen(width, data))

    def _hash_bytes(self, place: int) -> None:
        self._digests[place].update(b"".join(self._bytes[place]))
        self._bytes[place].clear()
        self._sizes[place] = 0


def _join(pieces: Sequence[tuple[int, int, bytes]]) -> list[bytes]:
    """A column that came in several pieces, in the width of the widest."""
    width = max(piece[1] for piece in pieces)
    found = [data if own == width else widen(own, data, width) for _, own, data in pieces]
    return [_head(pieces[0][0], width, sum(map(len, found)) // width), *found]
