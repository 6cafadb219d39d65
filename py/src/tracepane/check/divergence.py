"""Where two traces first differ: found in the raw columns, so that a million equal events cost milliseconds.

Ids of strings, objects, frames and codes are given in order of first use, therefore equal runs have equal columns and
the first unequal element belongs to the first unequal event (docs/reference/trace-format.md).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

Columns = Mapping[str, Sequence[int]]

EVENT = ("event_kind", "event_frame", "event_line", "event_arg", "event_rows")
ROW = ("row_target", "row_value")
VERSION = ("version_object", "version_shape", "version_type", "version_length", "version_form", "version_count")
CODE = ("code_file", "code_name", "code_first", "code_kind")
FRAME = ("frame_code", "frame_globals")
FILE = ("file_path", "file_change", "file_size", "file_prefix", "file_suffix", "file_count")
SHARE = ("share_string", "share_other", "share_kept", "share_tail")
BLOCK = 1 << 14


def first_difference(left: Sequence[int], right: Sequence[int]) -> int | None:
    """Index of the first element in which two columns differ, up to the shorter one; None when there is none."""
    length = min(len(left), len(right))
    for start in range(0, length, BLOCK):
        stop = min(start + BLOCK, length)
        if left[start:stop] != right[start:stop]:
            return next(place for place in range(start, stop) if left[place] != right[place])
    return None


@dataclass(frozen=True, order=True)
class Candidate:
    """An event that may be the first to differ, and what of it differs, in words. `sure`: it does differ."""

    step: int
    what: str
    sure: bool = True


def candidates(left: Columns, right: Columns) -> list[Candidate]:
    """Events that may be the first to differ, in order: one for each group of columns that does."""
    owner = Owner(left)
    groups: list[tuple[Sequence[str], Callable[[int], int], str]] = [
        (EVENT, lambda event: event, "the event"),
        (ROW, owner.of_row, "what changed"),
        (VERSION, owner.of_version, "an object"),
        (("slot",), owner.of_slot, "the contents of an object"),
        (FRAME, owner.of_frame, "the function called"),
        (CODE, owner.of_code, "the function called"),
        (FILE, owner.of_file, "a file"),
        (("file_bytes",), owner.of_byte, "the contents of a file"),
    ]
    found = [
        Candidate(of(place), what) for names, of, what in groups if (place := first_row(names, left, right)) is not None
    ]
    string = first_string(left, right)
    if string is not None:
        found += [Candidate(step, "a text", sure=False) for step in owner.of_string(string)]
    lengths = [len(columns["event_kind"]) for columns in (left, right)]
    if lengths[0] != lengths[1]:
        found.append(Candidate(min(lengths), "the number of events"))
    return sorted(found)


def first_row(names: Sequence[str], left: Columns, right: Columns) -> int | None:
    """Index of the first row in which columns of one length differ, up to the shorter ones."""
    places = [first_difference(left[name], right[name]) for name in names]
    return min((place for place in places if place is not None), default=None)


def first_string(left: Columns, right: Columns) -> int | None:
    """Id of the first string that differs."""
    byte = first_difference(left["string_bytes"], right["string_bytes"])
    ends = list(accumulate(left["string_length"]))
    places = [first_difference(left["string_length"], right["string_length"])]
    places.append(bisect_right(ends, byte) if byte is not None else None)
    places.append(_first_share(left, right))
    return min((place for place in places if place is not None), default=None)


def _first_share(left: Columns, right: Columns) -> int | None:
    """Id of the first string that shares something else, or in one of them nothing."""
    rows = [columns["share_string"] for columns in (left, right)]
    place = first_row(SHARE, left, right)
    if place is None:
        place = min(map(len, rows))
    return min((strings[place] for strings in rows if place < len(strings)), default=None)


class Owner:
    """Answers which event a row, version, frame, code, file change or string belongs to."""

    def __init__(self, columns: Columns) -> None:
        """Keep the columns; sums are made when first asked for."""
        self.columns = columns
        self.events = len(columns["event_kind"])
        self.row_ends: list[int] = []

    def of_row(self, row: int) -> int:
        """The event of a change row."""
        self.row_ends = self.row_ends or list(accumulate(self.columns["event_rows"]))
        return bisect_right(self.row_ends, row)

    def of_version(self, version: int) -> int:
        """The event at which a version of an object was written."""
        rows = zip(self.columns["row_target"], self.columns["row_value"], strict=True)
        found = (row for row, (target, value) in enumerate(rows) if target & 3 == 3 and value == version)
        return self._last(next(found, None), self.of_row)

    def of_slot(self, slot: int) -> int:
        """The event at which an element of `slot` was written."""
        return self.of_version(bisect_right(list(accumulate(self.columns["version_count"])), slot))

    def of_byte(self, byte: int) -> int:
        """The event of the file change that holds a byte."""
        return self.of_file(bisect_right(list(accumulate(self.columns["file_count"])), byte))

    def of_frame(self, frame: int) -> int:
        """The event that began a frame."""
        return next((step for step, of in enumerate(self.columns["event_frame"]) if of == frame), self.events)

    def of_code(self, code: int) -> int:
        """The event that began the first frame of a code."""
        frames = (frame for frame, of in enumerate(self.columns["frame_code"]) if of == code)
        return self._last(next(frames, None), self.of_frame)

    def of_file(self, change: int) -> int:
        """The event of a file change."""
        events = zip(self.columns["event_kind"], self.columns["event_arg"], strict=True)
        return next((step for step, (kind, arg) in enumerate(events) if kind == 9 and arg == change), self.events)

    def of_string(self, string: int) -> Iterator[int]:
        """Events that may be the first to use a string: one for each place that can name it.

        A slot that merely looks like it is told apart by the caller, who compares the events themselves.
        """
        columns, ref = self.columns, string + 1
        for step, (kind, arg) in enumerate(zip(columns["event_kind"], columns["event_arg"], strict=True)):
            if (kind in (7, 8) and arg == string) or (kind not in (7, 8, 9) and arg == ref):
                yield step
                break
        for row, (target, value) in enumerate(zip(columns["row_target"], columns["row_value"], strict=True)):
            if target & 3 != 3 and (target >> 2 == string or value == ref):
                yield self.of_row(row)
                break
        if ref in columns["slot"]:
            yield self.of_slot(columns["slot"].index(ref))
        owners = {"version_type": self.of_version, "code_file": self.of_code, "code_name": self.of_code}
        for name, of in {**owners, "file_path": self.of_file}.items():
            if string in columns[name]:
                yield of(columns[name].index(string))

    def _last(self, place: int | None, of: Callable[[int], int]) -> int:
        return of(place) if place is not None else self.events
