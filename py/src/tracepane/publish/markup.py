"""HTML that cannot be written wrongly escaped: texts are escaped where they enter."""

from __future__ import annotations

import html


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, *inside: str, **attributes: object) -> Markup:
    """An element. `_` in the name of an attribute is written `-`, a last `_` is dropped; None leaves it out."""
    pairs = (
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{''.join(pairs)}>{join(*inside)}</{name}>")


def join(*inside: str) -> Markup:
    """Pieces one after the other; plain text is escaped."""
    return Markup("".join(each if isinstance(each, Markup) else html.escape(each, quote=False) for each in inside))
