"""A reader of trace files that was written from docs/reference/trace-format.md and expanded-json.md alone.

It imports nothing of Tracepane. What it reads otherwise than the package's own reader is a mistake of one of them, or
of the pages. It is made to be plain, not quick: it goes through the trace from its beginning and copies nothing ahead.
"""

from __future__ import annotations

import base64
import itertools
import json
import struct
import zlib
from collections import defaultdict
from hashlib import sha256
from typing import Any

COLUMNS = """event_kind:u8 event_frame event_line event_arg event_rows row_target row_value frame_code frame_globals
code_file code_name code_first code_kind:u8 version_object version_shape:u8 version_type version_length version_form:u8
version_count slot file_path file_change:u8 file_size file_prefix file_suffix file_count file_bytes:u8 share_string
share_other share_kept share_tail string_length string_bytes:u8"""
NAMES = [name.split(":")[0] for name in COLUMNS.split()]
BYTES = {name.split(":")[0] for name in COLUMNS.split() if ":" in name}
FIRST = (0, 5, 7, 9, 13, 19, 20, 26, 27, 31, 32, 33)
TABLES = [range(first, after) for first, after in itertools.pairwise(FIRST)]
KINDS = "call resume line return yield raise unwind output output file end".split()
LOCAL, GLOBAL, FREE, OBJECT = range(4)
Contents = dict[int, tuple[Any, ...]]
Moment = tuple[dict[tuple[int, int], dict[str, int]], Contents]


def read(data: bytes) -> tuple[dict[str, Any], dict[str, list[int]], dict[str, Any]]:
    """The header, the columns and the end of a trace file."""
    assert data[:8] == bytes.fromhex("89 54 50 41 4e 45 0d 0a")
    header, end, columns = None, None, {name: list[int]() for name in NAMES}
    kinds, index, place = [], [], 8
    while place < len(data):
        kind, raw, after = record(data, place)
        if kind == 1:
            header = json.loads(raw)
            assert header["format"] == "tracepane-trace/1"
            assert set(header["features"]) <= {"packed"}
        elif kind in (2, 4):
            index.append((place, *counts(columns)))
            for name, added in (plain(raw) if kind == 2 else packed(raw)).items():
                columns[name] += added
        elif kind == 3:
            end = json.loads(raw)
        elif kind == 5:
            at = place
            assert list(struct.iter_unpack("<12I", raw)) == [*index, (place, *counts(columns))]
        elif kind == 6:
            assert struct.unpack("<I", raw) == (at,)
        kinds.append(kind)
        place = after
    assert header is not None
    assert end is not None
    inner = [kind for kind in kinds if kind in (2, 4)]
    assert kinds == ([1, *inner, 5, 3, 6] if header["features"] else [1, *inner, 3])
    assert set(inner) <= {4 if header["features"] else 2}
    assert end.get("digest") == digest(columns, end)
    return header, columns, end


def record(data: bytes, place: int) -> tuple[int, bytes, int]:
    """A record's kind, its raw bytes, and the byte after it."""
    kind, codec, stored, size, crc = struct.unpack_from("<BBIII", data, place)
    content = data[place + 14 : place + 14 + stored]
    assert len(content) == stored
    raw = zlib.decompress(content, -15) if codec == 1 else content
    assert len(raw) == size
    assert crc == (0 if codec == 2 else zlib.crc32(raw))
    return kind, raw, place + 14 + stored


def counts(columns: dict[str, list[int]]) -> list[int]:
    """The elements of each table."""
    return [len(columns[NAMES[table[0]]]) for table in TABLES]


def plain(raw: bytes) -> dict[str, list[int]]:
    """The columns of a plain chunk."""
    found: dict[str, list[int]] = {name: [] for name in NAMES}
    place, last = 0, -1
    while place < len(raw):
        number, width, count = struct.unpack_from("<BBI", raw, place)
        assert last < number < len(TABLES)
        assert count
        fields = [NAMES[column] for column in TABLES[number]]
        numbers = struct.unpack_from(f"<{count * len(fields)}{' BH i'[width]}", raw, place + 6)
        for at, name in enumerate(fields):
            found[name] = list(numbers[at :: len(fields)])
            assert name not in BYTES or all(0 <= element <= 255 for element in found[name])
        last, place = number, place + 6 + len(numbers) * width
    return found


def packed(raw: bytes) -> dict[str, list[int]]:
    """The columns of a packed chunk."""
    sizes = struct.unpack_from("<11I", raw)
    place, found = 44, {}
    wanted = [(NAMES[number], size) for table, size in zip(TABLES, sizes, strict=True) for number in table]
    for name, size in [*wanted[:-1], *((name, sizes[9]) for name in ("back", "kept", "tail"))]:
        if name in BYTES:
            found[name], place = list(raw[place : place + size]), place + size
        elif not size:
            found[name] = []
        else:
            lag, planes = raw[place : place + 2]
            body = raw[place + 2 : place + 2 + planes * size]
            found[name], place = integers(body, size, lag), place + 2 + planes * size
    texts: list[bytes] = []
    for length, back, kept, tail in zip(found["string_length"], *map(found.pop, ("back", "kept", "tail")), strict=True):
        other = texts[-back] if back else b""
        own = length - kept - tail
        texts.append(other[:kept] + raw[place : place + own] + other[len(other) - tail :])
        place += own
    assert place == len(raw)
    return {**found, "string_bytes": list(b"".join(texts))}


def integers(body: bytes, size: int, lag: int) -> list[int]:
    """A column of a packed chunk, whose planes stand one after the other."""
    numbers: list[int] = []
    for at in range(size):
        number = int.from_bytes(body[at::size], "little", signed=True)
        numbers.append(number + numbers[at - lag] if lag and at >= lag else number)
    return numbers


def digest(columns: dict[str, list[int]], end: dict[str, Any]) -> str:
    """The digest of what was read."""
    whole = sha256()
    for name, column in columns.items():
        data = bytes(column) if name in BYTES else struct.pack(f"<{len(column)}i", *column)
        whole.update(sha256(data).hexdigest().encode() + b"\n")
    kept = {key: value for key, value in end.items() if key not in ("digest", "wall", "steps")}
    whole.update(json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode())
    return whole.hexdigest()


def strings(columns: dict[str, list[int]]) -> list[bytes]:
    """The string table, every text as a whole."""
    rows = zip(*(columns[f"share_{name}"] for name in ("string", "other", "kept", "tail")), strict=True)
    shares = {string: rest for string, *rest in rows}
    data, place, found = bytes(columns["string_bytes"]), 0, list[bytes]()
    links: dict[int, int] = {}
    for string, length in enumerate(columns["string_length"]):
        text = data[place : place + length]
        place += length
        if string in shares:
            other, kept, tail = shares[string]
            assert 0 <= other < string
            assert 0 <= kept <= kept + tail <= len(found[other])
            links[string] = links.get(other, 0) + 1
            assert links[string] <= 64
            assert kept + length + tail >= 500
            text = found[other][:kept] + text + found[other][len(found[other]) - tail :]
        found.append(text)
    assert place == len(data)
    return found


def held(ref: int, contents: Contents) -> int:
    """What a variable holds: of one that is shared, what its cell does."""
    content = contents.get(-ref, ())
    return content[3] if content and content[0] & 127 == 9 else ref


class Reader:
    """A trace as expanded JSON."""

    def __init__(self, data: bytes) -> None:
        """Read a file."""
        self.header, self.columns, self.end = read(data)
        self.strings = [text.decode() for text in strings(self.columns)]
        self.firsts = {text: number for number, text in reversed([*enumerate(self.strings, 1)])}
        self.slot_starts = starts(self.columns["version_count"])
        self.byte_starts = starts(self.columns["file_count"])
        # As of the event at hand: refs of variables by owner, and of each object its version, slots and whole content.
        self.scopes: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
        self.versions: dict[int, int] = {}
        self.slots: dict[int, list[int]] = {}
        self.contents: Contents = {}
        self.moments: dict[int, Moment] = {-1: ({}, {})}
        self.stack: list[int] = []
        self.seen: dict[int, int] = {}
        self.files: dict[str, bytes] = {}
        self.said = {"stdout": "", "stderr": ""}

    def expand(self) -> dict[str, Any]:
        """The whole document."""
        row, events = 0, []
        for step, count in enumerate(self.columns["event_rows"]):
            events.append(self.event(step, row, row + count))
            row += count
        files = {path: shown(content) for path, content in self.files.items()}
        rest = {"end": self.end, **self.said, "files": files, "events": events}
        return {"format": "tracepane/1", "runtime": self.header["runtime"], **rest}

    def event(self, step: int, row: int, stop: int) -> dict[str, Any]:
        """One event. `row` to `stop` are its change rows."""
        columns = self.columns
        kind, frame = KINDS[columns["event_kind"][step]], columns["event_frame"][step]
        if kind in ("call", "resume"):
            self.stack.append(frame)
        for at in range(row, stop):
            self.change(frame, columns["row_target"][at], columns["row_value"][at])
        found: dict[str, Any] = {"step": step, "kind": kind, "file": None, "line": None, "function": None}
        if frame >= 0:
            code = columns["frame_code"][frame]
            file, name = (self.strings[columns[column][code]] for column in ("code_file", "code_name"))
            found.update(file=file, line=columns["event_line"][step] or None, function=name)
        found["depth"] = len(self.stack)
        if kind not in ("output", "file", "end") and frame >= 0:
            found.update(self.changes(step, frame))
            self.seen[frame] = step
        self.moments[step] = ({key: dict(scope) for key, scope in self.scopes.items()}, dict(self.contents))
        found.update(self.own(kind, columns["event_kind"][step], columns["event_arg"][step]))
        if kind in ("return", "yield", "unwind"):
            self.stack.pop()
        return found

    def change(self, frame: int, target: int, value: int) -> None:
        """A change row."""
        number, space = target >> 2, target & 3
        if space != OBJECT:
            owner = self.columns["frame_globals"][frame] if space == GLOBAL else frame
            self.scopes[space, owner][self.strings[number]] = value
            return
        slots = self.columns["slot"][self.slot_starts[value] : self.slot_starts[value + 1]]
        if self.columns["version_form"][value] == 1:
            start, removed, *added = slots
            old = self.slots[number]
            slots = [*old[:start], *added, *old[start + removed :]]
        self.versions[number], self.slots[number] = value, slots
        kinds = (self.columns[name][value] for name in ("version_shape", "version_type", "version_length"))
        self.contents[number] = (*kinds, *map(self.canonical, slots))

    def canonical(self, ref: int) -> int:
        """The first ref of the same value: the string table may have an atom more than once."""
        return self.firsts[self.strings[ref - 1]] if 0 < ref <= len(self.strings) else ref

    def changes(self, step: int, frame: int) -> dict[str, Any]:
        """What changed since the frame's last event; at its first one, since the event before."""
        scopes, contents = self.moments[self.seen.get(frame, step - 1)]
        new: dict[str, Any] = {}
        gone: set[str] = set()
        for key in ((LOCAL, frame), (FREE, frame), (GLOBAL, self.columns["frame_globals"][frame])):
            for name, bound in self.scopes[key].items():
                ref, before = held(bound, self.contents), held(scopes.get(key, {}).get(name, 0), contents)
                if name in new or (self.canonical(ref) == self.canonical(before) and not self.reaches(ref, contents)):
                    continue
                if ref:
                    new[name] = self.value(ref)
                else:
                    gone.add(name)
        return {"set": new, "unset": sorted(gone - new.keys())}

    def reaches(self, ref: int, before: Contents) -> bool:
        """Whether a value, or anything that it holds, has another content than before."""
        pending, seen = [ref], set()
        while pending:
            number = -pending.pop()
            if number > 0 and number not in seen and number in self.slots:
                if self.contents[number] != before.get(number):
                    return True
                seen.add(number)
                pending += self.slots[number]
        return False

    def own(self, kind: str, number: int, arg: int) -> dict[str, Any]:
        """What a kind of event has besides."""
        if kind in ("return", "yield") or (kind == "resume" and arg):
            return {"value": self.value(arg)}
        if kind in ("raise", "unwind"):
            return {"exception": self.exception(arg)}
        if kind == "output":
            stream = "stdout" if number == 7 else "stderr"
            self.said[stream] += self.strings[arg]
            return {"stream": stream, "text": self.strings[arg]}
        return self.file(arg) if kind == "file" else {}

    def exception(self, ref: int) -> dict[str, Any]:
        """An exception that appears or passes."""
        if not ref:
            return {"type": "?", "args": []}
        value = self.value(ref)
        items = value.pop("items", [])
        return {**value, "args": items}

    def file(self, change: int) -> dict[str, Any]:
        """A change of a file."""
        columns = self.columns
        path = self.strings[columns["file_path"][change]]
        kind, size = columns["file_change"][change], columns["file_size"][change]
        old = self.files.pop(path, b"")
        if kind != 2:
            between = bytes(columns["file_bytes"][self.byte_starts[change] : self.byte_starts[change + 1]])
            tail = old[len(old) - columns["file_suffix"][change] :]
            self.files[path] = old[: columns["file_prefix"][change]] + between + tail
            assert len(self.files[path]) == size
        return {"path": path, "change": ("created", "changed", "deleted")[kind], "size": size}

    def value(self, ref: int) -> dict[str, Any]:
        """A value, unfolded: an object is written out where it is met first in reading order."""
        root: dict[str, Any] = {}
        pending, seen, room = [(root, ref, 0)], set(), 5_000
        while pending:
            node, ref, level = pending.pop()
            if ref > 0:
                node.update(atom(self.strings[ref - 1]))
            elif -ref in seen:
                node["id"] = -ref
            else:
                seen.add(-ref)
                inner = self.unfold(node, -ref, room if level < 60 else 0)
                room -= len(inner)
                pending += [(child, slot, level + 1) for child, slot in reversed(inner)]
        return root

    def unfold(self, node: dict[str, Any], number: int, room: int) -> list[tuple[dict[str, Any], int]]:
        """Fill in an object; what is still to be filled in, with refs. At most `room` of it."""
        version, slots = self.versions[number], self.slots[number]
        node.update(type=self.strings[self.columns["version_type"][version]], id=number)
        shape, length = self.columns["version_shape"][version], self.columns["version_length"][version]
        extended, shape = shape & 128, shape & 127
        attributes = slots if shape == 7 and not extended else None
        if extended:
            slots, attributes = slots[1 : slots[0] + 1], slots[slots[0] + 1 :]
        inner: list[tuple[dict[str, Any], int]] = []
        if shape in (10, 11, 12, 14, 15, 16):
            node["name"] = self.strings[slots[0] - 1]
            slots = slots[1:]
        elif shape == 19:
            node["name"] = self.strings[slots[1] - 1]
            slots = slots[:1]
        if shape == 6:
            entries = [({}, {}) for _ in range(min(len(slots) // 2, room // 2))]
            node["entries"] = [list(entry) for entry in entries]
            inner = list(zip([child for entry in entries for child in entry], slots, strict=False))
            if len(entries) < length:
                node["length"] = length
        elif shape in (1, 2, 3, 4, 5, 8, 13, 14, 15, 16, 17, 18, 19, 20) or (shape == 7 and extended):
            inner = [({}, slot) for slot in slots if slot][:room]
            node["items"] = [child for child, _ in inner]
            real = max(length if shape in (1, 2, 3, 4, 5, 8, 20) else 0, len(slots))
            if len(inner) < real:
                node["length"] = real
        if attributes is not None and (attributes or shape == 7):
            names = [self.strings[slot - 1] for slot in attributes[::2]][: room - len(inner)]
            node["attributes"] = {name: {} for name in names}
            inner += [(node["attributes"][name], ref) for name, ref in zip(names, attributes[1::2], strict=False)]
        return inner


def atom(text: str) -> dict[str, Any]:
    """An atom as expanded JSON has it."""
    cut = {}
    if text[0] == ">":
        length, _, text = text[1:].split(":", 2)
        cut = {"length": int(length)}
    first, rest = text[0], text[1:]
    constants = {"n": "None", "t": "True", "f": "False", "e": "Ellipsis", "N": "NotImplemented"}
    types = {"n": "NoneType", "t": "bool", "f": "bool", "e": "ellipsis", "N": "NotImplementedType"}
    types |= {"i": "int", "d": "float", "c": "complex", "s": "str", "S": "str", "y": "bytes"}
    if first == "S":
        rest = rest.encode("ascii").decode("unicode_escape")
    if first == "i" and rest.lstrip("-").startswith("x"):
        rest = rest.replace("x", "0x", 1)
    return {"type": types[first], "text": constants.get(first, rest), **cut}


def shown(content: bytes) -> dict[str, Any]:
    """A file at the end."""
    try:
        return {"size": len(content), "text": content.decode()}
    except UnicodeDecodeError:
        return {"size": len(content), "base64": base64.b64encode(content).decode()}


def starts(sizes: list[int]) -> list[int]:
    """Where each part of a column begins, and where the last one ends."""
    found = [0]
    for size in sizes:
        found.append(found[-1] + size)
    return found
