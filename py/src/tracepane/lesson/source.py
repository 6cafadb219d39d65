"""A Python file as an author's pane uses it: its bytes, its text, its lines, and what the compiler knows of it."""

from __future__ import annotations

import base64
import functools
import io
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tracepane.lesson import interpreter
from tracepane.lesson.mistake import Mistakes, Wrong, near

Range = tuple[int, int]


@dataclass(frozen=True)
class Source:
    """A source of a job. `name` is its path below the import root; `role` as in a job; lines count from 1."""

    name: str
    role: str
    data: bytes = field(repr=False)
    path: Path | None = None
    traced: tuple[Range, ...] = ()

    @functools.cached_property
    def syntax(self) -> dict[str, Any]:
        """What `syntax.describe` says of it."""
        return interpreter.describe(self.data)

    @functools.cached_property
    def text(self) -> str:
        """The decoded text with `\\n` between lines and without a byte order mark: what is shown."""
        text = self.data.decode(encoding(self.data), "replace").removeprefix("\ufeff")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    @functools.cached_property
    def lines(self) -> list[str]:
        """The lines as Python counts them: only `\\n`, `\\r\\n` and `\\r` end one."""
        return self.text.removesuffix("\n").split("\n")

    def job(self) -> dict[str, Any]:
        """This source as a job carries it."""
        traced = {"traced": [list(each) for each in self.traced]} if self.traced else {}
        return {"name": self.name, "role": self.role, **content(self.data), **traced}


def content(data: bytes) -> dict[str, str]:
    """Bytes as a job carries them: text if that is UTF-8 that needs no declaration, else base64."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
    if text.startswith("\ufeff"):
        return {"base64": base64.b64encode(data).decode()}
    return {"text": text}


def encoding(data: bytes) -> str:
    """The encoding that the source declares, UTF-8 if it is none that Python knows."""
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError:
        return "utf-8"


def shown_range(source: Source, show: str | None) -> Range:
    """The lines of `function`, `Class.method` or `12-40`, the whole file for None. Raises Wrong."""
    last = len(source.lines)
    if show is None:
        return 1, last
    if show.replace("-", "").isdecimal():
        return numbered_range(show, last)
    found = [(first, end) for name, first, end in source.syntax["definitions"] if name == show]
    if len(found) == 1:
        return found[0]
    if found:
        places = " and ".join(str(first) for first, _ in found)
        raise Wrong(
            f"`{show}` is defined more than once in {source.name}, at lines {places}",
            f"Show one of them by its lines, as in `show: {found[0][0]}-{found[0][1]}`.",
        )
    names = [name for name, _, _ in source.syntax["definitions"]]
    otherwise = "Look up its name in the file." if names else "It defines none."
    raise Wrong(f"there is no function or class `{show}` in {source.name}", near(show, names, otherwise))


def numbered_range(show: str, last: int) -> Range:
    """`12-40` or `12` as lines of a file of `last` lines."""
    first, _, end = show.partition("-")
    lines = (int(first), int(end or first)) if first.isdecimal() and (end or first).isdecimal() else (0, 0)
    if 1 <= lines[0] <= lines[1] <= last:
        return lines
    raise Wrong(
        f"lines {show} are not in the file", f"It has lines 1 to {last}; write the first, a hyphen, and the last."
    )


def stops(source: Source, shown: Range) -> dict[int, int]:
    """For each line of the range: the line on which a breakpoint set there stops; lines that have none are absent.

    A line of a statement stops where the statement's first event is (a statement of several lines has several, and its
    own first line may get none); any other line slides to the next statement that gets one.
    """
    first, last = shown
    events = [code["starts"] for code in traced_codes(source, shown)]
    result: dict[int, int] = {}
    target = 0
    bounds = {line: span for span in source.syntax["statements"] for line in range(span[0], span[1] + 1)}
    for line in range(last, first - 1, -1):
        span = bounds.get(line)
        target = (span and first_event(events, span)) or target
        if target:
            result[line] = target
    return result


def first_event(events: Iterable[list[int]], span: list[int]) -> int:
    """The line of a statement's first event, 0 if it gets none."""
    return next((line for starts in events for line in starts if span[0] <= line <= span[1]), 0)


def traced_codes(source: Source, shown: Range) -> list[dict[str, Any]]:
    """The code objects of which every line lies in the range: those are recorded."""
    first, last = shown
    return [code for code in source.syntax["codes"] if first <= code["first"] and code["last"] <= last]


def read_source(path: Path, mistakes: Mistakes, file: str, line: int, what: str) -> bytes | None:
    """The bytes of a file that a definition names, or a mistake at the place that names it."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        siblings = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        mend = near(path.name, siblings) if siblings else f"The folder {path.parent.name} does not exist either."
        mend = mend or "Paths start at the file that names them."
        mistakes.add(file, line, f"the file of `{what}` does not exist: {path.name}", mend)
    except OSError as error:
        mistakes.add(
            file, line, f"the file of `{what}` cannot be read: {error.strerror or error}", "Name a Python file."
        )
    return None
