"""Coming and going: instant navigation, workers, long runs, input, and loading that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pane_page import PanePage
from test_pane_api import line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pane_site import Server
    from playwright.sync_api import Browser, BrowserContext, Route


@pytest.fixture
def long_panes(context: BrowserContext, chinese_server: Server) -> Iterator[PanePage]:
    """A page with a program that never ends, on the Chinese site."""
    page = PanePage(context, chinese_server)
    yield page
    assert page.errors == []


def visit(panes: PanePage, name: str) -> None:
    """Follow a link of the navigation, which Material does without loading a page."""
    panes.page.evaluate("globalThis.stayed = true")
    panes.page.locator(f".md-nav--primary a.md-nav__link:has-text('{name}')").first.evaluate("link => link.click()")
    panes.page.wait_for_function("name => document.querySelector('article h1').textContent.startsWith(name)", arg=name)
    assert panes.page.evaluate("globalThis.stayed") is True
    panes.pane()


def test_a_page_of_panes_starts_no_interpreter(fresh_panes: PanePage) -> None:
    """Reading costs neither a worker nor the core."""
    assert fresh_panes.interpreters() == 0
    assert [url for url in fresh_panes.requests if "pyodide" in url or url.endswith(".zip")] == []


def test_leaving_ends_the_workers_and_coming_back_finds_a_working_pane(fresh_panes: PanePage) -> None:
    """Twenty pages on, one toolbar in each pane, one step for a key, no worker until one is asked for."""
    fresh_panes.debug()
    for _ in range(5):
        for name in ("Other", "More", "Other", "Index"):
            visit(fresh_panes, name)
    assert fresh_panes.interpreters() == 0
    assert fresh_panes.pane().locator("tp-toolbar").count() == 1
    state = fresh_panes.debug(line("seen[number]"))
    assert state["status"] == "paused"
    assert fresh_panes.interpreters() <= 4
    fresh_panes.pane().get_by_role("button", name="Debug").focus()
    fresh_panes.page.keyboard.press("ArrowRight")
    fresh_panes.settle()
    assert fresh_panes.state()["cursor"] == state["cursor"] + 1


def test_a_run_that_is_left_says_nothing_to_the_next_page(long_panes: PanePage) -> None:
    """An endless loop is ended by leaving, and the new page's pane is idle."""
    long_panes.do("void pane.debug();", id="loop")
    long_panes.until("pane.steps > 1000", "loop")
    visit(long_panes, "Other")
    assert long_panes.interpreters() == 0
    assert long_panes.state()["status"] == "idle"


def test_each_pane_keeps_its_own_breakpoints(long_panes: PanePage) -> None:
    """Line 3 of one is not line 3 of the other, also after leaving by instant navigation and coming back."""
    first = line("total = start")
    long_panes.do("await pane.toggleBreakpoint(given[0]);", first)
    long_panes.do("await pane.toggleBreakpoint(3);", id="loop")
    visit(long_panes, "Other")
    assert long_panes.state()["breakpoints"] == []
    visit(long_panes, "Index")
    long_panes.settle()
    assert [each["line"] for each in long_panes.state()["breakpoints"]] == [first]
    assert [each["line"] for each in long_panes.state("loop")["breakpoints"]] == [3]
    assert long_panes.pane("loop").locator("[data-mark]").count() == 1


def test_a_moved_pane_is_a_fresh_one_that_works(fresh_panes: PanePage) -> None:
    """Taken out of the page and put back, as a script of the page's own may do."""
    fresh_panes.debug()
    fresh_panes.page.evaluate("document.querySelector('article').append(document.getElementById('walk'))")
    fresh_panes.settle()
    assert fresh_panes.state()["status"] == "idle"
    assert fresh_panes.pane().locator("tp-toolbar").count() == 1
    assert fresh_panes.debug()["status"] == "paused"


def test_stop_answers_within_a_second_and_the_steps_can_be_walked(long_panes: PanePage) -> None:
    """`while True` ends when the reader says so."""
    long_panes.do("void pane.debug();", id="loop")
    long_panes.until("pane.steps > 20000", "loop")
    milliseconds = long_panes.do(
        "const begin = performance.now(); await pane.stop(); return performance.now() - begin;", id="loop"
    )
    assert milliseconds < 1000
    state = long_panes.state("loop")
    assert state["status"] == "stopped"
    assert state["steps"] > 20000
    long_panes.do("await pane.goto(15001);", id="loop")
    (n,) = long_panes.do("return pane.variables", id="loop")
    assert n["value"]["type"] == "int"
    assert int(n["value"]["text"]) > 5000


def test_stop_answers_while_output_floods(long_panes: PanePage) -> None:
    """What is drawn of it stays small, a click ends it, and the next program's output has nothing of it."""
    visit(long_panes, "More")
    long_panes.do(
        """globalThis.most = 0;
        const count = () => { most = Math.max(most, pane.querySelectorAll('.tp-piece').length); };
        pane.addEventListener('tracepane:change', count);
        void pane.run();
        while (pane.output.length < 300_000) await new Promise(requestAnimationFrame);
        pane.removeEventListener('tracepane:change', count);""",
        id="flood",
    )
    assert 0 < long_panes.page.evaluate("most") <= 100
    long_panes.pane("flood").locator("[data-command=stop]").click()
    long_panes.until("pane.status === 'stopped'", "flood")
    long_panes.settle("flood")
    written = long_panes.state("flood")["output"].splitlines()
    assert written == [f"line {n}" for n in range(1, len(written) + 1)]
    seen = long_panes.pane("flood").locator(".tp-piece").all_inner_texts()
    assert "".join(seen).splitlines()[-1] == written[-1]
    long_panes.do("await pane.run();")
    assert long_panes.state()["output"].splitlines()[0] == "total 1"
    assert "line" not in long_panes.state()["output"]


def test_debug_pauses_while_the_recording_goes_on(long_panes: PanePage) -> None:
    """The first stop is there at once; the status says that more is coming."""
    long_panes.do("await pane.debug();", id="loop")
    assert long_panes.state("loop")["status"] == "paused"
    assert "仍在录制" in long_panes.pane("loop").locator(".tp-status-text").inner_text()
    long_panes.do("await pane.stepOver();", id="loop")
    assert long_panes.state("loop")["position"]["line"] == 2
    long_panes.do("await pane.stop();", id="loop")


def test_the_step_limit_ends_a_run_and_says_so(long_panes: PanePage) -> None:
    """What was recorded can be walked."""
    long_panes.do("pane.scenario = 'limited'; await pane.debug();", id="loop")
    long_panes.until("pane.trace.end", "loop")
    long_panes.do("await pane.goto(Infinity);", id="loop")
    state = long_panes.state("loop")
    assert state["status"] == "stopped"
    assert "上限" in long_panes.pane("loop").locator(".tp-status-text").inner_text()


def test_input_is_asked_for_and_the_run_made_again(fresh_panes: PanePage) -> None:
    """The reader's line is part of the run, and the cursor stays where it was."""
    visit(fresh_panes, "Other")
    fresh_panes.do("await pane.debug();", id="ask")
    fresh_panes.until("pane.trace.end", "ask")
    pane = fresh_panes.pane("ask")
    fresh_panes.do("await pane.goto(Infinity);", id="ask")
    steps = fresh_panes.state("ask")["steps"]
    field = pane.get_by_role("textbox", name="The program reads a line of input:")
    field.fill("sfnp,./")
    field.press("Enter")
    fresh_panes.until(f"pane.trace?.end && pane.steps > {steps}", "ask")
    fresh_panes.settle("ask")
    assert fresh_panes.state("ask")["cursor"] == steps - 2  # the line that asked
    field.fill("two")
    pane.get_by_role("button", name="Give it").click()
    fresh_panes.until("pane.trace?.end?.status === 'finished'", "ask")
    fresh_panes.do("await pane.goto(Infinity);", id="ask")
    state = fresh_panes.state("ask")
    assert "hello sfnp,./" in state["output"]
    assert state["output"].endswith("sfnp,./ two\n")
    assert state["verdict"]["reason"] == "input"
    assert pane.locator(".tp-ask").count() == 0


def test_a_failed_load_says_why_and_is_tried_again(context: BrowserContext, pane_server: Server) -> None:
    """The file and the reason, at once; Retry loads it."""
    block(context, "**/stdlib.zip", status=404)
    panes = PanePage(context, pane_server)
    panes.do("await pane.debug();")
    assert panes.state()["status"] == "failed"
    words = panes.pane().locator(".tp-status-text").inner_text()
    assert "stdlib.zip" in words
    assert "404" in words
    context.unroute("**/stdlib.zip")
    panes.press("walk", "Retry")
    panes.until("pane.status === 'paused'")
    assert panes.errors == []


def test_the_recorded_run_is_there_when_python_is_not(context: BrowserContext, pane_server: Server) -> None:
    """What could not be loaded keeps nobody from walking the shipped run."""
    block(context, "**/pyodide.asm.wasm", status=500)
    panes = PanePage(context, pane_server)
    panes.do("await pane.debug();")
    panes.press("walk", "Replay the recorded run")
    panes.until("pane.status === 'paused'")
    panes.settle()
    assert "recorded natively by CPython 3.14" in panes.pane().locator(".tp-status-text").inner_text()


def test_lost_jobs_are_told(context: BrowserContext, pane_server: Server) -> None:
    """The pane's own data may be missing, too."""
    block(context, "**/jobs/walk-*.json", status=404)
    panes = PanePage(context, pane_server)
    panes.do("await pane.debug();")
    assert panes.state()["status"] == "failed"
    assert "lesson's data" in panes.pane().locator(".tp-status-text").inner_text()


def test_a_browser_without_python_replays_the_native_run(chromium: Browser, pane_server: Server) -> None:
    """By itself, and it says so plainly."""
    context = chromium.new_context()
    context.add_init_script("delete globalThis.WebAssembly")
    panes = PanePage(context, pane_server)
    panes.do("await pane.toggleBreakpoint(given[0]); await pane.debug();", line("seen[number]"))
    panes.until("pane.trace?.end")
    panes.settle()
    state = panes.state()
    assert (state["status"], state["position"]["line"]) == ("paused", line("seen[number]"))
    assert "recorded natively by CPython 3.14" in panes.pane().locator(".tp-status-text").inner_text()
    assert state["verdict"] == {"status": "unavailable", "reason": "native"}
    context.close()


def test_nothing_is_requested_while_a_program_runs(long_panes: PanePage) -> None:
    """From the first step on, until Stop."""
    long_panes.do("void pane.debug();", id="loop")
    long_panes.until("pane.steps > 0", "loop")
    before = len(long_panes.requests)
    long_panes.until("pane.steps > 300000", "loop")
    during = long_panes.requests[before:]
    long_panes.do("await pane.stop();", id="loop")
    assert during == []


def test_everything_comes_from_the_site(fresh_panes: PanePage) -> None:
    """Below its own path, and nowhere else."""
    fresh_panes.debug()
    base = fresh_panes.server.base
    assert [url for url in fresh_panes.requests if not url.startswith((base, "data:", "blob:"))] == []


def test_loading_shows_its_progress_and_stop_takes_it_back(context: BrowserContext, pane_server: Server) -> None:
    """Debug pressed twice is one run; Stop cancels it while it loads."""
    held: list[Route] = []
    context.route("**/stdlib.zip", lambda route: held.append(route))
    panes = PanePage(context, pane_server)
    panes.do("void pane.debug(); void pane.debug();")
    panes.until("/MB|Loading/.test(pane.querySelector('.tp-status-text').textContent)")
    assert panes.state()["status"] == "loading"
    panes.do("await pane.stop();")
    assert panes.state()["status"] == "idle"
    for route in held:
        route.continue_()
    assert len(held) == 1
    assert panes.debug()["status"] == "paused"


def block(context: BrowserContext, pattern: str, **answer: Any) -> None:
    """Let the server's answers be these."""
    context.route(pattern, lambda route: route.fulfill(**answer))
