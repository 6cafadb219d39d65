"""A million steps in a real page: recorded, streamed, kept as a pane keeps them, asked what a pane asks; its memory.

The page holds a runtime, a trace and no views. Memory is the page's own JavaScript heap with its typed arrays, without
the interpreters beside it, after a collection.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.work import ROOT
from tracepane import assets
from tracepane.check.browser import launch
from tracepane.check.server import Served
from tracepane.lesson import program

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE = (
    '<!doctype html><meta charset="utf-8"><title>Million</title><link rel="icon" href="data:,">'
    '<script type="module" src="/assets/check.js"></script><script type="module" src="/million.js"></script>'
)
# Some ten events a turn: calls, a field, a dict, a growing list, a new text; now and then a new object, output, a file.
PROGRAM = """
class Point:
    def __init__(self, x):
        self.x = x

def move(point, by):
    point.x += by
    return point.x

def work(turns):
    total, seen, rows, point = 0, {}, [], Point(0)
    for i in range(turns):
        total += move(point, i % 7)
        seen[i % 50] = total
        if i % 10 == 0:
            rows.append(i)
            point = Point(i)
        text = f"row {i}"
        if i % 1000 == 0:
            print(text)
            with open("last.txt", "w") as file:
                file.write(text)
    return total

work(1_000_000)
"""
QUESTIONS = 2000


def measure(steps: int = 1_000_000, engine: str = "chromium") -> dict[str, Any]:
    """Record `steps` events and ask. Milliseconds and bytes.

    Gives `steps`, `end`, `wall` (press to end), `taken` (of it, taking chunks in), `bytes` (of chunks), `held` (what
    the trace says that it takes), `memory`, `base` (the same with an interpreter's parts and no trace), and
    `questions`: name to {`first`, `median`, `p99`, `worst`}.
    Memory is null in other engines. Needs the `verify` extra, a built checkout and node_modules.
    """
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="tracepane-bench-") as name, sync_playwright() as playwright:
        folder = Path(name)
        _bundle(folder)
        with Served(folder, pages={"/": PAGE}) as served:
            browser = launch(playwright, engine)
            page = browser.new_page()
            page.goto(f"{served.origin}/")
            page.wait_for_function("() => globalThis.tracepane && globalThis.million")
            figures = _record(page, folder, steps) if engine != "chromium" else _record_with_memory(page, folder, steps)
            figures["questions"] = _ask(page)
            figures["browser"] = f"{engine} {browser.version}"
            browser.close()
    return figures


def _bundle(folder: Path) -> None:
    (folder / "assets").symlink_to(assets.directory())
    esbuild, script = str(ROOT / "node_modules/.bin/esbuild"), str(ROOT / "bench/million.ts")
    options = ["--bundle", "--format=esm", "--minify", f"--outfile={folder / 'million.js'}"]
    subprocess.run([esbuild, script, *options], check=True, capture_output=True)


def _record(page: Page, folder: Path, steps: int) -> dict[str, Any]:
    path = folder / "prog.py"
    path.write_text(PROGRAM, "utf-8")
    job = program.job(path, limits={"steps": steps, "seconds": 1200, "bytes": 1 << 30})
    return {"memory": None, "base": None, **page.evaluate("job => million.record(job)", job)}


def _record_with_memory(page: Page, folder: Path, steps: int) -> dict[str, Any]:
    _record(page, folder, 10)
    base = _memory(page)
    figures = _record(page, folder, steps)
    return figures | {"base": base, "memory": _memory(page)}


def _memory(page: Page) -> int:
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    session.detach()
    return int(usage["usedSize"] + usage["embedderHeapUsedSize"] + usage["backingStorageSize"])


def _ask(page: Page) -> dict[str, dict[str, float]]:
    answers: dict[str, dict[str, Any]] = page.evaluate("count => million.ask(count)", QUESTIONS)
    return {name: {"first": round(asked["first"], 3), **_summary(asked["times"])} for name, asked in answers.items()}


def _summary(times: list[float]) -> dict[str, float]:
    at = {"median": len(times) // 2, "p99": len(times) * 99 // 100, "worst": len(times) - 1}
    return {name: round(times[index], 3) for name, index in at.items()}
