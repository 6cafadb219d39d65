"""Writing and reading traces: the container, splices, and files that were damaged or made to harm."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from corpus import PROGRAMS
from hypothesis import given
from hypothesis import strategies as st
from recording import events, record

from tracepane.record.format import container, layout
from tracepane.record.format.writer import TraceWriter
from tracepane.record.trace import Trace, TraceError
from tracepane.record.trace.archive import Chunks
from tracepane.record.trace.columns import part
from tracepane.record.trace.query import Queries
from tracepane.record.trace.state import State

HEADER = {"format": layout.FORMAT, "features": [], "job": "", "runtime": {}}
PLAIN = container.write_json({"format": layout.FORMAT, "features": []})


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A trace with some of everything."""
    return record("".join(PROGRAMS[name] for name in ("lists", "classes", "generators", "output")))


def test_saved_and_loaded(trace: Trace, tmp_path: Path) -> None:
    """A file holds the whole trace; the digest is worked out again."""
    trace.save(tmp_path / "t.trace")
    loaded = Trace.load(tmp_path / "t.trace")
    assert loaded.columns == trace.columns
    assert (loaded.header, loaded.end) == (trace.header, trace.end)


def test_chunks_may_be_cut_anywhere() -> None:
    """The same rows in one chunk or in many are the same trace."""

    def written(flush: bool) -> Trace:
        chunks: list[bytes] = []
        writer = TraceWriter(chunks.append)
        frame = writer.frame(writer.code("p.py", "f", 1, 2), 0)
        writer.event(layout.CALL, frame, 1, 0, 0)
        for number in range(50):
            writer.row(writer.string("x") << 2, writer.string(f"i{number}") + 1)
            writer.event(layout.LINE, frame, 2, 0, 1)
            if flush:
                writer.flush()
        writer.event(layout.END, -1, 0, 0, 0)
        writer.flush()
        return Trace.from_chunks(HEADER, chunks, {"status": "finished"})

    many, one = written(True), written(False)
    assert many.columns == one.columns
    assert many.end == one.end
    assert many.end["digest"] == one.end["digest"]


@given(st.lists(st.lists(st.integers(1, 4), max_size=12), min_size=1, max_size=20))
def test_splices_give_back_every_version(versions: list[list[int]]) -> None:
    """Whatever an object held, its history tells at every step."""
    chunks: list[bytes] = []
    writer = TraceWriter(chunks.append)
    for atom in "ntfe":
        writer.string(atom)
    kind = writer.string("list")
    frame = writer.frame(writer.code("p.py", "f", 1, 2), 0)
    writer.event(layout.CALL, frame, 1, 0, 0)
    held: list[list[int]] = []
    for slots in versions:
        version = writer.version(1, layout.LIST, kind, len(slots), list(slots))
        if version >= 0:
            writer.row(1 << 2 | layout.OBJECT, version)
        writer.event(layout.LINE, frame, 1, 0, version >= 0)
        held.append(slots)
    writer.flush()
    state = State(Trace.from_chunks(HEADER, chunks, {}))
    state.advance()
    for slots in held:
        state.advance()
        assert state.slots[1] == slots


class Counted(list[int]):
    """A column that counts how often an element is looked at."""

    looks = 0

    def __getitem__(self, place: Any) -> Any:
        """One element, or a part."""
        Counted.looks += 1
        return super().__getitem__(place)


def test_deep_recursion_unfolds_in_linear_time() -> None:
    """However far back a frame's last event lies, no change row is looked at twice."""
    trace = record("total = [0]\ndef down(n):\n    total[0] += 1\n    return n and 1 + down(n - 1)\ndown(300)\n")
    trace.columns["row_target"] = Counted(trace.columns["row_target"])
    Counted.looks = 0
    assert len(trace.expand()["events"]) == trace.steps > 900
    assert Counted.looks == len(trace.columns["row_target"])


def test_any_chunk_can_be_read_by_itself() -> None:
    """Of a file whose other chunks are lost: what one holds is what stands there in the whole, and where that is."""
    trace = record("total = 0\nfor n in range(20_000):\n    total += n\n    text = f'line {n}'\n")
    data = trace.pack()
    chunks = Chunks(data)
    sizes = [after[0] - before[0] for before, after in pairwise(chunks.before)]
    assert (chunks.steps, chunks.end, sizes[:-1]) == (trace.steps, trace.end, [16_384] * (len(chunks) - 1))
    assert len(chunks) > 2
    places = [record_.place for record_ in container.unpack(data) if record_.kind == container.PACKED]
    index = next(one.place for one in container.unpack(data) if one.kind == container.INDEX)
    blank = data[: places[0]] + bytes(places[1] - places[0]) + data[places[1] : places[2]] + bytes(index - places[2])
    alone = Chunks(blank + data[index:])
    number = alone.number(20_000)
    assert alone.columns(number) == part(trace.columns, chunks.before[number], chunks.before[number + 1])
    with pytest.raises(TraceError, match="the file is damaged at byte"):
        alone.columns(2)
    with pytest.raises(IndexError):
        alone.number(trace.steps)


def test_a_chunk_that_is_not_what_the_index_says(trace: Trace) -> None:
    """Who reads one chunk by itself notices another in its place, an index that lies, and a file without one."""
    records = [(one.kind, one.raw) for one in container.unpack(trace.pack())]
    other = record("x = 1").pack()
    foreign = next(one.raw for one in container.unpack(other) if one.kind == container.PACKED)
    rest = [container.pack(kind, foreign if kind == container.PACKED else raw) for kind, raw in records]
    data = bytearray(container.MAGIC + b"".join(rest[:2]))
    index, end = len(data), rest[3]
    data += rest[2] + end + container.pack(container.TAIL, index.to_bytes(4, "little"))
    with pytest.raises(TraceError, match="not what the index says"):
        Chunks(bytes(data)).columns(0)
    with pytest.raises(TraceError, match="does not name the file's chunks"):
        Trace.parse(bytes(data))
    with pytest.raises(TraceError, match="cut off"):
        Chunks(trace.pack()[:-40])


def test_moments(trace: Trace) -> None:
    """The state at a step: stack, variables with what changed, and output so far."""
    queries = Queries(trace)
    step = queries.steps_at("prog.py", 12)[0]
    assert [frame.function for frame in queries.stack(step)][-1] == "<module>"
    assert queries.output(trace.steps - 1, "stdout") == trace.expand()["stdout"]
    names = {variable.name: variable for variable in queries.variables(queries.steps_at("prog.py", 3)[0])}
    assert (names["b"].changed, names["a"].changed) == (True, False)


def damaged(data: bytes, seed: int) -> bytes:
    """The bytes with a few of them changed, dropped or doubled."""
    chance = random.Random(seed)
    raw = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(raw))
        how = chance.randrange(4)
        if how == 0:
            raw[place] ^= 1 << chance.randrange(8)
        elif how == 1:
            del raw[place : place + chance.randint(1, 40)]
        elif how == 2:
            raw[place:place] = raw[place : place + chance.randint(1, 40)]
        else:
            raw[place] = chance.randrange(256)
    return bytes(raw)


@pytest.mark.parametrize("seed", range(20))
def test_damaged_file(trace: Trace, seed: int) -> None:
    """A damaged file is told by a TraceError, unless what it holds is still the same, bit for bit."""
    data = damaged(trace.pack(), seed)
    try:
        loaded = Trace.parse(data)
    except TraceError:
        return
    assert loaded.columns == trace.columns
    assert loaded.end == trace.end


@pytest.mark.parametrize("seed", range(50))
def test_hostile_columns(trace: Trace, seed: int) -> None:
    """Columns that were changed under a right checksum are refused, or can be read without any other error."""
    chance = random.Random(seed)
    chunks = [bytearray(chunk) for chunk in trace.chunks()]
    for _ in range(chance.randint(1, 3)):
        chunk = chance.choice(chunks)
        place = chance.randrange(len(chunk))
        chunk[place] = chance.choice([0, 1, 3, 127, 128, 255, chance.randrange(256)])
    try:
        changed = Trace.from_chunks(trace.header, [bytes(chunk) for chunk in chunks], trace.end)
        written = changed.expand()
        Queries(changed).variables(changed.steps // 2)
    except TraceError:
        return
    assert written["format"] == "tracepane/1"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no trace file"),
        (b"PK\x03\x04", "no trace file"),
        (container.MAGIC, "cut off"),
        (container.MAGIC + container.pack(1, PLAIN), "cut off"),
        (container.MAGIC + container.pack(1, b"[]"), "no JSON object"),
        (container.MAGIC + container.pack(1, b"{") + container.pack(3, b"{}"), "no JSON"),
        (container.MAGIC + container.pack(1, b"{}") + container.pack(3, b"{}"), "format None"),
        (container.MAGIC + container.pack(1, PLAIN.replace(b"[]", b"1")) + container.pack(3, b"{}"), "no list"),
        (container.MAGIC + container.pack(1, PLAIN.replace(b"[]", b"[[1]]")), "does not know"),
        (container.MAGIC + container.pack(1, PLAIN) + container.pack(4, b""), r"no end at byte \d+"),
        (
            container.MAGIC + container.pack(1, PLAIN) + container.pack(3, b'{"status":"input","steps":0}') * 2,
            "follows the trace's end",
        ),
        (container.MAGIC + container.pack(3, b"{}"), "wrong order"),
        (container.MAGIC + container.pack(1, b'{"format":"tracepane-trace/2"}') + container.pack(3, b"{}"), "trace/2"),
    ],
)
def test_what_is_no_trace(data: bytes, words: str) -> None:
    """The error says what is wrong with the file."""
    with pytest.raises(TraceError, match=words):
        Trace.parse(data)


@pytest.mark.parametrize("size", [1_000, 50 << 20, (1 << 30) + 1, (1 << 32) - 1])
def test_a_bomb_does_not_unfold(size: int) -> None:
    """A small record that would unfold to a great many bytes is refused, whatever it says of itself."""
    bomb = container.deflate([bytes(50 << 20)])[:-100]
    record_ = container.RECORD.pack(container.CHUNK, container.DEFLATED, len(bomb), size, 0) + bomb
    with pytest.raises(TraceError, match="the record at byte 8 "):
        Trace.parse(container.MAGIC + record_)


def test_records_that_unfold_to_too_much_together() -> None:
    """Each is small enough, all of them are not: the bound is the file's."""
    one = container.pack(container.CHUNK, bytes(1 << 20))
    with pytest.raises(TraceError, match="more than a trace may have"):
        list(container.unpack(container.MAGIC + one * 3, 5 << 19))


def test_features_of_the_future_are_refused(trace: Trace) -> None:
    """A reader does not guess at what it does not know."""
    header: dict[str, Any] = {**trace.header, "features": ["colour"]}
    with pytest.raises(TraceError, match="colour"):
        Trace.from_chunks(header, trace.chunks(), trace.end)


def test_twice_the_same() -> None:
    """Two runs of a job give the same bytes."""
    first, second = (record(PROGRAMS["collections"]) for _ in range(2))
    assert first.columns == second.columns
    assert first.end["digest"] == second.end["digest"]
    assert events(first) == events(second)
