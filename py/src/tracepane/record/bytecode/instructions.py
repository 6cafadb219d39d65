"""`dis` for ourselves: a copy that nobody patches, and that keeps the builtins which the program may replace."""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from tracepane.record.own import BUILTINS


def _copy() -> dict[str, Any]:
    """The module's globals, made anew with our builtins; its functions keep those."""
    loader: Any = dis.__spec__ and dis.__spec__.loader
    names: dict[str, Any] = {"__name__": dis.__name__, "__builtins__": BUILTINS}
    exec(loader.get_code(dis.__name__), names)
    return names


get_instructions: Callable[[CodeType], Iterator[dis.Instruction]] = _copy()["get_instructions"]
