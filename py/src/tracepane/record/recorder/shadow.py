"""Whether an object still holds what it held when it was last written, found out far faster than by reading it again.

A shadow remembers what an object held: by the atoms themselves where there is nothing else (atoms may be kept alive,
nobody notices), else by addresses. An address stands for an object only as long as that object lives, so where objects
have died since, those addresses must not be among them.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable, Iterable, Sequence
from itertools import compress, count, islice
from typing import Any

from tracepane.record.format.layout import ITEMS_LIMIT
from tracepane.record.hidden import hidden
from tracepane.record.own import BUILTINS
from tracepane.record.values.atoms import TEXTS
from tracepane.record.values.readers import function_attributes, function_name

globals()["__builtins__"] = BUILTINS

_is, _is_not, _ne = operator.is_, operator.is_not, operator.ne
_is_atom_type = TEXTS.__contains__
_dict_values, _dict_keys = dict.values, dict.__iter__
_MOST_DEATHS = 10_000


class Deaths:
    """The addresses at which known objects died, in order; `count` of them in all."""

    __slots__ = ("_recent", "count")

    def __init__(self) -> None:
        self.count = 0
        self._recent: list[int] = []

    @hidden
    def note(self, address: int) -> None:
        """One more."""
        self.count += 1
        self._recent.append(address)
        if len(self._recent) > 2 * _MOST_DEATHS:
            del self._recent[:_MOST_DEATHS]

    def spare(self, since: int, addresses: Iterable[int]) -> bool:
        """Whether none of the addresses was one of an object that died since there were `since` deaths."""
        fresh = self.count - since
        return fresh <= len(self._recent) and set(self._recent[-fresh:]).isdisjoint(addresses)


class Shadow:
    """What an object held. `same(value, deaths)` says whether `value` still holds it; `length` counts its items."""

    __slots__ = ("length",)
    length: int

    def same(self, value: Any, deaths: Deaths) -> bool:
        """Whether nothing changed."""
        raise NotImplementedError

    def follow(self, value: Any, deaths: Deaths) -> tuple[int, int] | None:
        """Take in what changed, if that can be told: how many items at the beginning and at the end did not."""
        return None


class Constant(Shadow):
    """An object that cannot change."""

    __slots__ = ()

    def __init__(self) -> None:
        self.length = 0

    def same(self, value: Any, deaths: Deaths) -> bool:
        """Never changed."""
        return True


CONSTANT = Constant()


class Atoms(Shadow):
    """A list, set or deque of atoms only."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any], length: int) -> None:
        self.items, self.length = items, length

    def same(self, value: Any, deaths: Deaths) -> bool:
        """The very same atoms in the same places."""
        return len(value) == self.length and all(map(_is, value, self.items))

    def follow(self, value: Any, deaths: Deaths) -> tuple[int, int] | None:
        """Of a list: between which atoms only other atoms have changed."""
        start, stop = _agreement(self.items, value, _is_not)
        if not self.put(start, self.length - stop, value[start : len(value) - stop], len(value)):
            return None
        return start, stop

    def put(self, start: int, stop: int, items: Sequence[Any], length: int) -> bool:
        """Hold other items between two places, of `length` in all; False where they are no atoms."""
        if not plain(items):
            return False
        self.items[start:stop] = items
        self.length = length
        return True


class Items(Shadow):
    """A list, set or deque with objects in it: their addresses. `atoms` has the atoms in their places: kept alive."""

    __slots__ = ("atoms", "deaths", "items")

    def __init__(self, items: list[Any], length: int, deaths: int) -> None:
        self.items, self.atoms, self.length, self.deaths = list(map(id, items)), _atoms(items), length, deaths

    def same(self, value: Any, deaths: Deaths) -> bool:
        """The same addresses, and nobody died there."""
        if len(value) != self.length or not self._alive(deaths):
            return False
        return list(map(id, islice(value, ITEMS_LIMIT))) == self.items

    def _alive(self, deaths: Deaths) -> bool:
        if self.deaths != deaths.count:
            if not deaths.spare(self.deaths, self.items):
                return False
            self.deaths = deaths.count
        return True

    def follow(self, value: Any, deaths: Deaths) -> tuple[int, int] | None:
        """Of a list: between which items some have changed."""
        if not self._alive(deaths):
            return None
        start, stop = _agreement(self.items, list(map(id, value)), _ne)
        self.put(start, self.length - stop, value[start : len(value) - stop], len(value))
        return start, stop

    def put(self, start: int, stop: int, items: Sequence[Any], length: int) -> bool:
        """As Atoms.put."""
        self.items[start:stop] = map(id, items)
        self.atoms[start:stop] = _atoms(items)
        self.length = length
        return True


class AtomDict(Shadow):
    """A dict with atoms for keys and values."""

    __slots__ = ("items", "keys", "places")

    def __init__(self, keys: list[Any], items: list[Any], length: int) -> None:
        self.keys, self.items, self.length = keys, items, length
        self.places: dict[Any, int] | None = None

    def same(self, value: Any, deaths: Deaths) -> bool:
        """The very same atoms in the same order."""
        return (
            len(value) == self.length
            and all(map(_is, _dict_values(value), self.items))
            and all(map(_is, _dict_keys(value), self.keys))
        )

    def follow(self, value: Any, deaths: Deaths) -> tuple[int, int] | None:
        """The keys are the same: between which values only atoms have changed."""
        if len(value) != self.length or not all(map(_is, _dict_keys(value), self.keys)):
            return None
        items = list(_dict_values(value))
        start, stop = _agreement(self.items, items, _is_not)
        if not plain(items[start : len(items) - stop]):
            return None
        self.items = items
        return start, stop

    def place(self, key: Any) -> int:
        """Which entry has this key, an atom; −1 if none has."""
        if self.places is None:
            self.places = dict(zip(self.keys, count()))
        return self.places.get(key, -1)

    def put(self, place: int, item: Any) -> bool:
        """Hold another value; False where it is no atom."""
        if id(type(item)) not in TEXTS:
            return False
        self.items[place] = item
        return True

    def add(self, key: Any, item: Any) -> bool:
        """Hold one more entry; False where it is none of atoms."""
        if id(type(item)) not in TEXTS or id(type(key)) not in TEXTS:
            return False
        self.items.append(item)
        self._key(key)
        return True

    def _key(self, key: Any) -> None:
        if self.places is not None:
            self.places[key] = len(self.keys)
        self.keys.append(key)
        self.length += 1


class Entries(AtomDict):
    """A dict with objects in it, and atoms for keys. `atoms` has the atoms among the values in their places."""

    __slots__ = ("atoms", "deaths")

    def __init__(self, keys: list[Any], items: list[Any], length: int, deaths: int) -> None:
        super().__init__(keys, list(map(id, items)), length)
        self.atoms, self.deaths = _atoms(items), deaths

    def same(self, value: Any, deaths: Deaths) -> bool:
        """The same addresses in the same order, and nobody died there."""
        return (
            len(value) == self.length
            and self._alive(deaths)
            and list(map(id, islice(_dict_values(value), ITEMS_LIMIT))) == self.items
            and all(map(_is, _dict_keys(value), self.keys))
        )

    def _alive(self, deaths: Deaths) -> bool:
        if self.deaths != deaths.count:
            if not deaths.spare(self.deaths, self.items):
                return False
            self.deaths = deaths.count
        return True

    def follow(self, value: Any, deaths: Deaths) -> tuple[int, int] | None:
        """The keys are the same: between which values some have changed."""
        if len(value) != self.length or not self._alive(deaths) or not all(map(_is, _dict_keys(value), self.keys)):
            return None
        return self._follow_values(list(_dict_values(value)))

    def _follow_values(self, values: list[Any]) -> tuple[int, int]:
        addresses = list(map(id, values))
        start, stop = _agreement(self.items, addresses, _ne)
        kept = len(values) - stop
        self.atoms[start:kept] = _atoms(values[start:kept])
        self.items = addresses
        return start, stop

    def put(self, place: int, item: Any) -> bool:
        """Hold another value."""
        self.items[place] = id(item)
        self.atoms[place] = item if id(type(item)) in TEXTS else None
        return True

    def add(self, key: Any, item: Any) -> bool:
        """Hold one more entry; False where its key is no atom."""
        if id(type(key)) not in TEXTS:
            return False
        self.items.append(id(item))
        self.atoms.append(item if id(type(item)) in TEXTS else None)
        self._key(key)
        return True


class Pairs(Entries):
    """A dict that has objects among its keys, which are known by their addresses. `kept` has the atoms among them."""

    __slots__ = ("kept",)

    def __init__(self, keys: list[Any], items: list[Any], length: int, deaths: int) -> None:
        super().__init__(list(map(id, keys)), items, length, deaths)
        self.kept = _atoms(keys)

    def same(self, value: Any, deaths: Deaths) -> bool:
        """The same addresses in the same order, and nobody died there."""
        return (
            len(value) == self.length
            and self._alive(deaths)
            and list(map(id, islice(_dict_values(value), ITEMS_LIMIT))) == self.items
            and list(map(id, islice(_dict_keys(value), ITEMS_LIMIT))) == self.keys
        )

    def _alive(self, deaths: Deaths) -> bool:
        return self.deaths == deaths.count or (deaths.spare(self.deaths, self.keys) and super()._alive(deaths))

    def follow(self, value: Any, deaths: Deaths) -> tuple[int, int] | None:
        """The keys are the same: between which values some have changed."""
        if len(value) != self.length or not self._alive(deaths) or list(map(id, _dict_keys(value))) != self.keys:
            return None
        return self._follow_values(list(_dict_values(value)))

    def place(self, key: Any) -> int:
        """Keys may not be asked whether they are equal."""
        return -1

    def add(self, key: Any, item: Any) -> bool:
        """Hold one more entry."""
        self.keys.append(id(key))
        self.kept.append(key if id(type(key)) in TEXTS else None)
        self.items.append(id(item))
        self.atoms.append(item if id(type(item)) in TEXTS else None)
        self.length += 1
        return True


class Named(Shadow):
    """A function without attributes."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name, self.length = name, 0

    def same(self, value: Any, deaths: Deaths) -> bool:
        """The same name, and still no attributes."""
        return function_name(value) is self.name and not function_attributes(value)


def _atoms(items: Iterable[Any]) -> list[Any]:
    return [item if id(type(item)) in TEXTS else None for item in items]


def plain(items: Iterable[Any]) -> bool:
    """Whether all of these are atoms."""
    return all(map(_is_atom_type, map(id, map(type, items))))


def _agreement(old: list[Any], new: list[Any], differ: Callable[[Any, Any], bool]) -> tuple[int, int]:
    """How many items two lists share at their beginnings, and at their ends beyond that."""
    shorter = min(len(old), len(new))
    start = next(compress(count(), map(differ, old, new)), shorter)
    rest = shorter - start
    # Most often something came, or went, in one place; addresses are soon compared.
    if differ is _ne and rest and old[len(old) - rest :] == new[len(new) - rest :]:
        return start, rest
    stop = next(compress(count(), map(differ, reversed(old), reversed(new))), shorter)
    return start, min(stop, rest)


def of_items(value: Any, deaths: int) -> Shadow:
    """The shadow of a list, set, frozenset or deque."""
    items = list(value) if len(value) <= ITEMS_LIMIT else list(islice(value, ITEMS_LIMIT))
    return Atoms(items, len(value)) if plain(items) else Items(items, len(value), deaths)


def of_dict(value: dict[Any, Any], deaths: int) -> AtomDict:
    """The shadow of a dict."""
    keys, items = list(value), list(_dict_values(value))
    if len(keys) > ITEMS_LIMIT:
        del keys[ITEMS_LIMIT:], items[ITEMS_LIMIT:]
    if not plain(keys):
        return Pairs(keys, items, len(value), deaths)
    return AtomDict(keys, items, len(value)) if plain(items) else Entries(keys, items, len(value), deaths)


def of_function(value: types.FunctionType, deaths: int) -> Shadow | None:
    """The shadow of a function."""
    return None if function_attributes(value) else Named(function_name(value))


CASTS: dict[int, Callable[[Any, int], Shadow | None]] = {
    id(list): of_items,
    id(set): of_items,
    id(dict): of_dict,
    id(types.FunctionType): of_function,
}
for _fixed in (tuple, frozenset, range, slice, types.BuiltinFunctionType):
    CASTS[id(_fixed)] = lambda value, deaths: CONSTANT
