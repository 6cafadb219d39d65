"""Records a run: a trace function that turns what it sees into events.

CPython drops a trace function that raises, and after a RecursionError near the limit. Callbacks of `sys.monitoring`,
which run after the trace function for the same event, put it back and make up for what it missed. They also say what a
trace function is not told: which exception a `finally` or a `with` raises again.

Near the limit of recursion the recorder raises the limit for itself while it looks at an event. It needs one frame that
the program then cannot have; without one left the call is refused with the RecursionError that comes a frame later anyway.
"""

from __future__ import annotations

import gc
import sys
import time
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tracepane.record import layout
from tracepane.record.code import Code, Ranges, hidden, inside, tree
from tracepane.record.heap import Heap
from tracepane.record.lines import ALWAYS, WITH_LAZY, WITH_MISSING, Stretch
from tracepane.record.own import BUILTINS
from tracepane.record.scene import Activation, Scene
from tracepane.record.writer import TraceWriter

globals()["__builtins__"] = BUILTINS

_settrace, _gettrace, _getframe, _call_tracing = sys.settrace, sys.gettrace, sys._getframe, sys.call_tracing
_get_limit, _set_limit = sys.getrecursionlimit, sys.setrecursionlimit
_clock = time.perf_counter
_referents = gc.get_referents
HEADROOM = 100  # frames that the recorder may need
TOOL = 4  # an id of sys.monitoring that no known tool takes
FIRST_FLUSH, FLUSH_SECONDS = 32, 0.05
CALL_SECONDS = 0.02  # what a call that never comes back may lose, in a line that did come back before
Traced = Mapping[str, tuple[str, Ranges]]


class Recorder:
    """Records the traced code of a run into a TraceWriter.

    `traced` maps a `co_filename` to the source's name and its traced ranges of lines. Hooks, all optional:
    `before_event()` is called before each event of a traced frame, and may call `output` and `file`;
    `on_limit(which)` is called once, after the event with which `max_steps` or `max_bytes` was reached.
    """

    def __init__(self, writer: TraceWriter, traced: Traced) -> None:
        self.writer, self.traced = writer, traced
        self.heap = Heap(writer)
        self.scene = Scene(writer, self.heap)
        self.before_event: Callable[[], object] | None = None
        self.on_limit: Callable[[str], object] | None = None
        self.max_steps, self.max_bytes = sys.maxsize, sys.maxsize
        self.stack: list[Activation] = []
        self.codes: dict[int, Code | None] = {}
        self._kept: list[types.CodeType] = []
        self._adopted: set[str] = set()
        self.proxied = False  # whether the program may write to the locals of frames
        self.foreign = True  # whether code ran that is not traced, which may have changed anything
        self._spoken: tuple[int, int, int] | None = None
        self._texts: list[str] = []
        self._flush_at, self._flush_every, self._flushed = FIRST_FLUSH, FIRST_FLUSH, 0.0
        self._trace = self._on_call
        self._opcodes = _Opcodes()

    def adopt(self, code: types.CodeType) -> None:
        """Make known the code of a whole source, as compiled: only its own code objects are its lines.

        Code that the program compiles under the same file name stays untraced. Without this call the first module that
        runs under a traced file name is taken, and any that is imported from there.
        """
        file = code.co_filename
        self._adopted.add(file)
        if file not in self.traced:
            return
        name, ranges = self.traced[file]
        for part, first in tree(code):
            self._kept.append(part)
            self.proxied = self.proxied or "f_locals" in part.co_names
            wanted = not hidden(part) and inside(part, ranges)
            self.codes[id(part)] = Code(part, name, first) if wanted else None

    def start(self) -> None:
        """Trace from here on: frames that are called now, not the caller's own."""
        monitoring = sys.monitoring
        monitoring.use_tool_id(TOOL, "tracepane")
        events = monitoring.events
        monitoring.register_callback(TOOL, events.PY_UNWIND, self._on_unwind)
        monitoring.register_callback(TOOL, events.EXCEPTION_HANDLED, self._on_handled)
        monitoring.register_callback(TOOL, events.RERAISE, self._on_reraise)
        monitoring.set_events(TOOL, events.PY_UNWIND | events.EXCEPTION_HANDLED | events.RERAISE)
        self._flushed = _clock()
        _settrace(self._trace)

    def stop(self) -> None:
        """Trace no more."""
        _settrace(None)
        if sys.monitoring.get_tool(TOOL) == "tracepane":
            sys.monitoring.set_events(TOOL, 0)
            sys.monitoring.free_tool_id(TOOL)

    def finish(self, end: dict[str, Any]) -> dict[str, Any]:
        """Write the end event, flush everything, and return `end` with `steps` and `digest`."""
        self._speak()
        self.writer.event(layout.END, -1, 0, 0, 0)
        self.writer.flush()
        return {**end, "steps": self.writer.steps, "digest": self.writer.digest(end)}

    def flush(self) -> None:
        """Hand out what was recorded so far."""
        self.writer.flush()
        self._flushed = _clock()

    def output(self, stream: str, text: str) -> None:
        """The program wrote `text` to `stdout` or `stderr`."""
        if not text:
            return
        frame, line = self._where()
        place = (layout.STREAMS[stream], frame, line)
        if place != self._spoken:
            self._speak()
            self._spoken = place
        self._texts.append(text)

    def file(self, path: str, change: int, size: int, splice: tuple[int, int, bytes]) -> None:
        """A file below the workspace changed; see TraceWriter.file."""
        self._speak()
        frame, line = self._where()
        number = self.writer.file(path, change, size, splice)
        self._record(layout.FILE, frame, line, number, 0)

    def _where(self) -> tuple[int, int]:
        if not self.stack:
            return -1, 0
        nearest = self.stack[-1]
        return nearest.number, nearest.line

    def _speak(self) -> None:
        """Write the output that has gathered since the last event, as one event."""
        if self._spoken is None:
            return
        kind, frame, line = self._spoken
        text = "".join(self._texts)
        self._spoken = None
        self._texts.clear()
        self._record(kind, frame, line, self.writer.string(text), 0)

    def _record(self, kind: int, frame: int, line: int, arg: int, rows: int) -> None:
        writer = self.writer
        writer.event(kind, frame, line, arg, rows)
        if writer.steps >= self._flush_at:
            self._flush_soon()
        if writer.steps >= self.max_steps:
            self._limit("steps")
        elif writer.size >= self.max_bytes:
            self._limit("bytes")

    def _limit(self, which: str) -> None:
        reached, self.on_limit = self.on_limit, None
        if reached is not None:
            reached(which)

    def _flush_soon(self) -> None:
        """At first after few events, then after more and more; from then on by time, looked at every 256 events."""
        if self._flush_every < 256:
            self._flush_every *= 2
            self.flush()
        elif _clock() - self._flushed > FLUSH_SECONDS:
            self.flush()
        self._flush_at = self.writer.steps + self._flush_every

    def _on_call(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        """The global trace function: sees every call of Python code, traced or not."""
        code = frame.f_code
        known = self.codes.get(id(code), code)
        if known is code:
            known = self._first_sight(frame, code)
        if known is None:
            self.foreign = True
            return None
        activation = frame.f_trace
        if type(activation) is not _Tracer:
            activation = _Tracer(self, known)
        return activation(frame, event, arg)

    def _first_sight(self, frame: types.FrameType, code: types.CodeType) -> Code | None:
        """A code object that no adopted source holds: a module that begins, or code made while running."""
        file = code.co_filename
        if code.co_name != "<module>" or file not in self.traced:
            return None
        back = frame.f_back
        imported = back is not None and back.f_code.co_filename == "<frozen importlib._bootstrap>"
        if imported or file not in self._adopted:
            self.adopt(code)
        return self.codes.get(id(code))

    def _on_unwind(self, code: types.CodeType, offset: int, exception: BaseException) -> None:
        """A frame was left by an exception; the trace function should have been told."""
        lost = _gettrace() is not self._trace
        if lost:
            _settrace(self._trace)
        frame = _getframe(1)
        if self.stack and self.stack[-1].address == id(frame):
            activation = self.stack[-1]
            activation.exception = exception
            activation.tracer(frame, "return", None)
        elif lost and self.codes.get(id(code)) is not None:
            exception.__traceback__ = None  # the call was refused: natively its frame would not have begun

    def _on_handled(self, code: types.CodeType, offset: int, exception: BaseException) -> None:
        if _gettrace() is not self._trace:
            _settrace(self._trace)

    def _on_reraise(self, code: types.CodeType, offset: int, exception: BaseException) -> None:
        if self.stack and self.stack[-1].address == id(_getframe(1)):
            self.stack[-1].exception = exception

    def _resync(self) -> None:
        """The recorder was interrupted in the middle of an event: take nothing that it knew for granted."""
        columns = self.writer.columns
        done = sum(columns["event_rows"])
        self.writer.rows -= len(columns["row_target"]) - done
        del columns["row_target"][done:], columns["row_value"][done:]
        self.scene.doubt(self.stack)

    def _event(self, tracer: _Tracer, frame: types.FrameType, event: str, arg: Any) -> None:
        if self.heap.watched:
            self._let_go()
        if self.before_event is not None:
            self.before_event()
        self._speak()
        if self.heap.dead:
            self.heap.bury()
        self.heap.sweep()
        kind = self._opcodes.kind(frame, event, arg)
        activation = tracer.activation
        if kind == layout.CALL or activation is None:
            activation = tracer.activation = self.scene.enter(frame, tracer.code)
            activation.tracer = tracer
            kind = layout.CALL
        exception, activation.exception = activation.exception, arg[1] if event == "exception" else None
        if kind < 0:
            return
        line = frame.f_lineno or 0
        if kind == layout.CALL:
            line = line and tracer.code.first
        if kind in layout.PUSHES:
            activation.address = id(frame)
            self.stack.append(activation)
        activation.line = line
        outcome: Sequence[Any] = ()
        if kind in (layout.RETURN, layout.YIELD):
            # A class body returns a cell of the interpreter's.
            outcome = (None if activation.code.kind == layout.CLASS_CODE else arg,)
            if kind == layout.YIELD and activation.code.kind == layout.ASYNC_GENERATOR_CODE:
                outcome = _unwrap(arg)
        elif kind == layout.RAISE:
            outcome = (arg[1],)
        elif kind == layout.UNWIND:
            outcome = (exception,)
        ran = self._stretch(activation, kind, frame)
        rows, ref = self.scene.observe(activation, frame, ran, outcome)
        if kind in layout.POPS:
            self._pop(activation)
            if kind != layout.YIELD:
                activation.namespace = None
        self._record(kind, activation.number, line, ref, rows)
        if kind == layout.LINE and activation.stretch is not None:
            self._flush_before(activation.stretch)

    def _flush_before(self, stretch: Stretch) -> None:
        """Hand out what was recorded before code runs that may never come back: Stop or a crash must lose nothing."""
        if not stretch.begun:
            stretch.begun = True
            self.flush()
        elif stretch.calls and _clock() - self._flushed > CALL_SECONDS:
            self.flush()

    def _stretch(self, activation: Activation, kind: int, frame: types.FrameType) -> Stretch | None:
        """What ran in the frame since its last event; the heap's epoch is moved on when that may have changed objects."""
        heap = self.heap
        stretches = activation.code.stretches
        ran, place = activation.stretch, frame.f_lasti
        running = ran
        if kind in layout.PUSHES:
            running = self.stack[-2].stretch if len(self.stack) > 1 else None
        if (
            self.foreign
            or running is None
            or running.changes & (ALWAYS | (WITH_LAZY if heap.lazy else 0) | (WITH_MISSING if heap.missing else 0))
        ):
            heap.epoch += 1
            self.foreign = False
        activation.stretch = stretches.line(activation.line) if kind == layout.RAISE else stretches.at(place)
        return None if self.proxied else ran

    def _pop(self, activation: Activation) -> None:
        """Take a frame off the stack, and any above it whose end was lost."""
        while self.stack and self.stack.pop() is not activation:
            pass

    def _let_go(self) -> None:
        doomed = self.heap.doomed()
        while doomed:
            _call_tracing(self.heap.release, (doomed,))
            doomed = self.heap.doomed()


class _Tracer:
    """The local trace function of one frame. It lives in the frame's `f_trace`, and dies with it."""

    __slots__ = ("activation", "code", "recorder", "tight")

    def __init__(self, recorder: Recorder, code: Code) -> None:
        self.recorder, self.code = recorder, code
        self.activation: Activation | None = None
        self.tight = False

    def __call__(self, frame: types.FrameType, event: str, arg: Any) -> _Tracer:
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
            self.recorder._event(self, frame, event, arg)
        except BaseException:
            if not self.tight or limit != _get_limit():
                self.recorder._resync()
            raise
        finally:
            if limit and limit + HEADROOM == _get_limit():
                _set_limit(limit)
        return self


def _probe(depth: int = 12) -> None:
    if depth:
        _probe(depth - 1)


def _unwrap(wrapped: Any) -> Sequence[Any]:
    """What an async generator yields is wrapped in an object that only the garbage collector looks into."""
    if type(wrapped).__name__ == "async_generator_wrapped_value":
        return _referents(wrapped)
    return (wrapped,)


class _Opcodes:
    """Tells events apart by the instruction at which the frame stands."""

    def __init__(self) -> None:
        import opcode

        names = opcode.opmap
        self.resume, self.yields, self.returns = names["RESUME"], names["YIELD_VALUE"], names["RETURN_VALUE"]
        self.ends_loop = frozenset((names["FOR_ITER"], names["SEND"]))
        self.suspended = frozenset((names["RESUME"], names["SEND"], names["YIELD_VALUE"], names["CLEANUP_THROW"]))

    def kind(self, frame: types.FrameType, event: str, arg: Any) -> int:
        """The kind of an event; −1 for one that is none of the program's."""
        if event == "line":
            return layout.LINE
        place = frame.f_lasti
        code = frame.f_code.co_code
        opcode = code[place] if place >= 0 else 0
        if event == "call":
            return layout.RESUME if opcode == self.resume and code[place + 1] & 3 else layout.CALL
        if event == "return":
            return layout.YIELD if opcode == self.yields else layout.RETURN if opcode == self.returns else layout.UNWIND
        if event == "exception":
            return -1 if self._ends_quietly(opcode, arg[1]) else layout.RAISE
        return -1

    def _ends_quietly(self, opcode: int, exception: BaseException) -> bool:
        """An exception that ends a loop, an `await` or a generator, as the language means it to."""
        kinds = type.__dict__["__mro__"].__get__(type(exception))
        if opcode in self.ends_loop:
            return any(kind is StopIteration or kind is StopAsyncIteration for kind in kinds)
        return opcode in self.suspended and any(kind is GeneratorExit for kind in kinds)
