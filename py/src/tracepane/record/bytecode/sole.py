"""What a stretch of code stores into objects, where that is simple enough to be taken in where the event comes in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracepane.record.bytecode.touch import ATTRIBUTE, Constant, Place, Sum, Symbol, Touch
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

Key = tuple[str, Any]
"""A key: a local variable and the int that is added to its value, or an empty name and a constant."""
_ATOMS = (int, str, bool, float, type(None))


class Sole:
    """All that is stored into one object: an attribute of a `name`, the item with a `key`, and maybe one with `other`.

    The object is the local variable `root`'s, or found from there along `path`, which has an attribute's name or a key
    for each step. `paired`: an operator changed what is stored, if it is no atom. The rest remembers what the last
    store of an attribute was into: objects of a `shape`, which has `length` attributes `after` it; see stores.py.
    """

    __slots__ = ("after", "get", "key", "length", "name", "named", "other", "paired", "path", "place", "root", "shape")

    def __init__(self, root: str, path: tuple[str | Key, ...], name: str, keys: tuple[Key, ...], paired: bool) -> None:
        self.root, self.path, self.name, self.paired = root, path, name, paired
        self.key: Key = keys[0] if keys else ("", None)
        self.other: Key | None = keys[1] if len(keys) > 1 else None
        self.shape: Any = self
        self.after: Any = None
        self.get: Any = None
        self.place = self.length = self.named = 0


def sole(touched: Sequence[Touch]) -> Sole | None:
    """What a stretch stores that changes objects in this way; None where that is not so simple."""
    paired = len(touched) == 2 and bool(touched[0].place.path) and not touched[0].stores
    stores = touched[1:] if paired else touched
    place = stores[0].place
    path = [step if kind == ATTRIBUTE else _key(step) for kind, step in place.path]
    if not place.local or None in path or any(each.place[:3] != place[:3] for each in stores):
        return None
    if stores[0].kind == ATTRIBUTE:
        return Sole(place.root, _steps(path), stores[0].key, (), paired) if len(stores) == 1 else None
    keys = [_key(each.key) if each.stores and each.kind != ATTRIBUTE else None for each in stores]
    if None in keys or len(keys) > 2:
        return None
    return Sole(place.root, _steps(path), "", tuple(each for each in keys if each is not None), paired)


def _steps(path: list[Any]) -> tuple[str | Key, ...]:
    return tuple(path)


def _key(symbol: Symbol) -> Key | None:
    if isinstance(symbol, Constant):
        return ("", symbol.value) if type(symbol.value) in _ATOMS else None
    if isinstance(symbol, Place):
        return (symbol.root, 0) if symbol.local and not symbol.path else None
    if not isinstance(symbol, Sum) or symbol.operator not in "+-":
        return None
    variable, constant = _key(symbol.left), symbol.right
    if variable is None or not variable[0] or variable[1] or not isinstance(constant, Constant):
        return None
    return (
        (variable[0], constant.value if symbol.operator == "+" else -constant.value)
        if type(constant.value) is int
        else None
    )
