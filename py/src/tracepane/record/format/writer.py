"""Writes a trace: columns that stream out in chunks while the program runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from tracepane.record.format.encoding import encode, narrow
from tracepane.record.format.layout import (
    CODES,
    EVENTS,
    FILE_BYTES,
    FILES,
    FRAMES,
    FULL,
    LONG,
    ROWS,
    SHARES,
    SLOTS,
    SPLICE,
    STRING_BYTES,
    STRINGS,
    VERSIONS,
)
from tracepane.record.format.outgoing import Outgoing
from tracepane.record.format.overlap import overlap
from tracepane.record.format.texts import END, LongTexts, bytes_shared
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

Emit = Callable[[bytes], object]

_PIECE = 1 << 16  # characters that are turned into bytes at once: memory of that size is soon used again
_MOST_BYTES = 4 + 302  # what an int adds to the columns, and more than what is added to the characters of a text


class TraceWriter:
    """The columns of a trace as they grow. Rows are added in the order of trace-format.md; nothing is looked back at.

    `emit` takes the raw bytes of a chunk. Memory holds only what was not yet flushed, the string table's ids and the
    last version of each object that has not been forgotten.
    """

    def __init__(self, emit: Emit) -> None:
        """Chunks go to `emit`."""
        self._emit = emit
        self._outgoing = Outgoing()
        self._characters = 0  # of the texts that wait, besides ints
        self.waiting = 0  # bytes of strings that were turned into bytes, and not yet flushed
        # Rows of tables wait here, field after field: one `extend` is far faster than an append to each column.
        self.events: list[int] = []
        self.pairs: list[int] = []
        self.begun: list[int] = []
        self.records: list[int] = []
        self.slots: list[int] = []
        self._defined: list[int] = []
        self._changed: list[int] = []
        self._shares: list[int] = []
        self._tables = (
            (FRAMES, self.begun), (CODES, self._defined), (VERSIONS, self.records), (SLOTS, self.slots),
            (FILES, self._changed), (SHARES, self._shares),
        )  # fmt: skip
        # The strings that wait: ints and strs stand for their atoms' texts, any other text is in a tuple.
        self.texts: list[int | str | tuple[str]] = []
        self._events_out = self._rows_out = self._slots_out = 0
        self.versions = 0  # how many there are so far
        self.names: dict[str, int] = {}  # the ids of texts that are more than atoms
        # The refs of atoms that were written and not forgotten: of ints, of strs, and by the texts of all others.
        self.ints: dict[int, int] = {}
        self.words: dict[str, int] = {}
        self.atoms: dict[str, int] = {}
        self._long = LongTexts()
        self.count = 0  # of strings
        self.last_of: dict[int, Last] = {}
        self._codes = self.frames = self._files = 0
        self._other = 0

    @property
    def steps(self) -> int:
        """How many events there are so far."""
        return self._events_out + len(self.events) // 5

    @property
    def rows(self) -> int:
        """How many change rows there are so far."""
        return self._rows_out + len(self.pairs) // 2

    @property
    def size(self) -> int:
        """Bytes of all columns so far, flushed or not, with every text as a whole."""
        self._encode()
        return self._known_size()

    def _known_size(self) -> int:
        slots = self._slots_out + len(self.slots)
        return self.steps * 17 + self.rows * 8 + self.versions * 18 + slots * 4 + self.frames * 8 + self._other

    def reaches(self, size: int) -> bool:
        """Whether all columns have so many bytes. The texts that wait are only measured where they may matter."""
        out = len(self.texts) * _MOST_BYTES + 6 * self._characters
        return self._known_size() + out >= size and self.size >= size

    def string(self, text: str) -> int:
        """The id of a text that names something: it joins the table when it is new, and keeps its id for good."""
        known = self.names.get(text)
        if known is None:
            known = self.names[text] = self.atom(text) - 1
        return known

    def atom(self, text: str) -> int:
        """The ref of an atom, whose text joins the table when it is new. Lone surrogates are written as escapes."""
        if text[:1] == "s":
            return self.word(text[1:])
        if text[:1] == "i" and _is_int(text):
            return self.integer(int(text[1:]))
        known = self.atoms.get(text)
        if known is None:
            self.count = known = self.atoms[text] = self.count + 1
            self.texts.append((text,))
            self._characters += len(text)
        return known

    def forget_atoms(self, live: set[int]) -> None:
        """Forget the refs of all atoms but names, those in `live` and those in last versions, which are added to it.

        An atom that comes again later joins the table again.
        """
        for last in self.last_of.values():
            live.update(last.slots)
        live.update(number + 1 for number in self.names.values())
        tables: tuple[dict[Any, int], ...] = (self.ints, self.words, self.atoms)
        for table in tables:
            kept = {key: ref for key, ref in table.items() if ref in live}
            table.clear()
            table.update(kept)
        self._long.forget(live)

    def word(self, value: str) -> int:
        """The ref of a str that is not cut: as of an int."""
        if len(value) >= LONG:
            return self.long_word(value)
        known = self.words.get(value)
        return known if known is not None else self.short_word(value)

    def short_word(self, value: str) -> int:
        """The same of one that is not long, and that has no ref yet."""
        self.count = ref = self.words[value] = self.count + 1
        self.texts.append(value)
        self._characters += len(value)
        return ref

    def long_word(self, value: str) -> int:
        """The same of one that is long."""
        long, key, start = self._long, (len(value), value[-END:]), value[:END]
        known = long.get(value, key) if key in long.first else None
        if known is not None:
            return known.ref
        ref = self.count + 1
        told = long.tell(value, ref, start)
        if told.other is None:
            self.count = ref
            self.texts.append(value)
        else:
            kept, tail = told.kept, told.length - told.kept - len(told.own)
            if not value.isascii():
                kept, tail = bytes_shared(value, told)
            self.count = ref
            self._shares += (ref - 1, told.other.ref - 1, kept + 1, tail)  # the mark of a str is shared as well
            self._other += kept + 1 + tail
            self.texts.append((told.own,))
        self._characters += len(told.own)
        long.add(told, value, key, start)
        if self._characters > _PIECE:
            self._encode()
        return ref

    def integer(self, value: int) -> int:
        """The ref of an int of at most 300 digits: its text is written when it is handed out."""
        known = self.ints.get(value)
        if known is not None:
            return known
        self.count = ref = self.ints[value] = self.count + 1
        self.texts.append(value)
        return ref

    def code(self, file: str, name: str, first: int, kind: int) -> int:
        """A new code; its id. `kind` is one of layout's."""
        self._defined.extend((self.string(file), self.string(name), first, kind))
        self._other += 13
        self._codes += 1
        return self._codes - 1

    def frame(self, code: int, namespace: int) -> int:
        """A new frame of `code` in the global namespace with that id; its id."""
        self.begun.extend((code, namespace))
        self.frames += 1
        return self.frames - 1

    def file(self, path: str, change: int, size: int, splice: tuple[int, int, bytes]) -> int:
        """A change of a file; its index. `splice`: bytes kept at the start and at the end, and those put between."""
        prefix, suffix, content = splice
        self._changed.extend((self.string(path), change, size, prefix, suffix, len(content)))
        if content:
            self._outgoing.add(FILE_BYTES, (1, content))
        self._other += 21 + len(content)
        self._files += 1
        return self._files - 1

    def row(self, target: int, value: int) -> None:
        """A change row of the event that comes next."""
        self.pairs.extend((target, value))

    def event(self, kind: int, frame: int, line: int, arg: int, rows: int) -> None:
        """An event, after its `rows` change rows."""
        self.events.extend((kind, frame, line, arg, rows))

    def take_back(self) -> None:
        """Drop the rows that no event has claimed."""
        claimed = sum(self.events[4::5])
        del self.pairs[2 * claimed :]

    def version(self, number: int, shape: int, kind: int, length: int, slots: list[int]) -> int:
        """The index of a new version of the object `number`, or -1 if nothing differs from its last one.

        `kind` is the string id of its type's name, `length` the real number of items, `slots` a list that is kept.
        """
        last = self.last_of.get(number)
        if last is None:
            return self.first(number, shape, kind, length, slots)
        same = last.shape == shape and last.kind == kind
        if same and last.length == length and last.slots == slots:
            return -1
        splice = _splice(last.slots, slots) if same else None
        if splice is not None and len(splice) < len(slots) and last.spliced + len(splice) < len(slots):
            last.length, last.slots = length, slots
            last.spliced += len(splice)
            return self._version(number, shape, kind, length, SPLICE, splice)
        self.last_of[number] = Last(shape, kind, length, slots)
        return self._version(number, shape, kind, length, FULL, slots)

    def first(self, number: int, shape: int, kind: int, length: int, slots: list[int]) -> int:
        """The index of the first version of an object; see `version`."""
        self.last_of[number] = Last(shape, kind, length, slots)
        return self._version(number, shape, kind, length, FULL, slots)

    def last(self, number: int) -> list[int]:
        """The slots of an object's last version, empty when it has none."""
        last = self.last_of.get(number)
        return last.slots if last is not None else []

    def forget(self, number: int) -> None:
        """The object is gone: there will be no more versions of it."""
        self.last_of.pop(number, None)

    def _version(self, number: int, shape: int, kind: int, length: int, form: int, slots: Sequence[int]) -> int:
        self.records.extend((number, shape, kind, length, form, len(slots)))
        self.slots.extend(slots)
        self.versions += 1
        return self.versions - 1

    def flush(self) -> None:
        """Hand everything that was added since the last flush to `emit`, as one chunk."""
        self.pack()
        self.waiting = 0
        chunk = self._outgoing.take()
        if chunk:
            self._emit(chunk)

    def pack(self) -> None:
        """Turn everything that was added into the bytes of columns, which need far less memory. Rows: if claimed."""
        self._encode()
        events, pairs, add = self.events, self.pairs, self._outgoing.add
        if events:
            claimed = 2 * sum(events[4::5])
            add(EVENTS, narrow(events))
            self._events_out += len(events) // 5
            events.clear()
            if claimed:
                add(ROWS, narrow(pairs[:claimed]))
                self._rows_out += claimed // 2
                del pairs[:claimed]
        self._slots_out += len(self.slots)
        for table, fields in self._tables:
            if fields:
                add(table, narrow(fields))
                fields.clear()

    def _encode(self) -> None:
        """Turn the texts that wait into bytes: all at once, where they are ASCII."""
        texts = self.texts
        if not texts:
            return
        data, lengths = encode(texts)
        self._other += 4 * len(texts) + len(data)
        texts.clear()
        self._characters = 0
        self.waiting += len(data)
        self._outgoing.add(STRINGS, lengths)
        if data:
            self._outgoing.add(STRING_BYTES, (1, data))


class Last:
    """The last version of an object; `spliced` elements were spent on splices since the last full one."""

    __slots__ = ("kind", "length", "shape", "slots", "spliced")

    def __init__(self, shape: int, kind: int, length: int, slots: list[int]) -> None:
        self.shape, self.kind, self.length, self.slots = shape, kind, length, slots
        self.spliced = 0


_is_int = re.compile(r"i(0|-?[1-9][0-9]{0,299})").fullmatch


def _splice(old: Sequence[int], new: Sequence[int]) -> list[int]:
    """The splice from `old` to `new`."""
    prefix, suffix = overlap(old, new)
    return [prefix, len(old) - prefix - suffix, *new[prefix : len(new) - suffix]]
