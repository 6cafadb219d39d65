"""A page with panes as the tests drive it: by what a reader sees and presses, and by the element's public API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pane_site import ROOT, Server

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

AXE = ROOT / "node_modules/axe-core/axe.min.js"

# Keeps the list `workers` of those that live: the browser itself tells of a worker's end only later.
COUNT = """{
  const living = new Map();
  globalThis.workers = living.values.bind(living);
  globalThis.workers[Symbol.iterator] = () => living.values();
  const Real = globalThis.Worker;
  globalThis.Worker = class extends Real {
    constructor(url, options) { super(url, options); living.set(this, String(url)); }
    terminate() { super.terminate(); living.delete(this); }
  };
}"""

# What the browser says of the line: nothing, as most of them, unless a test's own script set `line` before.
LINE = "Object.defineProperty(navigator, 'connection', { value: globalThis.line });"

STATE = """pane => {
  const {status, scenario, cursor, steps, position, output, verdict, breakpoints} = pane;
  return {status, scenario, cursor, steps, position, output, verdict, breakpoints};
}"""


class PanePage:
    """One page of the test site."""

    def __init__(self, context: BrowserContext, server: Server, path: str = "") -> None:
        """Opens it; what nobody caught in it is kept in `errors`, what it asks of servers in `requests`."""
        self.page: Page = context.new_page()
        self.page.add_init_script(COUNT + LINE)
        self.server = server
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.open(path)

    def open(self, path: str) -> None:
        """Go to a page of the site, as if its address had been typed."""
        with self.page.expect_response("**/sitemap.xml"):  # from then on the theme goes to pages without loading them
            self.page.goto(self.server.base + path)
        self.pane()

    def pane(self, id: str = "walk") -> Locator:
        """A pane that is ready and in sight."""
        pane = self.page.locator(f"trace-pane#{id}.tp-ready")
        pane.wait_for()
        pane.scroll_into_view_if_needed()
        return pane

    def do(self, script: str, *given: Any, id: str = "walk") -> Any:
        """Work with the element's API: `pane` is the element, `given` the arguments."""
        return self.pane(id).evaluate(f"async (pane, given) => {{ {script} }}", list(given))

    def state(self, id: str = "walk") -> dict[str, Any]:
        """The element's public properties."""
        return dict(self.pane(id).evaluate(STATE))

    def interpreters(self) -> int:
        """How many of the page's workers have not been ended, without the theme's own for its search."""
        return int(self.page.evaluate("[...workers].filter(url => url.includes('/tracepane/')).length"))

    def debug(self, *lines: int, scenario: str = "small", id: str = "walk") -> dict[str, Any]:
        """Choose the scenario, set breakpoints, debug; wait for the first stop and for the end of the recording."""
        self.do("await pane.reset(); pane.scenario = given[0]; await pane.stop();", scenario, id=id)
        for line in lines:
            self.do("await pane.toggleBreakpoint(given[0]);", line, id=id)
        self.do("await pane.debug();", id=id)
        self.until("pane.trace.end", id)
        return self.state(id)

    def press(self, id: str, name: str) -> None:
        """Press a button of the pane by its name."""
        self.pane(id).get_by_role("button", name=name, exact=True).click()

    def settle(self, id: str = "walk") -> None:
        """Wait until the views show what was asked of the pane last."""
        self.do("await pane.goto(pane.cursor);", id=id)

    def until(self, condition: str, id: str = "walk") -> None:
        """Wait for a condition on `pane`."""
        self.page.wait_for_function(
            f"id => {{ const pane = document.getElementById(id); return {condition}; }}", arg=id
        )

    def violations(self) -> list[str]:
        """What axe finds in the panes: rule, and where."""
        self.page.evaluate(f"() => {{ {AXE.read_text('utf-8')} }}")
        found = self.page.evaluate(
            "async () => (await axe.run('trace-pane', {resultTypes: ['violations']})).violations"
        )
        return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
