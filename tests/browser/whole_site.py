"""The project's whole site, built once for all processes of a test run, and served as a project's site is."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tracepane.check.server import Served

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[2]
PREFIX = "/some/repo/"
ADDRESS = f"http://127.0.0.1{PREFIX}"


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that `make` fills, the first process of the run that wants it; the others wait for that one."""
    base = factory.getbasetemp()
    # Each process of xdist has a folder of its own below the run's.
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = common / name, common / f"{name}.done"
    with (common / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


def build(folder: Path) -> None:
    """All pages, with the native references of all panes."""
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"SITE_URL": ADDRESS, "TRACEPANE_RECORD": "1", "NO_MKDOCS_2_WARNING": "1"},
        check=True,
    )


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The site's address. The only policy is the one in its pages."""
    with Served(folder, prefix=PREFIX, policy=None) as site:
        address = f"{site.origin}{PREFIX}"
        # The theme goes without loading only to addresses of the sitemap, which must have this port.
        sitemap = (folder / "sitemap.xml").read_text("utf-8")
        site.pages[f"{PREFIX}sitemap.xml"] = sitemap.replace(ADDRESS, address)
        yield address
