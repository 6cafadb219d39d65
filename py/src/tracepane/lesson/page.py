"""Pages: where their fences stand, the panes that these show or define, and the files that they offer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracepane.lesson import document
from tracepane.lesson.document import Table, line_of
from tracepane.lesson.download import Download, read_download
from tracepane.lesson.mistake import Mistakes, near
from tracepane.lesson.pane import NAME, Pane, define, read_pane
from tracepane.lesson.project import name_in, project_of

LANGUAGE = "tracepane"
OPENING = re.compile(r"^(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")
CONTAINER = re.compile(r"^\s*([-*+]|\d+[.)]|!!!|\?\?\?\+?|===[!+]?|:|\[\^[^\]]+\]:|///)(\s|$)")
REFERENCE_KEYS = ("pane", "scenario")


@dataclass(frozen=True)
class Fence:
    """A fence of a page: `first` and `last` are its own lines (from 1), `text` what stands between, without indent."""

    first: int
    last: int
    indent: str
    options: str
    text: str
    closed: bool


@dataclass(frozen=True)
class Shown:
    """A pane on a page, and the scenario that is chosen there at first."""

    pane: Pane
    scenario: str


def fences(text: str) -> Iterator[Fence]:
    """The page's own tracepane fences. One inside another fence, a comment or an indented code block is an example."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        index = skip_comment(lines, index)
        opening = OPENING.match(lines[index]) if index < len(lines) else None
        if opening is None or in_code_block(lines, index, opening["indent"]):
            index += 1
            continue
        end = closing(lines, index, opening)
        language, _, options = opening["info"].strip().partition(" ")
        if language == LANGUAGE:
            indent = len(opening["indent"])
            body = "\n".join(line[min(indent, len(line) - len(line.lstrip())) :] for line in lines[index + 1 : end])
            closed = end < len(lines)
            yield Fence(index + 1, min(end, len(lines) - 1) + 1, opening["indent"], options.strip(), body, closed)
        index = end + 1


def closing(lines: list[str], index: int, opening: re.Match[str]) -> int:
    """The index of the line that closes a fence, or the number of lines if none does."""
    mark = re.escape(opening["mark"][0])
    pattern = re.compile(rf"^[ \t]*{mark}{{{len(opening['mark'])},}}[ \t]*$")
    return next((end for end in range(index + 1, len(lines)) if pattern.match(lines[end])), len(lines))


def skip_comment(lines: list[str], index: int) -> int:
    """The first line after an HTML comment that begins on this one and ends on a later one; else this one."""
    start = lines[index].find("<!--")
    if start < 0 or lines[index].lstrip() != lines[index][start:] or "-->" in lines[index][start:]:
        return index
    return next((end + 1 for end in range(index + 1, len(lines)) if "-->" in lines[end]), index + 1)


def in_code_block(lines: list[str], index: int, indent: str) -> bool:
    """Whether an indented line is code: no list item, admonition, tab or the like above it holds it."""
    width = len(indent.expandtabs(4))
    if width < 4:
        return False
    for line in reversed(lines[:index]):
        depth = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        if line.strip() and depth < width:
            return not CONTAINER.match(line) and (depth < 4 or in_code_block(lines, lines.index(line), " " * depth))
    return True


def show(
    fence: Fence, path: Path, project: Path, before: int, mistakes: Mistakes, defined: dict[str, int]
) -> Shown | Download | None:
    """What a fence stands for, or None after mistakes. `before` lines of the file precede the text it was found in.

    `defined` has the line of each pane that an earlier fence of the page defines; this fence's own is added.
    """
    file, line = name_in(project, path), before + fence.first
    if not check_fence(fence, file, line, mistakes):
        return None
    table = document.read_yaml(fence.text, file, line, mistakes)
    if not isinstance(table, Table):
        if not any(error.file == file and error.line >= line for error in mistakes.errors):
            mend = "Write `pane: panes.yml#name`, or a definition that begins with `id:` and `source:`."
            mistakes.add(file, line, "this fence names no pane", mend)
        return None
    if "download" in table:
        return read_download(table, path, project, line, mistakes)
    if "pane" in table:
        return show_reference(table, path, project, line, mistakes)
    return show_definition(table, path, project, line, mistakes, defined)


def check_fence(fence: Fence, file: str, line: int, mistakes: Mistakes) -> bool:
    """Whether the fence is closed, and has its options inside."""
    if not fence.closed:
        mistakes.add(file, line, "this fence is never closed", "Close it with the same marks, as in ```.")
    if fence.options:
        mend = "Write options as lines inside the fence, as in `pane: panes.yml#name`."
        mistakes.add(file, line, f"this fence has options after its language: {fence.options}", mend)
    return fence.closed and not fence.options


def show_reference(table: Table, path: Path, project: Path, line: int, mistakes: Mistakes) -> Shown | None:
    """The pane that a fence takes from a file of panes."""
    file = name_in(project, path)
    for key in table:
        if key not in REFERENCE_KEYS:
            mend = near(key, REFERENCE_KEYS, "Remove it.")
            mistakes.add(file, line_of(table, [key], line), f"a fence that names a pane has no option `{key}`", mend)
    here = line_of(table, ["pane"], line)
    target, _, id = str(table["pane"]).rpartition("#")
    if not target or not id or not isinstance(table["pane"], str):
        mend = "Write the file, `#`, and the pane's name, as in `panes.yml#name`."
        mistakes.add(file, here, f"`pane` cannot be `{table['pane']}`", mend)
        return None
    place = Path(os.path.normpath(path.parent / target))
    if not place.is_file():
        siblings = [each.name for each in place.parent.glob("*.y*ml")] if place.parent.is_dir() else []
        mend = near(place.name, siblings, "Paths start at the page.") or "Paths start at the page."
        mistakes.add(file, here, f"the file of panes {target} does not exist", mend)
        return None
    pane = read_pane(place, id, project, mistakes, (file, here))
    return chosen(pane, table, file, line, mistakes)


def show_definition(
    table: Table, path: Path, project: Path, line: int, mistakes: Mistakes, defined: dict[str, int]
) -> Shown | None:
    """The pane that a fence itself defines."""
    file, here = name_in(project, path), line_of(table, ["id"], line)
    id = table.pop("id", None)
    if not isinstance(id, str) or not NAME.fullmatch(id):
        mend = "Add `id: my_pane`: letters of a to z, digits, `-` and `_`, a letter first; or take a pane with `pane:`."
        mistakes.add(file, line, "a pane that is defined in a page needs an `id`", mend)
        id = "pane"
    elif id in defined:
        mend = f"The other is at line {defined[id]}; give each pane an id of its own."
        mistakes.add(file, here, f"this page defines two panes `{id}`", mend)
    defined.setdefault(id, here)
    start: dict[str, Any] = {key: table.pop(key) for key in ("scenario",) if key in table}
    pane = define(id, table, path, line, project, mistakes)
    return chosen(pane, Table(line) | start, file, line, mistakes)


def chosen(pane: Pane | None, options: dict[str, Any], file: str, line: int, mistakes: Mistakes) -> Shown | None:
    """The pane with the scenario that the fence chooses, the first unless it says so."""
    if pane is None:
        return None
    known = [each.id for each in pane.scenarios]
    wanted = options.get("scenario", known[0])
    if wanted not in known:
        mistakes.add(file, line, f"the pane `{pane.id}` has no scenario `{wanted}`", near(str(wanted), known))
        return None
    return Shown(pane, wanted)


def read_page(path: Path, project: Path, mistakes: Mistakes) -> list[Shown]:
    """Every pane of a page; mistakes are noted."""
    text = document.read_text(path, name_in(project, path), "page", mistakes)
    defined: dict[str, int] = {}
    found = [show(fence, path, project, 0, mistakes, defined) for fence in fences(text or "")]
    return [each for each in found if isinstance(each, Shown)]


def load(path: Path, id: str, *, project: Path | None = None) -> Pane:
    """The pane that a page defines or shows under this id. Raises LessonErrors."""
    mistakes = Mistakes()
    project = project or project_of(path)
    panes = {}
    if path.is_file():
        panes = {each.pane.id: each.pane for each in read_page(path, project, mistakes)}
    if id not in panes:
        mend = near(id, panes, "Define one there.") if path.is_file() else "Name a page or a file of panes."
        mistakes.add(name_in(project, path), 0, f"there is no pane `{id}` in this page", mend)
    mistakes.stop()
    return panes[id]
