"""From a press to the first Python statement: Pyodide as it comes, our compiled library, a snapshot; in one browser.

Every figure is of a fresh page whose files the browser has seen before, from the press to the interpreter's first
answer: fetching, compiling, the worker, and the start of Python. Ours also has the recorder imported by then.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.work import ROOT
from tracepane import assets
from tracepane.check.browser import launch
from tracepane.check.server import Served
from tracepane.lesson import program

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

STOCK = ROOT / "node_modules" / "pyodide"
PAGES = {
    "/stock": '<!doctype html><meta charset="utf-8"><title>Stock</title><link rel="icon" href="data:,">',
    "/ours": (
        '<!doctype html><meta charset="utf-8"><title>Ours</title><link rel="icon" href="data:,">'
        '<script type="module" src="/ours/check.js"></script>'
    ),
}

_STOCK = """() => new Promise((settle, fail) => {
    const began = performance.now();
    const worker = new Worker("/stock/stock.js", { type: "module" });
    worker.onmessage = () => settle(performance.now() - began);
    worker.onerror = (event) => fail(new Error(event.message));
})"""
_PRESS = """job => new Promise((settle, fail) => {
    const began = performance.now();
    tracepane.runtime.run(job, true, {
        started: () => settle(performance.now() - began),
        end: () => undefined,
        failed: (failure) => fail(new Error(JSON.stringify(failure))),
    });
})"""
_FORGET = "() => caches.delete('tracepane-snapshots')"
_NOTHING = "() => undefined"
# Warms an interpreter that nobody waits for, so that its memory is taken, and waits until the device keeps it.
_KEEP = """async () => {
    tracepane.runtime.warm();
    const cache = await caches.open("tracepane-snapshots");
    while ((await cache.keys()).length === 0) await new Promise(requestAnimationFrame);
}"""


def measure(rounds: int = 7, engine: str = "chromium") -> dict[str, Any]:
    """Milliseconds of each way to start, one list each, measured in turn: `stock`, `compiled`, `snapshot`; `browser`.

    Needs the `verify` extra, a built checkout (`make assets`) and node_modules. Raises BrowserError without the engine.
    """
    from playwright.sync_api import sync_playwright

    with _served() as served, sync_playwright() as playwright:
        browser = launch(playwright, engine)
        context = browser.new_context()
        ways = {"stock": _stock, "compiled": _compiled, "snapshot": _snapshot}
        figures: dict[str, Any] = {name: [] for name in ways}
        for turn in range(rounds + 1):
            for name, way in ways.items():
                taken = way(context, served)
                if turn > 0:  # the first fills the browser's own cache
                    figures[name].append(round(taken, 1))
        figures["browser"] = f"{engine} {browser.version}"
        browser.close()
    return figures


@contextlib.contextmanager
def _served() -> Iterator[Served]:
    """Both kinds of files below one origin."""
    with tempfile.TemporaryDirectory(prefix="tracepane-bench-") as name:
        folder = Path(name)
        (folder / "ours").symlink_to(assets.directory())
        (folder / "stock").mkdir()
        (folder / "stock" / "pyodide").symlink_to(STOCK)
        (folder / "stock" / "stock.js").symlink_to(ROOT / "bench" / "stock.js")
        with Served(folder, pages=PAGES) as served:
            yield served


@contextlib.contextmanager
def _page(context: BrowserContext, served: Served, path: str) -> Iterator[Page]:
    page = context.new_page()
    page.goto(served.origin + path)
    if path == "/ours":
        page.wait_for_function("() => globalThis.tracepane !== undefined")
    yield page
    page.close()


def _stock(context: BrowserContext, served: Served) -> float:
    with _page(context, served, "/stock") as page:
        return float(page.evaluate(_STOCK))


def _compiled(context: BrowserContext, served: Served) -> float:
    return _press(context, served, _FORGET, "plain")


def _snapshot(context: BrowserContext, served: Served) -> float:
    with _page(context, served, "/ours") as page:
        page.evaluate(_KEEP)
    return _press(context, served, _NOTHING, "snapshot")


def _press(context: BrowserContext, served: Served, before: str, boot: str) -> float:
    with _page(context, served, "/ours") as page:
        page.evaluate(before)
        taken = float(page.evaluate(_PRESS, _job()))
        done: dict[str, int] = page.evaluate("() => tracepane.runtime.boots")
        if done[boot] != 1:
            raise RuntimeError(f"the interpreter was not started by {boot}: {done}")
    return taken


def _job() -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="tracepane-bench-") as folder:
        path = Path(folder) / "prog.py"
        path.write_text("x = 1\n", "utf-8")
        return program.job(path)
