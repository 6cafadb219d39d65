"""The bytes of columns and of texts, as the format has them."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Sequence
from typing import Any

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_SWAP = sys.byteorder == "big"
_ONLY_INTS = frozenset((int,))
_FEW = 64
_ONE_MORE = bytes((*range(1, 256), 0))  # each byte one more
_str_encode, _struct_pack, _struct_error = str.encode, struct.pack, struct.error

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
    # Of a few numbers the largest is looked at: to try and fail costs more.
    most = max(numbers) if len(numbers) < _FEW else 0
    if most < 0x100:
        try:
            return 1, bytes(numbers)
        except ValueError:
            pass
    if most < 0x10000:
        try:
            return 2, _struct_pack(f"<{len(numbers)}H", *numbers)
        except _struct_error:
            pass
    return 4, _struct_pack(f"<{len(numbers)}i", *numbers)


def widen(width: int, data: bytes, to: int = 4) -> bytes:
    """The same numbers in `to` bytes each; none is negative unless they are as wide already."""
    if width == to:
        return data
    wide = bytearray(len(data) // width * to)
    for byte in range(width):
        wide[byte::to] = data[byte::width]
    return bytes(wide)


def pick(width: int, data: bytes, place: int, count: int) -> bytearray:
    """Of rows of `count` numbers the column at a place, in four bytes each."""
    wide, step = bytearray(len(data) // (width * count) * 4), width * count
    for byte in range(width):
        wide[byte::4] = data[place * width + byte :: step]
    return wide


def encode(texts: Sequence[Any]) -> tuple[bytes, Narrow]:
    """The bytes of texts (see TraceWriter.texts), all at once where they are ASCII, and the length of each."""
    if _ONLY_INTS.issuperset(map(type, texts)):
        return _encode_ints(texts)
    pieces = ["s" + text if type(text) is str else f"i{text}" if type(text) is int else text[0] for text in texts]
    joined = "".join(pieces)
    if joined.isascii():
        return joined.encode("ascii"), narrow(list(map(len, pieces)))
    parts = list(map(encoded, pieces))
    return b"".join(parts), narrow(list(map(len, parts)))


def _encode_ints(texts: Sequence[Any]) -> tuple[bytes, Narrow]:
    digits = list(map(str, texts))
    data, lengths = ("i" + "i".join(digits)).encode("ascii"), list(map(len, digits))
    width, short = narrow(lengths)
    if width > 1 or 0xFF in short:
        return data, narrow([length + 1 for length in lengths])
    return data, (1, short.translate(_ONE_MORE))


def encoded(text: str) -> bytes:
    """The bytes of a text; lone surrogates are written as escapes."""
    try:
        return _str_encode(text, "utf-8")
    except UnicodeEncodeError:
        return _str_encode(text, "utf-8", "backslashreplace")
