"""A recorded trace, read back: columns, strings, header and end. Checked once, so that every query may trust it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from tracepane.record import archive
from tracepane.record.columns import Columns, empty, extend, join, part, raw, sizes
from tracepane.record.container import TraceError
from tracepane.record.layout import COLUMNS, KINDS
from tracepane.record.sound import check
from tracepane.record.writer import TraceWriter, combine

__all__ = ["Trace", "TraceError", "TraceWriter"]


class Trace:
    """The events and values of one run. Steps count from 0; refs, versions and columns are those of trace-format.md.

    `header` and `end` are the documents at the file's two ends; `columns` maps a column's name to its numbers.
    """

    def __init__(
        self, header: dict[str, Any], columns: Columns, end: dict[str, Any], cuts: Sequence[Sequence[int]]
    ) -> None:
        """Check it. `cuts`: what each table had after each chunk. Raises TraceError for what the format forbids."""
        self.header, _ = archive.check_header(header)
        self.end = end
        self.columns: dict[str, Any] = columns
        self._cuts = cuts
        check(self.columns)
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
        if end.get("digest", "") not in ("", trace.digest()):
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

    @property
    def steps(self) -> int:
        """How many events there are."""
        return len(self.columns["event_kind"])

    def __len__(self) -> int:
        """How many events there are."""
        return self.steps

    @cached_property
    def strings(self) -> list[str]:
        """The string table."""
        data, place, texts = bytes(self.columns["string_bytes"]), 0, []
        for length in self.columns["string_length"]:
            texts.append(_text(data[place : place + length]))
            place += length
        return texts

    @cached_property
    def row_starts(self) -> Sequence[int]:
        """For each step the index of its first change row; one more for the end."""
        return _starts(self.columns["event_rows"])

    @cached_property
    def slot_starts(self) -> Sequence[int]:
        """For each version the index of its first element of `slot`; one more for the end."""
        return _starts(self.columns["version_count"])

    @cached_property
    def file_starts(self) -> Sequence[int]:
        """For each file change the index of its first byte; one more for the end."""
        return _starts(self.columns["file_count"])

    def kind(self, step: int) -> str:
        """The event's word: `call`, `resume`, `line`, …"""
        return KINDS[self.columns["event_kind"][step]]

    def frame(self, step: int) -> int:
        """The event's frame id, −1 for none."""
        return int(self.columns["event_frame"][step])

    def line(self, step: int) -> int:
        """The event's line, 0 for none."""
        return int(self.columns["event_line"][step])

    def function(self, frame: int) -> str:
        """The qualified name of a frame's code."""
        return str(self.strings[self.columns["code_name"][self.columns["frame_code"][frame]]])

    def file(self, frame: int) -> str:
        """The name of the source that a frame's code comes from."""
        return str(self.strings[self.columns["code_file"][self.columns["frame_code"][frame]]])

    def digest(self) -> str:
        """The digest of what is here, worked out anew: equal to `end["digest"]` unless the trace was altered."""
        return combine([sha256(raw(self.columns[name])).hexdigest() for name in COLUMNS], self.end)

    def _check_end(self) -> None:
        steps = self.end.get("steps", self.steps)
        if steps != self.steps and not is_cut(self.end):
            raise TraceError(f"the trace ends with {steps!r} steps, but holds {self.steps}")

    def expand(self, first: int = 0, last: int | None = None) -> dict[str, Any]:
        """The trace as expanded JSON (docs/reference/expanded-json.md), with the events from `first` up to `last`."""
        from tracepane.record.expand import expand  # it stands on this module

        return expand(self, first, last)


def is_cut(end: dict[str, Any]) -> bool:
    """Whether a run was ended from outside: whoever did cannot know how many steps had been sent."""
    return end.get("status") in ("stopped", "crashed") or end.get("limit") == "seconds"


def _starts(counts: Iterable[int]) -> Sequence[int]:
    return [0, *accumulate(counts)]


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")
