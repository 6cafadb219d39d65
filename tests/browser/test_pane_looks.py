"""What a reader sees: two languages, light and dark, narrow and wide, and what axe says of each state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pane_page import PanePage
from test_pane_api import line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pane_site import Server
    from playwright.sync_api import Browser

SCHEMES = ["default", "slate"]

# What is done to come to a state: before the recording's end, and after.
STATES = {
    "idle": ("", ""),
    "paused": ("await pane.toggleBreakpoint(16); await pane.debug();", "await pane.continue();"),
    "returning": ("await pane.debug();", "await pane.goto(pane.steps - 3);"),
    "ended": ("pane.scenario = 'large'; await pane.debug();", "await pane.goto(Infinity);"),
    "unfolded": (
        "await pane.debug();",
        """await pane.goto(pane.steps - 20);
        for (const row of pane.querySelectorAll('[role=treeitem][aria-expanded=false] > .tp-variable')) row.click();""",
    ),
    "files": (
        "await pane.debug();",
        """await pane.goto(Infinity);
        pane.querySelector('[role=tab][id$=files-tab]').click();
        pane.querySelector('.tp-file-name').click();""",
    ),
    "keys": ("", "pane.querySelector('tp-keys').show();"),
    "values": ("await pane.debug();", "await pane.goto(12); pane.querySelector('.tp-switches input').click();"),
}


CONTROLS = """return [...pane.querySelectorAll('button, select, input, [role=slider], summary')]
    .filter(each => each.checkVisibility() && !each.closest('.tp-source, .tp-flow, .tp-scroll'))
    .map(each => [each.closest('label') ?? each, each])
    .map(([box, each]) => [each.className || each.tagName, box.getBoundingClientRect()])
    .map(([name, {left, right, height}]) => ({name, left, right, height}))"""


def come_to(panes: PanePage, state: str) -> None:
    """Bring the pane into a state, with everything drawn."""
    begin, end = STATES[state]
    panes.do(begin)
    if begin:
        panes.until("pane.trace.end")
    panes.do(end)
    panes.settle()


def paint(panes: PanePage, scheme: str) -> None:
    """Switch the site's palette as its own switch does, and leave no colour half way to another.

    Chromium ends a transition out of sight only with a frame that it draws for something else, so none is waited for.
    """
    panes.page.evaluate(
        """scheme => {
            document.body.setAttribute('data-md-color-scheme', scheme);
            document.getAnimations().forEach(each => each.finish());
        }""",
        scheme,
    )


@pytest.fixture
def plain(panes: PanePage) -> Iterator[PanePage]:
    """The page, left as light as it was, with the first tab in front and nothing open."""
    yield panes
    paint(panes, "default")
    panes.page.evaluate("document.querySelectorAll('dialog[open]').forEach(each => each.close())")
    panes.pane().locator("[role=tab]").first.click()
    panes.pane().locator(".tp-switches input").uncheck()


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(plain: PanePage, state: str) -> None:
    """In no state of a pane, light or dark."""
    come_to(plain, state)
    found = {}
    for scheme in SCHEMES:
        paint(plain, scheme)
        found[scheme] = plain.violations()
    assert found == {scheme: [] for scheme in SCHEMES}


@pytest.mark.parametrize("state", ["idle", "paused", "ended", "unfolded", "files", "values"])
def test_a_phone_has_it_all_without_sideways_scrolling(plain: PanePage, state: str) -> None:
    """The page is as wide as the screen, every control within it, and large enough for a finger."""
    come_to(plain, state)
    found = {}
    for width in (320, 390):
        plain.page.set_viewport_size({"width": width, "height": 844})
        plain.settle()
        wide = plain.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        found[width] = (wide, plain.do(CONTROLS))
    plain.page.set_viewport_size({"width": 1280, "height": 900})
    for width, (wide, controls) in found.items():
        assert wide == [width, width]
        assert [each for each in controls if each["left"] < 0 or each["right"] > width] == []
        assert [each for each in controls if each["height"] < 44 and each["name"] != "tp-slider"] == []
        assert len(controls) > 15


def test_a_hundred_columns_are_read_beside_the_flow(plain: PanePage) -> None:
    """A long line is broken, below where it begins; nothing lies beyond the source's edge, both may be as high."""
    found = plain.do(
        """pane.style.width = '938px';  // as on a page of 1280 whose navigation is hidden
        const source = pane.querySelector('.tp-source');
        const [long, short] = given.map(number => pane.querySelector(`.tp-line[data-line="${number}"] > code`));
        const range = document.createRange();
        range.selectNodeContents(long);
        const lefts = [...range.getClientRects()].map(({left}) => left);
        const found = {
            text: long.textContent.length,
            inside: source.scrollWidth <= source.clientWidth,
            beside: pane.querySelector('tp-flow').offsetLeft >= source.offsetLeft + source.offsetWidth,
            high: getComputedStyle(source).maxHeight === getComputedStyle(pane.querySelector('tp-flow')).maxHeight,
            rows: Math.round(long.offsetHeight / short.offsetHeight),
            indented: Math.min(...lefts) >= short.getBoundingClientRect().left,
        };
        pane.style.width = '';
        return found;""",
        line("both = left + right"),
        line("return both"),
    )
    assert found == {"text": 102, "inside": True, "beside": True, "high": True, "rows": 2, "indented": True}


def test_a_narrow_pane_offers_its_scenarios_as_a_list(plain: PanePage) -> None:
    """The radio buttons give way to it, and it chooses as they do."""
    plain.page.set_viewport_size({"width": 390, "height": 844})
    choice = plain.pane().get_by_role("combobox", name="Scenario")
    choice.select_option(label="Too large")
    plain.until("pane.scenario === 'large'")
    radios = plain.pane().get_by_role("radio").count()
    plain.page.set_viewport_size({"width": 1280, "height": 900})
    assert radios == 0


def test_the_palette_is_followed_at_once(plain: PanePage) -> None:
    """Without a reload, whatever the system prefers."""
    ground = "getComputedStyle(pane.querySelector('.tp-source')).backgroundColor"
    plain.page.emulate_media(color_scheme="dark")
    light = plain.do(f"return {ground}")
    paint(plain, "slate")
    dark = plain.do(f"return {ground}")
    plain.page.emulate_media(color_scheme="light")
    assert light == "rgb(255, 255, 255)"
    assert dark != light


def test_paper_shows_code_and_output(plain: PanePage) -> None:
    """All lines, nothing to press."""
    plain.debug(line("seen[number]"))
    plain.do("await pane.goto(Infinity);")
    plain.page.emulate_media(media="print")
    seen = plain.do(
        """const shows = selector => pane.querySelector(selector).checkVisibility();
        const {scrollHeight, clientHeight} = pane.querySelector('.tp-source');
        return [shows('.tp-button'), shows('tp-timeline'), shows('.tp-text'), scrollHeight <= clientHeight + 1]"""
    )
    plain.page.emulate_media(media="screen")
    assert seen == [False, False, True, True]


def test_states_are_told_by_shape_in_forced_colours(plain: PanePage) -> None:
    """The current line and the active node have outlines of their own when grounds are gone."""
    plain.debug(line("seen[number]"))
    plain.page.emulate_media(forced_colors="active")
    outlines = plain.do(
        """return ['.tp-line[aria-current]', '.tp-node[aria-current]']
            .map(each => getComputedStyle(pane.querySelector(each)).outlineStyle)"""
    )
    plain.page.emulate_media(forced_colors="none")
    assert outlines == ["solid", "solid"]


def test_chinese_by_the_pages_language(chromium: Browser, chinese_server: Server) -> None:
    """Every control has a Chinese name, and the status speaks Chinese."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    panes = PanePage(context, chinese_server)
    panes.do("await pane.debug();")
    panes.until("pane.trace.end")
    panes.settle()
    pane = panes.pane()
    pane.get_by_role("button", name="调试").wait_for()
    assert "步" in pane.locator(".tp-status-text").inner_text()
    assert pane.get_by_role("tab", name="变量").is_visible()
    assert pane.get_by_role("button", name="第 11 行断点，未开启").count() == 1
    english = panes.do(
        r"""return [...pane.querySelectorAll('button, [role=slider], [role=tab], [role=group], [role=tree], select')]
            .map(each => each.getAttribute('aria-label') ?? each.textContent.trim())
            .filter(name => /^[A-Za-z ,]+$/.test(name) && !['stdout', 'stderr'].includes(name))"""
    )
    context.close()
    assert english == []
    assert panes.errors == []


def test_the_source_reads_without_script(chromium: Browser, pane_server: Server) -> None:
    """Code, scenarios, flow and the support parts are there as the build wrote them."""
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pane_server.base)
    pane = page.locator("trace-pane#walk")
    assert "def walk(numbers, start=0):" in pane.locator(".tp-source").inner_text()
    assert pane.locator("ol.tp-flow li").all_inner_texts() == ["Begin", "Add each", "Save", "Refuse", "Result"]
    pane.locator("summary").click()
    assert pane.locator(".tp-support section").first.is_visible()
    context.close()
