"""The globals of a module, as they were last recorded."""

from __future__ import annotations

from typing import Any

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS


class Namespace:
    """The globals of a module, and the refs that were last recorded of them."""

    __slots__ = ("number", "refs", "variables")

    def __init__(self, number: int, variables: dict[str, Any]) -> None:
        self.number, self.variables = number, variables
        self.refs = Refs()


class Refs(dict[str, int]):
    """The refs of globals. `atoms` are what they were bound to, where that is an atom and is known."""

    __slots__ = ("atoms",)

    def __init__(self) -> None:
        super().__init__()
        self.atoms: dict[str, Any] = {}
