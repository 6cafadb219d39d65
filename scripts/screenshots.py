"""Take the README's picture: a pane of the built site at work, stopped at a breakpoint. Run by `make screenshots`."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tracepane.check.browser import launch
from tracepane.check.server import Served

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "assets"
LESSON = "lessons/context-compact/"
PANE, SCENARIO, LINE = "split_history", "normal", "pairs.append("


def stop(page: Page) -> None:
    """Debug the pane up to the last line that holds LINE."""
    page.evaluate(
        """async ([id, scenario, text]) => {
            await customElements.whenDefined('trace-pane');
            const pane = document.getElementById(id);
            document.querySelector('.md-header').style.position = 'static';  // it would lie over the pane
            pane.scenario = scenario;
            const lines = [...pane.querySelectorAll('.tp-line')].filter((line) => line.textContent.includes(text));
            pane.toggleBreakpoint(Number(lines.at(-1).dataset.line));
            await pane.debug();
            await pane.continue();
            await pane.stepOver();
        }""",
        [PANE, SCENARIO, LINE],
    )
    page.wait_for_function(
        "id => !['idle', 'loading', 'running'].includes(document.getElementById(id).status)", arg=PANE
    )
    page.wait_for_function("id => document.getElementById(id).verdict.status !== 'none'", arg=PANE)


def main() -> None:
    """Write docs/assets/pane.png."""
    PICTURES.mkdir(exist_ok=True)
    with Served(ROOT / "build" / "www") as served, sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": 1360, "height": 1500}, color_scheme="light", reduced_motion="reduce")
        page.goto(f"{served.origin}/{LESSON}")
        stop(page)
        page.get_by_label("Values in the code").first.check()
        page.locator(f"#{PANE}").screenshot(path=PICTURES / "pane.png")
        browser.close()
    print(f"wrote {(PICTURES / 'pane.png').relative_to(ROOT)}")


if __name__ == "__main__":
    main()
