"""The program's own trace function: gets the events that it would get without a recorder.

`sys.settrace` and `sys.gettrace` are ours while a run is recorded; the recorder's trace function hands on what it sees.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from tracepane.record.hidden import builtin, hidden
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.activation import Activation
from tracepane.record.recorder.heap import Heap

globals()["__builtins__"] = BUILTINS

_settrace, _gettrace = sys.settrace, sys.gettrace


class Spies:
    """`spy` is the program's global trace function, None while it has none."""

    def __init__(self, heap: Heap, stack: list[Activation]) -> None:
        """For one run; `stack` is the recording's, as it grows and shrinks."""
        self._heap, self._stack = heap, stack
        self.spy: Any = None

    def install(self) -> None:
        """Take the place of the functions that set a trace function."""
        spies = self

        def settrace(function: Any, /) -> None:
            spies.spy = function
            spies._adopt_locals(sys._getframe(0))

        def gettrace() -> Any:
            return spies.spy

        sys.settrace = builtin(settrace, _settrace)
        sys.gettrace = builtin(gettrace, _gettrace)

    def remove(self) -> None:
        """Give the places back."""
        sys.settrace, sys.gettrace = _settrace, _gettrace

    @hidden
    def _adopt_locals(self, frame: types.FrameType | None) -> None:
        """A debugger may have put itself into the frames that run (`frame.f_trace = …`): it shares them with us."""
        for activation in reversed(self._stack):
            while frame is not None and id(frame) != activation.address:
                frame = frame.f_back
            if frame is None:
                return
            if frame.f_trace is not None and frame.f_trace != activation.trace:
                activation.spy, frame.f_trace = frame.f_trace, activation.trace

    @hidden
    def local(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        """Tell the spy of a call; its local trace function, if it wants one."""
        self._heap.disturb()
        try:
            return self.spy(frame, event, arg)
        except BaseException:
            self.spy = None
            raise

    @hidden
    def tell(self, local: Any, frame: types.FrameType, event: str, arg: Any) -> Any:
        """Tell a local trace function of an event; the one to tell next."""
        self._heap.disturb()
        try:
            result = local(frame, event, arg)
        except BaseException:
            self.spy = None
            raise
        return local if result is None else result
