"""Tables on their way out: what leaves with the next chunk, in its plain form."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tracepane.record.format.encoding import Narrow, widen
from tracepane.record.format.layout import EVENTS, TABLES
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

HEAD = struct.Struct("<BBI")
"""Before a table of a plain chunk: its number, the bytes that each element takes, and how many rows there are."""
_COUNTS = tuple(map(len, TABLES))
_head = HEAD.pack


class Outgoing:
    """Takes tables piece after piece."""

    def __init__(self) -> None:
        """Nothing is to leave."""
        self._pieces: dict[int, list[Narrow]] = {}

    def add(self, table: int, rows: Narrow) -> None:
        """More rows of a table, field after field."""
        if table in self._pieces:
            self._pieces[table].append(rows)
        else:
            self._pieces[table] = [rows]

    def take(self) -> bytes:
        """The plain chunk of what was added since the last one; empty when nothing was."""
        pieces, parts = self._pieces, list[bytes]()
        for table in sorted(pieces):
            ((width, data), *more) = pieces[table]
            if more:
                width, data = _join(pieces[table])
            parts += (_head(table, width, len(data) // (width * _COUNTS[table])), data)
        pieces.clear()
        return b"".join(parts)


def count_events(chunk: bytes) -> int:
    """How many events a plain chunk holds: their table is the first."""
    table, _, rows = HEAD.unpack_from(chunk) if len(chunk) > HEAD.size else (-1, 0, 0)
    return rows if table == EVENTS else 0


def _join(pieces: Sequence[Narrow]) -> Narrow:
    """Pieces of a table as one, in the width of the widest."""
    width = max(own for own, _ in pieces)
    return width, b"".join(data if own == width else widen(own, data, width) for own, data in pieces)
