"""What happens when the program imports: some modules are adjusted, some are hidden, its own are never stale."""

from __future__ import annotations

from typing import Any


def install(root: str, clock: Any, entropy: Any) -> None:
    """To come."""
