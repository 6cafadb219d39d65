"""What reading an object gives: the common word of those that read values and those that write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

NAME, VALUE = 0, 1
Part = tuple[int, Any]  # (NAME, text) or (VALUE, any value of the program's)


class Reading(NamedTuple):
    """What an object holds: its shape, its real length, the parts of its slots, and its attributes (None: it has none).

    With attributes, the slots of the trace begin with the number of parts.
    """

    shape: int
    length: int
    parts: list[Part]
    attributes: list[Part] | None = None


Read = Callable[[Any], Reading]
