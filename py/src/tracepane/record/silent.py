"""The recorder of a run without recording: output, files and the end, at full speed. Same interface as `Recorder`."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import CodeType
from typing import Any

from tracepane.record.format.layout import END, FILE, STREAMS
from tracepane.record.format.writer import TraceWriter
from tracepane.record.hidden import conceal
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_now = time.perf_counter
_WINDOW, _BURST = 0.05, 20  # seconds, chunks: text shows at once, a flood is bundled


@conceal
class Silent:
    """Writes what the program put out, at no frame."""

    room = 0
    watches: tuple[type, ...] = ()

    def __init__(self, writer: TraceWriter, traced: object = None) -> None:
        """As a Recorder; `on_limit("bytes")` is called when the trace grows over `max_bytes`. Steps have no limit."""
        self._writer = writer
        self.max_bytes = self.max_steps = 1 << 62
        self.on_limit: Callable[[str], object] | None = None
        self.before_event: Callable[[], object] | None = None
        self._since, self._chunks = _now(), 0
        self._said = 0

    def adopt(self, code: CodeType) -> None:
        """No code is traced."""

    def start(self) -> None:
        """Nothing is watched."""

    def stop(self) -> None:
        """Nothing was watched."""

    def let_go(self) -> None:
        """Nothing is held."""

    def forsake(self, among: set[int] | None, *, counted: bool = True) -> set[int]:
        """Nothing is held."""
        return set()

    def collected(self) -> None:
        """Nothing is known."""

    def output(self, stream: str, text: str) -> None:
        """The program wrote `text`."""
        writer = self._writer
        writer.event(STREAMS[stream], -1, 0, writer.atom(text) - 1, 0)
        self._said += len(text)  # a line that repeats costs the trace little, but not who shows it
        self._pace()

    def file(self, path: str, change: int, size: int, splice: tuple[int, int, bytes]) -> None:
        """A file changed; see TraceWriter.file."""
        writer = self._writer
        writer.event(FILE, -1, 0, writer.file(path, change, size, splice), 0)
        self._pace()

    def finish(self, end: dict[str, Any]) -> dict[str, Any]:
        """Write the end event; `end` with `steps`."""
        writer = self._writer
        writer.event(END, -1, 0, 0, 0)
        writer.flush()
        return {**end, "steps": writer.steps}

    def _pace(self) -> None:
        if self._writer.size + self._said >= self.max_bytes and self.on_limit is not None:
            reached, self.on_limit = self.on_limit, None
            reached("bytes")
        now = _now()
        if now - self._since > _WINDOW:
            self._since, self._chunks = now, 0
        if self._chunks < _BURST:
            self._chunks += 1
            self._writer.flush()
