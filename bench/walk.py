"""A reader's presses in a real page with views: Debug to the first stop, seeking, stepping, dragging.

Milliseconds until the pane shows the answer, as its own promises say; a wait for the browser's next frame is in them.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import pages
from bench.work import PANE
from tracepane.check.browser import launch
from tracepane.check.server import Served

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

# The reader's pause between two presses: long enough that the next interpreter is warm, as in a page that is read.
PAUSE = 3000
_PRESS = """async (pane, pause) => {
    await pane.reset();
    await new Promise((settle) => setTimeout(settle, pause));
    const began = performance.now();
    await pane.debug();
    return performance.now() - began;
}"""
_RECORD = """async (pane) => {
    await pane.debug();
    while (!pane.trace?.end) await new Promise((settle) => setTimeout(settle, 50));
    return pane.steps;
}"""
_GO = """async (pane, steps) => {
    const taken = [];
    for (const step of steps) {
        const began = performance.now();
        await pane.goto(step);
        taken.push(performance.now() - began);
    }
    return taken;
}"""
_STEP = """async (pane, moves) => {
    const taken = [];
    for (const [way, from] of moves) {
        await pane.goto(from);
        const began = performance.now();
        await pane[way]();
        taken.push(performance.now() - began);
    }
    return taken;
}"""
_WAYS = ("stepOver", "stepInto", "stepOut", "stepBack", "stepBackInto", "stepBackOut")


def measure(presses: int = 7, steps: int = 1_000_000, moves: int = 200) -> dict[str, Any]:
    """Lists of milliseconds: `press`, `seek`, `step`, `drag`; `steps` of the walked trace, and `browser`.

    `press` is of `prepare_context`, the interpreter warm; the rest of a trace of about so many steps. Needs the
    `verify` extra and a built checkout.
    """
    with _opened(steps) as (page, browser):
        pane = _pane(page, "prepare_context")
        pane.evaluate(_PRESS, PAUSE)  # fills the browser's cache, and leaves an interpreter warm
        figures: dict[str, Any] = {"press": [pane.evaluate(_PRESS, PAUSE) for _ in range(presses)]}
        figures |= _walk(_pane(page, "long"), moves)
    return figures | {"browser": browser}


def _walk(pane: Locator, moves: int) -> dict[str, Any]:
    steps = int(pane.evaluate(_RECORD))
    chance = random.Random(0)
    return {
        "steps": steps,
        "seek": pane.evaluate(_GO, [chance.randrange(steps) for _ in range(moves)]),
        "step": pane.evaluate(_STEP, [[chance.choice(_WAYS), chance.randrange(steps)] for _ in range(moves)]),
        "drag": pane.evaluate(_GO, [steps * at // moves for at in range(moves)]),
    }


def _pane(page: Page, name: str) -> Locator:
    pane = page.locator(f"trace-pane#{name}.tp-ready")
    pane.wait_for()
    pane.scroll_into_view_if_needed()
    return pane


@contextlib.contextmanager
def _opened(steps: int) -> Iterator[tuple[Page, str]]:
    """A page with both panes, in a browser of its own."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="tracepane-bench-") as place, sync_playwright() as playwright:
        folder = Path(place)
        _build(folder, steps)
        with Served(folder / "www", policy=None) as served:
            browser = launch(playwright)
            page = browser.new_page()
            page.set_default_timeout(600_000)
            page.goto(f"{served.origin}/page.html")
            yield page, f"chromium {browser.version}"
            browser.close()


def _build(folder: Path, steps: int) -> None:
    """Write the page, as docs/authors/plain.md tells."""
    import markdown

    from tracepane.publish.fence import TracepaneExtension

    (folder / "long.py").write_text(pages.PROGRAM.replace("1_000_000", str(steps // 10)), "utf-8")
    limits = "limits: {steps: 2000000, seconds: 900, bytes: 1000000000}"
    text = f"```tracepane\npane: {PANE}\n```\n\n```tracepane\nid: long\nsource: long.py\n{limits}\n```\n"
    (folder / "page.md").write_text(text, "utf-8")
    fence = TracepaneExtension(path=folder / "page.md", url="page.html", language="en")
    body = markdown.markdown(text, extensions=[fence])
    fence.publication.write(folder / "www", fence.mistakes)
    fence.mistakes.stop()
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Walk</title>{fence.head()}'
    (folder / "www" / "page.html").write_text(f"{head}<body>{body}</body></html>", "utf-8")
