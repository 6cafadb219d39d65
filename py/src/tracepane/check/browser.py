"""Run jobs in a real browser, in the same worker and by the same runtime as a reader's page.

One browser and one page are reused; every run has a fresh interpreter, as in a reader's page. Needs the `verify` extra.
"""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from tracepane import assets
from tracepane.check.server import Served
from tracepane.record.trace import Trace

if TYPE_CHECKING:
    from playwright.sync_api import Browser as PlaywrightBrowser
    from playwright.sync_api import Page, Playwright

ENGINES = ("chromium", "firefox", "webkit")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# A driver's message holds a text; several of this size move a trace without holding it twice.
PIECE = 4 << 20
_NAMES = {"chromium": ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")}
_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tracepane check</title>'
    '<link rel="icon" href="data:,"><script type="module" src="{script}"></script></html>'
)


class BrowserError(Exception):
    """A browser that is not there, does not start, or cannot run Pyodide; the message says what to do."""


class Browser:
    """A headless browser that records jobs: `with Browser("chromium") as browser: browser.record(job)`."""

    def __init__(self, engine: str = "chromium", *, playwright: Playwright | None = None) -> None:
        """Nothing starts before the `with`. `engine` is one of ENGINES.

        `playwright` is one that runs in this thread already: there cannot be two.
        """
        if engine not in ENGINES:
            raise BrowserError(f"there is no engine {engine!r}; known are {', '.join(ENGINES)}")
        self.engine = engine
        self._playwright = playwright
        self._stack = ExitStack()
        self._browser: PlaywrightBrowser | None = None
        self._page: Page | None = None
        self._url = ""

    def __enter__(self) -> Browser:
        """Start the server and the browser. Raises BrowserError or assets.AssetsError."""
        with ExitStack() as stack:
            pages = {"/": _PAGE.format(script="/check.js")}
            served = stack.enter_context(Served(assets.directory(), pages=pages))
            playwright = self._playwright or stack.enter_context(_playwright())
            self._browser = launch(playwright, self.engine)
            stack.callback(self._browser.close)
            self._url = f"{served.origin}/"
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the browser and the server."""
        self._stack.close()

    @property
    def version(self) -> str:
        """The browser's own version."""
        return self._browser.version if self._browser is not None else ""

    def record(self, job: dict[str, Any], *, record: bool = True) -> Trace:
        """Run `job` in a fresh interpreter and give its trace; `record` false runs it without recording.

        The job's own limits end it; a program that is stuck in C is ended by the page, as in a reader's browser.
        Raises BrowserError when the interpreter cannot be had or the page dies.
        """
        from playwright.sync_api import Error

        try:
            page = self._open()
            number = page.evaluate("([job, record]) => tracepane.begin(job, record)", [job, record])
            kept = page.evaluate("number => tracepane.wait(number)", number)
            if kept["failure"] is not None:
                raise BrowserError(_explain(kept["failure"]))
            return read_trace(page, number, kept)
        except Error as error:
            self._page = None
            raise BrowserError(f"the page in {self.engine} died during the run: {error.message}") from error

    def _open(self) -> Page:
        if self._browser is None:
            raise BrowserError("the browser is not open: use it in a `with`")
        if self._page is None:
            self._page = self._browser.new_page()
            self._page.goto(self._url)
            self._page.wait_for_function("() => globalThis.tracepane !== undefined")
        return self._page


def launch(playwright: Playwright, engine: str = "chromium") -> PlaywrightBrowser:
    """Open the first browser that starts, headless. Raises BrowserError: where one was looked for, and the mend."""
    from playwright.sync_api import Error

    arguments = list(ARGUMENTS) if engine == "chromium" else []
    failed = []
    for path in find_executables(playwright, engine):
        try:
            return getattr(playwright, engine).launch(executable_path=path, args=arguments)  # type: ignore[no-any-return]
        except Error as error:
            failed.append(f"{path} does not start: {error.message.splitlines()[0]}")
    if failed:
        raise BrowserError("\n".join(failed))
    raise BrowserError(
        f"no {engine} was found: not in {_variable(engine)}, not Playwright's own, not on the path. "
        f"Install one, name it in {_variable(engine)}, or run `python -m playwright install {engine}`."
    )


def find_executables(playwright: Playwright, engine: str) -> list[str]:
    """The browsers' files, the best first: the environment's alone, or else Playwright's own and those on the path.

    Playwright's own may lack libraries of the system. Playwright drives its own builds of Firefox and WebKit only, so
    those are not looked for on the path.
    """
    named = os.environ.get(_variable(engine))
    if named:
        if not Path(named).is_file():
            raise BrowserError(f"{_variable(engine)}={named} does not exist; correct it or unset it")
        return [named]
    own = str(getattr(playwright, engine).executable_path)
    found = (shutil.which(name) for name in _NAMES.get(engine, ()))
    return [*([own] if Path(own).is_file() else []), *(path for path in found if path)]


def _variable(engine: str) -> str:
    return f"TRACEPANE_{engine.upper()}"


def _playwright() -> Any:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise BrowserError('Playwright is not installed: run `pip install "tracepane[verify]"`') from error
    return sync_playwright()


def _explain(failure: dict[str, Any]) -> str:
    where = f" ({failure['url']})" if failure.get("url") else ""
    return f"the interpreter did not start: {failure['kind']}: {failure['detail']}{where}"


def read_trace(page: Page, number: int, kept: dict[str, Any]) -> Trace:
    """The trace of a run that is over; its chunks leave the page. Raises TraceError when it is not one."""
    chunks = list(_split(page, number, kept["sizes"]))
    return Trace.from_chunks(kept["header"] or _unknown_header(), chunks, kept["end"])


def _split(page: Page, number: int, sizes: list[int]) -> Iterator[bytes]:
    held = bytearray()
    for size in sizes:
        while len(held) < size:
            held += base64.b64decode(
                page.evaluate("([number, least]) => tracepane.take(number, least)", [number, PIECE])
            )
        yield bytes(held[:size])
        del held[:size]


def _unknown_header() -> dict[str, Any]:
    """Of an interpreter that died before it could say what it is."""
    return {"format": "tracepane-trace/1", "features": [], "job": "", "runtime": {}}
