"""Anchors: lines of the shown range, found by the text that stands on them."""

from __future__ import annotations

from typing import Any

from tracepane.lesson.mistake import Wrong, near
from tracepane.lesson.source import Range, Source


def resolve(anchor: Any, source: Source, shown: Range) -> list[Range]:
    """The lines that an anchor (or a list of them) names, in the order given. Raises Wrong."""
    if isinstance(anchor, list):
        return [lines for each in anchor for lines in resolve(each, source, shown)]
    if isinstance(anchor, dict) and "from" in anchor:
        return [between(anchor, source, shown)]
    line = find(anchor, source, shown)
    return [(line, line)]


def between(anchor: dict[str, Any], source: Source, shown: Range) -> Range:
    """The lines of `{from, to}`."""
    first, last = find(anchor["from"], source, shown), find(anchor["to"], source, shown)
    if last < first:
        raise Wrong(f"`to` stands at line {last}, before `from` at line {first}", "Exchange them.")
    return first, last


def find(spot: Any, source: Source, shown: Range) -> int:
    """The line of a text that stands on exactly one line, or of its `nth` line."""
    text: str = spot if isinstance(spot, str) else spot["text"]
    nth: int | None = None if isinstance(spot, str) else spot["nth"]
    first, last = shown
    lines = [line for line in range(first, last + 1) if text in source.lines[line - 1]]
    if not lines:
        raise Wrong(f"no line of {source.name} {first}-{last} holds `{text}`", nearest(text, source, shown))
    if nth is None:
        if len(lines) > 1:
            places = ", ".join(map(str, lines))
            mend = f"Give more of the line, or `{{text: …, nth: 1}}` for line {lines[0]}."
            raise Wrong(f"`{text}` stands on {len(lines)} lines of {source.name}: {places}", mend)
        return lines[0]
    if nth > len(lines):
        places = ", ".join(map(str, lines))
        raise Wrong(
            f"`{text}` has no {nth}th line in {source.name}; it stands on {places}", f"Give `nth` up to {len(lines)}."
        )
    return lines[nth - 1]


def nearest(text: str, source: Source, shown: Range) -> str:
    """A mend that offers the lines which come nearest."""
    first, last = shown
    elsewhere = [line for line, each in enumerate(source.lines, 1) if text in each]
    if elsewhere:
        return f"It stands at line {elsewhere[0]}, outside of what is shown; show more, or choose another text."
    candidates = [each.strip() for each in source.lines[first - 1 : last] if each.strip()]
    return near(text, candidates, "Copy a part of the line as it stands in the file.")
