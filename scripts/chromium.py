"""See to a Chromium that Playwright can drive, for the browser tests and `tracepane verify`.

What is present is used, wherever Tracepane itself would find it (tracepane.check.browser). Otherwise
`playwright install chromium`, and where that cannot download, Debian's package. Both change something outside the
checkout, and say so before. Run with the Python of `.venv`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from playwright.sync_api import sync_playwright

from tracepane.check.browser import BrowserError, find_executables, launch


def say(text: str) -> None:
    """Show progress at once, also when the output is a pipe."""
    print(f"[chromium] {text}", flush=True)


def present() -> list[str]:
    """The Chromiums that are already here. One that the user names must exist."""
    with sync_playwright() as playwright:
        try:
            return find_executables(playwright, "chromium")
        except BrowserError as error:
            sys.exit(f"[chromium] error: {error}")


def starts() -> bool:
    """Whether a page opens in one that is found (a download may lack libraries of the system)."""
    with sync_playwright() as playwright:
        try:
            browser = launch(playwright)
        except BrowserError as error:
            say(str(error))
            return False
        browser.new_page().close()
        browser.close()
    return True


def install_playwright_own() -> bool:
    """Let Playwright download its own Chromium into its cache; whether there is one now that starts."""
    say("none here; trying `playwright install chromium` (it goes into Playwright's cache in your home folder)")
    done = subprocess.run(
        [sys.executable, "-m", "playwright", "install", "chromium"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        say("Playwright could not download it")
    return bool(present()) and starts()


def install_debian() -> bool:
    """Install Debian's package `chromium`: a change of the system, possible for root only; whether it starts."""
    if shutil.which("apt-get") is None:
        return False
    if os.geteuid() != 0:
        say("`apt-get install chromium` would give one, but that needs root; run it yourself, then try again")
        return False
    say("installing Debian's package `chromium` on this system with apt-get (about 100 MB)")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        if subprocess.run(["apt-get", "-q", *step], env=environment, check=False).returncode != 0:
            say(f"`apt-get {' '.join(step)}` failed; its message stands above")
            return False
    return starts()


def main() -> int:
    """Exit 0 when a Chromium is ready."""
    if not (present() or install_playwright_own() or install_debian()):
        print(
            "[chromium] error: no Chromium could be installed; install one and put it on the path, "
            "or name it in the environment variable TRACEPANE_CHROMIUM",
            file=sys.stderr,
        )
        return 2
    say(f"ready: {present()[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
