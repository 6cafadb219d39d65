"""The long way of an event, for those of any kind, after anything may have happened; the short way is quick.py's.

Near the limit of recursion the recorder raises the limit for itself while it looks at an event. It needs one frame
that the program then cannot have; without one left the call is refused with the RecursionError that comes a frame
later anyway.
"""

from __future__ import annotations

import gc
import opcode
import sys
import types
from collections.abc import Sequence
from typing import Any

from tracepane.record.bytecode.lines import CELLS, IN_PLACE, TOUCH, WEAK
from tracepane.record.format import layout
from tracepane.record.format.layout import CALL, LINE, RAISE, RESUME, RETURN, UNWIND, YIELD
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.activation import DEEPEST, Activation
from tracepane.record.recorder.quick import make_trace
from tracepane.record.recorder.recording import Recording
from tracepane.record.values.kinds import mro_of

globals()["__builtins__"] = BUILTINS

_get_limit, _set_limit = sys.getrecursionlimit, sys.setrecursionlimit
_referents = gc.get_referents
HEADROOM = 100  # frames that the recorder may need

_RESUME, _YIELD, _RETURN = (opcode.opmap.get(name, -1) for name in ("RESUME", "YIELD_VALUE", "RETURN_VALUE"))
_LOOPS = frozenset(
    opcode.opmap.get(name, -1) for name in "FOR_ITER SEND END_SEND END_FOR POP_ITER CLEANUP_THROW".split()
)
_SUSPENDED = frozenset(opcode.opmap.get(name, -1) for name in ("RESUME", "SEND", "YIELD_VALUE", "CLEANUP_THROW"))


class Local(Activation):
    """An activation of a recording that goes on."""

    recorder: Recording

    def carefully(self, frame: types.FrameType, event: str, arg: Any) -> None:
        """An event of any kind, at any depth of recursion."""
        limit = 0
        self.recorder.deepest = _get_limit() - DEEPEST
        if event == "call":
            self._measure(frame)
        try:
            if self.tight:
                limit = _get_limit()
                _set_limit(limit)  # raises where the limit could not be set back to what it is
                _set_limit(limit + HEADROOM)
            self._record(frame, event, arg)
            spied = self.spy is not None or self.recorder.spies.spy is not None
            if spied:
                self._spied(frame, event, arg)
            odd = spied or self.tight or self.exception is not None or self.recorder.proxied
            self.calm = -2 if odd else self.epoch
        except BaseException:
            if not self.tight or limit != _get_limit():
                self.recorder.resync()
            raise
        finally:
            if limit and limit + HEADROOM == _get_limit():
                _set_limit(limit)

    def _measure(self, frame: types.FrameType) -> None:
        """How deep the frame lies, and whether that is so deep that the recorder needs room of its own."""
        stack, back = self.recorder.stack, frame.f_back
        if stack and id(back) == stack[-1].address:
            self.depth = stack[-1].depth + 1
        else:
            self.depth = _depth()
        self.tight = self.depth > self.recorder.deepest

    def _spied(self, frame: types.FrameType, event: str, arg: Any) -> None:
        """The program's own trace function is told after the event was recorded, as if it stood alone."""
        spies = self.recorder.spies
        if event == "call":
            self.spy = spies.local(frame, event, arg) if spies.spy is not None else None
        elif self.spy is not None:
            self.spy = spies.tell(self.spy, frame, event, arg)

    # One function, long as it is: it must stay `DEEPEST` frames deep at most.
    def _record(self, frame: types.FrameType, event: str, arg: Any) -> None:
        recorder, heap = self.recorder, self.recorder.heap
        kind = self._kind(frame, event, arg)
        if heap.unheeded:
            recorder.heed()
        pushes = kind in layout.PUSHES
        if self._pushed() if pushes else self._disturbed():
            heap.disturb()
        if heap.dead and heap.watchful:
            heap.disturb()  # a function in C may have been told
        heap.touched.clear()
        heap.expected = None
        other = recorder.spoken is not None or len(recorder.writer.events) >= recorder.due
        if other or heap.outside or heap.watched or heap.dead:
            recorder.look_around()
        if heap.foreign:
            heap.foreign = False
            heap.epoch += 1
            if heap.fickle:
                heap.forget_kinds()
        exception = self.exception
        self.exception = arg[1] if event == "exception" else None
        if kind >= 0:
            self._write(frame, kind, arg, exception)
        # What takes the short way next must find everything as it is now.
        heap.calm = -1 if heap.foreign or heap.outside or heap.watched else heap.epoch

    def _write(self, frame: types.FrameType, kind: int, arg: Any, exception: BaseException | None) -> None:
        recorder, heap, stack = self.recorder, self.recorder.heap, self.recorder.stack
        line = frame.f_lineno or 0
        if kind in layout.PUSHES:
            if kind == CALL:
                line = line and self.code.first
                recorder.scene.enter(self, frame)
            self.address = id(frame)
            recorder.suspended.pop(self.number, None)
            stack.append(self)
        else:
            while stack and stack[-1] is not self:
                recorder.drop()
        self.line = line
        self.called = None
        ran = self.stretch
        stretches = self.code.stretches
        self.stretch = self.lined = stretches.line(line) if kind == RAISE else stretches.at(frame.f_lasti)
        outcome = self._outcome(kind, arg, exception) if kind >= RETURN else ()
        self.stretch.heed(heap.mask)
        rows, ref = recorder.scene.observe(self, frame, None if recorder.proxied else ran, outcome)
        if kind in layout.POPS:
            stack.pop()
            self.variables = None
            if self._shows():
                heap.disturb()
            if kind == YIELD:
                recorder.suspended[self.number] = self
            else:
                self.namespace = None
        recorder.writer.event(kind, self.number, line, ref, rows)
        if len(recorder.writer.events) > recorder.due or rows > 16:
            recorder.checkpoint()
        if kind == LINE and not self.stretch.begun:
            recorder.begin(self.stretch)

    def _disturbed(self) -> bool:
        """Whether what ran since the last event of this frame may have changed more than its own variables."""
        busy, self.busy = self.busy, False
        changes = self.stretch.changes
        return (
            busy
            or bool(self.recorder.heap.touched)
            or bool(changes & (self.recorder.heap.mask | TOUCH | IN_PLACE | CELLS))
        )

    def _shows(self) -> bool:
        """Whether this is the frame of a generator that may be seen from a variable: its state has changed."""
        return self.code.kind >= layout.GENERATOR_CODE and id(self.code.code) in self.recorder.heap.resumed

    def _pushed(self) -> bool:
        """Whether more than the caller's own variables may have changed between its last event and this call."""
        heap, stack = self.recorder.heap, self.recorder.stack
        if not stack:
            return True
        caller = stack[-1]
        caller.called = caller.stretch
        if self._shows():
            return True
        ran = caller.stretch
        if heap.expected is self.code.code and not heap.touched and not caller.busy:
            return not ran.late
        # It is C code that calls, in the midst of what it does.
        caller.busy = caller.busy or bool(ran.stores or heap.touched or ran.changes & ~WEAK)
        return caller.busy or bool(ran.changes & heap.mask)

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


def make_local(recording: Recording) -> type[Local]:
    """The class of a recording's activations."""
    made: type[Local] = type("Local", (Local,), {"recorder": recording, **make_trace(recording)})
    return made


def _depth() -> int:
    """How many Python frames lie below the caller's: CPython tells by refusing too low a limit."""
    try:
        _set_limit(1)
    except RecursionError as error:
        return int(error.args[0].partition("depth ")[2].partition(":")[0])
    return 1


def _unwrap(wrapped: Any) -> Sequence[Any]:
    """What an async generator yields is wrapped in an object that only the garbage collector looks into."""
    if type(wrapped).__name__ == "async_generator_wrapped_value":
        return _referents(wrapped)
    return (wrapped,)


def _ends_quietly(now: int, exception: BaseException) -> bool:
    """Whether an exception ends a loop, an `await` or a generator, as the language means it to."""
    kinds = mro_of(type(exception))
    if now in _LOOPS:
        return any(kind is StopIteration or kind is StopAsyncIteration for kind in kinds)
    return now in _SUSPENDED and any(kind is GeneratorExit for kind in kinds)
