"""Records a run: a trace function that turns what it sees into events.

CPython drops a trace function that raises, and after a RecursionError near the limit. Callbacks of `sys.monitoring`,
which run after the trace function for the same event, put it back and make up for what it missed. They also say what a
trace function is not told: which exception a `finally` or a `with` raises again.
"""

from __future__ import annotations

import sys
import time
import types
from collections.abc import Mapping
from typing import Any

from tracepane.record.bytecode.code import Code, Ranges, hidden, inside, tree
from tracepane.record.bytecode.lines import NAMES, TOUCH, WITH_MAPS
from tracepane.record.format import layout
from tracepane.record.format.writer import TraceWriter
from tracepane.record.own import BUILTINS, FOLDER
from tracepane.record.recorder.callback import make_callback
from tracepane.record.recorder.local import make_local
from tracepane.record.recorder.quick import make_call
from tracepane.record.recorder.recording import Recording

globals()["__builtins__"] = BUILTINS

_settrace, _gettrace, _getframe = sys.settrace, sys.gettrace, sys._getframe
_clock = time.perf_counter
# With these one object shows through another: a change of the one is a change of the other.
_EXPOSES = frozenset(("__dict__", "__globals__", "f_globals", "vars", "globals", "locals"))
# What makes iterators that call functions when they are asked for the next item.
_LAZY = frozenset("map filter iter starmap accumulate takewhile dropwhile filterfalse groupby".split())
# With these a program may have events come where there would be none, or none where there would be some.
_TRACERS = frozenset("monitoring bdb pdb breakpoint f_trace f_trace_lines f_trace_opcodes".split())
TOOL = 4  # an id of sys.monitoring that no known tool takes
Traced = Mapping[str, tuple[str, Ranges]]


class Recorder(Recording):
    """Records the traced code of a run into a TraceWriter.

    `traced` maps a `co_filename` to the source's name and its traced ranges of lines.
    """

    room = 5  # frames above the program's deepest: those in which a call is seen to be too deep

    def __init__(self, writer: TraceWriter, traced: Traced) -> None:
        super().__init__(writer)
        self.traced = traced
        self._kept: list[types.CodeType] = []
        self._adopted: set[str] = set()
        self._local = make_local(self)
        self._watching = False
        self.trace = make_call(self, self.codes, self._local, self._on_call)

    def adopt(self, code: types.CodeType) -> None:
        """Make known the code of a whole source, as compiled: only its own code objects are its lines.

        Code that the program compiles under the same file name stays untraced. Without this call the first module that
        runs under a traced file name is taken, and any that is imported from there.
        """
        tracing = code.co_filename in self.traced and _gettrace() is self.trace
        if tracing:
            _settrace(None)  # or every function of ours would be looked at
        try:
            self._adopt(code)
        finally:
            if tracing:
                _settrace(self.trace)

    def _adopt(self, code: types.CodeType) -> None:
        file = code.co_filename
        self._adopted.add(file)
        for part, first in tree(code):
            names = part.co_names
            # An attribute's name may be a text: `getattr(point, "__dict__")`.
            said = {*names, *[each for each in part.co_consts if type(each) is str]}
            self.proxied = self.proxied or "f_locals" in said or not _TRACERS.isdisjoint(said)
            if self.proxied or not _EXPOSES.isdisjoint(said):
                self.heap.widen(TOUCH | NAMES)
            if "__bases__" in said:
                self.heap.fickle = True
                self.heap.widen(TOUCH | NAMES)
            if not _LAZY.isdisjoint(names):
                self.heap.widen(WITH_MAPS)
            if "finalize" in names or "weak" in " ".join(names).lower():
                self.heap.beware()
            if file in self.traced:
                name, ranges = self.traced[file]
                self._kept.append(part)
                wanted = not hidden(part) and inside(part, ranges)
                self.codes[id(part)] = Code(part, name, first) if wanted else None
        if file in self.traced:
            self._watch_calls()

    def _watch_calls(self) -> None:
        """Have CPython tell of the calls that traced code makes."""
        if self._watching:
            for code in self.codes.values():
                if code is not None and not code.watched:
                    code.watched = True
                    sys.monitoring.set_local_events(TOOL, code.code, sys.monitoring.events.CALL)

    def start(self) -> None:
        """Trace from here on: frames that are called now, not the caller's own."""
        monitoring = sys.monitoring
        monitoring.use_tool_id(TOOL, "tracepane")
        events = monitoring.events
        monitoring.register_callback(TOOL, events.PY_UNWIND, self._on_unwind)
        monitoring.register_callback(TOOL, events.EXCEPTION_HANDLED, self._on_handled)
        monitoring.register_callback(TOOL, events.RERAISE, self._on_reraise)
        monitoring.set_events(TOOL, events.PY_UNWIND | events.EXCEPTION_HANDLED | events.RERAISE)
        monitoring.register_callback(TOOL, events.CALL, make_callback(self))
        self._watching = True
        self._watch_calls()
        self._flushed = _clock()
        self.spies.install()
        _settrace(self.trace)

    def stop(self) -> None:
        """Trace no more."""
        _settrace(None)
        self.spies.remove()
        if sys.monitoring.get_tool(TOOL) == "tracepane":
            sys.monitoring.set_events(TOOL, 0)
            for code in self.codes.values():
                if code is not None:
                    sys.monitoring.set_local_events(TOOL, code.code, 0)
            sys.monitoring.free_tool_id(TOOL)

    def finish(self, end: dict[str, Any]) -> dict[str, Any]:
        """Write the end event, flush everything, and return `end` with `steps`."""
        self.speak()
        self.writer.event(layout.END, -1, 0, 0, 0)
        self.writer.flush()
        return {**end, "steps": self.writer.steps}

    def _on_call(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        """A call of Python code, traced or not, or a frame that goes on."""
        code = frame.f_code
        try:
            known = self.codes[id(code)]
        except KeyError:
            known = self._first_sight(frame, code)
        if known is None:
            # Whoever called it may find anything changed. Libraries call so often that this takes no call of ours.
            heap, stack = self.heap, self.stack
            heap.foreign = heap.outside = True
            heap.calm = -1
            if self.spies.spy is None and (not stack or stack[-1].busy):
                return None
            return self._leave(frame, event, arg)
        if self.lost:
            self._recover(frame)
        local: Any = frame.f_trace
        if type(local) is types.MethodType and type(local.__self__) is self._local:
            local(frame, event, arg)
            return local
        local = self._local(known).trace
        local(frame, event, arg)
        return local

    def _leave(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        """A call of code that is not traced, the first one of a traced line, or one that a spy is told of."""
        stack = self.stack
        if stack and not stack[-1].busy:
            stack[-1].busy = True
            if not stack[-1].tight:
                self.hurry()
        if self.spies.spy is None or frame.f_code.co_filename.startswith(FOLDER):
            return None
        return self.spies.local(frame, event, arg)

    def _first_sight(self, frame: types.FrameType, code: types.CodeType) -> Code | None:
        """A code object that no adopted source holds: a module that begins, or code made while running."""
        file = code.co_filename
        if code.co_name != "<module>" or file not in self.traced:
            self.codes[id(code)] = None
            self._kept.append(code)
            if not _LAZY.isdisjoint(code.co_names):
                self.heap.widen(WITH_MAPS)
            return None
        back = frame.f_back
        imported = back is not None and back.f_code.co_filename == "<frozen importlib._bootstrap>"
        if imported or file not in self._adopted:
            self._adopt(code)
        return self.codes.get(id(code))

    def _on_unwind(self, code: types.CodeType, offset: int, exception: BaseException) -> None:
        """A frame was left by an exception; the trace function should have been told."""
        lost = self._restore()
        frame = _getframe(1)
        if self.stack and self.stack[-1].address == id(frame):
            activation = self.stack[-1]
            activation.exception, activation.calm = exception, -2
            activation.trace(frame, "return", None)
        elif lost and self.codes.get(id(code)) is not None:
            exception.__traceback__ = None  # the call was refused: natively its frame would not have begun

    def _on_handled(self, code: types.CodeType, offset: int, exception: BaseException) -> None:
        if self._restore():
            self.lost = True

    def _on_reraise(self, code: types.CodeType, offset: int, exception: BaseException) -> None:
        if self.stack and self.stack[-1].address == id(_getframe(1)):
            self.stack[-1].exception, self.stack[-1].calm = exception, -2

    def _restore(self) -> bool:
        """Put the trace function back; whether it was lost."""
        if _gettrace() is self.trace:
            return False
        _settrace(self.trace)
        for activation in self.stack:
            activation.calm = -2  # where its frame stands is not what it was last told
        return True

    def _recover(self, frame: types.FrameType) -> None:
        """Events were lost: end the frames on the stack that do not run any more."""
        self.lost = False
        running = set()
        below: types.FrameType | None = frame
        while below is not None:
            running.add(id(below))
            below = below.f_back
        while self.stack and self.stack[-1].address not in running:
            self.drop()
