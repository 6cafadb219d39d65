"""A page that holds a runtime and no pane: what the tests of the worker drive."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracepane.check.browser import read_trace
from tracepane.lesson import program

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tracepane.check.server import Served
    from tracepane.record.trace import Trace

PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">'
    '<script type="module" src="assets/check.js"></script></html>'
)


_STOP = """async run => {
    const began = performance.now();
    tracepane.stop(run);
    await tracepane.wait(run);
    return performance.now() - began;
}"""
_IDLE = """() => {
    const { ready, spare, ...rest } = tracepane.runtime.census;
    return ready === 1 && spare === 2 && Object.keys(rest).length === 0;
}"""


class WorkerPage:
    """Runs programs on a page, one call for each thing that a reader can do."""

    def __init__(self, page: Page, site: Served) -> None:
        """Opens the page and notes everything that is asked of any server from now on."""
        self.page, self.site = page, site
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(f"{site.origin}/some/repo/")
        page.wait_for_function("() => globalThis.tracepane !== undefined")

    def begin(self, folder: Path, source: str, *, record: bool = True, **limits: float) -> int:
        """Start the program and give the run's number."""
        path = folder / "prog.py"
        path.write_text(source, "utf-8")
        job = program.job(path, limits=limits)
        return int(self.page.evaluate("([job, record]) => tracepane.begin(job, record)", [job, record]))

    def look(self, run: int) -> dict[str, Any]:
        """What has arrived of the run by now: header, end, failure, sizes of its chunks, events."""
        return dict(self.page.evaluate("run => tracepane.look(run)", run))

    def wait(self, run: int) -> dict[str, Any]:
        """The same, when the run is over."""
        return dict(self.page.evaluate("run => tracepane.wait(run)", run))

    def stop(self, run: int) -> float:
        """Press Stop; milliseconds until the run is over."""
        return float(self.page.evaluate(_STOP, run))

    def until_chunks(self, run: int, least: int) -> None:
        """Wait until so many chunks of the run have arrived."""
        self.page.wait_for_function("([run, least]) => tracepane.look(run).sizes.length >= least", arg=[run, least])

    def until_started(self, run: int) -> None:
        """Wait until the run has an interpreter."""
        self.page.wait_for_function("run => tracepane.look(run).events.includes('started')", arg=run)

    def warm(self) -> None:
        """Have one interpreter ready and nothing on its way."""
        self.page.evaluate("() => tracepane.runtime.warm()")
        self.until_idle()

    def until_idle(self) -> None:
        """Wait until one interpreter is warm and the spares have loaded: the page asks for nothing more."""
        self.page.wait_for_function(_IDLE)

    def until_workers(self, most: int) -> None:
        """Wait until the browser has ended the page's workers but for so many: it is a little late with a busy one."""
        for _ in range(600):  # frames: Playwright tells of a worker's end when it comes by
            if len(self.page.workers) <= most:
                return
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        raise AssertionError(f"{len(self.page.workers)} workers are still there")

    def trace(self, run: int) -> Trace:
        """The run's trace, when it is over. A failure to load fails the test with its words."""
        kept = self.wait(run)
        assert kept["failure"] is None, kept["failure"]
        return read_trace(self.page, run, kept)

    def run(self, folder: Path, source: str, **named: Any) -> Trace:
        """Start the program, wait for its end, and give the trace."""
        return self.trace(self.begin(folder, source, **named))

    def census(self) -> dict[str, int]:
        """How many workers there are in each state."""
        return dict(self.page.evaluate("() => tracepane.runtime.census"))


def outcome(trace: Trace) -> str:
    """How the run ended: its status, or the type and message of its exception."""
    if trace.end["status"] != "exception":
        return str(trace.end["status"])
    return f"{trace.end['exception']['type']}: {trace.end['exception']['message']}"
