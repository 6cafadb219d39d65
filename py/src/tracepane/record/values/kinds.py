"""What a type is, asked past its metaclass: names, bases and descriptors by `type`'s own methods only."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

mro_of = type.__dict__["__mro__"].__get__
dict_of = type.__dict__["__dict__"].__get__
flags_of = type.__dict__["__flags__"].__get__
weak_offset_of = type.__dict__["__weakrefoffset__"].__get__  # 0 where objects take no weak references
qualname_of = type.__dict__["__qualname__"].__get__
HEAP, IMMUTABLE = 1 << 9, 1 << 8
LIST, TUPLE, DICT, EXCEPTION, TYPE = 1 << 25, 1 << 26, 1 << 29, 1 << 30, 1 << 31
BUILTIN = 0xFF << 24  # subclasses of int, list, tuple, bytes, str, dict, BaseException, type
Get = Callable[[Any], Any]

_GETSET, _MEMBER = types.GetSetDescriptorType, types.MemberDescriptorType
_str = str.__str__


def type_name(kind: type) -> str:
    """The qualified name of a type."""
    return _str(qualname_of(kind))


def is_dict(value: object) -> bool:
    """Whether a value is a dict, of whatever class, whatever its `__class__` says."""
    return bool(flags_of(type(value)) & DICT)


def derives(kind: type, base: type) -> bool:
    """Whether a type is a class or a subclass of it, whatever either claims."""
    return any(parent is base for parent in mro_of(kind))


def collection(kind: type, name: str) -> type | None:
    """The base of a type that is `deque` or `defaultdict`: not those of ours, as a run loads its modules anew."""
    for parent in mro_of(kind):
        own = flags_of(parent) & IMMUTABLE and dict_of(parent).get("__module__") == "collections"
        if own and type_name(parent) == name:
            found: type = parent
            return found
    return None


def dict_getter(kind: type) -> Get | None:
    """Reads the instance `__dict__` past any attribute, property or `__getattribute__` of that name."""
    for parent in mro_of(kind):
        found = dict_of(parent).get("__dict__")
        if type(found) is _GETSET or type(found) is _MEMBER:
            getter: Get = found.__get__
            return getter
    return None


def slot_getters(kind: type) -> list[tuple[str, Get]]:
    """Names and getters of the `__slots__` of a class and its bases, those of the bases first."""
    found: list[tuple[str, Get]] = []
    for parent in reversed(mro_of(kind)):
        if made_in_python(parent):
            for name, member in dict_of(parent).items():
                if type(member) is _MEMBER and type(name) is str and name != "__dict__":
                    found.append((name, member.__get__))
    return found


def made_in_python(kind: type) -> bool:
    """Whether a type was made by a class statement, or could have been: types in C are static or cannot be changed."""
    flags = flags_of(kind)
    return bool(flags & HEAP) and not flags & IMMUTABLE


def holds_items(kind: type) -> bool:
    """Whether objects of this type are containers all of whose items are read."""
    flags = flags_of(kind)
    return bool(flags & (LIST | TUPLE | DICT)) or derives(kind, set) or collection(kind, "deque") is not None


def resumable_code(kind: type) -> Get | None:
    """Reads the code of generators, coroutines and async generators; None for objects of other types."""
    return _CODES.get(id(kind))


_RESUMABLE: tuple[tuple[Any, str], ...] = (
    (types.GeneratorType, "gi_code"),
    (types.CoroutineType, "cr_code"),
    (types.AsyncGeneratorType, "ag_code"),
)
_CODES: dict[int, Get] = {id(kind): kind.__dict__[name].__get__ for kind, name in _RESUMABLE}
