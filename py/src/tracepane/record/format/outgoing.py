"""Tables on their way out: what leaves with the next chunk, in its plain form, and the digests of all that left."""

from __future__ import annotations

import hashlib
import operator
import struct
from collections.abc import Sequence

from tracepane.record.format.encoding import Narrow, join_rows, narrow, narrow_columns, widen
from tracepane.record.format.layout import BYTE_COLUMNS, EVENTS, TABLES
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

HEAD = struct.Struct("<BBI")
"""Before a table of a plain chunk: its number, the bytes that each element takes, and how many rows there are."""
_COUNTS = tuple(map(len, TABLES))
_NUMBERS = 1 << 10  # of a table: so many are hashed at once
_BYTES = 1 << 16  # the same, of a table of one column
_head, _sha256, _table = HEAD.pack, hashlib.sha256, operator.itemgetter(0)


class Outgoing:
    """Takes tables piece after piece. A digest is over whole columns: small pieces are hashed with those after them."""

    def __init__(self) -> None:
        """Nothing is to leave."""
        self._pieces: list[tuple[int, Narrow]] = []  # of tables: number, rows
        self._digests = [[_sha256() for _ in names] for names in TABLES]
        self._fields: list[list[int]] = [[] for _ in TABLES]  # that are not hashed yet
        self._bytes: list[list[bytes]] = [[] for _ in TABLES]  # the same, of tables of one column
        self._sizes = [0] * len(TABLES)

    def add(self, table: int, fields: list[int]) -> None:
        """More rows of a table, field after field."""
        kept = self._fields[table]
        if len(fields) < _NUMBERS:
            self._pieces.append((table, narrow(fields)))
            kept += fields
            if len(kept) >= _NUMBERS:
                self._hash_fields(table)
            return
        if kept:
            self._hash_fields(table)
        columns = narrow_columns(fields, _COUNTS[table])
        self._hash(table, columns)
        self._pieces.append((table, join_rows(columns) if len(columns) > 1 else columns[0]))

    def put(self, table: int, column: Narrow) -> None:
        """More of a table that has but one column, and of which nothing is added in another way."""
        self._pieces.append((table, column))
        data = column[1] if TABLES[table][0] in BYTE_COLUMNS else widen(*column)
        self._bytes[table].append(data)
        self._sizes[table] += len(data)
        if self._sizes[table] >= _BYTES:
            self._hash_bytes(table)

    def take(self) -> bytes:
        """The plain chunk of what was added since the last one; empty when nothing was."""
        pieces, parts, last = self._pieces, list[bytes](), -1
        pieces.sort(key=_table)
        for number, (table, (width, data)) in enumerate(pieces, 1):
            if table == last:
                continue
            last, rest = table, [data]
            if number < len(pieces) and pieces[number][0] == table:
                width, rest = _alike([piece[1] for piece in pieces if piece[0] == table])
            parts += (_head(table, width, sum(map(len, rest)) // (width * _COUNTS[table])), *rest)
        pieces.clear()
        return b"".join(parts)

    def digests(self) -> Sequence[str]:
        """The hexadecimal digests of all columns so far."""
        for table, (fields, data) in enumerate(zip(self._fields, self._bytes, strict=True)):
            if fields:
                self._hash_fields(table)
            if data:
                self._hash_bytes(table)
        return [digest.hexdigest() for digests in self._digests for digest in digests]

    def _hash_fields(self, table: int) -> None:
        fields = self._fields[table]
        self._hash(table, narrow_columns(fields, _COUNTS[table]))
        fields.clear()

    def _hash(self, table: int, columns: Sequence[Narrow]) -> None:
        for name, (width, data), digest in zip(TABLES[table], columns, self._digests[table], strict=True):
            digest.update(data if name in BYTE_COLUMNS else widen(width, data))

    def _hash_bytes(self, table: int) -> None:
        self._digests[table][0].update(b"".join(self._bytes[table]))
        self._bytes[table].clear()
        self._sizes[table] = 0


def count_events(chunk: bytes) -> int:
    """How many events a plain chunk holds: their table is the first."""
    table, _, rows = HEAD.unpack_from(chunk) if len(chunk) > HEAD.size else (-1, 0, 0)
    return rows if table == EVENTS else 0


def _alike(pieces: Sequence[Narrow]) -> tuple[int, list[bytes]]:
    """Pieces of a table in the width of the widest."""
    width = max(own for own, _ in pieces)
    return width, [data if own == width else widen(own, data, width) for own, data in pieces]
