"""Panes of a lesson in the built site, driven as a reader drives them and held against the native run of their job."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from whole_site import PREFIX

from tracepane.record.trace import Trace

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


@dataclass(frozen=True)
class Stop:
    """Where to stop in a scenario: the text of a line, which hit of it, the node bound to it."""

    pane: str
    scenario: str
    line: str
    node: str
    hit: int = 1
    nth: int = 0

    def __str__(self) -> str:
        """The test's name."""
        return f"{self.pane}-{self.scenario}"


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    """A page; an error that nobody caught in it fails the test that closes it."""
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(address)
    yield page
    page.close()
    assert errors == []


@contextmanager
def one_open(browser: Browser, address: str) -> Iterator[Callable[[str], Page]]:
    """What opens pages below an address by name, and closes the one before: each keeps an interpreter warm."""
    with ExitStack() as stack:
        pages: dict[str, Page] = {}

        def open_page(name: str) -> Page:
            if name not in pages:
                stack.close()
                pages.clear()
                pages[name] = stack.enter_context(opened(browser, address + name))
            return pages[name]

        yield open_page


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


def reference(www: Path, element: Locator, scenario: str) -> dict[str, Any]:
    """The native run that the site ships for a scenario, read by Python, as expanded JSON."""
    address = do(element, "return new URL(pane.getAttribute('job'), location.href).href")
    jobs = www / urlsplit(address).path.removeprefix(PREFIX)
    scenarios = json.loads(jobs.read_text("utf-8"))["scenarios"]
    chosen = next(each for each in scenarios if each["id"] == scenario)
    return Trace.load((jobs.parent / chosen["reference"]["trace"]).resolve()).expand()


def hits(events: list[dict[str, Any]], line: int) -> list[int]:
    """The steps at which a breakpoint on the line stops."""
    return [event["step"] for event in events if event["kind"] == "line" and event["line"] == line]


def state(events: list[dict[str, Any]], step: int, lasting: Iterable[str] = ()) -> dict[str, Any]:
    """The variables of the innermost frame at a step; those that are lasting belong to no frame."""
    frames: list[dict[str, Any]] = [{}]
    for event in events[: step + 1]:
        if event["depth"] == 0:
            continue  # output and files outside of what is traced
        del frames[event["depth"] + (event["kind"] != "call") :]
        frames += [{} for _ in range(event["depth"] + 1 - len(frames))]
        for name, value in event.get("set", {}).items():
            frames[0 if name in lasting else -1][name] = value
        for name in event.get("unset", []):
            frames[-1].pop(name, None)
    return frames[0] | frames[-1]


def printed(events: list[dict[str, Any]]) -> str:
    """All output of the events, of both streams."""
    return "".join(event["text"] for event in events if event["kind"] == "output")


def assert_shows_the_native_run(page: Page, www: Path, stop: Stop) -> None:
    """The breakpoint's hit, every variable, the output and the flow's node; and at the end the pane says so itself."""
    element = pane(page, stop.pane)
    line = line_of(element, stop.line, stop.nth)
    native = reference(www, element, stop.scenario)["events"]
    step = hits(native, line)[stop.hit - 1]

    seen = debug(element, stop)
    assert (seen["status"], seen["cursor"], seen["position"]["line"]) == ("paused", step, line)
    lasting = [variable["name"] for variable in seen["variables"] if variable["scope"] == "global"]
    known = {variable["name"]: variable["value"] for variable in seen["variables"]}
    assert known == state(native, step, lasting)
    assert seen["output"] == printed(native[: step + 1])
    assert element.locator(".tp-flow [aria-current=step]").count() == 1
    assert element.locator(f".tp-flow li[data-node={stop.node}] [aria-current=step]").count() == 1

    do(element, "await pane.goto(given[0]);", native[-1]["step"])
    page.wait_for_function("(id) => document.getElementById(id).verdict.status !== 'none'", arg=stop.pane)
    seen = do(element, "return {verdict: pane.verdict, steps: pane.steps, output: pane.output};")
    assert (seen["verdict"]["status"], seen["steps"], seen["output"]) == ("equal", len(native), printed(native))


def assert_same_in_chinese(english: Page, chinese: Page, panes: Iterable[str]) -> None:
    """Scenarios, flow and note in the page's language; the same source, line by line."""
    for id in panes:
        en, zh = (page.locator(f"trace-pane#{id}.tp-ready") for page in (english, chinese))
        for each in (en, zh):  # until then the scenarios are on their way from a list to buttons
            each.wait_for()
        for part in (".tp-scenarios li, tp-scenarios label", ".tp-flow li .tp-node-text", ".tp-note"):
            here, there = en.locator(part).all_inner_texts(), zh.locator(part).all_inner_texts()
            assert len(here) == len(there) > 0, part
            assert all(is_chinese(text) for text in there), there
            assert not any(is_chinese(text) for text in here), here
        assert en.locator(".tp-line").all_inner_texts() == zh.locator(".tp-line").all_inner_texts() != []


def is_chinese(text: str) -> bool:
    """Whether there is a Chinese character in the text."""
    return any("\u4e00" <= character <= "\u9fff" for character in text)
