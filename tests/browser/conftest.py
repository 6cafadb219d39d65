"""A browser for the whole session, a page for each test; a page that throws or warns of a policy fails its test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pane_page import PanePage
from pane_site import Server, build
from whole_site import build as build_whole
from whole_site import once, serve
from worker_page import PAGE, WorkerPage

from tracepane import assets
from tracepane.check.browser import launch
from tracepane.check.server import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright's driver; a thread can hold only one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """One headless Chromium for all tests of this process."""
    browser = launch(playwright)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the built assets: a build that goes on beside the tests must not change a page under their hands."""
    folder = tmp_path_factory.mktemp("assets")
    shutil.copytree(assets.directory(), folder, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def site(built: Path) -> Iterator[Served]:
    """The built assets below /some/repo/, as a project site serves them, under a strict policy."""
    with Served(built, prefix="/some/repo/assets/", pages={"/some/repo/": PAGE}) as served:
        yield served


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A profile of its own: nothing is cached from another test."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """An empty page; an error that nobody caught in it fails the test."""
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []


@pytest.fixture
def cold_page(page: Page, site: Served) -> WorkerPage:
    """A page with a runtime on it and no pane, on which nothing is loaded yet."""
    return WorkerPage(page, site)


@pytest.fixture(scope="session")
def shared_page(chromium: Browser, site: Served) -> Iterator[WorkerPage]:
    """One such page for many tests: a fresh interpreter for every run is what the runtime promises."""
    page = chromium.new_page()
    yield WorkerPage(page, site)
    page.close()


@pytest.fixture
def worker_page(shared_page: WorkerPage) -> Iterator[WorkerPage]:
    """The shared page, with one interpreter warm; an error that nobody caught, or a run left over, fails the test."""
    shared_page.warm()
    yield shared_page
    running = shared_page.census().get("running", 0)
    shared_page.page.evaluate("() => tracepane.runtime.stop()")
    assert (shared_page.errors, running) == ([], 0)


@pytest.fixture(scope="session")
def www(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's whole site, built with its native references."""
    return once(tmp_path_factory, "www", build_whole)


@pytest.fixture(scope="session")
def root(www: Path) -> Iterator[str]:
    """The address of that site, below a base path."""
    with serve(www) as address:
        yield address


@pytest.fixture(scope="session")
def pane_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The panes' site in English, with native references."""
    folder = once(tmp_path_factory, "panes", build)
    with Server(folder / "www") as server:
        yield server


@pytest.fixture(scope="session")
def chinese_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The same in Chinese, without references."""
    folder = once(tmp_path_factory, "panes-zh", lambda folder: build(folder, "zh", record=False))
    with Server(folder / "www") as server:
        yield server


@pytest.fixture(scope="module")
def shared_panes(chromium: Browser, pane_server: Server) -> Iterator[PanePage]:
    """One page with panes for the tests of a file."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    yield PanePage(context, pane_server)
    context.close()


@pytest.fixture
def panes(shared_panes: PanePage) -> Iterator[PanePage]:
    """That page, with the pane `walk` as it came; an error that nobody caught in it fails the test."""
    shared_panes.do("await pane.reset(); pane.scenario = 'none'; pane.scenario = 'small'; await pane.reset();")
    yield shared_panes
    assert shared_panes.errors == []


@pytest.fixture
def fresh_panes(context: BrowserContext, pane_server: Server) -> Iterator[PanePage]:
    """A page with panes of its own, in a profile of its own."""
    page = PanePage(context, pane_server)
    yield page
    assert page.errors == []
