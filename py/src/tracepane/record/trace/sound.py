"""Whether the columns of a trace fit together. A trace that passes can be read without looking out of bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tracepane.record.format.container import TraceError
from tracepane.record.format.layout import DELETED, FILE, OBJECT, SPLICE, STDERR, STDOUT, TABLES
from tracepane.record.trace import texts
from tracepane.record.trace.columns import Columns
from tracepane.record.trace.slots import Slots
from tracepane.record.trace.walk import Walk

_HIGHEST_KIND = {"event_kind": 10, "code_kind": 5, "file_change": 2, "version_form": 1}


def check(columns: Columns) -> list[str]:
    """The string table. Raises TraceError unless every count, id and reference is in bounds, and the whole can be."""
    _lengths(columns)
    for name, highest in _HIGHEST_KIND.items():
        _within(name, columns[name], 0, highest + 1)
    _sums(columns)
    strings = texts.read(columns)
    _references(columns)
    _namespaces(columns["frame_globals"])
    _rows(columns)
    _versions(columns)
    _files(columns)
    _events(columns)
    slots = Slots(columns, strings)
    slots.check()
    slots.atoms(_values(columns))
    Walk(columns).check()
    return strings


def _lengths(columns: Columns) -> None:
    for names in TABLES:
        if len({len(columns[name]) for name in names}) > 1:
            raise TraceError(f"the trace is damaged: its columns {', '.join(names)} are of different lengths")


def _sums(columns: Columns) -> None:
    for counts, counted in (
        ("event_rows", "row_target"),
        ("version_count", "slot"),
        ("file_count", "file_bytes"),
        ("string_length", "string_bytes"),
    ):
        _within(counts, columns[counts], 0, None)
        if sum(columns[counts]) != len(columns[counted]):
            raise TraceError(f"the trace is damaged: {counts} does not add up to the length of {counted}")


def _values(columns: Columns) -> Iterator[int]:
    """The refs of variables and of events' own values."""
    for target, value in zip(columns["row_target"], columns["row_value"], strict=True):
        if target & 3 != OBJECT:
            yield value
    for kind, arg in zip(columns["event_kind"], columns["event_arg"], strict=True):
        if kind < STDOUT:
            yield arg


def _references(columns: Columns) -> None:
    sizes = {
        group: len(columns[name])
        for group, name in (("string", "string_length"), ("frame", "frame_code"), ("code", "code_file"))
    }
    for name, low, high in (
        ("event_frame", -1, sizes["frame"]),
        ("event_line", 0, None),
        ("frame_code", 0, sizes["code"]),
        ("frame_globals", 0, None),
        ("code_file", 0, sizes["string"]),
        ("code_name", 0, sizes["string"]),
        ("code_first", 0, None),
        ("version_object", 1, None),
        ("version_type", 0, sizes["string"]),
        ("version_length", 0, None),
        ("file_path", 0, sizes["string"]),
        ("file_size", 0, None),
        ("file_prefix", 0, None),
        ("file_suffix", 0, None),
    ):
        _within(name, columns[name], low, high)


def _namespaces(column: Iterable[int]) -> None:
    """They are numbered in order of first sight."""
    known = 0
    for namespace in column:
        if namespace > known:
            raise TraceError(f"the trace is damaged: namespace {namespace} comes before {known}")
        known = max(known, namespace + 1)


def _rows(columns: Columns) -> None:
    strings, versions = len(columns["string_length"]), len(columns["version_object"])
    _within("row_target", columns["row_target"], 0, None)
    _within("row_value", columns["row_value"], None, max(strings + 1, versions))
    for target, value in zip(columns["row_target"], columns["row_value"], strict=True):
        number = target >> 2
        if target & 3 == OBJECT:
            if not 0 <= value < versions or columns["version_object"][value] != number:
                raise TraceError(f"the trace is damaged: a row names version {value} of object {number}")
        elif number >= strings or value > strings:
            raise TraceError(f"the trace is damaged: a row names string {max(number, value - 1)} of {strings}")


def _versions(columns: Columns) -> None:
    """Splices fit what they are applied to; the numbers of slots stay reasonable."""
    sizes: dict[int, tuple[list[int], int]] = {}
    place = 0
    slots = columns["slot"]
    fields = ("version_object", "version_shape", "version_type", "version_form", "version_count")
    for number, *kind, form, count in zip(*(columns[name] for name in fields), strict=True):
        size = count
        if form == SPLICE:
            before = sizes.get(number)
            if before is None or before[0] != kind or count < 2:
                raise TraceError(f"the trace is damaged: object {number} has a splice with nothing to apply it to")
            start, removed = slots[place], slots[place + 1]
            if start < 0 or removed < 0 or start + removed > before[1]:
                raise TraceError(f"the trace is damaged: a splice of object {number} is out of bounds")
            size = before[1] - removed + count - 2
        sizes[number] = (kind, size)
        place += count


def _files(columns: Columns) -> None:
    """A change of a file keeps only what was there, and adds up to its size."""
    sizes: dict[int, int] = {}
    names = ("file_path", "file_change", "file_size", "file_prefix", "file_suffix", "file_count")
    for number, row in enumerate(zip(*(columns[name] for name in names), strict=True)):
        path, change, size, prefix, suffix, count = row
        if prefix + suffix > sizes.get(path, 0) or prefix + count + suffix != size:
            raise TraceError(f"the trace is damaged: file change {number} does not fit what was there before")
        sizes[path] = 0 if change == DELETED else size


def _events(columns: Columns) -> None:
    strings, files = len(columns["string_length"]), len(columns["file_path"])
    for kind, arg in zip(columns["event_kind"], columns["event_arg"], strict=True):
        high = strings if kind in (STDOUT, STDERR) else files if kind == FILE else strings + 1
        if arg >= high or (arg < 0 and kind in (STDOUT, STDERR, FILE)):
            raise TraceError(f"the trace is damaged: an event of kind {kind} has the argument {arg}")


def _within(name: str, column: Iterable[int] | Sequence[int], low: int | None, high: int | None) -> None:
    """Every number of a column is at least `low` and below `high`."""
    numbers: Sequence[int] = column if isinstance(column, Sequence) else list(column)
    if not len(numbers):
        return
    if (low is not None and min(numbers) < low) or (high is not None and max(numbers) >= high):
        raise TraceError(f"the trace is damaged: the column {name} holds a number that is out of bounds")
