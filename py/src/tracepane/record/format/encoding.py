"""The bytes of columns and of texts, as the format has them."""

from __future__ import annotations

import operator
import struct
import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from tracepane.record.format.layout import BYTE_COLUMNS, TABLES
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

START = tuple(accumulate(map(len, TABLES), initial=0))
"""Where each table's columns begin among all."""
_SWAP = sys.byteorder == "big"
_ONLY_INTS = frozenset((int,))
_add, _struct_pack, _str_encode = operator.add, struct.pack, str.encode


def raw(column: Any) -> bytes:
    """A column's bytes as the format has them."""
    if isinstance(column, array) and _SWAP:
        column = column[:]
        column.byteswap()
    return bytes(column)


def pack_table(table: int, fields: list[int], found: list[tuple[int, bytes]]) -> None:
    """Add a table's columns, which come field after field, with their places."""
    names, start = TABLES[table], START[table]
    for place, name in enumerate(names):
        numbers = fields[place :: len(names)]
        found.append((start + place, bytes(numbers) if name in BYTE_COLUMNS else _pack(numbers)))


def _pack(numbers: list[int]) -> bytes:
    """What a column of these has for bytes. Most columns have small numbers only, of which bytes are made faster."""
    try:
        small = bytes(numbers)
    except ValueError:
        return _struct_pack(f"<{len(numbers)}i", *numbers)
    packed = bytearray(4 * len(small))
    packed[::4] = small
    return bytes(packed)


def encode(texts: Sequence[Any]) -> tuple[bytes, list[int]]:
    """The bytes of texts (see TraceWriter.texts), all at once where they are ASCII, and the length of each."""
    if _ONLY_INTS.issuperset(map(type, texts)):
        digits = list(map(str, texts))
        return ("i" + "i".join(digits)).encode("ascii"), [length + 1 for length in map(len, digits)]
    pieces: list[str] = []  # a mark and the rest of each: a long text is copied but once
    for text in texts:
        kind = type(text)
        pieces += ("s", text) if kind is str else ("i", str(text)) if kind is int else ("", text[0])
    joined = "".join(pieces)
    if joined.isascii():
        data, lengths = joined.encode("ascii"), list(map(len, pieces))
    else:
        encoded = list(map(_encode, pieces))
        data, lengths = b"".join(encoded), list(map(len, encoded))
    return data, list(map(_add, lengths[::2], lengths[1::2]))


def _encode(text: str) -> bytes:
    try:
        return _str_encode(text, "utf-8")
    except UnicodeEncodeError:
        return _str_encode(text, "utf-8", "backslashreplace")
