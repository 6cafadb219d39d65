"""The first event that differs is found in the raw columns, whatever part of it differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tracepane.check.divergence import BLOCK, candidates, first_difference
from tracepane.record.format.writer import TraceWriter
from tracepane.record.trace import Trace

LINE, RETURN, STDOUT, FILE, END = 2, 3, 7, 9, 10


class Script:
    """Writes the events of a little program by hand, one method an event."""

    def __init__(self) -> None:
        """Begin with an empty trace."""
        self.chunks: list[bytes] = []
        self.writer = TraceWriter(self.chunks.append)
        self.frame = -1

    def nothing(self) -> None:
        """No event."""

    def call(self, name: str = "f", file: str = "p.py") -> None:
        """A call of a new function."""
        self.frame = self.writer.frame(self.writer.code(file, name, 1, 2), 0)
        self.writer.event(0, self.frame, 1, 0, 0)

    def line(self, number: int, **changes: str) -> None:
        """A line at which variables are found changed; values are atoms."""
        for name, atom in changes.items():
            self.writer.row(self.writer.string(name) * 4, self.writer.string(atom) + 1)
        self.writer.event(LINE, self.frame, number, 0, len(changes))

    def object(self, number: int, identity: int, *atoms: str, kind: str = "list", length: int | None = None) -> None:
        """A line at which an object is found with these items."""
        slots = [self.writer.string(atom) + 1 for atom in atoms]
        size = len(slots) if length is None else length
        version = self.writer.version(identity, 1, self.writer.string(kind), size, slots)
        self.writer.row(identity * 4 + 3, version)
        self.writer.event(LINE, self.frame, number, 0, 1)

    def file(self, content: bytes) -> None:
        """A file is written."""
        change = self.writer.file("out.txt", 0, len(content), (0, 0, content))
        self.writer.event(FILE, self.frame, 1, change, 0)

    def output(self, text: str) -> None:
        """Something is printed."""
        self.writer.event(STDOUT, self.frame, 1, self.writer.string(text), 0)

    def end(self) -> None:
        """The run is over."""
        self.writer.event(END, -1, 0, 0, 0)
        self.writer.flush()

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of the finished trace."""
        header = {"format": "tracepane-trace/1", "features": [], "runtime": {}}
        return Trace.from_chunks(header, self.chunks, {"status": "finished"}).columns


def divergence(left: Callable[[Script], None], right: Callable[[Script], None]) -> list[tuple[int, str, bool]]:
    """The candidates for two scripts that begin and end alike around what is given."""
    columns = []
    for part in (left, right):
        script = Script()
        script.call()
        script.line(2, x="i1")
        part(script)
        script.line(9, x="i7")
        script.end()
        columns.append(script.columns)
    return [(found.step, found.what, found.sure) for found in candidates(*columns)]


@pytest.mark.parametrize(
    ("left", "right", "what"),
    [
        (lambda s: s.line(3), lambda s: s.line(4), "the event"),
        (lambda s: s.line(3, x="i1"), lambda s: s.line(3, y="i1"), "what changed"),
        (lambda s: s.object(3, 1, "i1"), lambda s: s.object(3, 1, "i1", length=9), "an object"),
        (
            lambda s: s.object(3, 1, "i1", "i2", "i1"),
            lambda s: s.object(3, 1, "i1", "i2", "i2"),
            "the contents of an object",
        ),
        (lambda s: s.file(b"ab"), lambda s: s.file(b"ac"), "the contents of a file"),
        (lambda s: s.file(b"ab"), lambda s: s.file(b"abc"), "a file"),
    ],
)
def test_each_part_of_an_event_leads_to_it(
    left: Callable[[Script], None], right: Callable[[Script], None], what: str
) -> None:
    """Event 2 is the first that differs, and it is said in what."""
    step, told, sure = divergence(left, right)[0]
    assert (step, told, sure) == (2, what, True)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lambda s: s.line(3, x="i5"), lambda s: s.line(3, x="i6")),
        (lambda s: s.line(3, first="i1"), lambda s: s.line(3, second="i1")),
        (lambda s: s.object(3, 1, "sa"), lambda s: s.object(3, 1, "sb")),
        (lambda s: s.object(3, 1, kind="list"), lambda s: s.object(3, 1, kind="Stack")),
        (lambda s: s.output("a"), lambda s: s.output("b")),
        (lambda s: s.call("g"), lambda s: s.call("h")),
        (lambda s: s.call("g", "q.py"), lambda s: s.call("g", "r.py")),
    ],
)
def test_a_text_leads_to_the_event_that_brought_it(
    left: Callable[[Script], None], right: Callable[[Script], None]
) -> None:
    """Strings have no owner: where one may have come in is a question for the events themselves."""
    assert divergence(left, right)[0][0] == 2


def test_a_long_text_that_shares_leads_to_the_event_that_brought_it() -> None:
    """Two that differ in nothing but how much they take of an earlier one; or one that takes nothing."""
    text = "s" + "a long text, " * 50

    def then(atom: str) -> Callable[[Script], None]:
        return lambda script: [script.line(3, x=one) for one in (text, atom)].clear()

    assert divergence(then(text[:-2]), then(text[:-4])) == [(3, "a text", False)]
    assert divergence(then(text[:-2]), then("s"))[0] == (3, "a text", False)


def test_equal_traces_have_no_candidate() -> None:
    """Nothing differs, nothing is found."""
    assert divergence(lambda s: s.object(3, 1, "i1"), lambda s: s.object(3, 1, "i1")) == []


def test_a_trace_that_goes_on_differs_where_the_other_ends() -> None:
    """One event more."""
    assert divergence(Script.nothing, lambda s: s.line(9, x="i7"))[0][0] == 3


@pytest.mark.parametrize("place", [0, BLOCK - 1, BLOCK, 3 * BLOCK + 5])
def test_columns_are_compared_block_by_block(place: int) -> None:
    """The first difference is found also at the edges of a block."""
    left = [0] * (4 * BLOCK)
    right = [*left[:place], 1, *left[place + 1 :]]
    assert first_difference(left, right) == place
    assert first_difference(left, left[:place]) is None
