"""A recorded trace, read back: columns, strings, header and end. Checked once, so that every query may trust it."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import Any

from tracepane.record import container
from tracepane.record.container import TraceError
from tracepane.record.layout import BYTE_COLUMNS, COLUMNS, FEATURES, FORMAT, KINDS
from tracepane.record.sound import check
from tracepane.record.writer import TraceWriter, combine

__all__ = ["Trace", "TraceError", "TraceWriter"]


class Trace:
    """The events and values of one run. Steps count from 0; refs, versions and columns are those of trace-format.md.

    `header` and `end` are the documents at the file's two ends; `columns` maps a column's name to its numbers.
    """

    def __init__(self, header: dict[str, Any], chunks: Sequence[bytes], end: dict[str, Any]) -> None:
        """Join the chunks and check them. Raises TraceError for anything that trace-format.md does not allow."""
        if header.get("format") != FORMAT:
            raise TraceError(f"this reader knows {FORMAT}; the trace is of the format {header.get('format')!r}")
        unknown = [feature for feature in header.get("features") or () if feature not in FEATURES]
        if unknown:
            raise TraceError(f"the trace needs features that this reader does not know: {unknown}")
        self.header, self.end = header, end
        self._chunks = list(chunks)
        self.columns: dict[str, Any] = _columns(self._chunks)
        check(self.columns)

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Read a trace file. Raises TraceError when it is no trace, or a damaged one, and OSError."""
        return cls.parse(Path(path).read_bytes())

    @classmethod
    def parse(cls, data: bytes) -> Trace:
        """Read the bytes of a trace file. Raises TraceError."""
        header, end = None, None
        chunks = []
        for kind, raw in container.unpack(data):
            if (kind == container.HEADER) != (header is None) or end is not None:
                raise TraceError("the trace's records stand in the wrong order: one header, chunks, one end")
            if kind == container.HEADER:
                header = container.read_json(raw, "header")
            elif kind == container.CHUNK:
                chunks.append(raw)
            else:
                end = container.read_json(raw, "end")
        if header is None or end is None:
            raise TraceError("the trace is cut off: its header or its end is missing")
        return cls(header, chunks, end)

    @classmethod
    def from_chunks(cls, header: dict[str, Any], chunks: Iterable[bytes], end: dict[str, Any]) -> Trace:
        """A trace from what a run handed out: its header, the raw bytes of its chunks, and its end."""
        return cls(header, list(chunks), end)

    def save(self, path: str | Path) -> None:
        """Write a trace file."""
        Path(path).write_bytes(self.pack())

    def pack(self) -> bytes:
        """The bytes of a trace file."""
        return container.join(self.header, self._chunks, self.end)

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
        return combine([sha256(_raw(self.columns[name])).hexdigest() for name in COLUMNS], self.end)

    def expand(self, first: int = 0, last: int | None = None) -> dict[str, Any]:
        """The trace as expanded JSON (docs/reference/expanded-json.md), with the events from `first` up to `last`."""
        from tracepane.record.expand import expand  # it stands on this module

        return expand(self, first, last)


def _columns(chunks: Sequence[bytes]) -> dict[str, Any]:
    columns: dict[str, Any] = {name: bytearray() if name in BYTE_COLUMNS else array("i") for name in COLUMNS}
    for number, chunk in enumerate(chunks):
        place = 0
        for name in COLUMNS:
            size = int.from_bytes(chunk[place : place + 4], "little")
            start, stop = place + 4, place + 4 + size
            if start > len(chunk) or stop > len(chunk) or (size % 4 and name not in BYTE_COLUMNS):
                raise TraceError(f"chunk {number} is damaged: its column {name} does not fit in")
            _extend(columns[name], chunk[start:stop])
            place = stop
        if place != len(chunk):
            raise TraceError(f"chunk {number} is damaged: {len(chunk) - place} bytes follow its last column")
    return columns


def _extend(column: Any, raw: bytes) -> None:
    if isinstance(column, bytearray):
        column += raw
        return
    added = array("i", raw)
    if sys.byteorder == "big":
        added.byteswap()
    column.extend(added)


def _raw(column: Any) -> bytes:
    if isinstance(column, array) and sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return bytes(column)


def _starts(counts: Iterable[int]) -> Sequence[int]:
    return [0, *accumulate(counts)]


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")
