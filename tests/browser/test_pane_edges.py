"""Where panes broke once: focus when a part goes away, ends that are no event, panes out of their page, streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pane_page import PanePage
from test_pane_life import block
from test_pane_looks import SCHEMES, paint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pane_site import Server
    from playwright.sync_api import Browser, BrowserContext, Route

FOCUSED = "document.activeElement.closest('trace-pane')?.id ?? null"


@pytest.fixture
def long_panes(context: BrowserContext, chinese_server: Server) -> Iterator[PanePage]:
    """A page with a program that never ends, on the Chinese site."""
    page = PanePage(context, chinese_server)
    yield page
    assert page.errors == []


@pytest.fixture
def asking_panes(context: BrowserContext, pane_server: Server) -> Iterator[PanePage]:
    """A page with a program that asks for input."""
    page = PanePage(context, pane_server, "other/")
    yield page
    assert page.errors == []


def test_the_next_question_has_the_focus_of_the_one_before(asking_panes: PanePage) -> None:
    """Two lines are given without a mouse and without the Tab key."""
    asking_panes.do("await pane.run();", id="ask")
    field = asking_panes.pane("ask").get_by_role("textbox")
    field.press_sequentially("Ann")
    field.press("Enter")
    asking_panes.until("pane.trace?.end && pane.querySelector('input[name=line]')", "ask")
    asking_panes.settle("ask")
    asking_panes.page.keyboard.type("seven")
    asking_panes.page.keyboard.press("Enter")
    asking_panes.until("pane.status === 'finished'", "ask")
    asking_panes.settle("ask")
    assert asking_panes.state("ask")["output"].endswith("Ann seven\n")
    assert asking_panes.page.evaluate(FOCUSED) == "ask"


def test_retry_leaves_the_focus_in_the_pane(context: BrowserContext, pane_server: Server) -> None:
    """The button goes with the failure, the keys stay."""
    block(context, "**/stdlib.zip", status=404)
    panes = PanePage(context, pane_server)
    panes.do("await pane.debug();")
    context.unroute("**/stdlib.zip")
    panes.pane().get_by_role("button", name="Retry").press("Enter")
    panes.until("pane.trace?.end")
    panes.settle()
    cursor = panes.state()["cursor"]
    assert panes.page.evaluate(FOCUSED) == "walk"
    panes.page.keyboard.press("ArrowRight")
    panes.settle()
    assert panes.state()["cursor"] == cursor + 1


def test_the_status_says_that_the_reader_stopped_the_program(long_panes: PanePage) -> None:
    """At once, and at the last step, which is no event of an end."""
    long_panes.do("await pane.debug(); await pane.stop();", id="loop")
    status = long_panes.pane("loop").locator(".tp-status-text")
    assert "你停止了程序" in status.inner_text()
    long_panes.do("await pane.goto(0);", id="loop")
    assert "你停止了程序" not in status.inner_text()
    long_panes.do("await pane.goto(Infinity);", id="loop")
    assert "你停止了程序" in status.inner_text()


def test_the_step_limit_is_told_as_the_author_set_it(long_panes: PanePage) -> None:
    """The event of the end is not one of its steps."""
    long_panes.do("pane.scenario = 'limited'; await pane.debug(); await pane.continue();", id="loop")
    assert "5,000 步" in long_panes.pane("loop").locator(".tp-status-text").inner_text()


def test_a_pane_out_of_the_page_starts_nothing(fresh_panes: PanePage) -> None:
    """What is asked of it settles, and no interpreter is left on the page."""
    status = fresh_panes.page.evaluate(
        """async () => {
            const pane = document.getElementById('walk');
            const asked = pane.debug();
            pane.remove();
            await asked;
            await Promise.all([pane.debug(), pane.run(), pane.stepOver(), pane.goto(3), pane.stop(), pane.answer('x')]);
            return pane.status;
        }"""
    )
    assert (status, fresh_panes.interpreters()) == ("idle", 0)


def test_more_output_is_offered_of_the_stream_that_is_shown(panes: PanePage) -> None:
    """With stderr alone the next of stdout is not it."""
    panes.debug()
    pane = panes.pane()
    pane.get_by_role("button", name="stderr", exact=True).click()
    step = panes.do("return pane.trace.outputAfter(-1, 'stderr').step")
    pane.get_by_role("button", name="More output at step").click()
    panes.settle()
    assert panes.state()["cursor"] == step
    pane.get_by_role("button", name="All", exact=True).click()


def test_a_browser_without_python_keeps_the_promises(chromium: Browser, pane_server: Server) -> None:
    """debug() settles at the replay's first stop, run() at its end."""
    context = chromium.new_context()
    context.add_init_script("delete globalThis.WebAssembly")
    panes = PanePage(context, pane_server)
    panes.do("await pane.debug();")
    assert (panes.state()["status"], panes.state()["cursor"]) == ("paused", 1)
    panes.do("await pane.run();")
    assert panes.state()["status"] == "finished"
    assert panes.state()["output"].endswith("result 6\n")
    context.close()


def test_an_answer_does_not_hide_the_progress(context: BrowserContext, pane_server: Server) -> None:
    """A breakpoint set while Python loads is told beside what is loaded."""
    held: list[Route] = []
    context.route("**/stdlib.zip", lambda route: held.append(route))
    panes = PanePage(context, pane_server)
    panes.do("void pane.debug(); await pane.toggleBreakpoint(given[0]);", 9)
    panes.until("/Breakpoint set.*MB/.test(pane.querySelector('.tp-status-text').textContent)")
    assert panes.pane().locator("progress").count() == 1
    panes.do("await pane.stop();")
    for route in held:
        route.continue_()


def test_the_status_of_a_module_that_begins_names_no_line_zero(panes: PanePage) -> None:
    """Its call comes before its first line."""
    panes.debug()
    panes.do("await pane.goto(0);")
    assert panes.pane().locator(".tp-status-text").inner_text().endswith("before the first line")


@pytest.mark.parametrize("mark", ["data-caller", "aria-current"])
def test_every_token_can_be_read_on_the_ground_of_a_marked_line(fresh_panes: PanePage, mark: str) -> None:
    """Whichever line of the source is the cursor's or a caller's, light or dark."""
    fresh_panes.page.evaluate(
        "mark => { for (const line of document.querySelectorAll('.tp-line')) line.setAttribute(mark, 'step'); }", mark
    )
    for scheme in SCHEMES:
        paint(fresh_panes, scheme)
        assert fresh_panes.violations() == []


def test_a_diagram_that_does_not_load_stays_a_list(context: BrowserContext, pane_server: Server) -> None:
    """Its nodes still lead to their lines, and nothing is left uncaught."""
    block(context, "**/flow.js", status=404)
    panes = PanePage(context, pane_server)
    panes.debug()
    node = panes.pane().locator(".tp-node").first
    assert node.inner_text().startswith("Begin")
    node.click()
    panes.settle()
    assert panes.pane().locator(".tp-node[aria-current]").count() == 1
    assert (panes.pane().locator("svg .tp-edge").count(), panes.errors) == (0, [])
