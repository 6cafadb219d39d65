"""Whether what objects hold fits their shape, and texts are atoms. Source: docs/reference/trace-format.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tracepane.record.format import layout
from tracepane.record.format.container import TraceError
from tracepane.record.format.layout import EXTENDED, SPLICE
from tracepane.record.trace.columns import Columns

_FIXED = {
    layout.OPAQUE: 0, layout.FUNCTION: 1, layout.CLASS: 1, layout.MODULE: 1, layout.BYTEARRAY: 1, layout.GENERATOR: 2,
    layout.COROUTINE: 2, layout.ASYNC_GENERATOR: 2, layout.RANGE: 3, layout.SLICE: 3, layout.METHOD: 2,
}  # fmt: skip
"""How many slots of its own a shape has, where that is fixed."""
_NAMED = {
    layout.FUNCTION: 0, layout.CLASS: 0, layout.MODULE: 0, layout.GENERATOR: 0, layout.COROUTINE: 0,
    layout.ASYNC_GENERATOR: 0, layout.METHOD: 1,
}  # fmt: skip
"""Which of them is a name."""
_UNIFORM = range(layout.LIST, layout.DICT + 1)  # every slot is a ref, wherever it stands

_FORMS = {
    "n": "", "t": "", "f": "", "e": "", "N": "", "s": ".*", "y": "(?:[0-9a-f]{2})*",
    "i": "0|-?[1-9][0-9]*|-?x[1-9a-f][0-9a-f]*",
    "d": r"nan|-?inf|-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?",
    "c": r"\(?[-+.0-9a-z]+j\)?",
    "S": r"(?:[\x20-\x5b\x5d-\x7e]|\\(?:[\\tnr]|x[0-9a-f]{2}|u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4}))*",
}  # fmt: skip
_ATOM = re.compile(
    "(?:>[0-9]{1,15}:[0-9a-f]{16}:)?(?:" + "|".join(f"{letter}(?:{form})" for letter, form in _FORMS.items()) + ")",
    re.DOTALL | re.ASCII,
)


class Slots:
    """Goes through the versions in order. Texts that were found to be atoms are not looked at again."""

    def __init__(self, columns: Columns, strings: Sequence[str]) -> None:
        """Nothing is looked at yet."""
        self._columns = columns
        self._strings = strings
        self._atoms: set[int] = {0}
        self._known: set[int] = set()
        self._held: dict[int, list[int]] = {}

    def check(self) -> None:
        """Raise TraceError unless every version is what its shape says."""
        columns, place = self._columns, 0
        self._known = set(columns["version_object"])
        names = ("version_object", "version_shape", "version_length", "version_form", "version_count")
        for version, row in enumerate(zip(*(columns[name] for name in names), strict=True)):
            number, shape, length, form, count = row
            slots = columns["slot"][place : place + count].tolist()
            place += count
            try:
                self._version(number, shape, length, form, slots)
            except TraceError as error:
                raise TraceError(f"the trace is damaged: version {version} of an object: {error}") from None

    def atoms(self, refs: Iterable[int]) -> None:
        """Raise TraceError unless all refs that are not negative name atoms, or nothing."""
        for ref in {ref for ref in refs if ref >= 0} - self._atoms:
            if _ATOM.fullmatch(self._strings[ref - 1]) is None:
                raise TraceError(f"the trace is damaged: string {ref - 1} stands for a value, and is none")
            self._atoms.add(ref)

    def _version(self, number: int, shape: int, length: int, form: int, slots: list[int]) -> None:
        if shape & ~EXTENDED > layout.TEMPLATE or shape == layout.EXCEPTION:
            raise TraceError(f"there is no shape {shape}")
        added = slots
        if form == SPLICE:
            start, removed, *added = slots
            slots = self._held[number]
            slots[start : start + removed] = added
        self._held[number] = slots
        if shape in _UNIFORM:
            self._refs(added)
            if shape == layout.DICT and len(slots) % 2:
                raise TraceError("a dict has half an entry")
            if len(slots) // (2 if shape == layout.DICT else 1) > length:
                raise TraceError("it holds more than its length")
        else:
            self._mixed(shape, slots)

    def _mixed(self, shape: int, slots: list[int]) -> None:
        own, attributes = slots, list[int]()
        if shape & EXTENDED:
            if not slots or not 0 <= slots[0] < len(slots):
                raise TraceError("it counts more slots than it has")
            own, attributes = slots[1 : slots[0] + 1], slots[slots[0] + 1 :]
        elif shape == layout.INSTANCE:
            own, attributes = [], slots
        self._own(shape & ~EXTENDED, own)
        if len(attributes) % 2:
            raise TraceError("it has half an attribute")
        self._names(attributes[::2])
        self._refs(attributes[1::2])

    def _own(self, shape: int, slots: list[int]) -> None:
        if len(slots) != _FIXED.get(shape, len(slots)) or (shape == layout.DICT and len(slots) % 2):
            raise TraceError(f"a shape {shape} has not {len(slots)} slots")
        if shape == layout.CELL:
            if len(slots) > 1:
                raise TraceError("a cell has more than one slot")
            slots = [slot for slot in slots if slot]
        name = _NAMED.get(shape)
        if name is not None:
            self._names([slots[name]])
            slots = slots[:name] + slots[name + 1 :]
        self._refs(slots)

    def _names(self, slots: Iterable[int]) -> None:
        for slot in slots:
            if not 0 < slot <= len(self._strings):
                raise TraceError(f"it names string {slot - 1} of {len(self._strings)}")

    def _refs(self, refs: list[int]) -> None:
        if not refs:
            return
        if 0 in refs or max(refs) > len(self._strings):
            raise TraceError("a slot is empty, or names a string that is not there")
        self.atoms(refs)
        for ref in refs:
            if ref < 0 and -ref not in self._known:
                raise TraceError(f"it holds object {-ref}, which was never seen")
