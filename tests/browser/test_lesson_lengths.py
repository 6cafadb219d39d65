"""The lengths that the lessons' indexes give are those of the runs that the site ships."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

LESSONS = Path(__file__).resolve().parents[2] / "docs" / "lessons"
ROW = re.compile(r"^\| \[.*?\]\((\S+)\.md\) \|.*\| (.+?) \|$", re.MULTILINE)


def shipped(www: Path, page: Path) -> list[list[int]]:
    """The steps of each run of each pane on a page, or on the pages below a chapter's."""
    html = page.read_text("utf-8")
    panes = [panes_steps((page.parent / job).resolve()) for job in re.findall(r'<trace-pane [^>]*?job="(\S+?)"', html)]
    return panes or [steps for below in sorted(page.parent.glob("*/index.html")) for steps in shipped(www, below)]


def panes_steps(jobs: Path) -> list[int]:
    """The steps of each run of a pane."""
    return [each["reference"]["events"] for each in json.loads(jobs.read_text("utf-8"))["scenarios"]]


def rows(index: str) -> Iterator[tuple[str, str]]:
    """The pages of an index and what it says of their length."""
    yield from ROW.findall((LESSONS / index).read_text("utf-8"))


def figures(text: str) -> dict[str, list[int]]:
    """What a text about a length claims: counts of panes and runs, and bounds of steps."""
    forms = {
        "panes": r"(\d+) (?:panes|个窗格)",
        "runs": r"(\d+) (?:runs|次运行)",
        "between": r"(?:of|每次) (\d+) (?:to|到) (\d+) (?:steps|步)",
        "under": r"(?:each under|每次不到) (\d+) (?:steps|步)",
        "longest": r"(?:the longest about|最长约) (\d+) (?:steps|步)",
    }
    found = {name: re.search(form, text) for name, form in forms.items()}
    return {name: [int(number) for number in match.groups()] for name, match in found.items() if match}


@pytest.mark.parametrize("index", ["index.md", "index.zh.md", "long-tasks/index.md", "long-tasks/index.zh.md"])
def test_an_index_gives_the_true_lengths(www: Path, index: str) -> None:
    """Panes, runs and steps, of lessons and of a chapter's pages, in both languages."""
    told = list(rows(index))
    assert len(told) >= 3
    for name, length in told:
        page = www / "lessons" / Path(index).parent / name.removesuffix("index") / "index.html"
        panes = shipped(www, page)
        steps = [count for runs in panes for count in runs]
        bounds = {
            "between": [min(steps), max(steps)],
            "under": [-(-max(steps) // 10) * 10],
            "longest": [round(max(steps), -1)],
        }
        known = {"panes": [len(panes)], "runs": [len(steps)], **bounds}
        said = figures(length)
        assert {"panes", "runs"} < set(said), length
        assert said == {name: known[name] for name in said}
