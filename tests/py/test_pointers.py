"""Where a lesson sends its reader: the line to stop at and the scenario named with it are there, in the pane above."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tracepane.lesson.find import load
from tracepane.lesson.pane import Pane

LESSONS = Path(__file__).resolve().parents[2] / "docs" / "lessons"
PAGES = sorted(path for path in LESSONS.rglob("*.md") if "pane: " in path.read_text("utf-8"))

# They name panes all over the page.
QUESTIONS = re.compile(r"^## (?:Check yourself|自己检查).*", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"```tracepane\npane: (\S+)#(\w+)\n```")
STOP = re.compile(r"(?:[Ss]top at(?: the last)?|停在(?:最后一个)?)(?:\*\*)?\s+`([^`]+)`")
CHOSEN = re.compile(r"^\*\*Stop at\*\* `[^`]+` in \*([^*]+)\*|^选“([^”]+)”", re.MULTILINE)
PREFIX = re.compile(r"^[^:：]+[:：] ?")


def parts(page: Path) -> Iterator[tuple[Pane, str]]:
    """Each pane of a page, and the text between it and the next."""
    pieces = SHOWN.split(QUESTIONS.sub("", page.read_text("utf-8")))[1:]
    for file, id, text in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        yield load(page.parent / file, id), text


def pattern(code: str) -> re.Pattern[str]:
    """What a reader looks for: the text of a line, in which `…` stands for anything."""
    return re.compile(re.escape(code).replace("…", ".*"))


def named(pane: Pane, language: str) -> set[str]:
    """The scenarios' labels as prose names them: also without what stands before a colon, whatever the case."""
    labels = [each.label.get(language) for each in pane.scenarios]
    return {text.casefold() for label in labels if label for text in (label, PREFIX.sub("", label))}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(LESSONS).as_posix())
def test_a_page_points_at_what_is_there(page: Path) -> None:
    """A pointer that a change of the code has left behind would send the reader nowhere."""
    language = "zh" if page.name.endswith(".zh.md") else "en"
    pointers = 0
    for pane, text in parts(page):
        first, last = pane.lines
        lines = pane.shown.lines[first - 1 : last]
        for code in STOP.findall(text):
            assert any(pattern(code).search(line) for line in lines), f"{pane.name} shows no line `{code}`"
            pointers += 1
        for name in CHOSEN.findall(text):
            assert "".join(name).casefold() in named(pane, language), f"{pane.name} has no scenario “{''.join(name)}”"
    assert pointers > 2
