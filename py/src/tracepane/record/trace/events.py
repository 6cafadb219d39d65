"""The events of a trace, asked by step, frame and version: what every query stands on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

from tracepane.record.format.layout import EXTENDED, KINDS
from tracepane.record.trace.columns import Columns
from tracepane.record.trace.sound import check


class Events:
    """The events and values of one run. Steps count from 0; refs, versions and columns are those of trace-format.md.

    `header` and `end` are the documents at the file's two ends; `columns` maps a column's name to its numbers;
    `strings` is the string table.
    """

    def __init__(self, header: dict[str, Any], columns: Columns, end: dict[str, Any]) -> None:
        """Check the columns, so that every query may trust them. Raises TraceError for what the format forbids."""
        self.header, self.end = header, end
        self.columns: dict[str, Any] = columns
        self.strings: list[str] = check(self.columns)

    @property
    def steps(self) -> int:
        """How many events there are."""
        return len(self.columns["event_kind"])

    def __len__(self) -> int:
        """How many events there are."""
        return self.steps

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

    def same(self, one: int, other: int) -> bool:
        """Whether two refs are the same value: an atom may be in the string table more than once."""
        return one == other or (one > 0 and other > 0 and self.strings[one - 1] == self.strings[other - 1])

    def same_version(self, one: Sequence[int], other: Sequence[int], shape: int) -> bool:
        """Whether two versions of a shape have the same slots; of names and counts each has one number."""
        if one == other:
            return True
        if len(one) != len(other) or (shape & EXTENDED and one[0] != other[0]):
            return False
        return all(map(self.same, one, other))


def _starts(counts: Iterable[int]) -> Sequence[int]:
    return [0, *accumulate(counts)]
