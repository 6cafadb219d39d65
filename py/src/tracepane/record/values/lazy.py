"""Which objects may call anything when they are asked for their next item."""

from __future__ import annotations

import io

from tracepane.record.own import BUILTINS
from tracepane.record.values.kinds import dict_of, mro_of
from tracepane.record.values.readers import read_opaque, reader

globals()["__builtins__"] = BUILTINS

# Iterators that call no function in C which the program gave them: those of files and of built-in containers.
_OWN_ITEMS = (
    io.TextIOWrapper, io.StringIO, io.BytesIO, io.FileIO, io.BufferedReader, io.BufferedWriter, io.BufferedRandom,
    *map(type, (iter([]), iter(()), iter({}), iter({}.values()), iter({}.items()), iter(set()), iter(""))),
    *map(type, (iter("\xe9"), iter(b""), iter(bytearray()), iter(range(1)), iter(range(1 << 70)))),
    *map(type, (reversed([]), reversed({}))),
)  # fmt: skip
_INNOCENT = frozenset(map(id, _OWN_ITEMS))


def is_lazy(kind: type) -> bool:
    """Whether objects of this type are iterators written in C that may call anything when asked for the next item."""
    if id(kind) in _INNOCENT or reader(kind) is not read_opaque:
        return False
    return any("__next__" in dict_of(parent) for parent in mro_of(kind))
