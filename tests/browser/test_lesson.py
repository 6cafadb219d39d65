"""The lesson as its reader meets it: each scenario debugged in the built site, and compared with native CPython."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tracepane.check.server import Served
from tracepane.record.trace import Trace

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).resolve().parents[2]
LESSON = {"en": "lessons/context-compact/", "zh": "zh/lessons/context-compact/"}


@dataclass(frozen=True)
class Stop:
    """Where to stop in a scenario: the text of a line, which hit of it, the node bound to it, a variable to see."""

    pane: str
    scenario: str
    line: str
    node: str
    hit: int = 1
    nth: int = 0

    def __str__(self) -> str:
        """The test's name."""
        return f"{self.pane}-{self.scenario}"


STOPS = [
    Stop("split_history", "normal", "pairs.append(checked_exchange(request, response))", "check", hit=3),
    Stop("split_history", "missing", 'raise ValueError("results are not all in', "refuse"),
    Stop("split_history", "mismatch", "pairs.append(checked_exchange(request, response))", "check", hit=2),
    Stop("split_history", "several", "cut = max(", "cut"),
    Stop("trim_results", "old", 'block["content"] = result_stub(', "stub"),
    Stop("trim_results", "error", 'block["content"] = result_stub(', "stub"),
    Stop("trim_results", "recent", 'if len(block["content"]) > max_chars:', "large"),
    Stop("prepare_context", "fits", "return copy.deepcopy(messages)", "commit"),
    Stop("prepare_context", "trimmed", "return candidate", "commit"),
    Stop("prepare_context", "summary", "return candidate", "commit", nth=1),
    Stop("prepare_context", "blank", 'state["summaries"] += 1', "summarise"),
    Stop("prepare_context", "archive", "receipt = archive(", "archive"),
    Stop("prepare_context", "used_up", 'raise failure("no summary is left', "refuse"),
    Stop("prepare_context", "recent", 'raise failure("recent exchange alone', "refuse"),
]


@pytest.fixture(scope="module")
def www(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, built with its native references."""
    folder = tmp_path_factory.mktemp("www")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"TRACEPANE_RECORD": "1", "NO_MKDOCS_2_WARNING": "1"},
        check=True,
    )
    return folder


def served(www: Path) -> Served:
    """The site under a project's path; the only policy is the one in its pages."""
    return Served(www, prefix="/some/repo/", policy=None)


@pytest.fixture(scope="module")
def lesson(chromium: Browser, www: Path) -> Iterator[Page]:
    """The English page of the lesson, open for all tests of this file; what nobody caught in it fails them."""
    with served(www) as site:
        page = chromium.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{site.origin}/some/repo/{LESSON['en']}")
        yield page
        page.close()
        assert errors == []


def pane(page: Page, id: str) -> Locator:
    """A pane, brought near, so that its diagram is laid out."""
    element = page.locator(f"trace-pane#{id}")
    element.scroll_into_view_if_needed()
    element.get_by_role("button", name="Debug").wait_for()
    return element


def do(element: Locator, script: str, *arguments: Any) -> Any:
    """Work with the element's public API: `pane` is the element, `given` the arguments."""
    return element.evaluate(f"async (pane, given) => {{ {script} }}", list(arguments))


def line_of(element: Locator, text: str, nth: int = 0) -> int:
    """The number of a line, found by its text as a reader finds it."""
    return int(element.locator(".tp-line", has_text=text).nth(nth).get_attribute("data-line") or 0)


def debug(element: Locator, stop: Stop) -> dict[str, Any]:
    """Choose the scenario, set one breakpoint, debug up to the hit that is asked for, and say what the pane shows."""
    do(element, "await pane.reset(); pane.scenario = given[0];", stop.scenario)
    do(element, "await pane.toggleBreakpoint(given[0]); await pane.debug();", line_of(element, stop.line, stop.nth))
    for _ in range(stop.hit - 1):
        do(element, "await pane.continue();")
    return dict(
        do(
            element,
            "const {status, cursor, position, output, variables} = pane;"
            "return {status, cursor, position, output, variables};",
        )
    )


def reference(www: Path, stop: Stop) -> dict[str, Any]:
    """The native run that the site ships for a scenario, read by Python, as expanded JSON."""
    jobs = next((www / "assets" / "tracepane" / "jobs").glob(f"{stop.pane}-*.json"))
    scenarios = json.loads(jobs.read_text("utf-8"))["scenarios"]
    chosen = next(scenario for scenario in scenarios if scenario["id"] == stop.scenario)
    return Trace.load((jobs.parent / chosen["reference"]["trace"]).resolve()).expand()


def hits(events: list[dict[str, Any]], line: int) -> list[int]:
    """The steps at which a breakpoint on the line stops."""
    return [event["step"] for event in events if event["kind"] == "line" and event["line"] == line]


def state(events: list[dict[str, Any]], step: int) -> dict[str, Any]:
    """The variables at a step. Each pane shows one function, called once: all events set names of that one frame."""
    names: dict[str, Any] = {}
    for event in events[: step + 1]:
        names |= event.get("set", {})  # output and files outside of the function set nothing
        for gone in event.get("unset", []):
            names.pop(gone, None)
    return names


@pytest.mark.parametrize("stop", STOPS, ids=str)
def test_debug_shows_what_the_native_run_did(lesson: Page, www: Path, stop: Stop) -> None:
    """The breakpoint's hit, every variable, the output and the flow's node; and at the end the pane says so itself."""
    element = pane(lesson, stop.pane)
    line = line_of(element, stop.line, stop.nth)
    native = reference(www, stop)["events"]
    step = hits(native, line)[stop.hit - 1]

    seen = debug(element, stop)
    assert (seen["status"], seen["cursor"], seen["position"]["line"]) == ("paused", step, line)
    assert {variable["name"]: variable["value"] for variable in seen["variables"]} == state(native, step)
    assert seen["output"] == printed(native[: step + 1])
    assert element.locator(".tp-flow [aria-current=step]").count() == 1
    assert element.locator(f".tp-flow li[data-node={stop.node}] [aria-current=step]").count() == 1

    do(element, "await pane.goto(given[0]);", native[-1]["step"])
    lesson.wait_for_function("(id) => document.getElementById(id).verdict.status !== 'none'", arg=stop.pane)
    seen = do(element, "return {verdict: pane.verdict, steps: pane.steps, output: pane.output};")
    assert (seen["verdict"]["status"], seen["steps"], seen["output"]) == ("equal", len(native), printed(native))


def printed(events: list[dict[str, Any]]) -> str:
    """All output of the events, of both streams."""
    return "".join(event["text"] for event in events if event["kind"] == "output")


@pytest.mark.parametrize("scenario", ["trimmed", "blank"])
def test_the_snapshot_opens_with_the_messages_saved(lesson: Page, www: Path, scenario: str) -> None:
    """The file that the receipt names holds the history as it was given, one message a line."""
    stop = next(stop for stop in STOPS if (stop.pane, stop.scenario) == ("prepare_context", scenario))
    element = pane(lesson, stop.pane)
    debug(element, stop)
    native = reference(www, stop)["events"]
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


def test_the_chinese_page_shows_the_same_panes_in_chinese(chromium: Browser, www: Path) -> None:
    """Scenarios, flow and note in the page's language; the same source, line by line."""
    with served(www) as site:
        pages = {language: chromium.new_page() for language in LESSON}
        for language, page in pages.items():
            page.goto(f"{site.origin}/some/repo/{LESSON[language]}")
        for id in dict.fromkeys(stop.pane for stop in STOPS):
            en, zh = (pages[language].locator(f"trace-pane#{id}") for language in ("en", "zh"))
            for part in (".tp-scenarios li, tp-scenarios label", ".tp-flow li .tp-node-text", ".tp-note"):
                english, chinese = en.locator(part).all_inner_texts(), zh.locator(part).all_inner_texts()
                assert len(english) == len(chinese) > 0, part
                assert all(is_chinese(text) for text in chinese), chinese
                assert not any(is_chinese(text) for text in english), english
            assert en.locator(".tp-line").all_inner_texts() == zh.locator(".tp-line").all_inner_texts() != []
        for page in pages.values():
            page.close()


def is_chinese(text: str) -> bool:
    """Whether there is a Chinese character in the text."""
    return any("\u4e00" <= character <= "\u9fff" for character in text)


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
