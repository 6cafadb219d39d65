"""What a reader presses: gutter, buttons, keys, timeline, flow, panels."""

from __future__ import annotations

import json

import pytest
from pane_page import PanePage
from test_pane_api import line

FIRST = line("total = start")
SEEN = line("seen[number]")


def gutter(panes: PanePage, number: int):  # type: ignore[no-untyped-def]
    """The button that sets a breakpoint on a line."""
    return panes.pane().locator(f'.tp-line[data-line="{number}"] .tp-gutter')


def lines(panes: PanePage) -> list[int]:
    """The lines of the breakpoints."""
    panes.settle()
    return [each["line"] for each in panes.state()["breakpoints"]]


def test_a_click_on_the_gutter_sets_and_removes_a_breakpoint(panes: PanePage) -> None:
    """Its name says the line and the state."""
    button = panes.pane().get_by_role("button", name=f"Breakpoint on line {SEEN}, off", exact=True)
    button.click()
    panes.pane().get_by_role("button", name=f"Breakpoint on line {SEEN}, on", exact=True).wait_for()
    assert lines(panes) == [SEEN]
    gutter(panes, SEEN).click()
    assert lines(panes) == []


@pytest.mark.parametrize("key", ["Enter", "Space", "b"])
def test_keys_on_the_gutter_set_a_breakpoint(panes: PanePage, key: str) -> None:
    """On the line that has the focus."""
    gutter(panes, SEEN).focus()
    panes.page.keyboard.press(key)
    assert lines(panes) == [SEEN]


def test_the_source_is_one_stop_of_the_tab_key(panes: PanePage) -> None:
    """Up and down go through the lines that can have a breakpoint."""
    assert panes.pane().locator(".tp-gutter[tabindex='0']").count() == 1
    gutter(panes, SEEN).focus()
    panes.page.keyboard.press("ArrowUp")
    focused = panes.page.evaluate("document.activeElement.dataset.line")
    assert int(focused) < SEEN
    panes.page.keyboard.press("ArrowDown")
    assert panes.page.evaluate("document.activeElement.dataset.line") == str(SEEN)


def test_a_touch_sets_a_breakpoint_and_a_scroll_does_not(chromium, pane_server) -> None:  # type: ignore[no-untyped-def]
    """A finger that taps means the line, one that moves means the page."""
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    panes = PanePage(context, pane_server)
    button = gutter(panes, FIRST)
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    x, y = box["x"] + 10, box["y"] + 10
    session = context.new_cdp_session(panes.page)
    session.send(
        "Input.synthesizeScrollGesture",
        {"x": x, "y": y, "yDistance": -120, "gestureSourceType": "touch", "speed": 2000},
    )
    assert lines(panes) == []
    button.tap()
    assert lines(panes) == [FIRST]
    context.close()


KEYS = [("n", "stepOver"), ("s", "stepInto"), ("r", "stepOut"), ("c", "continue")]
BACK = [("N", "stepBack"), ("S", "stepBackInto"), ("R", "stepBackOut"), ("C", "reverseContinue")]


@pytest.mark.parametrize(("key", "method"), KEYS + BACK)
def test_letters_step_as_the_methods_do(panes: PanePage, key: str, method: str) -> None:
    """From the same place each key leads where its method leads."""
    panes.debug(line("both = left + right"))
    panes.do("await pane.continue();")
    start = panes.state()["cursor"]
    panes.do(f"await pane.{method}();")
    there = panes.state()["cursor"]
    assert there != start
    panes.do("await pane.goto(given[0]);", start)
    panes.pane().get_by_role("button", name="Debug").focus()
    panes.page.keyboard.press(key)
    panes.settle()
    assert panes.state()["cursor"] == there


def test_arrows_home_and_end_walk_event_by_event(panes: PanePage) -> None:
    """One event forwards and back, the first, the last; the page does not scroll."""
    steps = panes.debug()["steps"]
    panes.pane().get_by_role("button", name="Debug").focus()
    before = panes.page.evaluate("scrollY")
    seen = []
    for key in ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "Home"]:
        panes.page.keyboard.press(key)
        panes.settle()
        seen.append(panes.state()["cursor"])
    assert seen == [2, 3, 2, steps - 1, 0]
    assert panes.page.evaluate("scrollY") == before


def test_g_asks_for_a_step(panes: PanePage) -> None:
    """The number typed is the step that is shown; what is typed is no key of the pane."""
    panes.debug()
    panes.pane().get_by_role("button", name="Debug").focus()
    panes.page.keyboard.press("g")
    panes.page.keyboard.type("17")
    panes.page.keyboard.press("Enter")
    panes.until("pane.cursor === 17")
    assert panes.page.locator("dialog[open]").count() == 0


def test_the_keys_do_not_reach_the_theme(panes: PanePage) -> None:
    """Neither the search nor another page opens, whichever letter is pressed in the pane."""
    panes.debug()
    panes.pane().get_by_role("button", name="Debug").focus()
    url = panes.page.url
    for key in "sfnp,./":
        panes.page.keyboard.press(key)
    panes.settle()
    assert panes.page.url == url
    assert panes.page.evaluate("document.querySelector('#__search').checked") is False


def test_the_keys_work_only_in_the_pane(panes: PanePage) -> None:
    """With the focus elsewhere they are the page's."""
    cursor = panes.debug()["cursor"]
    panes.page.evaluate("document.activeElement.blur()")
    panes.page.keyboard.press("ArrowRight")
    assert panes.state()["cursor"] == cursor


def test_the_help_sheet_turns_the_keys_off(panes: PanePage) -> None:
    """`?` opens it; without the keys a letter does nothing, and the theme still does not get it."""
    cursor = panes.debug()["cursor"]
    panes.pane().get_by_role("button", name="Debug").focus()
    panes.page.keyboard.press("?")
    sheet = panes.page.get_by_role("dialog", name="Keys")
    sheet.get_by_role("checkbox", name="Use these keys").uncheck()
    panes.page.keyboard.press("Escape")
    panes.pane().get_by_role("button", name="Debug").focus()
    panes.page.keyboard.press("n")
    panes.settle()
    off = panes.state()["cursor"]
    panes.page.keyboard.press("?")
    sheet.get_by_role("checkbox", name="Use these keys").check()
    panes.page.keyboard.press("Escape")
    panes.settle()
    panes.page.keyboard.press("n")
    panes.settle()
    assert off == cursor
    assert panes.state()["cursor"] != cursor


def test_buttons_that_would_do_nothing_say_so_and_keep_the_focus(panes: PanePage) -> None:
    """They are not taken out of the order of the Tab key."""
    button = panes.pane().get_by_role("button", name="Step over")
    assert button.get_attribute("aria-disabled") == "true"
    panes.debug()
    assert button.get_attribute("aria-disabled") == "false"
    button.focus()
    panes.do("await pane.goto(Infinity);")
    assert button.get_attribute("aria-disabled") == "true"
    assert panes.page.evaluate("document.activeElement.dataset.command") == "stepOver"


def test_the_timeline_is_dragged(panes: PanePage) -> None:
    """The last place wins, and the slider says it in words."""
    steps = panes.debug()["steps"]
    slider = panes.pane().get_by_role("slider", name="Timeline of the run")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    panes.page.mouse.move(box["x"] + 10, y)
    panes.page.mouse.down()
    for part in (0.9, 0.1, 0.5):
        panes.page.mouse.move(box["x"] + box["width"] * part, y)
    panes.page.mouse.up()
    panes.settle()
    cursor = panes.state()["cursor"]
    assert abs(cursor - (steps - 1) / 2) <= 1
    assert slider.get_attribute("aria-valuenow") == str(cursor)
    assert f"step {cursor} of {steps - 1}" in (slider.get_attribute("aria-valuetext") or "")


def test_the_timeline_shows_what_happened(panes: PanePage) -> None:
    """Hits, output, exceptions and file writes, counted in words."""
    panes.debug(SEEN, scenario="large")
    words = panes.pane().locator(".tp-legend").inner_text()
    assert "2 breakpoint hits" in words
    assert "file writes" in words
    assert "1 exception" in words
    assert "outputs" in words


def test_the_current_line_comes_into_sight_and_the_page_stays(panes: PanePage) -> None:
    """Only the source scrolls."""
    panes.page.set_viewport_size({"width": 1280, "height": 420})
    panes.debug(line('note.write("second'))
    before = panes.page.evaluate("scrollY")
    for step in (0, "pane.steps - 2", 40):
        panes.do(f"await pane.goto({step});")
    row, box = panes.pane().evaluate(
        """pane => [pane.querySelector('.tp-line[aria-current]'), pane.querySelector('.tp-source')].map(each => {
            const {top, bottom} = each.getBoundingClientRect(); return {top, bottom}; })"""
    )
    panes.page.set_viewport_size({"width": 1280, "height": 900})
    assert box["top"] <= row["top"] < row["bottom"] <= box["bottom"]
    assert panes.page.evaluate("scrollY") == pytest.approx(before, abs=1)


def test_nothing_moves_while_stepping(panes: PanePage) -> None:
    """Every part of the pane keeps its place and size from step to step."""
    panes.debug()
    measure = """return [...pane.querySelectorAll('.tp-bar, tp-status, .tp-body, tp-timeline, .tp-state, .tp-foot')]
        .map(each => { const box = each.getBoundingClientRect(); return [box.top + scrollY, box.height]; })"""
    places = {json.dumps(panes.do(f"await pane.goto({step}); {measure}")) for step in (0, 1, 12, 30, 60, "Infinity")}
    assert len(places) == 1


def test_the_flow_follows_and_leads(panes: PanePage) -> None:
    """The node of the line is the active one; a press on a node goes to its next visit, round and round."""
    panes.debug(line("keep(seen)"))
    pane = panes.pane()
    assert pane.locator(".tp-flow [aria-current=step]").inner_text().startswith("Save")
    node = pane.get_by_role("button", name="Add each")
    assert "visited 3 times" in (node.text_content() or "")
    visits = []
    for _ in range(4):
        node.click()
        panes.settle()
        visits.append(panes.state()["cursor"])
    assert visits[:3] == sorted(set(visits))
    assert visits[3] == visits[0]
    assert pane.locator(".tp-edge[data-travelled]").count() >= 1


def test_a_node_that_the_run_never_comes_to_says_so(panes: PanePage) -> None:
    """In the status, and the cursor stays."""
    cursor = panes.debug()["cursor"]
    panes.pane().get_by_role("button", name="Refuse").click()
    panes.settle()
    assert panes.state()["cursor"] == cursor
    assert "never comes to" in panes.pane().locator(".tp-status-text").inner_text()


def test_calls_are_chosen(panes: PanePage) -> None:
    """The caller's variables and line are shown; the next step shows the innermost call again."""
    panes.debug(line("both = left + right"))
    pane = panes.pane()
    pane.get_by_role("tab", name="Calls").click()
    assert pane.locator(".tp-call-name").all_inner_texts() == ["add", "walk"]
    pane.locator(".tp-call-name", has_text="walk").click()
    panes.settle()
    pane.get_by_role("tab", name="Variables").click()
    assert "▸numbers" in pane.locator(".tp-name").all_inner_texts()
    assert pane.locator(".tp-line[data-caller]").count() == 1
    panes.do("await pane.stepOver();")
    assert pane.locator(".tp-line[data-caller]").count() == 0


def test_variables_unfold_and_say_what_changed(panes: PanePage) -> None:
    """By a mark, the word and the value before; parts of a value have their own marks."""
    panes.debug(line('print("total"'))
    panes.do("await pane.continue();")
    pane = panes.pane()
    row = pane.locator('[role=treeitem][data-path="local seen"]')
    assert "changed, was {1: [1]}" in row.locator(".tp-mark").first.inner_text()
    row.focus()
    panes.page.keyboard.press("ArrowRight")
    parts = row.locator("[role=treeitem]")
    parts.first.wait_for()
    assert [each.strip() for each in parts.locator(".tp-name").all_inner_texts()] == ["▸1", "▸2"]
    assert parts.nth(1).locator(".tp-mark").inner_text() == "new"
    assert parts.nth(0).locator(".tp-mark").count() == 0
    panes.page.keyboard.press("ArrowLeft")
    assert row.get_attribute("aria-expanded") == "false"


def test_a_value_leads_to_the_line_that_wrote_it(panes: PanePage) -> None:
    """By the button at its end, or the key on its row; a part of a value to the line that wrote the part."""
    panes.debug(SEEN)
    pane = panes.pane()
    row = pane.locator('[role=treeitem][data-path="local total"]')
    row.hover()
    row.get_by_role("button", name="Go to the line that wrote it: total").click()
    panes.settle()
    assert panes.state()["position"]["line"] == line("total = add(")
    panes.do("await pane.goto(Infinity); await pane.reverseContinue(); await pane.stepOver();")
    row = pane.locator('[role=treeitem][data-path="local seen"]')
    row.focus()
    panes.page.keyboard.press("ArrowRight")
    row.locator("[role=treeitem]").last.focus()
    panes.page.keyboard.press("w")
    panes.settle()
    assert panes.state()["position"]["line"] == SEEN
    assert panes.do("return pane.variables.find(({name}) => name === 'number').value.text") == "3"


def test_what_changed_out_of_sight_is_told_and_one_press_away(panes: PanePage) -> None:
    """A button counts it; a press scrolls the panel to it, and not the page."""
    panes.debug(SEEN)
    pane = panes.pane()
    panes.do("await pane.continue(); pane.querySelector('.tp-state').style.height = '90px';")
    told = pane.locator(".tp-beyond")
    told.wait_for()
    assert told.inner_text() == "1 changed out of sight"
    told.scroll_into_view_if_needed()
    scroll = panes.page.evaluate("scrollY")
    told.click()
    row = pane.locator("[role=treeitem]:focus > .tp-variable[data-changed]")
    assert row.locator(".tp-name").inner_text().strip() == "total"
    assert panes.page.evaluate("scrollY") == scroll
    panes.do("pane.querySelector('.tp-state').style.height = '';")
    told.wait_for(state="hidden")


def test_output_is_filtered_by_stream(panes: PanePage) -> None:
    """stderr alone, stdout alone."""
    panes.debug()
    panes.do("await pane.goto(Infinity);")
    pane = panes.pane()
    pane.get_by_role("button", name="stderr").click()
    assert pane.locator(".tp-piece").all_inner_texts() == ["even\n"]
    pane.get_by_role("button", name="stdout").click()
    assert "even" not in "".join(pane.locator(".tp-piece").all_inner_texts())
    pane.get_by_role("button", name="All", exact=True).click()


def test_files_are_those_of_the_step(panes: PanePage) -> None:
    """Given, created, changed, and their content: rows, text and bytes."""
    panes.debug()
    pane = panes.pane()
    pane.get_by_role("tab", name="Files").click()
    assert pane.locator(".tp-files > li").all_inner_texts() == ["given.txt\ngiven\n11 bytes"]
    pane.get_by_role("button", name="given.txt").click()
    assert pane.locator(".tp-content").inner_text().strip() == "as it came"
    panes.do("await pane.goto(Infinity);")
    assert pane.locator(".tp-path").all_inner_texts() == ["given.txt", "rows.jsonl", "raw.bin", "note.txt"]
    pane.get_by_role("button", name="rows.jsonl").click()
    rows = pane.locator(".tp-rows > li").all_inner_texts()
    assert [json.loads(row) for row in rows] == [{"key": n, "value": [t]} for n, t in ((1, 1), (2, 3), (3, 6))]
    pane.get_by_role("button", name="raw.bin").click()
    assert "000000  00 01 02" in pane.locator(".tp-content").inner_text()
    pane.get_by_role("button", name="note.txt").click()
    assert pane.locator(".tp-content").inner_text().strip() == "first\nsecond"
    with panes.page.expect_download() as download:
        pane.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "note.txt"
    assert download.value.path().read_text() == "first\nsecond\n"
    pane.get_by_role("tab", name="Variables").click()


def test_values_stand_behind_the_lines_that_made_them(panes: PanePage) -> None:
    """When the reader wants it."""
    panes.debug(SEEN)
    pane = panes.pane()
    pane.get_by_role("checkbox", name="Values in the code").check()
    panes.settle()
    first = pane.locator(f'.tp-line[data-line="{FIRST}"] .tp-end')
    loop = pane.locator(f'.tp-line[data-line="{line("for number in numbers")}"] .tp-end')
    assert loop.inner_text() == "number = 1"
    assert first.inner_text() == ""  # total was written again, by the sum
    pane.get_by_role("checkbox", name="Values in the code").uncheck()
    panes.settle()
    assert loop.inner_text() == ""


def test_the_chosen_scenarios_source_is_shown(panes: PanePage) -> None:
    """Of the generated sources the one that runs."""
    pane = panes.pane()
    shown = pane.locator(".tp-support section[data-scenario]:not([hidden])")
    assert [each.get_attribute("data-scenario") for each in shown.all()] == ["small"]
    pane.get_by_role("radio", name="Too large").check(force=True)
    panes.until("pane.scenario === 'large'")
    panes.settle()
    assert [each.get_attribute("data-scenario") for each in shown.all()] == ["large"]
