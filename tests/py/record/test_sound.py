"""A damaged trace is refused, not read wrongly."""

from __future__ import annotations

import pytest
from recording import record

from tracepane.record.trace import Trace, TraceError
from tracepane.record.trace.sound import check


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A file is created, extended, deleted and created again."""
    return record(
        "import os\nfor text in 'ab':\n open('f', 'a').write(text)\nos.remove('f')\nopen('f', 'w').write('c')\n"
    )


def test_the_trace_itself_is_sound(trace: Trace) -> None:
    """It has two stays of one file."""
    check(trace.columns)
    assert trace.columns["file_change"] == bytearray([0, 1, 2, 0])


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [("file_prefix", 1, 2), ("file_prefix", 0, 1), ("file_suffix", 3, 1), ("file_size", 1, 3), ("file_change", 0, 2)],
)
def test_a_change_of_a_file_that_does_not_fit(trace: Trace, name: str, at: int, value: int) -> None:
    """It keeps more than there was, or does not add up."""
    column = trace.columns[name][:]
    column[at] = value
    with pytest.raises(TraceError, match="file change"):
        check({**trace.columns, name: column})
