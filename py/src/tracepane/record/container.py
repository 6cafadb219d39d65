"""The trace file's container: a magic, then records. Source: docs/reference/trace-format.md, "The file"."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from tracepane.record.own import BUILTINS
from tracepane.record.writer import canonical

globals()["__builtins__"] = BUILTINS

MAGIC = bytes((0x89, 0x54, 0x50, 0x41, 0x4E, 0x45, 0x0D, 0x0A))
HEADER, CHUNK, END = 1, 2, 3
STORED, DEFLATED = 0, 1
RECORD = struct.Struct("<BBIII")
LARGEST = 1 << 30  # bytes that one record may unfold to: a hostile file must not fill the memory


class TraceError(ValueError):
    """A trace that cannot be read: damaged, cut off, or of a format that this reader does not know."""


def pack(kind: int, payload: bytes, *, checked: bool = True) -> bytes:
    """One record: deflated where that makes it shorter; `checked` false leaves both compression and CRC out."""
    if not checked:
        return RECORD.pack(kind, STORED, len(payload), len(payload), 0) + payload
    squeezed = deflate(payload)
    codec, stored = (DEFLATED, squeezed) if len(squeezed) < len(payload) else (STORED, payload)
    return RECORD.pack(kind, codec, len(stored), len(payload), zlib.crc32(payload)) + stored


def deflate(payload: bytes) -> bytes:
    """Raw deflate, as `DecompressionStream("deflate-raw")` reads it."""
    squeezer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return squeezer.compress(payload) + squeezer.flush()


def unpack(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The records of a trace file, as (kind, raw bytes). Raises TraceError where the file is damaged."""
    if data[: len(MAGIC)] != MAGIC:
        raise TraceError("this is no trace file: it does not begin with a trace's magic bytes")
    place = len(MAGIC)
    while place < len(data):
        kind, raw, place = _record(data, place)
        yield kind, raw


def _record(data: bytes, place: int) -> tuple[int, bytes, int]:
    if place + RECORD.size > len(data):
        raise TraceError(f"the file is cut off at byte {len(data)}, inside a record's head")
    kind, codec, stored, raw, crc = RECORD.unpack_from(data, place)
    start, stop = place + RECORD.size, place + RECORD.size + stored
    if kind not in (HEADER, CHUNK, END) or codec not in (STORED, DEFLATED) or raw > LARGEST:
        raise TraceError(f"the file is damaged at byte {place}: no record begins there")
    if stop > len(data):
        raise TraceError(f"the file is cut off at byte {len(data)}, inside a record that ends at byte {stop}")
    content = data[start:stop]
    if codec == DEFLATED:
        content = _inflate(content, raw, place)
    if len(content) != raw or (zlib.crc32(content) != crc and crc != 0):
        raise TraceError(f"the file is damaged: the record at byte {place} does not match its checksum")
    return kind, content, stop


def _inflate(content: bytes, size: int, place: int) -> bytes:
    unfolder = zlib.decompressobj(-15)
    try:
        return unfolder.decompress(content, size + 1)
    except zlib.error as error:
        raise TraceError(f"the file is damaged: the record at byte {place} does not inflate ({error})") from None


def read_json(raw: bytes, what: str) -> dict[str, Any]:
    """The JSON object of a header or an end."""
    try:
        document = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise TraceError(f"the trace's {what} is no JSON: {error}") from None
    if not isinstance(document, dict):
        raise TraceError(f"the trace's {what} is no JSON object")
    return document


def write_json(document: dict[str, Any]) -> bytes:
    """A header or an end as bytes."""
    return canonical(document).encode("ascii")


def join(header: dict[str, Any], chunks: Iterable[bytes], end: dict[str, Any]) -> bytes:
    """A whole trace file."""
    parts = [MAGIC, pack(HEADER, write_json(header))]
    parts.extend(pack(CHUNK, chunk) for chunk in chunks)
    parts.append(pack(END, write_json(end)))
    return b"".join(parts)
