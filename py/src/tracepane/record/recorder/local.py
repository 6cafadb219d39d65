"""The local trace function, through which every event of a traced frame goes.

It lives in the frame's `f_trace` and dies with it; it does not know the frame. Most events are lines
after which nothing but some locals can have changed; those take the short way at the top of `trace`.

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

from tracepane.record.bytecode.lines import IN_PLACE, PURE, SOLE, TOUCH, Stretch
from tracepane.record.format import layout
from tracepane.record.format.layout import CALL, LINE, RAISE, RESUME, RETURN, UNWIND, YIELD
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.activation import Activation
from tracepane.record.recorder.entry import Entry
from tracepane.record.recorder.recording import Recording

globals()["__builtins__"] = BUILTINS

_get_limit, _set_limit = sys.getrecursionlimit, sys.setrecursionlimit
_referents = gc.get_referents
_mro_of = type.__dict__["__mro__"].__get__
_UNBOUND = object()
HEADROOM = 100  # frames that the recorder may need
_DEEPEST = 24  # frames that looking at an event takes at most, and some that hide

_RESUME, _YIELD, _RETURN = (opcode.opmap.get(name, -1) for name in ("RESUME", "YIELD_VALUE", "RETURN_VALUE"))
_LOOPS = frozenset(
    opcode.opmap.get(name, -1) for name in "FOR_ITER SEND END_SEND END_FOR POP_ITER CLEANUP_THROW".split()
)
_SUSPENDED = frozenset(opcode.opmap.get(name, -1) for name in ("RESUME", "SEND", "YIELD_VALUE", "CLEANUP_THROW"))


class Local(Activation):
    """An activation of a recording that goes on."""

    __slots__ = ("recorder",)

    recorder: Recording

    # One function, long as it is: every event comes by here, and a call for each part would double its cost.
    def trace(self, frame: types.FrameType, event: str, arg: Any) -> None:
        """The local trace function. CPython keeps it when it returns None."""
        recorder = self.recorder
        heap = recorder.heap
        ran = self.stretch
        if (
            self.odd
            or self.epoch != heap.epoch
            or heap.foreign
            or recorder.left <= 1
            or heap.dead
            or heap.watched
            or (ran.changes and self.changed(ran))
            or (event != "line" and (event != "return" or not self._returns(frame)))
        ):
            self._carefully(frame, event, arg)
            return
        writer = recorder.writer
        before = len(writer.pairs)
        roots: list[int] = []
        if ran.plain:
            variables = frame.f_locals
            atoms = self.atoms
            for name in ran.plain:
                try:
                    value = variables[name]
                except KeyError:
                    value = _UNBOUND
                if value is atoms.get(name, _UNBOUND) and value is not _UNBOUND:
                    continue
                target = self.code.targets.get(name)
                if type(value) is int and target is not None:
                    ref = heap.ints.get(value) or heap.ref(value)
                    atoms[name] = value
                    if self.refs.get(name) != ref:
                        self.refs[name] = ref
                        writer.pairs.extend((target, ref))
                else:
                    recorder.scene.bind(self, name, value, _UNBOUND, roots)
        if ran.stores:
            recorder.scene.store(self, ran, roots)
        line = self.line = frame.f_lineno
        recorder.left -= 1
        self.called = False
        ref = 0
        if event != "line":
            ref = heap.ref(arg if self.code.kind != layout.CLASS_CODE else None)
            roots.append(ref)
            recorder.stack.pop()
        narrow: Sequence[Entry] = ()
        if ran.touch and ran.changes & TOUCH:
            roots = recorder.scene.touched(self, ran, roots)
            narrow = recorder.scene.found
        if roots:
            heap.walk(roots, narrow)
            if recorder.scene.cells.fresh:
                recorder.scene.cells.settle(frame)
        rows = (len(writer.pairs) - before) // 2
        if event == "line":
            following = self.code.stretches.known.get(frame.f_lasti)
            if following is None:
                following = self.code.stretches.at(frame.f_lasti)
            self.stretch = following
            writer.events.extend((LINE, self.number, line, 0, rows))
            if following.calls or not following.begun:
                recorder.begin(following)
            return
        writer.events.extend((RETURN, self.number, line, ref, rows))

    def _returns(self, frame: types.FrameType) -> bool:
        code = self.code
        return code.kind < layout.GENERATOR_CODE and code.raw[frame.f_lasti] == _RETURN

    def changed(self, ran: Stretch) -> bool:
        """Whether what ran may have changed objects, as far as that can only be told now."""
        changes = ran.changes
        if changes & self.recorder.heap.mask or (changes & SOLE and not self.called):
            return True
        if changes & PURE and not self._pure(ran):
            return True
        if changes & TOUCH and (self.recorder.latest is not self or not self.recorder.scene.find(self, ran)):
            return True
        if changes & IN_PLACE:
            atoms, refs = self.atoms, self.names.refs
            for name in ran.in_place:
                if name not in atoms and refs.get(name, 0) <= 0:
                    return True
        return False

    def _pure(self, ran: Stretch) -> bool:
        """Whether the names of builtin functions that were called still mean these."""
        variables, builtins = self.names.variables, self.recorder.builtins
        return all(name not in variables and builtins.get(name) is BUILTINS[name] for name in ran.pure)

    def _carefully(self, frame: types.FrameType, event: str, arg: Any) -> None:
        """An event of any kind, at any depth of recursion."""
        limit = 0
        if event == "call":
            self._measure(frame)
        try:
            if self.tight:
                limit = _get_limit()
                _set_limit(limit)  # raises where the limit could not be set back to what it is
                _set_limit(limit + HEADROOM)
            self._record(frame, event, arg)
            spies = self.recorder.spies
            if self.spy is not None or spies.spy is not None:
                self._spied(frame, event, arg)
            self.odd = self.tight or self.spy is not None or self.exception is not None or self.recorder.proxied
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
        self.tight = self.depth + _DEEPEST > _get_limit()

    def _spied(self, frame: types.FrameType, event: str, arg: Any) -> None:
        """The program's own trace function is told after the event was recorded, as if it stood alone."""
        spies = self.recorder.spies
        if event == "call":
            self.spy = spies.local(frame, event, arg) if spies.spy is not None else None
        elif self.spy is not None:
            self.spy = spies.tell(self.spy, frame, event, arg)

    # One function too: every call and return comes by here, and it must stay `_DEEPEST` frames deep at most.
    def _record(self, frame: types.FrameType, event: str, arg: Any) -> None:
        recorder = self.recorder
        heap, stack = recorder.heap, recorder.stack
        kind = self._kind(frame, event, arg)
        pushes = kind in layout.PUSHES
        if pushes and self.code.kind >= layout.GENERATOR_CODE:
            heap.foreign = True  # the generator's state has changed
        if not heap.foreign:
            heap.foreign = self._unsure(frame) if pushes else self.changed(self.stretch)
            # Single objects are for the short way: here everything is looked at.
            running = stack[-1].stretch if pushes and stack else self.stretch
            heap.foreign = heap.foreign or bool(running.changes & TOUCH)
        if heap.foreign or heap.watched or heap.dead or recorder.left <= 1 or recorder.spoken is not None:
            recorder.look_around()
        if heap.foreign:
            heap.foreign = False
            heap.epoch += 1
        exception = self.exception
        self.exception = arg[1] if event == "exception" else None
        if kind < 0:
            return
        line = frame.f_lineno or 0
        if pushes:
            if kind == CALL:
                line = line and self.code.first
                recorder.scene.enter(self, frame)
            self.address = id(frame)
            stack.append(self)
        else:
            while stack and stack[-1] is not self:
                recorder.drop()
        self.line = line
        self.called = False
        ran = self.stretch
        stretches = self.code.stretches
        self.stretch = stretches.line(line) if kind == RAISE else stretches.at(frame.f_lasti)
        outcome = self._outcome(kind, arg, exception) if kind >= RETURN else ()
        rows, ref = recorder.scene.observe(self, frame, None if recorder.proxied else ran, outcome)
        if kind in layout.POPS:
            stack.pop()
            heap.foreign = self.code.kind >= layout.GENERATOR_CODE
            if kind != YIELD:
                self.namespace = None
        recorder.writer.event(kind, self.number, line, ref, rows)
        recorder.latest = self
        recorder.left -= 1
        if recorder.left <= 0 or rows > 16:
            recorder.checkpoint()
        if kind == LINE and (self.stretch.calls or not self.stretch.begun):
            recorder.begin(self.stretch)

    def _unsure(self, frame: types.FrameType) -> bool:
        """Whether more than traced code may have run in the caller up to this call."""
        stack = self.recorder.stack
        if not stack:
            return True
        caller = stack[-1]
        ran = caller.stretch
        if ran.changes & SOLE and not caller.called and id(frame.f_back) == caller.address:
            function = caller.names.variables.get(ran.sole)
            if type(function) is types.FunctionType and function.__code__ is self.code.code:
                caller.called = True
        return caller.changed(ran)

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
    kinds = _mro_of(type(exception))
    if now in _LOOPS:
        return any(kind is StopIteration or kind is StopAsyncIteration for kind in kinds)
    return now in _SUSPENDED and any(kind is GeneratorExit for kind in kinds)
