"""Values as expanded JSON, unfolded without recursion: a trace may hold structures of any depth."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any, Protocol

from tracepane.record.format import layout
from tracepane.record.format.layout import EXTENDED, SEQUENCES
from tracepane.record.trace.events import Events

DEEPEST = 60  # levels that one value unfolds to; JSON readers give up at some depth
LARGEST = 5_000  # nodes that one value unfolds to

_ATOMS_KEPT = 10_000  # atoms that are not unfolded anew at each event

Json = dict[str, Any]
Children = list[tuple[Json, int]]  # nodes that are still empty, with the refs of their values

_ATOM_TYPES = {
    "n": "NoneType", "t": "bool", "f": "bool", "e": "ellipsis", "N": "NotImplementedType", "i": "int", "d": "float",
    "c": "complex", "s": "str", "S": "str", "y": "bytes",
}  # fmt: skip
_CONSTANTS = {"n": "None", "t": "True", "f": "False", "e": "Ellipsis", "N": "NotImplemented"}
_COUNTED = SEQUENCES | {layout.EXCEPTION}
_NAMED = frozenset(
    (layout.FUNCTION, layout.CLASS, layout.MODULE, layout.GENERATOR, layout.COROUTINE, layout.ASYNC_GENERATOR)
)


def atom(text: str) -> Json:
    """An atom's text of the string table, unfolded. Raises nothing: an unknown first character is shown as it is."""
    length = None
    if text.startswith(">"):
        count, _, rest = text[1:].partition(":")
        _, _, text = rest.partition(":")
        length = int(count) if count.isdecimal() else None
    first = text[:1]
    value: Json = {"type": _ATOM_TYPES.get(first, "?"), "text": _CONSTANTS.get(first) or _plain(first, text[1:])}
    if length is not None:
        value["length"] = length
    return value


def _plain(first: str, rest: str) -> str:
    if first == "S":
        return _unescape(rest)
    if first == "i" and "x" in rest[:2]:
        return rest.replace("x", "0x", 1)
    return rest


def _unescape(text: str) -> str:
    try:
        return text.encode("ascii", "backslashreplace").decode("unicode_escape")
    except UnicodeDecodeError:
        return re.sub(r"\\", r"\\\\", text)


class Known(Protocol):
    """Objects at some step of a trace: for each its version and its slots."""

    @property
    def versions(self) -> Mapping[int, int]:
        """Id → index of the version."""

    @property
    def slots(self) -> Mapping[int, list[int]]:
        """Id → slots, splices applied."""


class Values:
    """Unfolds refs at the step whose objects are known."""

    def __init__(self, trace: Events, state: Known) -> None:
        """Values of `trace` as `state` has them."""
        self.trace, self.state = trace, state
        self._atoms: dict[int, Json] = {}

    def variable(self, ref: int) -> Json | None:
        """The value of a variable, seen through its cell; None when there is none."""
        ref = self.held(ref)
        return self.expand(ref) if ref else None

    def held(self, ref: int) -> int:
        """What a variable's cell holds; without a cell, the ref itself."""
        if ref < 0 and self.shape(-ref) == layout.CELL:
            return self.state.slots[-ref][0] if self.state.slots[-ref] else 0
        return ref

    def exception(self, ref: int) -> Json:
        """`{"type", "id", "args"}` of an exception."""
        if ref >= 0 or -ref not in self.state.slots:
            return {"type": "?", "args": []}
        value = self.expand(ref)
        return {"type": value["type"], "id": value.get("id"), "args": value.get("items", []), **_rest(value)}

    def shape(self, number: int) -> int:
        """The shape of an object, 0 when nothing is known of it."""
        version = self.state.versions.get(number)
        return int(self.trace.columns["version_shape"][version]) & ~EXTENDED if version is not None else 0

    def reaches(self, ref: int, changed: Container[int], untouched: set[int], most: int) -> bool:
        """Whether something in `changed` can be reached from a ref. What cannot is added to `untouched`."""
        if ref >= 0:
            return False
        pending = [-ref]
        seen: set[int] = set()
        while pending and len(seen) < most:
            number = pending.pop()
            if number in seen or number in untouched:
                continue
            if number in changed:
                return True
            seen.add(number)
            pending.extend(-slot for slot in self.state.slots.get(number, ()) if slot < 0)
        untouched |= seen
        return False

    def expand(self, ref: int) -> Json:
        """A value. An object is written out where it is met first in reading order; after that its id stands for it."""
        root: Json = {}
        pending = [(root, ref, 0)]
        seen: set[int] = set()
        room = LARGEST
        while pending:
            node, ref, depth = pending.pop()
            if ref >= 0:
                node.update(self._atom(ref))
            elif -ref in seen:
                node["id"] = -ref
            else:
                seen.add(-ref)
                children = self._unfold(node, -ref, room if depth < DEEPEST else 0)
                room -= len(children)
                pending.extend((child, slot, depth + 1) for child, slot in reversed(children))
        return root

    def _atom(self, ref: int) -> Json:
        found = self._atoms.get(ref)
        if found is None:
            if len(self._atoms) >= _ATOMS_KEPT:
                self._atoms.clear()
            found = self._atoms[ref] = atom(self._text(ref)) if ref else {"type": "unset"}
        return found

    def _unfold(self, node: Json, number: int, room: int) -> Children:
        """Fill in an object's node; its children, still empty, with their refs."""
        version = self.state.versions.get(number)
        if version is None:
            node.update(type="?", id=number)
            return []
        columns = self.trace.columns
        node.update(type=self.trace.strings[columns["version_type"][version]], id=number)
        shape, slots = columns["version_shape"][version], self.state.slots[number]
        attributes: list[int] = []
        if shape & EXTENDED and slots:
            slots, attributes = slots[1 : slots[0] + 1], slots[slots[0] + 1 :]
        children = self._own(node, shape, slots, columns["version_length"][version], room)
        if attributes:
            children += self._attributes(node, attributes, room - len(children))
        elif shape == layout.INSTANCE | EXTENDED:
            node["attributes"] = {}
        return children

    def _own(self, node: Json, shape: int, slots: list[int], length: int, room: int) -> Children:
        if shape == layout.INSTANCE:
            return self._attributes(node, slots, room)
        shape &= ~EXTENDED
        if shape == layout.DICT:
            return _entries(node, slots, length, room)
        if shape in _NAMED and slots:
            node["name"] = self._text(slots[0])
            slots = slots[1:]
        elif shape == layout.METHOD and len(slots) > 1:
            node["name"] = self._text(slots[1])
            slots = slots[:1]
        if shape in (layout.OPAQUE, layout.FUNCTION, layout.CLASS, layout.MODULE):
            return []
        return _items(node, [slot for slot in slots if slot], length if shape in _COUNTED else 0, room)

    def _attributes(self, node: Json, slots: list[int], room: int) -> Children:
        pairs = list(zip(slots[::2], slots[1::2], strict=False))
        kept = pairs[: max(room, 0)]
        found: dict[str, Json] = {self._text(name): {} for name, _ in kept}
        node["attributes"] = found
        if len(kept) < len(pairs):
            node["length"] = len(pairs)
        return [(found[self._text(name)], ref) for name, ref in kept]

    def _text(self, slot: int) -> str:
        return self.trace.strings[slot - 1] if 0 < slot <= len(self.trace.strings) else "?"


def _items(node: Json, slots: list[int], length: int, room: int) -> Children:
    children: Children = [({}, ref) for ref in slots[: max(room, 0)]]
    node["items"] = [child for child, _ in children]
    if len(children) < max(length, len(slots)):
        node["length"] = max(length, len(slots))
    return children


def _entries(node: Json, slots: list[int], length: int, room: int) -> Children:
    pairs = list(zip(slots[::2], slots[1::2], strict=False))[: max(room // 2, 0)]
    entries: list[tuple[Json, Json]] = [({}, {}) for _ in pairs]
    node["entries"] = [list(entry) for entry in entries]
    if len(pairs) < max(length, len(slots) // 2):
        node["length"] = max(length, len(slots) // 2)
    return [child for entry, refs in zip(entries, pairs, strict=True) for child in zip(entry, refs, strict=True)]


def _rest(value: Json) -> Json:
    return {key: value[key] for key in ("attributes", "length") if key in value}
