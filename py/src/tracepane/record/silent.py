"""The recorder of a run without recording: output, files and the end, at full speed. Same interface as `Recorder`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tracepane.record.hidden import conceal
from tracepane.record.layout import CHANGES, FILE, STREAMS
from tracepane.record.own import BUILTINS
from tracepane.record.writer import TraceWriter

globals()["__builtins__"] = BUILTINS

_now = time.perf_counter
_WINDOW, _BURST = 0.05, 20  # seconds, chunks: text shows at once, a flood is bundled


@conceal
class Silent:
    """Writes what the program put out, at no frame."""

    def __init__(self, writer: TraceWriter, limit: int, on_limit: Callable[[str], None]) -> None:
        """`on_limit("bytes")` is called when the trace grows over `limit` bytes."""
        self._writer = writer
        self._limit = limit
        self._on_limit = on_limit
        self._contents: dict[str, bytes] = {}
        self._since, self._chunks = _now(), 0
        self.busy = False

    def start(self) -> None:
        """Nothing is watched."""

    def stop(self) -> None:
        """Nothing was watched."""

    def output(self, stream: str, text: str) -> None:
        """The program wrote `text`."""
        writer = self._writer
        writer.event(STREAMS[stream], -1, 0, writer.string(text), 0)
        self._pace()

    def file(self, path: str, change: str, content: bytes) -> None:
        """A file changed."""
        writer = self._writer
        before = self._contents.get(path, b"")
        self._contents[path] = content
        splice = (0, 0, content) if content != before else (len(content), 0, b"")
        number = writer.file(path, CHANGES.index(change), len(content), splice)
        writer.event(FILE, -1, 0, number, 0)
        self._pace()

    def _pace(self) -> None:
        if self._writer.size > self._limit:
            self._on_limit("bytes")
        now = _now()
        if now - self._since > _WINDOW:
            self._since, self._chunks = now, 0
        if self._chunks < _BURST:
            self._chunks += 1
            self._writer.flush()
