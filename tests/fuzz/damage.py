"""Trace files that were damaged, forged or made up: the same ones for the same seed, for every reader that is fuzzed.

Each file comes from one of the gold traces, in either form that the format has. `damaged` is what a disk or a network
does; `forged` has the right checksums all the same; `unsigned` is forged number by number, and without a digest;
`shuffled` has whole records in the wrong place; `made up` is no trace at all.
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MAGIC = bytes((0x89, 0x54, 0x50, 0x41, 0x4E, 0x45, 0x0D, 0x0A))
CHUNK, END = 2, 3
HEAD = struct.Struct("<BBIII")
TABLE = struct.Struct("<BBI")
FIELDS = (5, 2, 2, 4, 6, 1, 6, 1, 4, 1, 1)  # of each table
EDGES = (0, 1, 2, 3, 4, 127, 128, 255, 256, 65_535, 65_536, 2**31 - 1, 2**31, 2**32 - 1)


class File(NamedTuple):
    """A file to be read. `base` is the index of the good file that it comes from, `how` what was done to that."""

    number: int
    how: str
    base: int
    data: bytes


def files(bases: Sequence[bytes], seed: int, numbers: Sequence[int]) -> Iterator[File]:
    """The files with these numbers. Each depends on the seed and its own number alone."""
    for number in numbers:
        chance = random.Random(f"{seed} {number}")
        base = chance.randrange(len(bases))
        how, change = chance.choice(KINDS)
        yield File(number, how, base, change(bases[base], chance, bases))


def _damaged(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    raw = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        _hurt(raw, chance)
    return bytes(raw)


def _hurt(raw: bytearray, chance: random.Random) -> None:
    """Change one place: a bit, a byte, an integer, or a stretch that is lost, doubled, blanked or moved."""
    if not raw:
        return
    place = chance.randrange(len(raw))
    size = min(len(raw) - place, chance.choice((1, 4, 14, 40, 400)))
    how = chance.randrange(8)
    if how == 0:
        raw[place] ^= 1 << chance.randrange(8)
    elif how == 1:
        raw[place] = chance.randrange(256)
    elif how == 2 and size >= 4:
        struct.pack_into("<I", raw, place, chance.choice(EDGES))
    elif how == 3:
        del raw[place : place + size]
    elif how == 4:
        raw[place:place] = raw[place : place + size]
    elif how == 5:
        raw[place : place + size] = bytes(size)
    elif how == 6:
        raw[place : place + size] = chance.randbytes(size)
    else:
        del raw[place:]


def _forged(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    """Records whose bytes were changed, under a checksum and lengths that are right again."""
    records = split(data)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(records))
        kind, raw = records[place]
        changed = bytearray(raw)
        for _ in range(chance.randint(1, 3)):
            _hurt(changed, chance)
        records[place] = (kind, bytes(changed))
    return MAGIC + b"".join(join(kind, raw, deflate=chance.random() < 0.5) for kind, raw in records)


def _unsigned(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    """Plain chunks in which a few numbers are others, and an end without a digest: only the numbers can tell."""
    records = split(data)
    chunks = [place for place, (kind, _) in enumerate(records) if kind == CHUNK]
    for _ in range(chance.randint(1, 3)):
        place = chance.choice(chunks) if chunks else chance.randrange(len(records))
        kind, raw = records[place]
        changed = bytearray(raw)
        if chunks:
            _change_number(changed, chance)
        else:
            _hurt(changed, chance)
        records[place] = (kind, bytes(changed))
    unsigned = ((kind, raw.replace(b'"digest"', b'"former"') if kind == END else raw) for kind, raw in records)
    return MAGIC + b"".join(join(kind, raw) for kind, raw in unsigned)


def _change_number(chunk: bytearray, chance: random.Random) -> None:
    """Set one element of a table of a plain chunk to another number, or to that of its neighbour."""
    tables, place = [], 0
    while place < len(chunk):
        number, width, rows = TABLE.unpack_from(chunk, place)
        tables.append((place + TABLE.size, width, rows * FIELDS[number]))
        place += TABLE.size + width * rows * FIELDS[number]
    start, width, count = chance.choice(tables)
    at, other = (start + width * chance.randrange(count) for _ in range(2))
    number = int.from_bytes(chunk[at : at + width], "little") + chance.choice((-4, -1, 1, 4))
    wanted = chance.choice((number, int.from_bytes(chunk[other : other + width], "little"), *EDGES))
    chunk[at : at + width] = (wanted % 256**width).to_bytes(width, "little")


def _shuffled(data: bytes, chance: random.Random, bases: Sequence[bytes]) -> bytes:
    """Records that are missing, doubled, moved, of another kind, or of another trace."""
    records = split(data)
    for _ in range(chance.randint(1, 3)):
        if not records:
            break
        place, other = chance.randrange(len(records)), chance.randrange(len(records))
        how = chance.randrange(5)
        if how == 0:
            del records[place]
        elif how == 1:
            records.insert(other, records[place])
        elif how == 2:
            records[place], records[other] = records[other], records[place]
        elif how == 3:
            records[place] = (chance.randrange(8), records[place][1])
        else:
            records[place] = chance.choice(split(chance.choice(bases)))
    return MAGIC + b"".join(join(kind, raw, deflate=chance.random() < 0.5) for kind, raw in records)


def _made_up(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    """Random bytes, random records, or a record that claims to be enormous."""
    how = chance.randrange(3)
    if how == 0:
        return MAGIC[: chance.randint(0, 8)] + chance.randbytes(chance.randrange(400))
    if how == 1:
        count = chance.randint(0, 5)
        return MAGIC + b"".join(
            join(chance.randrange(8), chance.randbytes(chance.randrange(200))) for _ in range(count)
        )
    bomb = deflated(bytes(chance.choice((1_000, 1 << 20))))
    claim = chance.choice((*EDGES, 1 << 20, 1 << 29, 1 << 30, (1 << 30) + 1))
    records = split(data)
    place = chance.randrange(len(records))
    parts = [join(*record) for record in records]
    parts.insert(place, HEAD.pack(chance.choice((2, 4)), 1, len(bomb), claim, 0) + bomb)
    return MAGIC + b"".join(parts)


KINDS = (
    ("damaged", _damaged),
    ("forged", _forged),
    ("unsigned", _unsigned),
    ("shuffled", _shuffled),
    ("made up", _made_up),
)


def split(data: bytes) -> list[tuple[int, bytes]]:
    """The records of a good file: kind and raw bytes."""
    found, place = [], len(MAGIC)
    while place < len(data):
        kind, codec, stored, _, _ = HEAD.unpack_from(data, place)
        body = data[place + HEAD.size : place + HEAD.size + stored]
        found.append((kind, zlib.decompress(body, -15) if codec == 1 else body))
        place += HEAD.size + stored
    return found


def join(kind: int, raw: bytes, *, deflate: bool = False) -> bytes:
    """A record with the right lengths and checksum."""
    stored = deflated(raw) if deflate else raw
    return HEAD.pack(kind, int(deflate), len(stored), len(raw), zlib.crc32(raw)) + stored


def deflated(raw: bytes) -> bytes:
    """Raw deflate."""
    squeezer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return squeezer.compress(raw) + squeezer.flush()
