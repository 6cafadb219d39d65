"""Records a run: a trace function that turns what it sees into events.

CPython drops a trace function that raises, and after a RecursionError near the limit. Callbacks of `sys.monitoring`,
which run after the trace function for the same event, put it back and make up for what it missed. They also say what a
trace function is not told: which exception a `finally` or a `with` raises again.
"""

from __future__ import annotations

import builtins
import sys
import time
import types
from collections.abc import Callable, Mapping
from typing import Any

from tracepane.record import layout, orphans
from tracepane.record.activation import Activation
from tracepane.record.code import Code, Ranges, hidden, inside, tree
from tracepane.record.heap import Heap
from tracepane.record.lines import TOUCH, Stretch
from tracepane.record.own import BUILTINS
from tracepane.record.scene import Scene
from tracepane.record.spy import Spies
from tracepane.record.writer import TraceWriter

globals()["__builtins__"] = BUILTINS

_settrace, _gettrace, _getframe, _call_tracing = sys.settrace, sys.gettrace, sys._getframe, sys.call_tracing
_clock = time.perf_counter
_OURS = __file__.removesuffix("recorder.py")
# With these one object shows through another: a change of the one is a change of the other.
_EXPOSES = frozenset(("__dict__", "vars", "globals", "locals"))
TOOL = 4  # an id of sys.monitoring that no known tool takes
FIRST_FLUSH, FLUSH_SECONDS = 32, 0.05
CALL_SECONDS = 0.02  # what a call that never comes back may lose, in a line that did come back before
CHECK_EVERY = 64  # events between two looks at clock and limits
Traced = Mapping[str, tuple[str, Ranges]]


class Recorder:
    """Records the traced code of a run into a TraceWriter.

    `traced` maps a `co_filename` to the source's name and its traced ranges of lines. Hooks, all optional:
    `before_event()` is called before an event whenever code of others may have run since the last one, and at least
    every 64 events; it may call `output` and `file`. `on_limit(which)` is called once, after the event with which
    `max_steps` or `max_bytes` was reached.
    """

    room = 4  # frames above the program's deepest: those in which a call is seen to be too deep

    def __init__(self, writer: TraceWriter, traced: Traced) -> None:
        self.writer, self.traced = writer, traced
        self.heap = Heap(writer)
        self.scene = Scene(writer, self.heap)
        self.spies = Spies(self)
        self.before_event: Callable[[], object] | None = None
        self.on_limit: Callable[[str], object] | None = None
        self.max_steps, self.max_bytes = sys.maxsize, sys.maxsize
        self.stack: list[Activation] = []
        self.latest: Activation | None = None  # whose the last event was
        self.builtins = vars(builtins)
        self.codes: dict[int, Code | None] = {}
        self.foreign = True  # whether code ran that is not traced, which may have changed anything
        self.proxied = False  # whether the program may write to the locals of frames
        self.spoken: tuple[int, int, int] | None = None
        self.left = 1  # events until clock and limits are looked at
        self._kept: list[types.CodeType] = []
        self._adopted: set[str] = set()
        self._texts: list[str] = []
        self._flush_at, self._flush_every, self._flushed = FIRST_FLUSH, FIRST_FLUSH, 0.0
        self._lost = False
        self.trace = self._on_call

    def adopt(self, code: types.CodeType) -> None:
        """Make known the code of a whole source, as compiled: only its own code objects are its lines.

        Code that the program compiles under the same file name stays untraced. Without this call the first module that
        runs under a traced file name is taken, and any that is imported from there.
        """
        file = code.co_filename
        self._adopted.add(file)
        for part, first in tree(code):
            self.proxied = self.proxied or "f_locals" in part.co_names
            if self.proxied or not _EXPOSES.isdisjoint(part.co_names):
                self.heap.mask |= TOUCH
            if any("weak" in name.lower() or name == "finalize" for name in part.co_names):
                self.heap.beware()
            if file in self.traced:
                name, ranges = self.traced[file]
                self._kept.append(part)
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
        self.spies.install()
        _settrace(self.trace)

    def stop(self) -> None:
        """Trace no more."""
        _settrace(None)
        self.spies.remove()
        if sys.monitoring.get_tool(TOOL) == "tracepane":
            sys.monitoring.set_events(TOOL, 0)
            sys.monitoring.free_tool_id(TOOL)

    def finish(self, end: dict[str, Any]) -> dict[str, Any]:
        """Write the end event, flush everything, and return `end` with `steps` and `digest`."""
        self.speak()
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
        place = (layout.STREAMS[stream], *self._where())
        if place != self.spoken:
            self.speak()
            self.spoken = place
        self._texts.append(text)

    def file(self, path: str, change: int, size: int, splice: tuple[int, int, bytes]) -> None:
        """A file below the workspace changed; see TraceWriter.file."""
        self.speak()
        self.writer.event(layout.FILE, *self._where(), self.writer.file(path, change, size, splice), 0)
        self.checkpoint()

    def _where(self) -> tuple[int, int]:
        return (self.stack[-1].number, self.stack[-1].line) if self.stack else (-1, 0)

    def speak(self) -> None:
        """Write the output that has gathered since the last event, as one event."""
        if self.spoken is None:
            return
        kind, frame, line = self.spoken
        text = "".join(self._texts)
        self.spoken = None
        self._texts.clear()
        self.writer.event(kind, frame, line, self.writer.string(text), 0)
        self.checkpoint()

    def look_around(self) -> None:
        """Before an event: what happened since the last one besides the program's own code?"""
        heap = self.heap
        if heap.watched:
            self.let_go()
        if self.before_event is not None and (self.foreign or heap.finals or self.left <= 1):
            self.before_event()
        if self.spoken is not None:
            self.speak()
        if heap.dead:
            heap.bury()

    def let_go(self) -> None:
        """Let the watched objects die that only the recorder holds; what their finalizers do is traced."""
        doomed = self.heap.doomed()
        while doomed:
            _call_tracing(self.heap.release, (doomed,))
            doomed = self.heap.doomed()

    def forsake(self, among: set[int] | None) -> set[int]:
        """Before garbage is collected: let go of what only garbage and the recorder hold; see orphans.forsake."""
        return orphans.forsake(self.heap, among)

    def checkpoint(self) -> None:
        """Flush if it is time, and end the run if a limit is reached. Sets `left`."""
        writer = self.writer
        steps = writer.steps
        if steps >= self._flush_at:
            self._flush_soon(steps)
        if steps >= self.max_steps:
            self._limit("steps")
        elif writer.size >= self.max_bytes:
            self._limit("bytes")
        self.heap.sweep()
        self.left = max(1, min(CHECK_EVERY, self._flush_at - steps, self.max_steps - steps))

    def _flush_soon(self, steps: int) -> None:
        """At first after few events, then after more and more; from then on by time."""
        if self._flush_every < 512:
            self._flush_every *= 2
            self.flush()
        elif _clock() - self._flushed > FLUSH_SECONDS:
            self.flush()
        self._flush_at = steps + self._flush_every

    def begin(self, stretch: Stretch) -> None:
        """Hand out what was recorded before code runs that may never come back: Stop or a crash must lose nothing."""
        if not stretch.begun:
            stretch.begun = True
            self.flush()
        elif _clock() - self._flushed > CALL_SECONDS:
            self.flush()

    def _limit(self, which: str) -> None:
        reached, self.on_limit = self.on_limit, None
        if reached is not None:
            reached(which)

    def _on_call(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        """The global trace function: sees every call of Python code, traced or not."""
        code = frame.f_code
        try:
            known = self.codes[id(code)]
        except KeyError:
            known = self._first_sight(frame, code)
        if known is None:
            self.foreign = True
            if self.spies.spy is None or code.co_filename.startswith(_OURS):
                return None
            return self.spies.local(frame, event, arg)
        if self._lost:
            self._recover(frame)
        local: Any = frame.f_trace
        if type(local) is not types.MethodType or type(local.__self__) is not Activation:
            local = Activation(known, self).trace
        local(frame, event, arg)
        return local

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
        lost = self._restore()
        frame = _getframe(1)
        if self.stack and self.stack[-1].address == id(frame):
            activation = self.stack[-1]
            activation.exception, activation.odd = exception, True
            activation.trace(frame, "return", None)
        elif lost and self.codes.get(id(code)) is not None:
            exception.__traceback__ = None  # the call was refused: natively its frame would not have begun

    def _on_handled(self, code: types.CodeType, offset: int, exception: BaseException) -> None:
        if self._restore():
            self._lost = True

    def _on_reraise(self, code: types.CodeType, offset: int, exception: BaseException) -> None:
        if self.stack and self.stack[-1].address == id(_getframe(1)):
            self.stack[-1].exception, self.stack[-1].odd = exception, True

    def _restore(self) -> bool:
        """Put the trace function back; whether it was lost."""
        if _gettrace() is self.trace:
            return False
        _settrace(self.trace)
        return True

    def _recover(self, frame: types.FrameType) -> None:
        """Events were lost: end the frames on the stack that do not run any more."""
        self._lost = False
        running = set()
        below: types.FrameType | None = frame
        while below is not None:
            running.add(id(below))
            below = below.f_back
        while self.stack and self.stack[-1].address not in running:
            self.drop()

    def drop(self) -> None:
        """The end of the innermost frame on the stack was not seen."""
        gone = self.stack.pop()
        self.writer.event(layout.UNWIND, gone.number, gone.line, 0, 0)

    def resync(self) -> None:
        """The recorder was interrupted in the middle of an event: take nothing that it knew for granted."""
        self.writer.take_back()
        self.scene.doubt(self.stack)
        self.foreign = True
