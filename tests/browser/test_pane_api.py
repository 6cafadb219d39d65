"""The element's public API: attributes, properties, methods and the event, in the built site."""

from __future__ import annotations

from pane_page import PanePage
from pane_site import WALK

LINES = WALK.splitlines()


def line(text: str, nth: int = 1) -> int:
    """The number of the nth line that holds a text."""
    return [number for number, each in enumerate(LINES, 1) if text in each][nth - 1]


def test_a_pane_begins_idle(panes: PanePage) -> None:
    """Nothing has run: no cursor, no steps, no output, no verdict."""
    state = panes.state()
    assert (state["status"], state["scenario"], state["cursor"], state["steps"]) == ("idle", "small", -1, 0)
    assert (state["position"], state["output"], state["breakpoints"]) == (None, "", [])
    assert state["verdict"] == {"status": "none"}


def test_debug_without_breakpoints_stops_at_the_first_traced_line(panes: PanePage) -> None:
    """The module's first line, since the whole file is shown."""
    state = panes.debug()
    assert state["status"] == "paused"
    assert state["position"] == {"file": "walk.py", "line": 1, "function": "<module>", "depth": 1}


def test_debug_stops_at_the_first_hit(panes: PanePage) -> None:
    """With breakpoints the cursor is at a hit, and the values are those before the line runs."""
    state = panes.debug(line("seen[number]"))
    assert state["position"]["line"] == line("seen[number]")
    variables = {each["name"]: each for each in panes.do("return pane.variables")}
    assert variables["total"]["value"] == {"type": "int", "text": "1"}
    assert variables["total"]["changed"] is True
    assert variables["total"]["scope"] == "local"
    assert variables["start"]["changed"] is False


def test_run_settles_at_the_end_and_keeps_no_steps_to_walk(panes: PanePage) -> None:
    """All of the output is there, and no variable."""
    panes.do("await pane.run();")
    state = panes.state()
    assert state["status"] == "finished"
    assert state["output"] == "total 1\ntotal 3\ntotal 6\neven\nresult 6\n"
    assert (state["cursor"], panes.do("return pane.variables")) == (-1, [])


def test_steps_go_both_ways(panes: PanePage) -> None:
    """Into the call and back out of it; over it and back."""
    at = panes.debug(line("total = add("))["cursor"]
    panes.do("await pane.stepInto();")
    assert panes.state()["position"]["function"] == "add"
    panes.do("await pane.stepBackInto();")
    assert panes.state()["cursor"] == at
    panes.do("await pane.stepOver();")
    assert panes.state()["position"]["line"] == line("seen[number]")
    panes.do("await pane.stepBack();")
    assert panes.state()["cursor"] == at
    panes.do("await pane.stepInto(); await pane.stepOut();")
    assert panes.state()["position"]["function"] == "walk"
    panes.do("await pane.stepBackInto(); await pane.stepBackOut();")
    assert panes.state()["position"]["function"] == "walk"


def test_continue_goes_from_hit_to_hit_and_back(panes: PanePage) -> None:
    """Three hits, then the end; backwards the same."""
    cursors = [panes.debug(line('print("total"'))["cursor"]]
    for _ in range(3):
        panes.do("await pane.continue();")
        cursors.append(panes.state()["cursor"])
    assert cursors[-1] == panes.state()["steps"] - 1
    assert panes.state()["status"] == "finished"
    back = []
    for _ in range(3):
        panes.do("await pane.reverseContinue();")
        back.append(panes.state()["cursor"])
    assert back == cursors[2::-1]


def test_goto_keeps_within_the_run(panes: PanePage) -> None:
    """Too far is the end, too early the beginning."""
    panes.debug()
    panes.do("await pane.goto(1e9);")
    assert panes.state()["cursor"] == panes.state()["steps"] - 1
    panes.do("await pane.goto(-5);")
    assert panes.state()["cursor"] == 0


def test_output_is_that_of_the_step(panes: PanePage) -> None:
    """The same on the way there, at the end, and on the way back."""
    panes.debug(line("seen[number]"))
    panes.do("await pane.continue();")
    assert panes.state()["output"] == "total 1\n"
    cursor = panes.state()["cursor"]
    panes.do("await pane.goto(Infinity);")
    assert panes.state()["output"].endswith("result 6\n")
    panes.do("await pane.goto(given[0]);", cursor)
    assert panes.state()["output"] == "total 1\n"
    assert panes.pane().locator(".tp-piece").all_inner_texts() == ["total 1\n"]


def test_breakpoints_slide_and_toggle(panes: PanePage) -> None:
    """A breakpoint on the docstring stops at the next statement; the same press takes it away."""
    docstring = line("Add up")
    panes.do("await pane.toggleBreakpoint(given[0]);", docstring)
    assert [each["line"] for each in panes.state()["breakpoints"]] == [line("total = start")]
    assert "never runs by itself" in panes.pane().locator(".tp-status-text").inner_text()
    panes.do("await pane.toggleBreakpoint(given[0]);", docstring)
    assert panes.state()["breakpoints"] == []


def test_breakpoints_say_their_hits(panes: PanePage) -> None:
    """How often the statement started in what was recorded."""
    panes.debug(line("seen[number]"))
    (breakpoint,) = panes.state()["breakpoints"]
    assert (breakpoint["hits"], breakpoint["verified"], breakpoint["enabled"]) == (3, True, True)


def test_a_breakpoint_that_is_off_does_not_stop(panes: PanePage) -> None:
    """Set with options it stays, and Debug stops where it would without it."""
    panes.do("await pane.toggleBreakpoint(given[0], {enabled: false});", line("seen[number]"))
    assert panes.debug()["position"]["line"] == 1
    assert [each["enabled"] for each in panes.state()["breakpoints"]] == [False]


def test_a_scenario_resets_everything(panes: PanePage) -> None:
    """Breakpoints, trace, cursor, output and verdict are the other scenario's: none."""
    panes.debug(line("seen[number]"))
    panes.do("pane.scenario = 'large'; await pane.stop();")
    state = panes.state()
    assert (state["status"], state["scenario"], state["cursor"], state["steps"]) == ("idle", "large", -1, 0)
    assert (state["output"], state["breakpoints"], state["verdict"]["status"]) == ("", [], "none")
    assert panes.pane().get_attribute("scenario") == "large"
    assert panes.pane().locator("[data-mark]").count() == 0


def test_a_scenario_that_is_none_changes_nothing(panes: PanePage) -> None:
    """The pane keeps what it has, and says the same by its attribute."""
    panes.debug()
    panes.do("pane.scenario = 'nonsense';")
    state = panes.state()
    assert (state["scenario"], state["status"]) == ("small", "paused")
    assert panes.pane().get_attribute("scenario") == "small"


def test_the_verdict_is_that_of_the_native_run(panes: PanePage) -> None:
    """Equal, with the version and the number of events, in words."""
    steps = panes.debug()["steps"]
    assert panes.state()["verdict"] == {"status": "equal"}
    words = panes.pane().locator(".tp-verdict").inner_text()
    assert words.startswith("equals native CPython 3.14.")
    assert words.endswith(f"{steps} events")


def test_the_change_event_tells_of_every_new_view(panes: PanePage) -> None:
    """It bubbles, and the element's properties are those of the view."""
    heard = panes.do(
        """const heard = [];
        const listen = event => heard.push([event.target.id, event.target.cursor]);
        document.addEventListener('tracepane:change', listen);
        await pane.debug();
        await pane.stepOver();
        document.removeEventListener('tracepane:change', listen);
        return heard;"""
    )
    assert heard[-1] == ["walk", panes.state()["cursor"]]
    assert {id for id, _ in heard} == {"walk"}


def test_an_exception_is_told_where_it_happens_and_at_the_end(panes: PanePage) -> None:
    """At its line in the source, and in the status with the line."""
    panes.debug(line("raise ValueError"), scenario="large")
    panes.do("await pane.stepOver();")
    at = panes.pane().locator(".tp-line[aria-current=step] .tp-end")
    assert at.get_attribute("data-tone") == "error"
    assert "130 is too much" in at.inner_text()
    panes.do("await pane.goto(Infinity);")
    assert panes.state()["status"] == "finished"
    status = panes.pane().locator(".tp-status-text").inner_text()
    assert "ValueError: 130 is too much (line 21 of walk.py)" in status
