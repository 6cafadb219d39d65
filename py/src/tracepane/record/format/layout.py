"""The trace format's numbers and names: columns, kinds, shapes. Source: docs/reference/trace-format.md."""

from __future__ import annotations

FORMAT = "tracepane-trace/1"
FEATURES: tuple[str, ...] = ()
PACKED_FEATURE = "packed"  # of a file: its chunks are packed, and an index follows them

BYTE_COLUMNS = frozenset(
    ("event_kind", "code_kind", "version_shape", "version_form", "file_change", "file_bytes", "string_bytes")
)

TABLES = (
    ("event_kind", "event_frame", "event_line", "event_arg", "event_rows"),
    ("row_target", "row_value"),
    ("frame_code", "frame_globals"),
    ("code_file", "code_name", "code_first", "code_kind"),
    ("version_object", "version_shape", "version_type", "version_length", "version_form", "version_count"),
    ("slot",),
    ("file_path", "file_change", "file_size", "file_prefix", "file_suffix", "file_count"),
    ("file_bytes",),
    ("share_string", "share_other", "share_kept", "share_tail"),
    ("string_length",),
    ("string_bytes",),
)
"""The columns that have as many elements as each other, in the order of the format."""
COLUMNS = tuple(name for table in TABLES for name in table)
EVENTS, ROWS, FRAMES, CODES, VERSIONS, SLOTS, FILES, FILE_BYTES, SHARES, STRINGS, STRING_BYTES = range(len(TABLES))
MOST_LINKS = 64  # strings that share, one with the other, from one that is whole
LONG = 500  # characters of a str from which it may share, and bytes that a text has at least that does

STATUSES = ("finished", "exception", "exit", "limit", "stopped", "input", "crashed")
"""How a run can end."""

# event kinds
CALL, RESUME, LINE, RETURN, YIELD, RAISE, UNWIND, STDOUT, STDERR, FILE, END = range(11)
KINDS = ("call", "resume", "line", "return", "yield", "raise", "unwind", "output", "output", "file", "end")
STREAMS = {"stdout": STDOUT, "stderr": STDERR}
PUSHES = frozenset((CALL, RESUME))
POPS = frozenset((RETURN, YIELD, UNWIND))

# spaces of a change row
LOCAL, GLOBAL, FREE, OBJECT = range(4)

# kinds of code
MODULE_CODE, CLASS_CODE, FUNCTION_CODE, GENERATOR_CODE, COROUTINE_CODE, ASYNC_GENERATOR_CODE = range(6)

# shapes of objects
OPAQUE, LIST, TUPLE, SET, FROZENSET, DEQUE, DICT, INSTANCE, EXCEPTION, CELL = range(10)
FUNCTION, CLASS, MODULE, BYTEARRAY, GENERATOR, COROUTINE = range(10, 16)
ASYNC_GENERATOR, RANGE, SLICE, METHOD, TEMPLATE = range(16, 21)
EXTENDED = 128  # bit of a shape: base items first, then attributes
SEQUENCES = frozenset((LIST, TUPLE, SET, FROZENSET, DEQUE, TEMPLATE))

FULL, SPLICE = 0, 1

CHANGES = ("created", "changed", "deleted")
CREATED, CHANGED, DELETED = range(len(CHANGES))

# what is cut, and what is kept of it
TEXT_LIMIT = 65_536
TEXT_KEPT = 1_024
ITEMS_LIMIT = 10_000
DECIMAL_DIGITS = 4_000
