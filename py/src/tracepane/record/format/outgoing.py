"""Tables on their way out: what leaves with the next chunk, in its plain form, and the digests of all that left."""

from __future__ import annotations

import hashlib
import operator
import struct
from collections.abc import Sequence

from tracepane.record.format.encoding import Narrow, narrow, pick, widen
from tracepane.record.format.layout import BYTE_COLUMNS, TABLES
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

HEAD = struct.Struct("<BBI")
"""Before a table of a plain chunk: its number, the bytes that each element takes, and how many rows there are."""
_COUNTS = tuple(map(len, TABLES))
_PIECE = 1 << 15  # bytes of a table that are hashed at once
_head, _sha256, _table = HEAD.pack, hashlib.sha256, operator.itemgetter(0)


class Outgoing:
    """Takes tables piece after piece. A digest is over whole columns: small pieces are hashed with those after them."""

    def __init__(self) -> None:
        """Nothing is to leave."""
        self._pieces: list[tuple[int, int, bytes]] = []  # of tables: number, width, rows
        self._digests = [[_sha256() for _ in names] for names in TABLES]
        self._kept: list[list[Narrow]] = [[] for _ in TABLES]  # what is not hashed yet
        self._sizes = [0] * len(TABLES)  # bytes of it

    def add(self, table: int, fields: list[int]) -> None:
        """More rows of a table, field after field."""
        self._put(table, *narrow(fields))

    def add_bytes(self, table: int, data: bytes) -> None:
        """More of a table whose one column is bytes."""
        self._put(table, 1, data)

    def take(self) -> bytes:
        """The plain chunk of what was added since the last one; empty when nothing was."""
        pieces, parts, last = self._pieces, list[bytes](), -1
        pieces.sort(key=_table)
        for number, (table, width, data) in enumerate(pieces, 1):
            if table == last:
                continue
            last, rest = table, [data]
            if number < len(pieces) and pieces[number][0] == table:
                width, rest = _alike([piece[1:] for piece in pieces if piece[0] == table])
            parts += (_head(table, width, sum(map(len, rest)) // (width * _COUNTS[table])), *rest)
        pieces.clear()
        return b"".join(parts)

    def digests(self) -> Sequence[str]:
        """The hexadecimal digests of all columns so far."""
        for table, pieces in enumerate(self._kept):
            if pieces:
                self._hash(table)
        return [digest.hexdigest() for digests in self._digests for digest in digests]

    def _put(self, table: int, width: int, data: bytes) -> None:
        self._pieces.append((table, width, data))
        self._kept[table].append((width, data))
        self._sizes[table] += len(data)
        if self._sizes[table] >= _PIECE:
            self._hash(table)

    def _hash(self, table: int) -> None:
        width, pieces = _alike(self._kept[table])
        data, count = b"".join(pieces), _COUNTS[table]
        for place, (name, digest) in enumerate(zip(TABLES[table], self._digests[table], strict=True)):
            digest.update(
                data[place * width :: width * count] if name in BYTE_COLUMNS else pick(width, data, place, count)
            )
        self._kept[table].clear()
        self._sizes[table] = 0


def _alike(pieces: Sequence[Narrow]) -> tuple[int, list[bytes]]:
    """Pieces of a table in the width of the widest."""
    width = max(own for own, _ in pieces)
    return width, [data if own == width else widen(own, data, width) for own, data in pieces]
