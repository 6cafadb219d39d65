"""What the heap knows of an object and of a type."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import FunctionType
from typing import Any, Protocol

from tracepane.record.format.writer import TraceWriter
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.finality import may_finalize
from tracepane.record.recorder.shadow import CASTS, Deaths, Shadow, of_items
from tracepane.record.recorder.shape import Shape, of_instance
from tracepane.record.values.innards import left_out
from tracepane.record.values.kinds import collection, derives, holds_items, resumable_code, weak_offset_of
from tracepane.record.values.lazy import is_lazy
from tracepane.record.values.readers import attribute_dict, is_instance, reader
from tracepane.record.values.reading import Read

globals()["__builtins__"] = BUILTINS


class Watch(weakref.ref[Any]):
    """A weak reference that knows whose it was: an Entry's, or a type's address."""

    __slots__ = ("whose",)
    whose: Any


class Entry:
    """What is known of an object.

    `held` is the object itself if it takes no weak reference, `watch` yields it otherwise. `stamp` is the epoch in
    which it was last looked at; a `leaf` holds no objects, as far as its last version goes; what is stored into a
    `plain` one, or done to it by a method in C, changes nothing else.
    """

    __slots__ = ("address", "held", "leaf", "number", "plain", "sensitive", "shadow", "stamp", "watch")

    def __init__(self, number: int, address: int) -> None:
        self.number, self.address, self.stamp = number, address, -1
        self.held: Any = None
        self.watch: Callable[[], Any] = nothing
        self.leaf = self.plain = True
        self.shadow: Shadow | None = None
        self.sensitive = False


nothing: Callable[[], None] = type(None)
"""The watch of an object that is held: says None, and is no function of ours that a trace function could see."""


class Kind:
    """What is known of a type: its name's string id, how its objects are read, whether they may have finalizers."""

    __slots__ = (
        "bare", "cast", "code_of", "finalizes", "holds", "lazy", "missing", "name", "notable", "own", "plain", "queue",
        "read", "shape", "watch", "watchable", "weak",
    )  # fmt: skip

    def __init__(self, kind: type, watch: Callable[[], Any]) -> None:
        self.name = -1  # its string joins the table when a version first needs it
        self.read: Read = reader(kind)
        self.queue = collection(kind, "deque") is kind
        self.finalizes = may_finalize(kind)
        self.own = attribute_dict(kind)  # reads the attributes, where there are no others than those in a `__dict__`
        self.bare = self.own is not None and not left_out(kind)  # and shows all of them
        self.shape = Shape(self.own, id(kind)) if self.own is not None else None
        self.cast = of_items if self.queue else CASTS.get(id(kind)) or of_instance(self.shape, self.bare)
        self.holds = holds_items(kind)
        self.weak = derives(kind, weakref.ref)
        # Whether an assignment, or a method of a built-in type, changes no more than the object itself.
        self.plain = self.holds or self.own is not None or kind is FunctionType or kind is type or is_instance(kind)
        self.lazy, self.missing = is_lazy(kind), collection(kind, "defaultdict") is not None
        self.code_of = resumable_code(kind)
        self.watchable = bool(weak_offset_of(kind))
        # Whether the heap must know more of such an object than that it is there.
        self.notable = (
            self.finalizes or self.lazy or self.missing or self.weak or kind is FunctionType or self.code_of is not None
        )
        self.watch = watch


class Objects(Protocol):
    """The heap, as those see it that write its objects' versions; see heap.py."""

    writer: TraceWriter
    deaths: Deaths
    entries: dict[int, Entry]
    ints: dict[int, int]
    words: dict[str, int]
    ranks: dict[int, tuple[str, str]]
    cells: dict[int, tuple[Any, ...]]
    looked: int

    def ref(self, value: Any) -> int:
        """The ref of a value."""

    def cast(self, entry: Entry) -> Shadow | None:
        """What an object holds now."""

    def kind(self, kind: type) -> Kind:
        """What is known of a type."""
