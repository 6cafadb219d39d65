"""A trace and its file: load, save, digest, and the whole as expanded JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from tracepane.record.format.container import TraceError
from tracepane.record.trace import archive
from tracepane.record.trace.columns import Columns, empty, extend, join, part, sizes
from tracepane.record.trace.digest import digest
from tracepane.record.trace.events import Events
from tracepane.record.trace.expand import expand
from tracepane.record.trace.texts import check_cuts


class Trace(Events):
    """The trace of one run, as its events, and what its file holds besides; `Events` says how they are asked."""

    def __init__(
        self, header: dict[str, Any], columns: Columns, end: dict[str, Any], cuts: Sequence[Sequence[int]]
    ) -> None:
        """Check it, and add its digest to `end`. `cuts`: what each table had after each chunk.

        Raises TraceError for what the format forbids.
        """
        super().__init__(archive.check_header(header)[0], columns, {**end, "digest": digest(columns, end)})
        check_cuts(columns, cuts)
        self._cuts = cuts
        self._check_end()

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Read a trace file. Raises TraceError when it is no trace, or a damaged one, and OSError."""
        return cls.parse(Path(path).read_bytes())

    @classmethod
    def parse(cls, data: bytes) -> Trace:
        """Read the bytes of a trace file. Raises TraceError."""
        header, columns, cuts, end = archive.read(data)
        trace = cls(header, columns, end, cuts)
        if end.get("digest", "") not in ("", trace.end["digest"]):
            raise TraceError("the trace was altered: its digest is not that of what it holds")
        return trace

    @classmethod
    def from_chunks(cls, header: dict[str, Any], chunks: Iterable[bytes], end: dict[str, Any]) -> Trace:
        """A trace from what a run handed out: its header, the raw bytes of its chunks, and its end."""
        columns = empty()
        cuts = [sizes(columns)]
        for number, chunk in enumerate(chunks):
            try:
                extend(columns, chunk)
                cuts.append(sizes(columns))
            except TraceError as error:
                raise TraceError(f"chunk {number} is damaged: {error}") from None
        return cls(header, columns, end, cuts)

    def save(self, path: str | Path) -> None:
        """Write a trace file."""
        with open(path, "wb") as file:
            self._write(file.write)

    def pack(self) -> bytes:
        """The bytes of a trace file."""
        parts: list[bytes] = []
        self._write(parts.append)
        return b"".join(parts)

    def _write(self, write: archive.Write) -> None:
        writer = archive.Writer(write, self.header)
        for start, stop in pairwise(self._cuts):
            writer.add(part(self.columns, start, stop))
        writer.end(self.end)

    def chunks(self) -> list[bytes]:
        """The plain bytes of the chunks that the run handed out."""
        return [join(part(self.columns, start, stop)) for start, stop in pairwise(self._cuts)]

    def _check_end(self) -> None:
        steps = self.end.get("steps", self.steps)
        if steps != self.steps and not is_cut(self.end):
            raise TraceError(f"the trace ends with {steps!r} steps, but holds {self.steps}")

    def expand(self, first: int = 0, last: int | None = None) -> dict[str, Any]:
        """The trace as expanded JSON (docs/reference/expanded-json.md), with the events from `first` up to `last`."""
        return expand(self, first, last)


def is_cut(end: dict[str, Any]) -> bool:
    """Whether a run was ended from outside: whoever did cannot know how many steps had been sent."""
    return end.get("status") in ("stopped", "crashed") or end.get("limit") == "seconds"
