"""The whole site in a browser: under a base path and its own policy, both languages, without script, for everybody."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tracepane.check.server import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
LESSON = "lessons/context-compact/"
# Every page there is, in each of its languages; `docs/a/index.md` is the page a/.
PAGES = sorted(
    ("zh/" if path.name.endswith(".zh.md") else "")
    + re.sub(r"(^|/)index$", r"\1", name)
    + "/" * (not name.endswith("index"))
    for path in (ROOT / "docs").rglob("*.md")
    for name in [path.relative_to(ROOT / "docs").as_posix().removesuffix(".md").removesuffix(".zh")]
)
# Found by axe in Material itself, whatever a page holds.
THEME = {
    ("aria-dialog-name", ".md-search"): "the search overlay has the role of a dialog and no name",
    ("landmark-unique", "> .md-code__nav"): "each code block's copy button stands in a nav of its own, without a name",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the built site, below a base path; the only policy is the one in its pages."""
    folder = tmp_path_factory.mktemp("www")
    with Served(folder, prefix="/some/repo/", policy=None) as site:
        address = f"{site.origin}/some/repo/"
        subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
            cwd=ROOT,
            env=os.environ | {"SITE_URL": address, "TRACEPANE_RECORD": "0", "NO_MKDOCS_2_WARNING": "1"},
            check=True,
        )
        yield address


class Visit:
    """A page and what went wrong in it: errors, refusals of the policy, answers that are missing, other origins."""

    def __init__(self, page: Page, root: str) -> None:
        """Listen from the start."""
        self.page, self.root, self.wrong = page, root, list[str]()
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation',"
            " (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`))"
        )
        page.on("console", lambda said: said.type == "error" and self.wrong.append(said.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("response", lambda answer: answer.status >= 400 and self.wrong.append(answer.url))
        page.on("request", lambda asked: self.ask(asked.url))

    def ask(self, url: str) -> None:
        """Everything comes from below the site, or is in the page already."""
        if not url.startswith((self.root, "data:", "blob:")):
            self.wrong.append(f"asked {url}")

    def open(self, path: str) -> Page:
        """Go to a page of the site."""
        self.page.goto(self.root + path)
        self.page.locator("body").wait_for()
        return self.page


@pytest.fixture
def visit(page: Page, root: str) -> Iterator[Visit]:
    """A visit on which nothing may go wrong."""
    visit = Visit(page, root)
    yield visit
    assert visit.wrong == []


def test_a_reader_walks_through_the_site_and_debugs(visit: Visit) -> None:
    """From the front page to a lesson without a reload, and a pane runs there, all under the pages' own policy."""
    page = visit.open("")
    page.evaluate("window.kept = true")
    page.get_by_role("link", name="See a lesson").click()
    page.wait_for_url("**/lessons/")
    page.locator("article a[href$='context-compact/']").click()
    page.wait_for_url(f"**/{LESSON}")
    pane = page.locator("trace-pane#split_history")
    assert pane.evaluate("async (pane) => { await pane.debug(); return pane.status; }") == "paused"
    assert page.evaluate("window.kept") is True
    assert page.locator("meta[http-equiv='Content-Security-Policy']").count() == 1


def test_the_switch_of_languages_stays_on_the_page(visit: Visit) -> None:
    """In both directions, also after the theme navigated by itself; the theme's own words change too."""
    page = visit.open("lessons/")
    page.locator("article a[href$='context-compact/']").click()
    page.wait_for_url(f"**/{LESSON}")
    for name, path, language in (("简体中文", f"zh/{LESSON}", "zh"), ("English", LESSON, "en")):
        page.locator(".md-header .md-select").hover()
        page.get_by_role("link", name=name).click()
        page.wait_for_url(visit.root + path)
        assert page.locator("html").get_attribute("lang") == language
        assert page.locator("trace-pane").first.get_attribute("lang") == language


def test_it_reads_without_script(chromium: Browser, root: str) -> None:
    """The source, its numbers, the prose, the flow and the support parts are there to read."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(root + LESSON)
    pane = page.locator("trace-pane#split_history")
    assert pane.locator(".tp-line", has_text="def split_history(messages").is_visible()
    assert pane.locator(".tp-flow li").first.is_visible()
    assert page.locator("article p").first.is_visible()
    support = pane.locator(".tp-support")
    support.locator("summary").click()
    assert support.get_by_text("split_history.setup.py").first.is_visible()
    assert support.locator("pre", has_text="scenario").first.is_visible()
    context.close()


@pytest.mark.parametrize(
    "pages", [[each for each in PAGES if each.startswith("zh/") is zh] for zh in (False, True)], ids=["en", "zh"]
)
def test_axe_finds_nothing(visit: Visit, pages: list[str]) -> None:
    """On any page, in light and dark, but for what is the theme's own."""
    visit.page.emulate_media(reduced_motion="reduce")
    found = {}
    for path in pages:
        page = visit.open(path)
        page.evaluate(AXE.read_text("utf-8"))
        for scheme in ("default", "slate"):
            page.emulate_media(color_scheme="dark" if scheme == "slate" else "light")
            page.locator(f"body[data-md-color-scheme={scheme}]").wait_for()
            violations = page.evaluate(
                "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
                ".flatMap((rule) => rule.nodes.map((node) => [rule.id, node.target.join(' ')]))"
            )
            own = [each for each in violations if not any(each[0] == r and each[1].endswith(end) for r, end in THEME)]
            found.update({(path, scheme): own} if own else {})
    assert found == {}
