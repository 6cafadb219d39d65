"""Whether an object still holds what it held when it was last written, found out far faster than by reading it again.

A shadow remembers what an object held: by the atoms themselves where there is nothing else (atoms may be kept alive,
nobody notices), else by addresses. An address stands for an object only as long as that object lives, therefore such a
shadow is void once any known object has died since (`deaths`).
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from tracepane.record.format.layout import ITEMS_LIMIT
from tracepane.record.own import BUILTINS
from tracepane.record.values.atoms import TEXTS
from tracepane.record.values.readers import attribute_dict, function_attributes, function_name

globals()["__builtins__"] = BUILTINS

_is, _eq = operator.is_, operator.eq
_is_atom_type = TEXTS.__contains__
_dict_values, _dict_keys = dict.values, dict.__iter__
Cast = Callable[[Any], "Shadow | None"]


class Shadow:
    """What an object held. `same(value, deaths)` says whether `value` still holds it; `length` counts its items."""

    __slots__ = ("length",)
    length: int

    def same(self, value: Any, deaths: int) -> bool:
        """Whether nothing changed."""
        raise NotImplementedError

    def follow(self, value: Any, deaths: int) -> tuple[int, int] | None:
        """Take in what changed, if that can be told: how many items at the beginning and at the end did not."""
        return None


class Constant(Shadow):
    """An object that cannot change."""

    __slots__ = ()

    def __init__(self) -> None:
        self.length = -1

    def same(self, value: Any, deaths: int) -> bool:
        """Never changed."""
        return True


CONSTANT = Constant()


class Atoms(Shadow):
    """A list, set or deque of atoms only."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any], length: int) -> None:
        self.items, self.length = items, length

    def same(self, value: Any, deaths: int) -> bool:
        """The very same atoms in the same places."""
        return len(value) == self.length and all(map(_is, value, self.items))

    def follow(self, value: Any, deaths: int) -> tuple[int, int] | None:
        """Of a list: between which atoms only other atoms have changed."""
        start, stop = _agreement(self.items, value, _is)
        changed = value[start : len(value) - stop]
        if not _plain(changed):
            return None
        self.items[start : self.length - stop] = changed
        self.length = len(value)
        return start, stop


class AtomDict(Shadow):
    """A dict with atoms for keys and values."""

    __slots__ = ("items", "keys")

    def __init__(self, keys: list[Any], items: list[Any], length: int) -> None:
        self.keys, self.items, self.length = keys, items, length

    def same(self, value: Any, deaths: int) -> bool:
        """The very same atoms in the same order."""
        return (
            len(value) == self.length
            and all(map(_is, _dict_values(value), self.items))
            and all(map(_is, _dict_keys(value), self.keys))
        )

    def follow(self, value: Any, deaths: int) -> tuple[int, int] | None:
        """The keys are the same: between which values only atoms have changed."""
        if len(value) != self.length or not all(map(_is, _dict_keys(value), self.keys)):
            return None
        items = list(_dict_values(value))
        start, stop = _agreement(self.items, items, _is)
        if not _plain(items[start : len(items) - stop]):
            return None
        self.items = items
        return start, stop


class Items(Shadow):
    """A list, set or deque with objects in it. `atoms` has the atoms in their places, which keeps them alive."""

    __slots__ = ("addresses", "atoms", "deaths")

    def __init__(self, items: list[Any], length: int, deaths: int) -> None:
        self.addresses, self.atoms, self.length, self.deaths = list(map(id, items)), _atoms(items), length, deaths

    def same(self, value: Any, deaths: int) -> bool:
        """The same addresses, and nobody died."""
        if self.deaths != deaths or len(value) != self.length:
            return False
        return list(map(id, islice(value, ITEMS_LIMIT))) == self.addresses

    def follow(self, value: Any, deaths: int) -> tuple[int, int] | None:
        """Of a list: between which items some have changed."""
        if self.deaths != deaths:
            return None
        addresses = list(map(id, value))
        start, stop = _agreement(self.addresses, addresses, _eq)
        kept = len(value) - stop
        self.atoms[start : self.length - stop] = _atoms(value[start:kept])
        self.addresses, self.length = addresses, len(value)
        return start, stop


class Entries(Shadow):
    """A dict with objects in it, and atoms for keys. `atoms` has the atoms among the values in their places."""

    __slots__ = ("atoms", "deaths", "items", "keys")

    def __init__(self, keys: list[Any], items: list[Any], length: int, deaths: int) -> None:
        self.keys, self.items, self.length = keys, list(map(id, items)), length
        self.atoms, self.deaths = _atoms(items), deaths

    def same(self, value: Any, deaths: int) -> bool:
        """The same addresses in the same order, and nobody died."""
        return (
            self.deaths == deaths
            and len(value) == self.length
            and list(map(id, islice(_dict_values(value), ITEMS_LIMIT))) == self.items
            and all(map(_is, _dict_keys(value), self.keys))
        )

    def follow(self, value: Any, deaths: int) -> tuple[int, int] | None:
        """The keys are the same: between which values some have changed."""
        if self.deaths != deaths or len(value) != self.length or not all(map(_is, _dict_keys(value), self.keys)):
            return None
        values = list(_dict_values(value))
        addresses = list(map(id, values))
        start, stop = _agreement(self.items, addresses, _eq)
        kept = len(values) - stop
        self.atoms[start:kept] = _atoms(values[start:kept])
        self.items = addresses
        return start, stop


class Attributes(Shadow):
    """An instance whose attributes are all in its `__dict__`."""

    __slots__ = ("entries", "get", "kind")

    def __init__(self, entries: Shadow, get: Callable[[Any], Any], kind: int) -> None:
        self.entries, self.get, self.kind, self.length = entries, get, kind, -1

    def same(self, value: Any, deaths: int) -> bool:
        """The same class (an assignment to `__class__` changes it), and what its `__dict__` says."""
        if id(type(value)) != self.kind:
            return False
        own = self.get(value)
        return type(own) is dict and self.entries.same(own, deaths)


class Named(Shadow):
    """A function without attributes."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name, self.length = name, -1

    def same(self, value: Any, deaths: int) -> bool:
        """The same name, and still no attributes."""
        return function_name(value) is self.name and not function_attributes(value)


def _atoms(items: Iterable[Any]) -> list[Any]:
    return [item if id(type(item)) in TEXTS else None for item in items]


def _plain(items: Iterable[Any]) -> bool:
    return all(map(_is_atom_type, map(id, map(type, items))))


def _agreement(old: list[Any], new: list[Any], same: Callable[[Any, Any], bool]) -> tuple[int, int]:
    """How many items two lists share at their beginnings, and at their ends beyond that."""
    shorter = min(len(old), len(new))
    alike = list(map(same, old, new))
    start = alike.index(False) if False in alike else shorter
    if len(old) == len(new):
        alike.reverse()
    else:
        alike = list(map(same, reversed(old), reversed(new)))
    stop = alike.index(False) if False in alike else shorter
    return start, min(stop, shorter - start)


def of_items(value: Any, deaths: int) -> Shadow:
    """The shadow of a list, set, frozenset or deque."""
    items = list(islice(value, ITEMS_LIMIT))
    return Atoms(items, len(value)) if _plain(items) else Items(items, len(value), deaths)


def of_dict(value: dict[Any, Any], deaths: int) -> Shadow | None:
    """The shadow of a dict."""
    keys, items = list(islice(_dict_keys(value), ITEMS_LIMIT)), list(islice(_dict_values(value), ITEMS_LIMIT))
    if not _plain(keys):
        return None
    return AtomDict(keys, items, len(value)) if _plain(items) else Entries(keys, items, len(value), deaths)


def of_function(value: types.FunctionType, deaths: int) -> Shadow | None:
    """The shadow of a function."""
    return None if function_attributes(value) else Named(function_name(value))


def of_instance(kind: type) -> Callable[[Any, int], Shadow | None]:
    """Makes the shadows of instances of a class, where all their attributes are in their `__dict__`."""
    get = attribute_dict(kind)

    def cast(value: Any, deaths: int) -> Shadow | None:
        own = get(value) if get is not None else None
        entries = of_dict(own, deaths) if type(own) is dict else None
        return Attributes(entries, get, id(kind)) if entries is not None and get is not None else None

    return cast


CASTS: dict[int, Callable[[Any, int], Shadow | None]] = {
    id(list): of_items,
    id(set): of_items,
    id(dict): of_dict,
    id(types.FunctionType): of_function,
}
for _fixed in (tuple, frozenset, range, slice, types.BuiltinFunctionType):
    CASTS[id(_fixed)] = lambda value, deaths: CONSTANT
