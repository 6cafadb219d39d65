"""What a recorder has to show for itself after a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

MISSING: Any = object()
"""What a look answers where nothing, or not the whole value, was recorded."""

Look = Callable[[str], Any]
"""One recorded moment: gives the value of a variable by its name."""


class Instance(dict[str, Any]):
    """An object of the program's own, as a recording shows it: its attributes by name."""


class Taken(NamedTuple):
    """One recording.

    `seconds` run from the program's call to when the recording is whole, in the form that the recorder keeps it in;
    `saving` is what it then takes to make its file, where that is another step. `data` is the recording uncompressed,
    `stored` its own compressed file, None where it has none. `looks` goes through the recorded moments in order.
    """

    seconds: float
    data: bytes
    stored: bytes | None = None
    saving: float = 0.0
    looks: Callable[[], Iterator[Look]] | None = None


class NotPossible(Exception):
    """This recorder cannot record this program; says why."""
