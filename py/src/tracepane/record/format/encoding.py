"""The bytes of columns and of texts, as the format has them."""

from __future__ import annotations

import operator
import struct
import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from tracepane.record.format.layout import TABLES
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

START = tuple(accumulate(map(len, TABLES), initial=0))
"""Where each table's columns begin among all."""
_SWAP = sys.byteorder == "big"
_ONLY_INTS = frozenset((int,))
_add, _str_encode, _struct_pack, _struct_error = operator.add, str.encode, struct.pack, struct.error

Narrow = tuple[int, bytes]
"""Numbers in as few bytes each as the largest needs: 1 or 2 without a sign, else 4 with one."""


def raw(column: Any) -> bytes:
    """A column's bytes as the digest has them."""
    if isinstance(column, array) and _SWAP:
        column = column[:]
        column.byteswap()
    return bytes(column)


def narrow(numbers: list[int]) -> Narrow:
    """The smallest form of 32-bit integers. Most columns have small ones only, of which bytes are made fastest."""
    try:
        return 1, bytes(numbers)
    except ValueError:
        pass
    try:
        return 2, _struct_pack(f"<{len(numbers)}H", *numbers)
    except _struct_error:
        return 4, _struct_pack(f"<{len(numbers)}i", *numbers)


def narrow_columns(fields: list[int], count: int) -> list[Narrow]:
    """The columns of a table of so many, whose rows come field after field."""
    try:
        small = bytes(fields)
    except ValueError:
        return [narrow(fields[place::count]) for place in range(count)]
    return [(1, small[place::count]) for place in range(count)]


def widen(width: int, data: bytes, to: int = 4) -> bytes:
    """The same numbers in `to` bytes each."""
    if width == to:
        return data
    wide = bytearray(len(data) // width * to)
    for place in range(width):
        wide[place::to] = data[place::width]
    return bytes(wide)


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
        parts = list(map(encoded, pieces))
        data, lengths = b"".join(parts), list(map(len, parts))
    return data, list(map(_add, lengths[::2], lengths[1::2]))


def encoded(text: str) -> bytes:
    """The bytes of a text; lone surrogates are written as escapes."""
    try:
        return _str_encode(text, "utf-8")
    except UnicodeEncodeError:
        return _str_encode(text, "utf-8", "backslashreplace")
