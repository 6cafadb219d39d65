"""What takes long to load comes when a reader seems about to run something, and not before; no interpreter does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from pane_page import PanePage

if TYPE_CHECKING:
    from pane_site import Server
    from playwright.sync_api import BrowserContext

FAST = {"effectiveType": "4g", "downlink": 10, "saveData": False}
CORE = "pyodide.asm.wasm"
# Notes which elements are watched for coming into sight.
WATCHED = """globalThis.watched = [];
const { observe } = IntersectionObserver.prototype;
IntersectionObserver.prototype.observe = function (what) { watched.push(what.localName); observe.call(this, what); };
"""


def core_requests(panes: PanePage) -> list[str]:
    """What was asked for of an interpreter's parts."""
    return [url for url in panes.requests if "pyodide" in url or url.endswith(".zip")]


@pytest.mark.parametrize("sign", ["hover", "focus"])
def test_the_pointer_or_the_focus_loads_the_core(fresh_panes: PanePage, sign: str) -> None:
    """Once, without an interpreter; the press that follows asks for none of it again."""
    pane = fresh_panes.pane()
    with fresh_panes.page.expect_response(f"**/{CORE}"):
        if sign == "hover":
            pane.hover()
        else:
            pane.get_by_role("button", name="Debug").focus()
    assert fresh_panes.interpreters() == 0
    fresh_panes.debug()
    names = [url.rpartition("/")[2] for url in core_requests(fresh_panes)]
    assert [names.count(name) for name in (CORE, "stdlib.zip", "recorder.zip")] == [1, 1, 1]


def test_on_a_fast_line_a_look_loads_the_core(context: BrowserContext, pane_server: Server) -> None:
    """The pane stays in sight for a second."""
    context.add_init_script(f"{WATCHED} globalThis.line = {json.dumps(FAST)}")
    panes = PanePage(context, pane_server)
    assert "trace-pane" in panes.page.evaluate("watched")
    panes.page.wait_for_function(f"() => performance.getEntriesByType('resource').some(e => e.name.includes('{CORE}'))")
    assert panes.interpreters() == 0


@pytest.mark.parametrize("line", [{"downlink": 1}, {"effectiveType": "3g"}, {"saveData": True}, None])
def test_on_any_other_line_nobody_looks(
    context: BrowserContext, pane_server: Server, line: dict[str, object] | None
) -> None:
    """Slow, of another kind, sparing of data, or unknown."""
    said = json.dumps(line and FAST | line)
    context.add_init_script(f"{WATCHED} globalThis.line = {said} ?? undefined")
    panes = PanePage(context, pane_server)
    assert "trace-pane" not in panes.page.evaluate("watched")
