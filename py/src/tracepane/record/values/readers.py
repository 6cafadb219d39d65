"""Reads any value by its exact type, and never calls the program's code.

No repr, eq, hash, getattr, property, iterator or len of the program's runs: everything goes through the built-in types'
own methods and descriptors, taken here before the program could replace anything.
"""

from __future__ import annotations

import builtins
import sys
import types
from collections import OrderedDict
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from tracepane.record.format import layout
from tracepane.record.format.layout import EXTENDED, ITEMS_LIMIT
from tracepane.record.own import BUILTINS
from tracepane.record.values.atoms import BASES, TEXTS
from tracepane.record.values.innards import left_out
from tracepane.record.values.kinds import (
    BUILTIN,
    DICT,
    EXCEPTION,
    LIST,
    TUPLE,
    TYPE,
    collection,
    derives,
    dict_getter,
    dict_of,
    flags_of,
    made_in_python,
    slot_getters,
    type_name,
)
from tracepane.record.values.reading import NAME, VALUE, Part, Read, Reading

globals()["__builtins__"] = BUILTINS

_OTHER_BASES = (set, frozenset, bytearray, float, complex, types.ModuleType)

_dict_items, _dict_len, _dict_keys = dict.items, dict.__len__, dict.__iter__
_list_len, _tuple_len, _set_len, _frozenset_len = list.__len__, tuple.__len__, set.__len__, frozenset.__len__
_odict_items = OrderedDict.items


def reader(kind: type) -> Read:
    """How objects of exactly this type are read."""
    known = _EXACT.get(id(kind))
    if known is not None:
        return known
    flags = flags_of(kind)
    if flags & TYPE:
        return _read_class
    if flags & EXCEPTION:
        return _exception(kind)
    for number, base, read in _BASES:
        if flags & number or (number == 0 and derives(kind, base)):
            return _extended(kind, read)
    queue = collection(kind, "deque")
    if queue is not None:
        read = _deque(queue)
        return read if queue is kind else _extended(kind, read)
    if derives(kind, types.ModuleType):
        return _read_module
    for base, plain in BASES:
        if derives(kind, base):
            return _atomic(kind, plain)
    if made_in_python(kind):
        return _instance(kind)
    return read_opaque


def _values(items: Iterable[Any]) -> list[Part]:
    return [(VALUE, item) for item in items]


def read_opaque(_: Any) -> Reading:
    """Only the type's name is told."""
    return Reading(layout.OPAQUE, 0, [])


def _read_list(value: list[Any]) -> Reading:
    return Reading(layout.LIST, _list_len(value), _values(islice(list.__iter__(value), ITEMS_LIMIT)))


def _read_tuple(value: tuple[Any, ...]) -> Reading:
    return Reading(layout.TUPLE, _tuple_len(value), _values(islice(tuple.__iter__(value), ITEMS_LIMIT)))


def _read_set(value: set[Any]) -> Reading:
    return Reading(layout.SET, _set_len(value), _values(islice(set.__iter__(value), ITEMS_LIMIT)))


def _read_frozenset(value: frozenset[Any]) -> Reading:
    return Reading(layout.FROZENSET, _frozenset_len(value), _values(islice(frozenset.__iter__(value), ITEMS_LIMIT)))


def _deque(kind: type) -> Read:
    length, iterate = dict_of(kind)["__len__"], dict_of(kind)["__iter__"]
    return lambda value: Reading(layout.DEQUE, length(value), _values(islice(iterate(value), ITEMS_LIMIT)))


# What `exec` puts into a namespace that has none: the library's own, and not the same in every patch version.
PROGRAM_BUILTINS = vars(builtins)


def _read_dict(value: dict[Any, Any]) -> Reading:
    if value is PROGRAM_BUILTINS:
        return Reading(layout.MODULE, 0, [(NAME, "builtins")])
    entries = islice(_dict_items(value), ITEMS_LIMIT)
    return Reading(layout.DICT, _dict_len(value), [(VALUE, part) for entry in entries for part in entry])


def _read_ordered(value: OrderedDict[Any, Any]) -> Reading:
    """In an OrderedDict's order, which is not its dict's after move_to_end. Asking for it hashes the keys."""
    if not all(id(type(key)) in TEXTS for key in _dict_keys(value)):
        return _read_dict(value)
    entries = islice(_odict_items(value), ITEMS_LIMIT)
    return Reading(layout.DICT, _dict_len(value), [(VALUE, part) for entry in entries for part in entry])


def _read_bytearray(value: bytearray) -> Reading:
    return Reading(
        layout.BYTEARRAY, bytearray.__len__(value), [(VALUE, bytes(bytearray.__getitem__(value, slice(None))))]
    )


def _read_class(value: type) -> Reading:
    return Reading(layout.CLASS, 0, [(NAME, type_name(value))])


_module_dict: Callable[[Any], Any] = types.ModuleType.__dict__["__dict__"].__get__  # type: ignore[index]


def _read_module(value: types.ModuleType) -> Reading:
    name = (_module_dict(value) or {}).get("__name__")
    return Reading(layout.MODULE, 0, [(NAME, name if type(name) is str else "module")])


def _getter(kind: Any, name: str) -> Callable[[Any], Any]:
    getter: Callable[[Any], Any] = kind.__dict__[name].__get__
    return getter


function_name = _getter(types.FunctionType, "__qualname__")
_function_plain_name = _getter(types.FunctionType, "__name__")
function_attributes = _getter(types.FunctionType, "__dict__")


def _read_function(value: types.FunctionType) -> Reading:
    attributes = _attributes(function_attributes(value))
    name = [(NAME, function_name(value))]
    return Reading(layout.FUNCTION | EXTENDED, 0, name, attributes) if attributes else Reading(layout.FUNCTION, 0, name)


def _named(kind: Any) -> Read:
    name_of = _getter(kind, "__qualname__")
    return lambda value: Reading(layout.FUNCTION, 0, [(NAME, name_of(value))])


_builtin_self = _getter(types.BuiltinFunctionType, "__self__")
_builtin_name = _getter(types.BuiltinFunctionType, "__name__")


def _read_builtin(value: types.BuiltinFunctionType) -> Reading:
    bound = _builtin_self(value)
    if bound is None or type(bound) is types.ModuleType:
        return Reading(layout.FUNCTION, 0, [(NAME, _builtin_name(value))])
    return Reading(layout.METHOD, 0, [(VALUE, bound), (NAME, _builtin_name(value))])


_method_self = _getter(types.MethodType, "__self__")
_method_function = _getter(types.MethodType, "__func__")


def _read_method(value: types.MethodType) -> Reading:
    function = _method_function(value)
    name = _function_plain_name(function) if type(function) is types.FunctionType else type_name(type(function))
    return Reading(layout.METHOD, 0, [(VALUE, _method_self(value)), (NAME, name)])


_wrapper_self = _getter(types.MethodWrapperType, "__self__")
_wrapper_name = _getter(types.MethodWrapperType, "__name__")


def _read_wrapper(value: Any) -> Reading:
    return Reading(layout.METHOD, 0, [(VALUE, _wrapper_self(value)), (NAME, _wrapper_name(value))])


def _resumable(kind: Any, prefix: str, shape: int) -> Read:
    name_of = _getter(kind, "__qualname__")
    if prefix + "suspended" not in kind.__dict__:  # before 3.11 (coroutines) and 3.12 (async generators)
        return lambda value: Reading(shape, 0, [(NAME, name_of(value)), (VALUE, "")])
    suspended, running = _getter(kind, prefix + "suspended"), _getter(kind, prefix + "running")
    frame_of = _getter(kind, prefix + "frame")

    def read(value: Any) -> Reading:
        state = "running"
        if suspended(value):
            state = "suspended"
        elif not running(value):
            state = "closed" if frame_of(value) is None else "created"
        return Reading(shape, 0, [(NAME, name_of(value)), (VALUE, state)])

    return read


def _span(shape: int) -> Read:
    return lambda value: Reading(shape, 0, [(VALUE, value.start), (VALUE, value.stop), (VALUE, value.step)])


def _instance(kind: type) -> Read:
    """An object of a class that was made in Python: its own `__dict__`, then its slots."""
    own, without = dict_getter(kind), left_out(kind)
    slots = [(name, get) for name, get in slot_getters(kind) if name not in without]

    def read(value: Any) -> Reading:
        parts = _attributes(own(value), without) if own is not None else []
        for name, get in slots:
            try:
                parts += ((NAME, name), (VALUE, get(value)))
            except AttributeError:  # not set; these descriptors raise nothing else
                continue
        return Reading(layout.INSTANCE, len(parts) // 2, parts)

    return read


def attribute_dict(kind: type) -> Callable[[Any], Any] | None:
    """Reads the `__dict__` of instances of a class made in Python that have neither slots nor items; else None."""
    flags = flags_of(kind)
    if id(kind) in _EXACT or flags & (TYPE | EXCEPTION) or not made_in_python(kind):
        return None
    if (
        flags & BUILTIN
        or any(derives(kind, base) for base in _OTHER_BASES)
        or collection(kind, "deque")
        or slot_getters(kind)
    ):
        return None
    return dict_getter(kind)


def is_instance(kind: type) -> bool:
    """Whether objects of this type hold nothing but attributes, in a `__dict__` or in slots made in Python."""
    return id(kind) not in _EXACT and made_in_python(kind) and not flags_of(kind) & (BUILTIN & ~EXCEPTION & ~TYPE)


def _attributes(own: Any, without: frozenset[str] = frozenset()) -> list[Part]:
    parts: list[Part] = []
    if own is not None:
        for name, value in islice(_dict_items(own), ITEMS_LIMIT):
            if type(name) is str and name not in without:
                parts += ((NAME, name), (VALUE, value))
    return parts


def _extended(kind: type, read: Read) -> Read:
    """A subclass of a built-in container: the items of the container, then attributes."""
    attributes = _instance(kind)

    def extended(value: Any) -> Reading:
        plain = read(value)
        return Reading(plain.shape | EXTENDED, plain.length, plain.parts, attributes(value).parts)

    return extended


def _atomic(kind: type, plain: Callable[[Any], Any]) -> Read:
    """A subclass of an atom type: its plain value, then attributes."""
    attributes = _instance(kind)

    def atomic(value: Any) -> Reading:
        return Reading(layout.INSTANCE | EXTENDED, 1, [(VALUE, plain(value))], attributes(value).parts)

    return atomic


_reduce = BaseException.__dict__["__reduce__"]
_args_of = BaseException.__dict__["args"].__get__


def _exception(kind: type) -> Read:
    slots = slot_getters(kind)

    def read(value: BaseException) -> Reading:
        args = _args_of(value)
        attributes = _attributes(_exception_dict(value))
        for name, get in slots:
            try:
                attributes += ((NAME, name), (VALUE, get(value)))
            except AttributeError:
                continue
        return Reading(layout.EXCEPTION | EXTENDED, _tuple_len(args), _values(args[:ITEMS_LIMIT]), attributes)

    return read


def _exception_dict(value: BaseException) -> Any:
    """The exception's `__dict__` if it has one: asking for it by name would make one, which pickling would show."""
    state = _reduce(value)
    return state[2] if len(state) > 2 else None


_namespace_dict = _getter(types.SimpleNamespace, "__dict__")


def _read_namespace(value: Any) -> Reading:
    parts = _attributes(_namespace_dict(value))
    return Reading(layout.INSTANCE, len(parts) // 2, parts)


_EXACT: dict[int, Read] = {
    id(kind): read
    for kind, read in (
        (list, _read_list),
        (tuple, _read_tuple),
        (set, _read_set),
        (frozenset, _read_frozenset),
        (dict, _read_dict),
        (bytearray, _read_bytearray),
        (type, _read_class),
        (types.ModuleType, _read_module),
        (types.FunctionType, _read_function),
        (types.BuiltinFunctionType, _read_builtin),
        (types.MethodType, _read_method),
        (types.MethodWrapperType, _read_wrapper),
        (types.MethodDescriptorType, _named(types.MethodDescriptorType)),
        (types.WrapperDescriptorType, _named(types.WrapperDescriptorType)),
        (types.ClassMethodDescriptorType, _named(types.ClassMethodDescriptorType)),
        (types.GeneratorType, _resumable(types.GeneratorType, "gi_", layout.GENERATOR)),
        (types.CoroutineType, _resumable(types.CoroutineType, "cr_", layout.COROUTINE)),
        (types.AsyncGeneratorType, _resumable(types.AsyncGeneratorType, "ag_", layout.ASYNC_GENERATOR)),
        (types.SimpleNamespace, _read_namespace),
        (range, _span(layout.RANGE)),
        (slice, _span(layout.SLICE)),
    )
}

_BASES: tuple[tuple[int, type, Read], ...] = (
    (LIST, list, _read_list),
    (TUPLE, tuple, _read_tuple),
    (DICT, dict, _read_dict),
    (0, set, _read_set),
    (0, frozenset, _read_frozenset),
    (0, bytearray, _read_bytearray),
)


def _add_ordered() -> None:
    plain = _extended(OrderedDict, _read_ordered)
    _EXACT[id(OrderedDict)] = plain


_add_ordered()


def _add_templates() -> None:
    if sys.version_info < (3, 14):
        return
    from string.templatelib import Interpolation, Template

    strings, interpolations = _getter(Template, "strings"), _getter(Template, "interpolations")
    fields = [(name, _getter(Interpolation, name)) for name in ("value", "expression", "conversion", "format_spec")]

    def read_template(value: Any) -> Reading:
        parts = []
        for text, between in zip(strings(value), (*interpolations(value), None), strict=True):
            parts += [(VALUE, text)] if text else []
            parts += [(VALUE, between)] if between is not None else []
        return Reading(layout.TEMPLATE, len(parts), parts)

    def read_interpolation(value: Any) -> Reading:
        parts: list[Part] = []
        for name, get in fields:
            parts += ((NAME, name), (VALUE, get(value)))
        return Reading(layout.INSTANCE, len(fields), parts)

    _EXACT[id(Template)] = read_template
    _EXACT[id(Interpolation)] = read_interpolation


_add_templates()
