"""Atoms as texts: None, numbers, strings and bytes, by exact type. Source: docs/reference/trace-format.md, "Atoms"."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from tracepane.record.format.layout import DECIMAL_DIGITS, TEXT_KEPT, TEXT_LIMIT
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_sha256 = hashlib.sha256
_float_repr, _complex_repr, _int_format = float.__repr__, complex.__repr__, int.__format__
_DECIMAL_BOUND = 10**DECIMAL_DIGITS
_SAFE_BITS = 2_000  # any limit of digits that a program may set allows 640 digits, which is more
_CHUNK_DIGITS = 500
_CHUNK = 10**_CHUNK_DIGITS


def int_text(value: int) -> str:
    """Exact text of an int, whatever limit the program set for its digits."""
    if value.bit_length() <= _SAFE_BITS:
        return f"i{value}"
    if -_DECIMAL_BOUND < value < _DECIMAL_BOUND:
        return "i-" + _digits(-value) if value < 0 else "i" + _digits(value)
    sign, digits = "-" if value < 0 else "", _int_format(abs(value), "x")
    if len(digits) > TEXT_LIMIT:
        return _cut(len(digits), (sign + digits).encode("ascii"), f"i{sign}x{digits[:TEXT_KEPT]}")
    return f"i{sign}x{digits}"


def _digits(value: int) -> str:
    parts = []
    while value >= _CHUNK:
        value, part = divmod(value, _CHUNK)
        parts.append(_int_format(part, "d").zfill(_CHUNK_DIGITS))
    parts.append(_int_format(value, "d"))
    return "".join(reversed(parts))


def str_text(value: str) -> str:
    """The text itself; escaped where UTF-8 cannot hold it."""
    if len(value) > TEXT_LIMIT:
        return _cut(len(value), value.encode("utf-8", "surrogatepass"), str_text(value[:TEXT_KEPT]))
    if value.isascii():
        return "s" + value
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return "S" + value.encode("unicode_escape").decode("ascii")
    return "s" + value


def bytes_text(value: bytes | bytearray) -> str:
    """The bytes in hexadecimal."""
    if len(value) > TEXT_LIMIT:
        return _cut(len(value), value, "y" + value[:TEXT_KEPT].hex())
    return "y" + value.hex()


def _cut(length: int, whole: bytes | bytearray, kept: str) -> str:
    return f">{length}:{_sha256(whole).hexdigest()[:16]}:{kept}"


TEXTS: dict[int, Callable[[Any], str]] = {
    id(type(None)): lambda _: "n",
    id(bool): lambda value: "t" if value else "f",
    id(type(...)): lambda _: "e",
    id(type(NotImplemented)): lambda _: "N",
    id(int): int_text,
    id(float): lambda value: "d" + _float_repr(value),
    id(complex): lambda value: "c" + _complex_repr(value),
    id(str): str_text,
    id(bytes): bytes_text,
}
"""By the address of an exact type: looking a type up in a dict by itself would call its metaclass's `__hash__`."""


def atom_text(value: object) -> str | None:
    """The text of an atom, None for any object."""
    text = TEXTS.get(id(type(value)))
    return text(value) if text is not None else None


# A subclass of an atom type keeps the plain value below its own methods.
BASES: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__pos__),
    (str, str.__str__),
    (float, float.__float__),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (complex, complex.__pos__),
)
