"""The trace file's container: a magic, then records. Source: docs/reference/trace-format.md, "The file"."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

MAGIC = bytes((0x89, 0x54, 0x50, 0x41, 0x4E, 0x45, 0x0D, 0x0A))
HEADER, CHUNK, END, PACKED, INDEX, TAIL = 1, 2, 3, 4, 5, 6
STORED, DEFLATED, UNCHECKED = 0, 1, 2
RECORD = struct.Struct("<BBIII")
LARGEST = 1 << 30  # bytes that a file may unfold to, whatever it says: a hostile one must not fill the memory
_STEEPEST = 1032  # deflate makes at most so many bytes of one
_LEVEL = 7
_PIECE = 256  # what is longer gets a code of its own from the codec
_quoted = json.encoder.encode_basestring_ascii


class TraceError(ValueError):
    """A trace that cannot be read: damaged, cut off, or of a format that this reader does not know."""


class Record(NamedTuple):
    """A record of a file: its kind, the bytes it unfolds to, and the byte of the file where it begins."""

    kind: int
    raw: bytes
    place: int


def pack(kind: int, payload: bytes, *, checked: bool = True) -> bytes:
    """One record: deflated where that makes it shorter; `checked` false leaves both compression and CRC out."""
    if not checked:
        return RECORD.pack(kind, UNCHECKED, len(payload), len(payload), 0) + payload
    return pack_pieces(kind, [payload])


def pack_pieces(kind: int, pieces: Iterable[bytes]) -> bytes:
    """One record of several pieces, each of which may look quite different from the one before."""
    pieces = list(pieces)
    payload = b"".join(pieces)
    squeezed = deflate(pieces)
    codec, stored = (DEFLATED, squeezed) if len(squeezed) < len(payload) else (STORED, payload)
    return RECORD.pack(kind, codec, len(stored), len(payload), zlib.crc32(payload)) + stored


def deflate(pieces: Iterable[bytes]) -> bytes:
    """Raw deflate, as `DecompressionStream("deflate-raw")` reads it."""
    squeezer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    parts = []
    for piece in pieces:
        parts.append(squeezer.compress(piece))
        if len(piece) > _PIECE:
            parts.append(squeezer.flush(zlib.Z_PARTIAL_FLUSH))
    return b"".join((*parts, squeezer.flush()))


def unpack(data: bytes, room: int = LARGEST) -> Iterator[Record]:
    """The records of a trace file, `room` bytes in all. Raises TraceError where the file is damaged."""
    place = check_magic(data)
    while place < len(data):
        record, after = read_record(data, place, room)
        yield record
        room -= len(record.raw)
        place = after


def check_magic(data: bytes) -> int:
    """The byte where a trace file's first record begins. Raises TraceError for any other file."""
    if data[: len(MAGIC)] != MAGIC:
        raise TraceError("this is no trace file: it does not begin with a trace's magic bytes")
    return len(MAGIC)


def read_record(data: bytes, place: int, room: int = LARGEST) -> tuple[Record, int]:
    """The record that begins at a byte of the file, and the byte after it. It may unfold to `room` bytes."""
    if not 0 <= place <= len(data) - RECORD.size:
        raise TraceError(f"the file is cut off at byte {len(data)}, inside a record's head")
    kind, codec, stored, size, crc = RECORD.unpack_from(data, place)
    start, stop = place + RECORD.size, place + RECORD.size + stored
    if not HEADER <= kind <= TAIL or codec not in (STORED, DEFLATED, UNCHECKED):
        raise TraceError(f"the file is damaged at byte {place}: no record begins there")
    if stop > len(data):
        raise TraceError(f"the file is cut off at byte {len(data)}, inside a record that ends at byte {stop}")
    if size > room:
        raise TraceError(f"the record at byte {place} unfolds to {size} bytes: more than a trace may have")
    if size != stored if codec != DEFLATED else size > stored * _STEEPEST:
        raise TraceError(f"the file is damaged: the record at byte {place} cannot be {size} bytes long")
    raw = _inflate(data[start:stop], size, place) if codec == DEFLATED else data[start:stop]
    if crc != (0 if codec == UNCHECKED else zlib.crc32(raw)):
        raise TraceError(f"the file is damaged: the record at byte {place} does not match its checksum")
    return Record(kind, raw, place), stop


def _inflate(content: bytes, size: int, place: int) -> bytes:
    unfolder = zlib.decompressobj(-15)
    try:
        raw = unfolder.decompress(content, size + 1)
    except zlib.error as error:
        raise TraceError(f"the file is damaged: the record at byte {place} does not inflate ({error})") from None
    if len(raw) != size or not unfolder.eof or unfolder.unused_data:
        raise TraceError(f"the file is damaged: the record at byte {place} does not inflate to {size} bytes")
    return raw


def read_json(raw: bytes, what: str) -> dict[str, Any]:
    """The JSON object of a header or an end."""
    try:
        document = json.loads(raw.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise TraceError(f"the trace's {what} is no JSON: {error}") from None
    if not isinstance(document, dict):
        raise TraceError(f"the trace's {what} is no JSON object")
    return document


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def write_json(document: dict[str, Any]) -> bytes:
    """A header or an end as bytes."""
    return canonical(document).encode("ascii")


def canonical(value: Any) -> str:
    """JSON with sorted keys, without spaces, in ASCII. `json.dumps` would fail where the program replaced builtins."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(key)}:{canonical(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    return repr(value)
