"""Long texts: told by what they share with one before, whichever they are, and read back as they were."""

from __future__ import annotations

import sys
from array import array
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracepane.record.format import layout
from tracepane.record.format.writer import TraceWriter
from tracepane.record.trace import Trace, TraceError
from tracepane.record.trace.columns import empty, extend, join
from tracepane.record.trace.texts import check_cuts, read

HEADER = {"format": layout.FORMAT, "features": [], "job": "", "runtime": {}}
LINE = "a line of sixty characters and no end of them, one, two, .. "
PAD = b"-" * layout.LONG


def written(texts: list[str], flush: bool = False) -> Trace:
    """A trace of an output each."""
    chunks: list[bytes] = []
    writer = TraceWriter(chunks.append)
    for text in texts:
        writer.event(layout.STDOUT, -1, 0, writer.string("s" + text), 0)
        if flush:
            writer.flush()
    writer.flush()
    assert writer.size == len(texts) * 17 + sum(4 + len(text.encode()) for text in {"s" + text for text in texts})
    return Trace.from_chunks(HEADER, chunks, {"status": "finished", "steps": len(texts)})


def said(trace: Trace) -> list[str]:
    """The text of each event."""
    return [trace.strings[string][1:] for string in trace.columns["event_arg"]]


EDITS = st.lists(st.tuples(st.integers(0, 2_000), st.integers(0, 2_000), st.text("ab é一𝔸", max_size=9)), max_size=90)


@settings(deadline=None)
@given(EDITS, st.sampled_from([LINE * 9, "一二三" * 200, "x" * 499, LINE * 40]))
def test_whatever_becomes_of_a_text_comes_back(edits: list[tuple[int, int, str]], text: str) -> None:
    """It grows and shrinks anywhere; earlier ones come again, with the id that they had."""
    texts = [text]
    for start, stop, added in edits:
        texts.append(texts[-1][: start % (len(text) + 1)] + added + texts[-1][min(start, stop) :])
    texts += texts[::3]
    one, many = written(texts), written(texts, flush=True)
    assert said(one) == said(many) == texts
    assert one.end["digest"] == many.end["digest"]
    assert one.columns == many.columns
    assert len(set(one.columns["event_arg"])) == len(set(texts))
    loaded = Trace.parse(one.pack())
    assert loaded.columns == one.columns


def test_a_text_that_grows_costs_what_it_grew() -> None:
    """At either end, or inside; but after so many it is whole again."""
    for place in (0, 500, None):
        texts = [LINE * 20]
        for number in range(200):
            at = len(texts[-1]) if place is None else place
            texts.append(f"{texts[-1][:at]}+{number:03}{texts[-1][at:]}")
        columns = written(texts).columns
        whole = set(range(201)) - set(columns["share_string"])
        assert sorted(whole) == [0, 65, 130, 195]
        assert len(columns["string_bytes"]) == sum(len(texts[one]) + 1 for one in whole) + 4 * (201 - len(whole))


def test_texts_that_grow_by_turns_share_each_with_its_own() -> None:
    """The other one is the last that begins alike, not the last of all."""
    texts = [f"{name} person said: " + LINE * turn for turn in range(9, 29) for name in ("the first", "the second")]
    columns = written(texts).columns
    assert list(columns["share_string"]) == list(range(1, 40))
    assert list(columns["share_other"])[1:] == list(range(38))


def test_a_text_that_has_little_of_another_is_whole() -> None:
    """At least half of it must be shared."""
    columns = written([LINE * 10, LINE * 4 + "!" * 400, "?" * 700]).columns
    assert not columns["share_string"]


def test_texts_that_are_alike_at_both_ends_are_told_apart() -> None:
    """However many there are of one length, each has one id."""
    texts = [LINE * 8 + f"{number:05}" + LINE * 8 for number in range(300)]
    trace = written(texts + texts)
    assert said(trace) == texts + texts
    assert len(trace.strings) == 300


def test_ints_of_any_length_come_back() -> None:
    """Also those whose lengths are about what a byte holds."""
    for numbers in ([1, -22], [10**253], [10**254, 3], [10**255], [7, 10**299]):
        chunks: list[bytes] = []
        writer = TraceWriter(chunks.append)
        for number in numbers:
            writer.integer(number)
        writer.flush()
        assert Trace.from_chunks(HEADER, chunks, {}).strings == [f"i{number}" for number in numbers]


def test_long_texts_are_not_kept() -> None:
    """Of a text that grew, what the writer holds is about what it wrote."""
    writer, text = TraceWriter(lambda _: None), LINE * 200
    for _ in range(1_000):
        text += LINE
        writer.word(text)
        writer.flush()
    held = [sys.getsizeof(known.own) for known in writer._long.first.values()]
    assert len(held) == 1_000
    assert sum(held) < 1_000_000 < 1_000 * len(text) / 40


def table(*told: tuple[Any, ...]) -> dict[str, Any]:
    """A string table: own bytes, and of what shares the other string, bytes of its start and of its end."""
    columns = empty()
    for string, (own, *share) in enumerate(told):
        columns["string_length"].append(len(own))
        columns["string_bytes"] += own
        if share:
            for name, number in zip(layout.TABLES[layout.SHARES], (string, *share), strict=True):
                columns[name].append(number)
    return columns


def test_texts_are_put_together() -> None:
    """The other one's start, its own, the other one's end; cut between characters of any width."""
    told = (b"sab" + PAD + b"cdef",), (b"X", 0, 503, 2), (b"", 1, 506, 0), (b"YZ", 1, 0, 506), (PAD, 0, 0, 0)
    pad, shared = PAD.decode(), f"sab{PAD.decode()}Xef"
    assert read(table(*told)) == [f"sab{pad}cdef", shared, shared, "YZ" + shared, pad]
    start, end = f"s一二{pad}", f"{pad}𝔸三"
    wide = ((start + end).encode(),), ("é".encode(), 0, 4, 507), (PAD, 0, 4, 7), (b"", 0, 1007, 3)
    assert read(table(*wide)) == [start + end, f"s一é{end}", f"s一{end}", f"{start}{pad}三"]


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ([(b"s",), (b"", 1, 0, 0)], "cannot share with string 1"),
        ([(b"s",), (b"", 2, 0, 0), (b"s",)], "cannot share with string 2"),
        ([(b"s",), (b"", -1, 0, 0)], "cannot share with string -1"),
        ([(b"sab",), (b"", 0, 2, 2)], "cannot give"),
        ([(b"sab",), (b"", 0, -1, 2)], "cannot give"),
        ([(b"sab",), (b"", 0, 2, -1)], "cannot give"),
        ([(PAD,), *((b"", at, 500, 0) for at in range(65))], "string 65 shares what string 64 cannot give"),
        ([("s一".encode(),), (PAD, 0, 2, 0)], "part of a character"),
        ([("s一".encode(),), (PAD, 0, 0, 2)], "part of a character"),
        ([(PAD,), (b"", 0, 499, 0)], "string 1 is too short to share"),
        ([(b"a" * (1 << 20),), *((b"", 0, 1 << 20, 0) for _ in range(1024))], "unfold to more"),
    ],
)
def test_what_is_no_string_table(told: list[tuple[Any, ...]], words: str) -> None:
    """The error says which string; nothing is put together before all lengths were looked at."""
    with pytest.raises(TraceError, match=words):
        read(table(*told))


def test_rows_of_shares_that_name_no_string() -> None:
    """Beyond the last, one twice, or one of an earlier chunk."""
    columns = table((PAD,), (b"", 0, 500, 0), (b"", 0, 500, 0))
    for strings in ((1, 3), (1, 1), (2, 1), (-1, 2)):
        with pytest.raises(TraceError, match="cannot share"):
            read({**columns, "share_string": array("i", strings)})
    cuts = [[0] * 11, [0] * 8 + [0, 2, 0], [0] * 8 + [2, 3, 0]]
    with pytest.raises(TraceError, match="another chunk"):
        check_cuts(columns, cuts)
    check_cuts(columns, [cuts[0], [0] * 8 + [1, 2, 0], cuts[2]])


@pytest.mark.parametrize(
    ("chunk", "words"),
    [
        (b"\0", "inside a table's head"),
        (b"\x0b\1\1\0\0\0\0", "no table 11"),
        (b"\5\1\1\0\0\0\2\5\1\1\0\0\0\2", "no table 5 can stand at byte 7"),
        (b"\5\3\1\0\0\0\2\0\0", "slot.*does not fit in"),
        (b"\5\0\1\0\0\0", "slot.*does not fit in"),
        (b"\5\4\2\0\0\0\2\0\0\0", "slot.*does not fit in"),
        (b"\5\1\0\0\0\0", "slot.*does not fit in"),
        (b"\5\1\xff\xff\xff\xff", "slot.*does not fit in"),
        (b"\0\2\1\0\0\0\0\1\0\0\0\0\0\0\0\0", "event_kind.*out of bounds"),
        (b"\0\4\1\0\0\0\xff\xff\xff\xff" + bytes(16), "event_kind.*out of bounds"),
        (b"\x0a\2\1\0\0\0\0\1", "string_bytes.*out of bounds"),
    ],
)
def test_what_is_no_plain_chunk(chunk: bytes, words: str) -> None:
    """The error says which column, and where."""
    with pytest.raises(TraceError, match=words):
        Trace.from_chunks(HEADER, [chunk], {})


@given(st.lists(st.integers(-(2**31), 2**31 - 1) | st.integers(0, 70_000), min_size=1, max_size=40))
def test_numbers_of_any_width_come_back(numbers: list[int]) -> None:
    """In one, two or four bytes each."""
    columns, found = {**empty(), "slot": array("i", numbers)}, empty()
    extend(found, join(columns))
    assert found == columns
