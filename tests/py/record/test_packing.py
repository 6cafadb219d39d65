"""The packed form of a chunk, byte by byte: what it unfolds to, and what is refused."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracepane.record.format.container import TraceError
from tracepane.record.trace import packing, sharing


def chunk(*columns: bytes, strings: int = 2, size: int = 6) -> bytes:
    """A packed chunk that holds strings alone: length, back, kept, tail, then the strings' own bytes."""
    return packing.COUNTS.pack(*[0] * 9, strings, size) + b"".join(columns)


PLAIN = b"\0\1"  # lag 0, one plane
LENGTHS = PLAIN + b"\3\3"


def test_a_text_shares_what_an_earlier_one_has() -> None:
    """`abc`, then `abd`: two bytes of the first, and one of its own; or the end of it."""
    start = packing.unpack(chunk(LENGTHS, PLAIN + b"\0\1", PLAIN + b"\0\2", PLAIN + b"\0\0", b"abcd"))
    end = packing.unpack(chunk(LENGTHS, PLAIN + b"\0\1", PLAIN + b"\0\0", PLAIN + b"\0\2", b"abcd"))
    assert (start["string_bytes"], end["string_bytes"]) == (b"abcabd", b"abcdbc")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "shorter than its counts"),
        (chunk(strings=2**32 - 1), "claims to hold"),
        (chunk(b"\0"), "string_length.*does not fit in"),
        (chunk(b"\3\1\3\3"), "string_length.*no known form"),
        (chunk(b"\0\0\3\3"), "string_length.*no known form"),
        (chunk(b"\0\5\3\3"), "string_length.*no known form"),
        (chunk(b"\1\4\xff\1\xff\0\xff\0\x7f\0"), "string_length.*out of bounds"),
        (chunk(LENGTHS, PLAIN + b"\0\2", PLAIN + b"\0\2", PLAIN + b"\0\0", b"abcd"), "no earlier text"),
        (chunk(LENGTHS, PLAIN + b"\0\xff", PLAIN + b"\0\2", PLAIN + b"\0\0", b"abcd"), "no earlier text"),
        (chunk(LENGTHS, PLAIN + b"\0\0", PLAIN + b"\0\2", PLAIN + b"\0\0", b"abcd"), "with no other"),
        (chunk(LENGTHS, PLAIN + b"\0\1", PLAIN + b"\0\2", PLAIN + b"\0\2", b"ab"), "more than it is long"),
        (chunk(LENGTHS, PLAIN + b"\0\1", PLAIN + b"\0\2", PLAIN + b"\0\0", b"abc"), "do not add up"),
        (chunk(LENGTHS, PLAIN + b"\0\1", PLAIN + b"\0\2", PLAIN + b"\0\0", b"abcd", size=7), "do not add up"),
    ],
)
def test_what_is_no_packed_chunk(data: bytes, words: str) -> None:
    """The error says which column, and where."""
    with pytest.raises(TraceError, match=words):
        packing.unpack(data)


TEXTS = st.lists(st.text("ab", max_size=40).map(str.encode) | st.binary(max_size=5), max_size=12)
NUMBERS = st.lists(st.integers(-(2**31), 2**31 - 1) | st.integers(-300, 300), max_size=80)


@given(TEXTS)
def test_whatever_texts_there_are_come_back(texts: list[bytes]) -> None:
    """Sharing loses nothing."""
    lengths, data = [len(text) for text in texts], b"".join(texts)
    *shares, rest = sharing.share(lengths, data)
    assert sharing.join_texts(lengths, shares, rest, len(data)) == data


@given(NUMBERS)
def test_whatever_numbers_there_are_come_back(numbers: list[int]) -> None:
    """Whichever lag is chosen, and however many planes it takes."""
    columns = packing.unpack(packing.COUNTS.pack(*[0] * 11))
    column = array("i", numbers)
    packed = packing.pack({**columns, "slot": column})
    assert packing.unpack(b"".join(packed))["slot"] == column
