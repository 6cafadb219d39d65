"""Browser code that need not be built: the publishing tests look at names and places, not into it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tracepane import assets

BUILD = {"build": "abcd", "recorder": "r1", "pyodide": {"version": "314", "digest": "d1"}, "python": "3.14.2"}


@pytest.fixture(autouse=True)
def browser_code(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as `make assets` fills it, in place of the package's own."""
    folder = tmp_path_factory.mktemp("assets")
    for name in ("pane.js", "pane.css", "worker.js", "pyodide/pyodide.mjs", "notices/python.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name)
    (folder / "build.json").write_text(json.dumps(BUILD))
    monkeypatch.setattr(assets, "directory", lambda: folder)
    return folder
