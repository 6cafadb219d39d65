"""The lessons on a context that must fit, as their reader meets them: each scenario debugged, and compared natively."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from lesson_page import (
    Stop,
    assert_same_in_chinese,
    assert_shows_the_native_run,
    debug,
    hits,
    line_of,
    one_open,
    opened,
    pane,
    reference,
    state,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LESSON = "lessons/context-compact/"
STOPS = {
    "": [
        Stop("split_history", "normal", "pairs.append(checked_exchange(request, response))", "check", hit=3),
        Stop("split_history", "missing", 'raise ValueError("results are not all in', "refuse"),
        Stop("split_history", "mismatch", "pairs.append(checked_exchange(request, response))", "check", hit=2),
        Stop("split_history", "several", "cut = max(", "cut"),
        Stop("trim_results", "old", 'block["content"] = result_stub(', "stub"),
        Stop("trim_results", "error", 'block["content"] = result_stub(', "stub"),
        Stop("trim_results", "recent", 'if len(block["content"]) > max_chars:', "large"),
        Stop("trim_results", "no_receipt", 'raise ValueError("save a snapshot first', "refuse"),
        Stop("prepare_context", "fits", "return copy.deepcopy(messages)", "commit"),
        Stop("prepare_context", "trimmed", "return candidate", "commit"),
        Stop("prepare_context", "summary", "return candidate", "commit", nth=1),
        Stop("prepare_context", "blank", 'state["summaries"] += 1', "summarise"),
        Stop("prepare_context", "archive", "receipt = archive(", "archive"),
        Stop("prepare_context", "used_up", 'raise failure("no summary is left', "refuse"),
        Stop("prepare_context", "recent", 'raise failure("recent exchange alone', "refuse"),
        Stop("run_loop", "success", "messages[:] = candidate", "commit", hit=3),
        Stop("run_loop", "raises", 'return ended("context_error"', "refuse"),
        Stop("run_loop", "no_list", "candidate = checked_candidate(", "prepare", hit=3),
        Stop("run_loop", "cut", 'return ended("model_error"', "failed"),
    ],
    "practice/": [
        Stop("attach_plan", "results", 'last["content"] = [*blocks', "attach"),
        Stop("attach_plan", "question", "blocks = [text_block(blocks)]", "blocks"),
        Stop("attach_plan", "none", "return attached", "bare"),
        Stop("attach_plan", "kept", "return attached", "attach", nth=1),
        Stop("practice", "allow", 'note["receipts"] = ', "note", hit=4),
        Stop("practice", "deny", "was not started", "refuse"),
        Stop("practice", "forgetful", "load the rules first", "refuse"),
        Stop("practice", "no_summary", "candidate = self.shorten(messages)", "prepare", hit=4),
        Stop("practice", "small", 'note["receipts"] = ', "note", hit=2),
        Stop("evidence", "equal", "verdict = compared(", "compare"),
        Stop("evidence", "more", "compared with the whole expected text", "compare"),
        Stop("evidence", "summary", "the complete expected text", "lacking"),
        Stop("evidence", "stub", "if expected is None or", "full"),
        Stop("evidence", "denied", 'return f"Nothing to compare.', "nothing"),
        Stop("evidence", "crashed", 'return f"main.py failed', "failed"),
    ],
}
EACH = [pytest.param(page, stop, id=str(stop)) for page, stops in STOPS.items() for stop in stops]


@pytest.fixture(scope="module")
def lesson(chromium: Browser, root: str) -> Iterator[Callable[[str], Page]]:
    """Open an English page of the lesson."""
    with one_open(chromium, root + LESSON) as open_page:
        yield open_page


@pytest.mark.parametrize(("page", "stop"), EACH)
def test_debug_shows_what_the_native_run_did(lesson: Callable[[str], Page], www: Path, page: str, stop: Stop) -> None:
    """The breakpoint's hit, every variable, the output and the flow's node; and at the end the pane says so itself."""
    assert_shows_the_native_run(lesson(page), www, stop)


@pytest.mark.parametrize("scenario", ["trimmed", "blank"])
def test_the_snapshot_opens_with_the_messages_saved(lesson: Callable[[str], Page], www: Path, scenario: str) -> None:
    """The file that the receipt names holds the history as it was given, one message a line."""
    stop = next(stop for stop in STOPS[""] if (stop.pane, stop.scenario) == ("prepare_context", scenario))
    element = pane(lesson(""), stop.pane)
    debug(element, stop)
    native = reference(www, element, stop.scenario)["events"]
    known = state(native, hits(native, line_of(element, stop.line, stop.nth))[0])
    [receipt] = plain(known["state"])["archives"]

    element.get_by_role("tab", name="Files").click()
    entry = element.get_by_role("button", name=f".context/{receipt}")
    if entry.get_attribute("aria-expanded") == "false":  # a file that was opened stays open in the next scenario
        entry.click()
    element.get_by_role("button", name="Text", exact=True).click()
    text = element.locator(".tp-content").inner_text()
    element.get_by_role("tab", name="Variables").click()

    assert [json.loads(line) for line in text.splitlines()] == plain(known["messages"])


def test_the_files_can_be_taken_home(lesson: Callable[[str], Page], tmp_path: Path) -> None:
    """A click gives the archive under its own name, with the very files of the checkout in one folder."""
    page = lesson("practice/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download context-compact.zip").click()
    assert download.value.suggested_filename == "context-compact.zip"
    download.value.save_as(tmp_path / "taken.zip")
    examples = Path(__file__).resolve().parents[2] / "docs" / "examples"
    with zipfile.ZipFile(tmp_path / "taken.zip") as taken:
        names = [name.removeprefix("context-compact/") for name in taken.namelist()]
        assert {"s01/core/runtime.py", "s08/user_code/practice.py", "s08/user_code/project/main.py"} <= set(names)
        assert [taken.read(f"context-compact/{name}") for name in names] == [
            (examples / name).read_bytes() for name in names
        ]


@pytest.mark.parametrize("page", STOPS)
def test_the_chinese_page_shows_the_same_panes_in_chinese(chromium: Browser, root: str, page: str) -> None:
    """Scenarios, flow and note in the page's language; the same source, line by line."""
    with (
        opened(chromium, f"{root}{LESSON}{page}") as english,
        opened(chromium, f"{root}zh/{LESSON}{page}") as chinese,
    ):
        assert_same_in_chinese(english, chinese, dict.fromkeys(stop.pane for stop in STOPS[page]))


def plain(value: dict[str, Any]) -> Any:
    """The Python value that expanded JSON of plain data stands for."""
    kind = value["type"]
    if kind in ("list", "tuple"):
        return [plain(item) for item in value["items"]]
    if kind == "dict":
        return {plain(key): plain(entry) for key, entry in value["entries"]}
    if kind == "bool":
        return value["text"] == "True"
    return {"int": int, "str": str}[kind](value["text"])
