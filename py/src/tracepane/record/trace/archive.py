"""A trace file: packed chunks of so many events each, and an index, so that any chunk can be read without the others.

Source: docs/reference/trace-format.md, "The file".
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tracepane.record.format import container
from tracepane.record.format.container import LARGEST, Record, TraceError
from tracepane.record.format.layout import EVENTS, FEATURES, FORMAT, PACKED_FEATURE, ROWS, STATUSES, TABLES
from tracepane.record.trace import columns as plain
from tracepane.record.trace import packing
from tracepane.record.trace.columns import Columns

CHUNK_EVENTS = 16_384
CHUNK_BYTES = 4 << 20  # of the plain form: a chunk that holds more is not filled up with further events

_NONE = (0,) * len(TABLES)
_ENTRY = struct.Struct(f"<{1 + len(TABLES)}I")
_PLACE = struct.Struct("<I")
_TAIL_SIZE = container.RECORD.size + _PLACE.size

Write = Callable[[bytes], object]


class Entry(NamedTuple):
    """What the index says of a chunk: the byte where it begins, and how many elements each table has before it."""

    place: int
    before: tuple[int, ...]


class Writer:
    """Writes a trace file while the run goes on: every chunk that is full goes out, at once and for good."""

    def __init__(self, write: Write, header: dict[str, Any]) -> None:
        """Write magic and header. `write` takes bytes, one after the other."""
        self._write = write
        self._place = 0
        self._index: list[Entry] = []
        self._before = _NONE
        self._waiting = plain.empty()
        self._put(container.MAGIC)
        features = sorted({*header.get("features", ()), PACKED_FEATURE})
        self._put(container.pack(container.HEADER, container.write_json({**header, "features": features})))

    def add(self, columns: Columns) -> None:
        """More events, with what they name."""
        for name, column in columns.items():
            self._waiting[name] += column
        while len(self._waiting["event_kind"]) >= CHUNK_EVENTS:
            self._cut(CHUNK_EVENTS)
        if plain.weight(plain.sizes(self._waiting)) >= CHUNK_BYTES:
            self._cut(len(self._waiting["event_kind"]))

    def end(self, end: dict[str, Any]) -> None:
        """Write what waits, the index, the end and the tail."""
        if any(self._waiting.values()):
            self._cut(len(self._waiting["event_kind"]))
        place = self._place
        rows = [*self._index, Entry(place, self._before)]
        self._put(container.pack(container.INDEX, b"".join(_ENTRY.pack(at, *before) for at, before in rows)))
        self._put(container.pack(container.END, container.write_json(end)))
        self._put(container.pack(container.TAIL, _PLACE.pack(place)))

    def _cut(self, events: int) -> None:
        """One chunk: so many events with their rows, and everything else that waits, as they may name it."""
        counts = list(plain.sizes(self._waiting))
        first = counts.copy()
        first[EVENTS] = events
        first[ROWS] = sum(self._waiting["event_rows"][:events])
        self._index.append(Entry(self._place, self._before))
        pieces = packing.pack(plain.part(self._waiting, _NONE, first))
        self._put(container.pack_pieces(container.PACKED, pieces))
        self._before = tuple(map(sum, zip(self._before, first, strict=True)))
        self._waiting = plain.part(self._waiting, first, counts)

    def _put(self, data: bytes) -> None:
        self._place += len(data)
        self._write(data)


class Content(NamedTuple):
    """All of a file: header, columns, what tables had after each chunk, and the end."""

    header: dict[str, Any]
    columns: Columns
    cuts: list[tuple[int, ...]]
    end: dict[str, Any]


def read(data: bytes) -> Content:
    """Everything that a trace file holds, whether in plain chunks or packed. Raises TraceError where it is damaged."""
    records = container.unpack(data)
    header, packed = check_header(_json(_next(records), container.HEADER, "header"))
    columns, cuts = plain.empty(), [_NONE]
    index: list[Entry] = []
    record = _next(records)
    while record.kind == (container.PACKED if packed else container.CHUNK):
        index.append(Entry(record.place, cuts[-1]))
        _take(record, columns)
        cuts.append(plain.sizes(columns))
        record = _next(records)
    if packed:
        _check_index(record, [*index, Entry(record.place, cuts[-1])])
    end = _read_end(_next(records) if packed else record)
    if packed:
        _check_tail(_next(records), record.place)
    for extra in records:
        raise TraceError(f"a record follows the trace's end, at byte {extra.place}")
    return Content(header, columns, cuts, end)


def check_header(header: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """The header of what a file holds, and whether its chunks are packed. Raises TraceError for an unknown format."""
    if header.get("format") != FORMAT:
        raise TraceError(f"this reader knows {FORMAT}; the trace is of the format {header.get('format')!r}")
    features = header.get("features")
    if not isinstance(features, list):
        raise TraceError("the trace's header has no list of features")
    unknown = [feature for feature in features if feature not in (*FEATURES, PACKED_FEATURE)]
    if unknown:
        raise TraceError(f"the trace needs features that this reader does not know: {unknown}")
    kept = [feature for feature in features if feature != PACKED_FEATURE]
    return {**header, "features": kept}, PACKED_FEATURE in features


class Chunks:
    """The chunks of a file, each read by itself: of what comes before one, only the index is looked at.

    `before` has, for each chunk and for the end, how many elements of each table (layout.TABLES) come before it.
    """

    def __init__(self, data: bytes) -> None:
        """Look at the two ends of a packed file. Raises TraceError when it is damaged or has no index."""
        self._data = data
        first, _ = container.read_record(data, container.check_magic(data))
        self.header, packed = check_header(_json(first, container.HEADER, "header"))
        if not packed:
            raise TraceError("the file has no index: its chunks can only be read one after the other")
        self._entries = self._read_index()
        self.before = [entry.before for entry in self._entries]
        self.steps = self.before[-1][EVENTS]

    def __len__(self) -> int:
        """How many chunks there are."""
        return len(self._entries) - 1

    def number(self, step: int) -> int:
        """The chunk that holds an event. Raises IndexError when there is no such step."""
        if not 0 <= step < self.steps:
            raise IndexError(f"step {step} of {self.steps}")
        return bisect_right(self.before, step, key=lambda before: before[EVENTS]) - 1

    def columns(self, number: int) -> Columns:
        """What one chunk holds. Raises TraceError when it is damaged, or not what the index says."""
        entry, after = self._entries[number], self._entries[number + 1]
        record, _ = container.read_record(self._data, entry.place)
        columns = plain.empty()
        if record.kind != container.PACKED:
            raise TraceError(f"the index names a chunk at byte {entry.place}, where there is none")
        _take(record, columns)
        if tuple(map(sum, zip(entry.before, plain.sizes(columns), strict=True))) != after.before:
            raise TraceError(f"the chunk at byte {entry.place} is not what the index says of it")
        return columns

    def _read_index(self) -> list[Entry]:
        try:
            tail, _ = container.read_record(self._data, len(self._data) - _TAIL_SIZE)
        except TraceError as error:
            raise TraceError(f"the file is cut off: no tail is at its end ({error})") from None
        if tail.kind != container.TAIL or len(tail.raw) != _PLACE.size:
            raise TraceError(f"the file is cut off at byte {len(self._data)}: no tail is at its end")
        record, after = container.read_record(self._data, _PLACE.unpack(tail.raw)[0])
        entries = _entries(record)
        self.end = _read_end(container.read_record(self._data, after)[0])
        return entries


def _json(record: Record, kind: int, what: str) -> dict[str, Any]:
    if record.kind != kind:
        raise TraceError(f"the trace's records stand in the wrong order: no {what} at byte {record.place}")
    return container.read_json(record.raw, what)


def _read_end(record: Record) -> dict[str, Any]:
    end = _json(record, container.END, "end")
    status, steps = end.get("status"), end.get("steps")
    if status not in STATUSES:
        raise TraceError(f"the trace ends as {status!r}, which this reader does not know")
    if not isinstance(steps, int) or isinstance(steps, bool):
        raise TraceError("the trace's end has no number of steps")
    return end


def _next(records: Iterator[Record]) -> Record:
    for record in records:
        return record
    raise TraceError("the trace is cut off: its header or its end is missing")


def _take(record: Record, columns: Columns) -> None:
    """Append what a chunk holds."""
    try:
        if record.kind == container.CHUNK:
            plain.extend(columns, record.raw)
            return
        added = packing.unpack(record.raw)
        if plain.weight(plain.sizes(columns)) + plain.weight(plain.sizes(added)) > LARGEST:
            raise TraceError("the trace unfolds to more than a reader takes")
    except TraceError as error:
        raise TraceError(f"the chunk at byte {record.place} of the file is damaged: {error}") from None
    for name, column in added.items():
        columns[name] += column


def _entries(record: Record) -> list[Entry]:
    if record.kind != container.INDEX or not record.raw or len(record.raw) % _ENTRY.size:
        raise TraceError(f"the trace's records stand in the wrong order: no index at byte {record.place}")
    return [Entry(place, tuple(before)) for place, *before in _ENTRY.iter_unpack(record.raw)]


def _check_index(record: Record, found: list[Entry]) -> None:
    if _entries(record) != found:
        raise TraceError(f"the index at byte {record.place} does not name the file's chunks as they are")


def _check_tail(record: Record, index: int) -> None:
    if record.kind != container.TAIL or record.raw != _PLACE.pack(index):
        raise TraceError(f"the tail at byte {record.place} does not name the index at byte {index}")
