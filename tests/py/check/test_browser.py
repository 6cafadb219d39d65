"""Which browser is started; a driver that starts nothing stands in for Playwright's."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Error

from tracepane.check.browser import BrowserError, launch


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A path of its own, on which there is nothing yet."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TRACEPANE_CHROMIUM", raising=False)
    return tmp_path


def executable(path: Path) -> str:
    """An executable file."""
    path.write_text("")
    path.chmod(0o755)
    return str(path)


def driver(own: Path, *broken: str) -> Any:
    """A driver with a browser of its own; those in `broken` do not start, the others give their file's name."""

    def start(executable_path: str, args: list[str]) -> str:
        del args
        if executable_path in broken:
            raise Error("libnss3.so: cannot open shared object file\nand much more")
        return executable_path

    return SimpleNamespace(chromium=SimpleNamespace(executable_path=str(own), launch=start))


def test_playwrights_own_comes_before_the_path(path: Path) -> None:
    """It fits the driver."""
    executable(path / "chromium")
    own = executable(path / "own")
    assert launch(driver(path / "own")) == own


def test_one_that_does_not_start_gives_way_to_the_next(path: Path) -> None:
    """A download may lack libraries where the system's own browser has them."""
    own, chromium = executable(path / "own"), executable(path / "chromium")
    assert launch(driver(path / "own", own)) == chromium


def test_the_one_that_is_named_is_the_only_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who names a browser wants no other; why it does not start is told."""
    named = executable(path / "named")
    executable(path / "chromium")
    monkeypatch.setenv("TRACEPANE_CHROMIUM", named)
    with pytest.raises(BrowserError, match=r"named does not start: libnss3\.so: cannot open shared object file$"):
        launch(driver(path / "own", named))


def test_none_at_all_says_where_it_was_looked_for(path: Path) -> None:
    """And how to get one."""
    with pytest.raises(BrowserError, match=r"TRACEPANE_CHROMIUM.*playwright install chromium"):
        launch(driver(path / "own"))
