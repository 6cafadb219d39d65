"""What a call from traced code may change, judged when it is made.

CPython says what is called, and with which first argument (`sys.monitoring`, CALL). What Python functions do is seen in
their own frames; of what is written in C it is known here, by identity, what changes nothing, and what changes nothing
but the object that it belongs to or is given first. Anything else may change anything.

A function in C that calls back (`key=`, `__eq__`) is seen to do so: see `Activation.busy`.
"""

from __future__ import annotations

import types
from typing import Any

from tracepane.record.own import BUILTINS
from tracepane.record.values.kinds import IMMUTABLE, dict_of, flags_of, mro_of, type_name

globals()["__builtins__"] = BUILTINS

UNKNOWN, PURE, LAZY, KEYED, SPEAKS, FIRST, FIRST_LAZY, SORT, SET, TAIL, POP, HEAD, ONE, MAKES = range(14)
"""May change anything; nothing; nothing if no lazy iterator exists; that, if no `key` is given; nothing, but writes
output; the first argument; that, if no lazy iterator exists; that, if no `key` is given; that, if it is no module; only
its end; its end, if there are no more arguments; its beginning; one member of it; nothing, but makes an instance of a
class of the program's."""

_TEXT = (
    "capitalize casefold center count encode decode endswith expandtabs find format hex index isalnum isalpha isascii "
    "isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper ljust lower lstrip maketrans "
    "partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines "
    "startswith strip swapcase title upper zfill"
)
_SETS = "difference intersection union issubset issuperset isdisjoint symmetric_difference"
_METHODS = {
    "list": {
        PURE: "copy count index __getitem__ __len__", TAIL: "append",
        FIRST: "clear insert remove reverse __setitem__ __delitem__",
        FIRST_LAZY: "extend __init__", SORT: "sort", POP: "pop",
    },
    "dict": {
        PURE: "copy get items keys values", FIRST: "clear pop __setitem__ __delitem__",
        TAIL: "popitem setdefault",
        FIRST_LAZY: "update __init__",
        LAZY: "fromkeys",
    },
    "set": {
        PURE: "copy", LAZY: _SETS, ONE: "add discard remove pop", FIRST: "clear",
        FIRST_LAZY: "update difference_update intersection_update symmetric_difference_update",
    },
    "frozenset": {PURE: "copy", LAZY: _SETS},
    "tuple": {PURE: "count index"},
    "str": {PURE: _TEXT, LAZY: "join"},
    "bytes": {PURE: _TEXT, LAZY: "join"},
    "bytearray": {PURE: _TEXT, FIRST: "append clear insert pop remove reverse", FIRST_LAZY: "extend"},
    "int": {PURE: "bit_count bit_length conjugate to_bytes from_bytes as_integer_ratio is_integer"},
    "float": {PURE: "as_integer_ratio hex is_integer conjugate fromhex"},
    "complex": {PURE: "conjugate"},
    "range": {PURE: "count index"},
    "object": {
        PURE: "__init__ __new__ __repr__ __str__ __hash__ __format__ __sizeof__ __eq__ __ne__ __getattribute__",
        SET: "__setattr__ __delattr__",
    },
    "BaseException": {FIRST: "__init__ with_traceback add_note", PURE: "__str__ __repr__"},
    "generator": {FIRST: "send throw close __next__"},
    "coroutine": {FIRST: "send throw close"},
    "deque": {
        PURE: "copy count index", TAIL: "append", POP: "pop", HEAD: "popleft",
        FIRST: "appendleft clear insert remove reverse rotate", FIRST_LAZY: "extend extendleft",
    },
}  # fmt: skip
_FUNCTIONS = {
    "builtins": {
        PURE: "abs ascii bin callable chr divmod format getattr hasattr hash hex id isinstance issubclass len oct ord "
        "pow repr round globals locals vars",
        LAZY: "all any next sum",
        KEYED: "max min sorted",
        SPEAKS: "print",
        SET: "setattr delattr",
    },
    "math": {
        PURE: "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees erf erfc exp exp2 expm1 "
        "fabs factorial floor fma fmod frexp gamma gcd hypot isclose isfinite isinf isnan isqrt lcm ldexp lgamma log "
        "log10 log1p log2 modf nextafter perm pow radians remainder sin sinh sqrt tan tanh trunc ulp",
        LAZY: "dist fsum prod sumprod",
    },
    "_heapq": {FIRST: "heapify heappop heappush heappushpop heapreplace"},
    "_bisect": {PURE: "bisect bisect_left bisect_right", FIRST: "insort insort_left insort_right"},
    "_operator": {
        PURE: "add sub mul truediv floordiv mod neg pos eq ne lt le gt ge is_ is_not not_ truth and_ or_ xor"
    },
}
_TYPES = {
    PURE: "bool int float complex object range slice super type property staticmethod classmethod enumerate zip "
    "reversed",
    LAZY: "bytearray bytes dict frozenset list set str tuple",
}
_EVERY = {name: what for what, names in _TYPES.items() for name in names.split()}

_FUNCTION, _METHOD, _BUILTIN = types.FunctionType, types.MethodType, types.BuiltinFunctionType
_DESCRIPTORS = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
_self_of = _BUILTIN.__dict__["__self__"].__get__
_name_of = _BUILTIN.__dict__["__name__"].__get__
_module_name = types.ModuleType.__dict__["__dict__"].__get__  # type: ignore[index]
_wrapped_self, _wrapped_name = (types.MethodWrapperType.__dict__[name].__get__ for name in ("__self__", "__name__"))
_owner_of = {id(kind): kind.__dict__["__objclass__"].__get__ for kind in _DESCRIPTORS}
_label_of = {id(kind): kind.__dict__["__name__"].__get__ for kind in _DESCRIPTORS}
_NEWS = (object.__dict__["__new__"], BaseException.__dict__["__new__"])
_INIT = object.__dict__["__init__"]


def judge(function: Any) -> tuple[int, Any, bool]:
    """What a call of something that is no Python function may change; the object that it belongs to, if it is bound,
    and whether that judgement holds for ever."""
    kind = type(function)
    if kind is type:
        return _judge_class(function)
    if id(kind) in _owner_of:
        return _judge_method(_owner_of[id(kind)](function), _label_of[id(kind)](function)), None, True
    if kind is _BUILTIN:
        return _judge_builtin(function)
    if kind is types.MethodWrapperType:
        owner = _wrapped_self(function)
        return _judge_method(type(owner), _wrapped_name(function)), owner, False
    for parent in mro_of(kind):
        call = dict_of(parent).get("__call__")
        if call is not None:
            return (PURE if type(call) is _FUNCTION else UNKNOWN), None, False
    return UNKNOWN, None, False


def _judge_class(kind: type) -> tuple[int, Any, bool]:
    """A class whose instances `object` or BaseException makes and a Python function sets up; or one of the library."""
    if flags_of(kind) & IMMUTABLE:
        if any(parent is BaseException for parent in mro_of(kind)):
            return PURE, None, True
        own = type(dict_of(kind).get("__module__")) is not str  # a type in C that `builtins` has
        return (_EVERY.get(type_name(kind), UNKNOWN) if own else UNKNOWN), None, True
    new = first(kind, "__new__")
    init = first(kind, "__init__")
    plain = new is _NEWS[0] or new is _NEWS[1]
    if plain and (init is _INIT or type(init) is _FUNCTION or (new is _NEWS[1] and type(init) is type(_INIT))):
        return MAKES, init, False
    return UNKNOWN, None, False


def set_up(kind: type) -> types.FunctionType | None:
    """The function that sets up the instances which `object` makes of a class; None where that is not so simple."""
    if len(mro_of(kind)) != 2:
        return None
    own = dict_of(kind)
    init = own.get("__init__")
    return init if type(init) is _FUNCTION and "__new__" not in own else None


def first(kind: type, name: str) -> Any:
    """What the classes of an object have under a name."""
    for parent in mro_of(kind):
        found = dict_of(parent).get(name)
        if found is not None:
            return found
    return None


def _judge_method(owner: type, name: str) -> int:
    """A method in C of a type that is known; of a subclass too, which has other methods of its own."""
    if not flags_of(owner) & IMMUTABLE:
        return UNKNOWN
    for parent in mro_of(owner):
        found = _look_up(_METHODS.get(type_name(parent), {}), name)
        if found != UNKNOWN:
            return found
    return UNKNOWN


def _judge_builtin(function: Any) -> tuple[int, Any, bool]:
    owner, name = _self_of(function), _name_of(function)
    if type(owner) is types.ModuleType:
        return _look_up(_FUNCTIONS.get(_module_name(owner).get("__name__"), {}), name), None, True
    if type(owner) is type:
        what = _judge_method(owner, name)
        return (what if what in (PURE, LAZY) else UNKNOWN), None, False
    if type(owner) is not type(None):
        return _judge_method(type(owner), name), owner, False
    return UNKNOWN, None, False


def _look_up(table: dict[int, str], name: str) -> int:
    for what, names in table.items():
        if name in names.split():
            return what
    return UNKNOWN
