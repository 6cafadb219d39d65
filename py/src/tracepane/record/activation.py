"""One frame of a traced code while it lasts, and its local trace function, through which every event goes.

The trace function lives in the frame's `f_trace` and dies with it; it does not know the frame. Most events are lines
after which nothing but some locals can have changed; those take the short way at the top of `trace`.

Near the limit of recursion the recorder raises the limit for itself while it looks at an event. It needs one frame that
the program then cannot have; without one left the call is refused with the RecursionError that comes a frame later anyway.
"""

from __future__ import annotations

import gc
import opcode
import sys
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tracepane.record import layout
from tracepane.record.layout import CALL, LINE, RAISE, RESUME, RETURN, UNWIND, YIELD
from tracepane.record.lines import ALWAYS, WITH_LAZY, WITH_MISSING, Stretch
from tracepane.record.own import BUILTINS

if TYPE_CHECKING:
    from tracepane.record.code import Code
    from tracepane.record.heap import Entry
    from tracepane.record.recorder import Recorder
    from tracepane.record.scene import Namespace

globals()["__builtins__"] = BUILTINS

_get_limit, _set_limit = sys.getrecursionlimit, sys.setrecursionlimit
_referents = gc.get_referents
_mro_of = type.__dict__["__mro__"].__get__
_UNBOUND = object()
HEADROOM = 100  # frames that the recorder may need
_DEEPEST = 12  # frames that looking at an event takes at most

_RESUME, _YIELD, _RETURN = (opcode.opmap.get(name, -1) for name in ("RESUME", "YIELD_VALUE", "RETURN_VALUE"))
_LOOPS = frozenset(opcode.opmap.get(name, -1) for name in ("FOR_ITER", "SEND"))
_SUSPENDED = frozenset(opcode.opmap.get(name, -1) for name in ("RESUME", "SEND", "YIELD_VALUE", "CLEANUP_THROW"))


class Activation:
    """`number` is the frame's id, `line` where it stands, `address` the frame object's while it runs.

    `refs` and `free` are the locals and free variables as last recorded (of a shared one its cell's ref), `atoms` what
    they were bound to where that is an atom, `stretch` the code that runs now, `epoch` the heap's when everything that
    the frame sees was last looked at.
    """

    __slots__ = (
        "address", "atoms", "cells", "code", "epoch", "exception", "free", "line", "names", "namespace", "number",
        "recorder", "refs", "spy", "started", "stretch", "tight",
    )  # fmt: skip

    def __init__(self, number: int, code: Code, names: Namespace, recorder: Recorder) -> None:
        self.number, self.code, self.names, self.recorder = number, code, names, recorder
        self.line = self.address = 0
        self.epoch = -1
        self.namespace: Any = None
        self.spy: Any = None
        self.exception: BaseException | None = None
        self.stretch: Stretch = code.entry
        self.started = self.tight = False
        self.refs: dict[str, int] = {}
        self.free: dict[str, int] = {}
        self.atoms: dict[str, Any] = {}
        self.cells: dict[str, Entry] = {}

    def trace(self, frame: types.FrameType, event: str, arg: Any) -> None:
        """The local trace function. CPython keeps it when it returns None."""
        recorder = self.recorder
        heap = recorder.heap
        ran = self.stretch
        if (
            event != "line"
            or ran.changes
            or ran.stores
            or self.epoch != heap.epoch
            or recorder.foreign
            or heap.watched
            or heap.dead
            or recorder.left <= 1
            or self.exception is not None
            or self.tight
            or self.spy is not None
            or recorder.proxied
        ):
            self._carefully(frame, event, arg)
            return
        place = frame.f_lasti
        stretches = self.code.stretches
        following = stretches.known.get(place)
        if following is None:
            following = stretches.at(place)
        self.stretch = following
        rows = 0
        if ran.binds:
            variables = frame.f_locals
            atoms = self.atoms
            for name in ran.plain:
                try:
                    value = variables[name]
                except KeyError:
                    value = _UNBOUND
                if value is not atoms.get(name, _UNBOUND) or value is _UNBOUND:
                    rows += recorder.scene.bind(self, frame, name, value, _UNBOUND)
        line = self.line = frame.f_lineno
        recorder.left -= 1
        recorder.writer.events.extend((LINE, self.number, line, 0, rows))
        if following.calls or not following.begun:
            recorder.begin(following)

    def _carefully(self, frame: types.FrameType, event: str, arg: Any) -> None:
        """An event of any kind, at any depth of recursion."""
        limit = 0
        if event == "call":
            try:
                _probe()
                self.tight = False
            except RecursionError:
                self.tight = True
        try:
            if self.tight:
                limit = _get_limit()
                _set_limit(limit)  # raises where the limit could not be set back to what it is
                _set_limit(limit + HEADROOM)
            self._record(frame, event, arg)
            self._spied(frame, event, arg)
        except BaseException:
            if not self.tight or limit != _get_limit():
                self.recorder.resync()
            raise
        finally:
            if limit and limit + HEADROOM == _get_limit():
                _set_limit(limit)

    def _spied(self, frame: types.FrameType, event: str, arg: Any) -> None:
        """The program's own trace function is told after the event was recorded, as if it stood alone."""
        spies = self.recorder.spies
        if event == "call":
            self.spy = spies.local(frame, event, arg) if spies.spy is not None else None
        elif self.spy is not None:
            self.spy = spies.tell(self.spy, frame, event, arg)

    def _record(self, frame: types.FrameType, event: str, arg: Any) -> None:
        recorder = self.recorder
        kind = self._kind(frame, event, arg)
        running = self._running(kind)
        heap = recorder.heap
        mask = ALWAYS | (WITH_LAZY if heap.lazy else 0) | (WITH_MISSING if heap.missing else 0)
        if running is None or running.changes & mask:
            recorder.foreign = True
        recorder.look_around()
        if recorder.foreign:
            recorder.foreign = False
            heap.epoch += 1
        exception, self.exception = self.exception, arg[1] if event == "exception" else None
        if kind < 0:
            return
        stack = recorder.stack
        line = frame.f_lineno or 0
        if kind == CALL:
            line = line and self.code.first
        if kind in layout.PUSHES:
            self.address = id(frame)
            stack.append(self)
        else:
            while stack and stack[-1] is not self:
                recorder.drop()
        self.line = line
        ran = self.stretch
        stretches = self.code.stretches
        self.stretch = stretches.line(line) if kind == RAISE else stretches.at(frame.f_lasti)
        outcome = self._outcome(kind, arg, exception)
        rows, ref = recorder.scene.observe(self, frame, None if recorder.proxied else ran, outcome)
        if kind in layout.POPS:
            stack.pop()
            if kind != YIELD:
                self.namespace = None
        recorder.writer.event(kind, self.number, line, ref, rows)
        recorder.left -= 1
        if recorder.left <= 0 or rows > 16:
            recorder.checkpoint()
        if kind == LINE and (self.stretch.calls or not self.stretch.begun):
            recorder.begin(self.stretch)

    def _kind(self, frame: types.FrameType, event: str, arg: Any) -> int:
        """The kind of an event, told by the instruction at which the frame stands; −1: none of the program's."""
        if event == "line":
            return LINE
        place, code = frame.f_lasti, self.code.raw
        now = code[place] if place >= 0 else 0
        if event == "call":
            begun, self.started = self.started, True
            return RESUME if begun else CALL
        if event == "return":
            return YIELD if now == _YIELD else RETURN if now == _RETURN else UNWIND
        return -1 if event != "exception" or _ends_quietly(now, arg[1]) else RAISE

    def _running(self, kind: int) -> Stretch | None:
        """The traced code that ran since the last event: the frame's own, or its caller's; None when it is not known."""
        if kind not in layout.PUSHES:
            return self.stretch
        stack = self.recorder.stack
        return stack[-1].stretch if stack else None

    def _outcome(self, kind: int, arg: Any, exception: BaseException | None) -> Sequence[Any]:
        """The event's own value, if it has one."""
        if kind == RETURN:
            # A class body returns a cell of the interpreter's.
            return (None if self.code.kind == layout.CLASS_CODE else arg,)
        if kind == YIELD:
            return _unwrap(arg) if self.code.kind == layout.ASYNC_GENERATOR_CODE else (arg,)
        if kind == RAISE:
            return (arg[1],)
        return (exception,) if kind == UNWIND and exception is not None else ()


def _probe(depth: int = _DEEPEST) -> None:
    if depth:
        _probe(depth - 1)


def _unwrap(wrapped: Any) -> Sequence[Any]:
    """What an async generator yields is wrapped in an object that only the garbage collector looks into."""
    if type(wrapped).__name__ == "async_generator_wrapped_value":
        return _referents(wrapped)
    return (wrapped,)


def _ends_quietly(now: int, exception: BaseException) -> bool:
    """Whether an exception ends a loop, an `await` or a generator, as the language means it to."""
    kinds = _mro_of(type(exception))
    if now in _LOOPS:
        return any(kind is StopIteration or kind is StopAsyncIteration for kind in kinds)
    return now in _SUSPENDED and any(kind is GeneratorExit for kind in kinds)
