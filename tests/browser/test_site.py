"""The whole site in a browser: under a base path and its own policy, both languages, without script, for everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
LESSON = "lessons/context-compact/"
# Found by axe in Material itself, whatever a page holds: rule, and the whole selector.
THEME = {
    # The search overlay has the role of a dialog and no name.
    "aria-dialog-name": r"\.md-search",
    # Each code block's copy button stands in a nav of its own, without a name.
    "landmark-unique": r"#__code_\d+ > \.md-code__nav",
}
COLOURS = ["color-contrast", "link-in-text-block"]


def is_theme(rule: str, target: str) -> bool:
    """Whether what axe found is Material's own."""
    return rule in THEME and re.fullmatch(THEME[rule], target) is not None


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


def violations(page: Page, options: dict[str, object]) -> list[tuple[str, str]]:
    """Rule and element of what axe finds in a page."""
    script = """async options => (await axe.run(document, {resultTypes: ['violations'], ...options})).violations
        .flatMap(rule => rule.nodes.map(node => [rule.id, node.target.join(' ')]))"""
    return [(rule, target) for rule, target in page.evaluate(script, options)]


# Four parts, so that two processes share the work.
@pytest.mark.parametrize("part", range(4))
def test_axe_finds_nothing(visit: Visit, www: Path, part: int) -> None:
    """On any page, in light and dark, but for what is the theme's own."""
    visit.page.emulate_media(reduced_motion="reduce")
    found = {}
    pages = sorted(page.relative_to(www).as_posix() for page in www.rglob("*.html"))
    for path in pages[part::4]:
        page = visit.open(path)
        page.evaluate(AXE.read_text("utf-8"))
        # Of all rules only those that look at colours can find another thing in the other palette.
        for scheme, options in (("default", {}), ("slate", {"runOnly": {"type": "rule", "values": COLOURS}})):
            page.emulate_media(color_scheme="dark" if scheme == "slate" else "light")
            page.locator(f"body[data-md-color-scheme={scheme}]").wait_for()
            own = [(rule, target) for rule, target in violations(page, options) if not is_theme(rule, target)]
            found.update({(path, scheme): own} if own else {})
    assert found == {}


def test_what_the_theme_has_mended_is_listed_no_more(visit: Visit) -> None:
    """On a page with several blocks of code axe finds all that is listed."""
    page = visit.open("reference/expanded-json/")
    page.evaluate(AXE.read_text("utf-8"))
    assert {rule for rule, target in violations(page, {}) if is_theme(rule, target)} == set(THEME)
