"""A recording as it goes on: what was seen, what must be looked at before the next event, and when chunks leave."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from tracepane.record.bytecode.code import Code
from tracepane.record.bytecode.lines import Stretch
from tracepane.record.format import layout
from tracepane.record.format.writer import TraceWriter
from tracepane.record.hidden import hidden
from tracepane.record.own import BUILTINS
from tracepane.record.recorder import orphans
from tracepane.record.recorder.activation import Activation
from tracepane.record.recorder.entry import Watch
from tracepane.record.recorder.heap import Heap
from tracepane.record.recorder.scene import Scene
from tracepane.record.recorder.spy import Spies

globals()["__builtins__"] = BUILTINS

_call_tracing = sys.call_tracing
_clock = time.perf_counter
FIRST_FLUSH, FLUSH_SECONDS = 32, 0.05
CALL_SECONDS = 0.02  # what a call that never comes back may lose, in a line that did come back before
_MANY = 5 * 2_048  # numbers of events that wait: what fits the caches is soon packed
_MUCH = 1 << 18  # bytes of texts that leave at once
MANY_ATOMS = 1 << 15  # new ones after which those that are not in use are forgotten
CHECK_EVERY = 256  # events between two looks at clock and limits


class Recording:
    """What all frames of a run share. Hooks, all optional:

    `before_event()` is called before an event whenever code of others may have run since the last one, and at least
    every 256 events; it may call `output` and `file`. `on_limit(which)` is called once, after the event with which
    `max_steps` or `max_bytes` was reached.
    """

    watches: tuple[type, ...] = (Watch,)

    def __init__(self, writer: TraceWriter) -> None:
        """Events go to `writer`."""
        self.writer = writer
        self.heap = Heap(writer)
        self.scene = Scene(writer, self.heap)
        self.before_event: Callable[[], object] | None = None
        self.on_limit: Callable[[str], object] | None = None
        self.max_steps, self.max_bytes = sys.maxsize, sys.maxsize
        self.codes: dict[int, Code | None] = {}  # by the addresses of code objects, None of those that are not traced
        self.stack: list[Activation] = []
        self.spies = Spies(self.heap, self.stack)
        self.proxied = False  # whether the program may write to the locals of frames, or trace itself
        self.spoken: tuple[int, int, int] | None = None
        self.lost = False  # whether CPython dropped the trace function, so that events may be missing
        self.deepest = 0  # how deep a frame may lie whose calls need no care with the limit of recursion
        self.due = 0  # the length of the writer's `events` at which clock and limits are looked at
        self.suspended: dict[int, Activation] = {}  # by their frames' ids, those of generators that may go on
        self._forget_at = MANY_ATOMS
        self._texts: list[str] = []
        self._look_at = 1
        self._known = 0  # how many objects were, before garbage was collected
        self._flush_at, self._flush_every, self._flushed = FIRST_FLUSH, FIRST_FLUSH, 0.0

    def flush(self) -> None:
        """Hand out what was recorded so far."""
        self.writer.flush()
        self._flushed = _clock()
        self._set_due()

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
        return (self.stack[-1].number, self.stack[-1].stands()) if self.stack else (-1, 0)

    def speak(self) -> None:
        """Write the output that has gathered since the last event, as one event."""
        if self.spoken is None:
            return
        kind, frame, line = self.spoken
        text = "".join(self._texts)
        self.spoken = None
        self._texts.clear()
        self.writer.event(kind, frame, line, self.writer.atom(text) - 1, 0)
        self.checkpoint()

    def look_around(self) -> None:
        """Before an event: what happened since the last one besides the program's own code?"""
        heap = self.heap
        if heap.watched:
            self.let_go()
        if self.before_event is not None and (heap.outside or heap.finals or len(self.writer.events) >= self.due):
            self.before_event()
        heap.outside = False
        if self.spoken is not None:
            self.speak()
        if heap.dead:
            heap.bury()

    @hidden
    def heed(self) -> None:
        """Have all stretches of code heed what the program has that may change objects."""
        self.heap.unheeded = False
        for code in self.codes.values():
            if code is not None:
                code.stretches.heed(self.heap.mask)

    def let_go(self) -> None:
        """Let the watched objects die that only the recorder holds; what their finalizers do is traced."""
        doomed = self.heap.watched and self.heap.doomed()
        while doomed:
            _call_tracing(self.heap.release, (doomed,))
            doomed = self.heap.doomed()

    @hidden
    def forsake(self, among: set[int] | None, *, counted: bool = True) -> set[int]:
        """Before garbage is collected: let go of what only garbage and the recorder hold; see orphans.forsake."""
        if among is None:
            self._known = len(self.heap.numbers)
        return orphans.forsake(self.heap, among, counted=counted)

    @hidden
    def collected(self) -> None:
        """After garbage was collected: what died is known no more."""
        self.heap.bury_unheard(self._known)

    def checkpoint(self) -> None:
        """Flush if it is time, and end the run if a limit is reached. Sets `due`."""
        writer = self.writer
        steps = writer.steps
        if steps >= self._flush_at:
            self._flush_soon(steps)
        elif writer.waiting >= _MUCH:
            self.flush()
        if steps >= self.max_steps:
            self._limit("steps")
        elif writer.reaches(self.max_bytes):
            self._limit("bytes")
        if writer.count >= self._forget_at:
            self._forget_atoms()
        self.heap.sweep()
        self._look_at = steps + max(1, min(CHECK_EVERY, self._flush_at - steps, self.max_steps - steps))
        self._set_due()

    def _set_due(self) -> None:
        """After the event before the one that looks: at the same step, whenever the events were handed out."""
        writer = self.writer
        self.due = len(writer.events) + 5 * (self._look_at - 1 - writer.steps)

    def _forget_atoms(self) -> None:
        """Keep the refs of those atoms only that something is bound to: the tables of all would fill the memory."""
        live: set[int] = set()
        for activation in (*self.stack, *self.suspended.values()):
            live.update(activation.refs.values(), activation.free.values())
        for names in self.scene.namespaces.values():
            live.update(names.refs.values())
        self.heap.forget_atoms(live)
        self._forget_at = self.writer.count + max(MANY_ATOMS, len(live))

    def _flush_soon(self, steps: int) -> None:
        """At first after few events, then after more and more; from then on by time."""
        if self._flush_every < 512:
            self._flush_every *= 2
            self.flush()
        elif _clock() - self._flushed > FLUSH_SECONDS:
            self.flush()
        elif len(self.writer.events) >= _MANY:
            self.writer.pack()
        self._flush_at = steps + self._flush_every

    def begin(self, stretch: Stretch) -> None:
        """Hand out what was recorded before code runs for the first time: Stop or a crash must lose nothing."""
        stretch.begun = True
        self.flush()

    def hurry(self) -> None:
        """The same before code that is not traced runs, which may never come back, unless that was done just now."""
        if _clock() - self._flushed > CALL_SECONDS:
            self.flush()

    def _limit(self, which: str) -> None:
        reached, self.on_limit = self.on_limit, None
        if reached is not None:
            reached(which)

    def drop(self) -> None:
        """The end of the innermost frame on the stack was not seen."""
        gone = self.stack.pop()
        gone.variables = None
        self.writer.event(layout.UNWIND, gone.number, gone.stands(), 0, 0)

    def resync(self) -> None:
        """The recorder was interrupted in the middle of an event: take nothing that it knew for granted."""
        self.writer.take_back()
        self.scene.doubt(self.stack)
        self.heap.disturb()
