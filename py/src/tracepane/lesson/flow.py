"""A pane's diagram: nodes bound to lines of the shown source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tracepane.lesson import anchor
from tracepane.lesson.document import Row, line_of
from tracepane.lesson.mistake import Mistakes, Wrong, near
from tracepane.lesson.source import Range, Source, traced_codes
from tracepane.lesson.text import Text


@dataclass(frozen=True)
class Node:
    """A node; `lines` are ranges of whole statements, `to` the nodes that may come next."""

    id: str
    text: Text
    lines: tuple[Range, ...]
    to: tuple[str, ...]

    def job(self) -> dict[str, Any]:
        """As a file of jobs carries it."""
        lines = [list(each) for each in self.lines]
        return {"id": self.id, "text": self.text.job(), "lines": lines, "to": list(self.to)}


def read_flow(row: Row, source: Source, shown: Range, file: str, mistakes: Mistakes) -> tuple[Node, ...]:
    """The nodes of a definition that the schema has passed."""
    seen: dict[str, int] = {}
    nodes = []
    for index, item in enumerate(row):
        here = line_of(row, [index, "id"])
        if item["id"] in seen:
            mend = f"It is at line {seen[item['id']]} too; give each node an id of its own."
            mistakes.add(file, here, f"the flow has two nodes `{item['id']}`", mend)
        seen.setdefault(item["id"], here)
        lines = bind(item, source, shown, file, line_of(row, [index, "at"]), mistakes)
        text = Text.read(item["text"], line_of(row, [index, "text"]))
        nodes.append(Node(item["id"], text, lines, tuple(item.get("to", ()))))
    check_targets(row, seen, file, mistakes)
    return tuple(nodes)


def bind(
    item: Mapping[str, Any], source: Source, shown: Range, file: str, line: int, mistakes: Mistakes
) -> tuple[Range, ...]:
    """The lines of a node, each widened to its whole statement."""
    if "at" not in item:
        return ()
    try:
        found = anchor.resolve(item["at"], source, shown)
    except Wrong as wrong:
        mistakes.add(file, line, f"node `{item['id']}`: {wrong.message}", wrong.mend)
        return ()
    lines = tuple(dict.fromkeys(widen(each, source) for each in found))
    if not any(first <= event <= last for first, last in lines for event in events(source, shown)):
        places = " and ".join(describe(each) for each in lines)
        mend = "Bind it to a line that runs: no comment, `else:` or text of a docstring."
        mistakes.add(
            file, line, f"node `{item['id']}` can never be reached: nothing that is traced runs at {places}", mend
        )
    return lines


def widen(lines: Range, source: Source) -> Range:
    """The range with its first and last statement whole, since a statement's events wander over its lines."""
    first, last = lines
    for start, end in source.syntax["statements"]:
        if start <= first <= end:
            lines = (start, lines[1])
        if start <= last <= end:
            lines = (lines[0], end)
    return lines


def events(source: Source, shown: Range) -> set[int]:
    """Lines of the range that get an event: those that run, and the heads of what is called."""
    traced = traced_codes(source, shown)
    return {line for code in traced for line in code["starts"]} | {code["first"] for code in traced}


def describe(lines: Range) -> str:
    """A range in words."""
    first, last = lines
    return f"line {first}" if first == last else f"lines {first} to {last}"


def check_targets(row: Row, known: Mapping[str, int], file: str, mistakes: Mistakes) -> None:
    """Every `to` must name a node."""
    for index, item in enumerate(row):
        for place, target in enumerate(item.get("to", ())):
            if target not in known:
                line = line_of(row, [index, "to", place])
                mistakes.add(
                    file, line, f"node `{item['id']}` leads to `{target}`, which is no node", near(target, known)
                )
