"""Whether instances still hold what they did: those of a class mostly have the same attributes in the same order."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import islice
from typing import Any

from tracepane.record.format.layout import ITEMS_LIMIT
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.shadow import Deaths, Shadow
from tracepane.record.values.atoms import TEXTS

globals()["__builtins__"] = BUILTINS

_is = operator.is_
_dict_values = dict.values
_MOST_SHAPES = 1_000  # of a class that are kept: there are more only where attributes are used like a dict's keys


class Shape(Shadow):
    """Instances of a class that have the same attributes in the same order, all in their `__dict__`.

    What they hold is not known: as the shadow of an instance it says that this is only known from its last version.
    `places` has the attributes' names in their order, and may have more of them beyond `length`; `get` reads the
    `__dict__` of an instance.
    """

    __slots__ = ("_family", "_next", "get", "kind", "places")

    def __init__(self, get: Callable[[Any], Any], kind: int) -> None:
        """Without any attribute, of a class that is known by its address."""
        self.get, self.kind, self.length = get, kind, 0
        self.places: dict[str, int] = {}
        self._next: dict[str, Shape] = {}
        self._family: list[Shape] = []  # all that are kept

    def same(self, value: Any, deaths: Deaths) -> bool:
        """Not known."""
        return False

    def then(self, name: str) -> Shape:
        """The shape with one attribute more."""
        return self._next.get(name) or self._add(name)

    def _add(self, name: str) -> Shape:
        added, places = Shape(self.get, self.kind), self.places
        if len(places) > self.length:  # others have gone on differently
            places = dict(islice(places.items(), self.length))
        places[name] = self.length
        added.places, added.length, added._family = places, self.length + 1, self._family
        if len(self._family) < _MOST_SHAPES:
            self._next[name] = added
            self._family.append(added)
        return added

    def of(self, own: dict[Any, Any]) -> Shape | None:
        """The shape of an instance with this `__dict__`; None where an attribute's name is no str."""
        shape = self
        for name in own:
            if type(name) is not str:
                return None
            shape = shape._next.get(name) or shape._add(name)
        return shape


class Attributes(Shadow):
    """An instance of a `shape`, with the addresses of what it holds, and the atoms among that in their places."""

    __slots__ = ("atoms", "deaths", "items", "shape")

    def __init__(self, own: dict[Any, Any], deaths: int, shape: Shape) -> None:
        self.shape, self.length, self.deaths = shape, shape.length, deaths
        # Most have few attributes: what is soon begun is quicker here than what is quick for many.
        items = [*own.values()]
        self.items = [id(item) for item in items]
        self.atoms = [item if id(type(item)) in TEXTS else None for item in items]

    def same(self, value: Any, deaths: Deaths) -> bool:
        """The same class (an assignment to `__class__` changes it), and what its `__dict__` says."""
        shape = self.shape
        if id(type(value)) != shape.kind:
            return False
        own = shape.get(value)
        return (
            type(own) is dict
            and len(own) == self.length
            and (self.deaths == deaths.count or self._alive(deaths))
            and list(map(id, _dict_values(own))) == self.items
            and all(map(_is, own, shape.places))
        )

    def _alive(self, deaths: Deaths) -> bool:
        if not deaths.spare(self.deaths, self.items):
            return False
        self.deaths = deaths.count
        return True


class Shown(Attributes):
    """An instance that does not show all of its attributes."""

    __slots__ = ()


def of_instance(shape: Shape | None, bare: bool) -> Callable[[Any, int], Shadow | None]:
    """Makes the shadows of instances of a class, all of whose attributes are in their `__dict__`; `shape` is without
    any. `bare`: they show all of them."""
    make = Attributes if bare else Shown

    def cast(value: Any, deaths: int) -> Shadow | None:
        own = shape.get(value) if shape is not None else None
        if shape is None or type(own) is not dict or len(own) > ITEMS_LIMIT:
            return None
        found = shape.of(own)
        return make(own, deaths, found) if found is not None else None

    return cast
