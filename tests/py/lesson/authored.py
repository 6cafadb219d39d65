"""The one helper of the lesson tests: an author's files in, panes or mistakes out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tracepane.lesson.check import check
from tracepane.lesson.find import load
from tracepane.lesson.pane import Pane

CORE = """import math


def twice(n):
    # a comment
    total = n + n
    return total


class Bag:
    class Pocket:
        def put(self, thing):
            return thing

    def fill(self, things):
        for thing in things:
            total = thing
        return total
"""
CALL = "from core import twice\n\ntwice(n)\n"
PANE = """p:
  source: core.py
  show: twice
  call: call.py
  scenarios:
    one: {label: One, set: {n: 1}}
"""
FILES = {"panes.yml": PANE, "core.py": CORE, "call.py": CALL, "mkdocs.yml": ""}


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder, over a project that is right without them."""
    for name, content in {**FILES, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def pane(folder: Path, files: Mapping[str, str | bytes] | None = None, name: str = "panes.yml#p") -> Pane:
    """The pane that such files define."""
    file, _, id = name.rpartition("#")
    return load(write(folder, files or {}) / file, id)


def mistakes(folder: Path, files: Mapping[str, str | bytes]) -> list[str]:
    """All mistakes of such files, as users read them."""
    return [str(error) for error in check([write(folder, files)])]
