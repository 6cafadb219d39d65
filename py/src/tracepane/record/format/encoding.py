"""The bytes of columns and of texts, as the format has them."""

from __future__ import annotations

import operator
import struct
import sys
from array import array
from collections.abc import Sequence
from typing import Any

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

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


def widen(width: int, data: bytes, to: int) -> bytes:
    """The same numbers in `to` bytes each; none is negative unless they are as wide already."""
    if width == to:
        return data
    wide = bytearray(len(data) // width * to)
    for byte in range(width):
        wide[byte::to] = data[byte::width]
    return bytes(wide)


def pick(width: int, data: bytes, place: int, count: int) -> bytes | bytearray:
    """Of rows of `count` numbers the column at a place, in four bytes each."""
    wide, step = bytearray(len(data) // (width * count) * 4), width * count
    for byte in range(width):
        wide[byte::4] = data[place * width + byte :: step]
    return wide


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
