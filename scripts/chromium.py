"""See to a Chromium that Playwright can drive, for the browser tests and `tracepane verify`.

What is present is used: the environment variable TRACEPANE_CHROMIUM, Chromium or Chrome on the path, Playwright's own.
Otherwise `playwright install chromium`, and where that cannot download, Debian's package. Both change something outside
the checkout, and say so before. Run with the Python of `.venv`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

# The same names as tracepane.check.browser looks for.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def say(text: str) -> None:
    """Show progress at once, also when the output is a pipe."""
    print(f"[chromium] {text}", flush=True)


def present() -> str | None:
    """The Chromium that is already here, or None. One that the user names must exist."""
    named = os.environ.get("TRACEPANE_CHROMIUM")
    if named:
        if not Path(named).is_file():
            sys.exit(f"[chromium] error: TRACEPANE_CHROMIUM={named} does not exist; correct it or unset it")
        return named
    return next((path for name in NAMES if (path := shutil.which(name))), None) or playwright_own()


def playwright_own() -> str | None:
    """The Chromium in Playwright's cache, when it is there."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None


def starts(path: str) -> bool:
    """Whether Playwright can open a page in it (a download may lack libraries of the system)."""
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=arguments)
            browser.new_page().close()
            browser.close()
    except Error as error:
        say(f"{path} does not start: {error.message.splitlines()[0]}")
        return False
    return True


def install_playwright_own() -> str | None:
    """Let Playwright download its own Chromium into its cache."""
    say("none here; trying `playwright install chromium` (it goes into Playwright's cache in your home folder)")
    done = subprocess.run(
        [sys.executable, "-m", "playwright", "install", "chromium"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        say("Playwright could not download it")
    found = playwright_own()
    return found if found and starts(found) else None


def install_debian() -> str | None:
    """Install Debian's package `chromium`: a change of the system, possible for root only."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() != 0:
        say("`apt-get install chromium` would give one, but that needs root; run it yourself, then try again")
        return None
    say("installing Debian's package `chromium` on this system with apt-get (about 100 MB)")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        if subprocess.run(["apt-get", "-q", *step], env=environment, check=False).returncode != 0:
            say(f"`apt-get {' '.join(step)}` failed; its message stands above")
            return None
    found = shutil.which("chromium")
    return found if found and starts(found) else None


def main() -> int:
    """Exit 0 when a Chromium is ready."""
    path = present() or install_playwright_own() or install_debian()
    if path is None:
        print(
            "[chromium] error: no Chromium could be installed; install one and put it on the path, "
            "or name it in the environment variable TRACEPANE_CHROMIUM",
            file=sys.stderr,
        )
        return 2
    say(f"ready: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
