"""The refs of atoms: of ints and strs by themselves, of others by their texts, of the longest by their addresses."""

from __future__ import annotations

from typing import Any

from tracepane.record.format.layout import TEXT_LIMIT
from tracepane.record.format.writer import TraceWriter
from tracepane.record.own import BUILTINS
from tracepane.record.values.atoms import int_text, str_text

globals()["__builtins__"] = BUILTINS

LONGEST = 1_000  # characters, bytes or bits from which an atom is remembered by its address
_REMEMBERED = 64
_MOST = 10**300  # ints beyond are remembered by their addresses
FEW = _MOST.bit_length()  # ints of fewer bits are not beyond


class AtomRefs:
    """Those of one trace. `ranks` has the places of atoms in sets."""

    __slots__ = ("_long", "ints", "none", "ranks", "words", "writer")

    def __init__(self, writer: TraceWriter) -> None:
        """Texts go to `writer`."""
        self.writer = writer
        self.ints = writer.ints
        self.words = writer.words
        self.none = 0  # the ref of None, once it has one
        self.ranks: dict[int, tuple[str, str]] = {}
        self._long: dict[int, tuple[Any, int]] = {}

    def _int(self, value: int) -> int:
        if -_MOST < value < _MOST:
            return self.writer.integer(value)
        known = self._long.get(id(value))
        return known[1] if known is not None else self._remember(value, self.writer.atom(int_text(value)))

    def _word(self, value: str) -> int:
        return self.writer.short_word(value) if value.isascii() else self._text(value)

    def _text(self, value: str) -> int:
        if value.isascii() and len(value) <= TEXT_LIMIT:
            return self.writer.long_word(value)
        known = self._long.get(id(value))
        return known[1] if known is not None else self._remember(value, self.writer.atom(str_text(value)))

    def _remember(self, value: Any, ref: int) -> int:
        """Long atoms are worth knowing by address; they are kept, so that the address stays theirs."""
        if len(self._long) >= _REMEMBERED:
            del self._long[next(iter(self._long))]
        self._long[id(value)] = (value, ref)
        return ref

    def forget_atoms(self, live: set[int]) -> None:
        """Forget the refs of atoms that no object holds, as last written, but those in `live`."""
        self.writer.forget_atoms(live)
        self._long.clear()
        for ref in self.ranks.keys() - live:
            del self.ranks[ref]
