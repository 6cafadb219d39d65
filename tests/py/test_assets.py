"""The package's built browser code, and the recorder's zip."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from tracepane import assets


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of its own with a recorder of two files and built assets."""
    monkeypatch.setattr(assets, "PACKAGE", tmp_path)
    (tmp_path / "record" / "_platform").mkdir(parents=True)
    (tmp_path / "record" / "__init__.py").write_bytes(b"X = 1\n")
    (tmp_path / "record" / "_platform" / "native.py").write_bytes(b"Y = 2\r\n")
    for name in assets.REQUIRED:
        path = tmp_path / "_assets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"code": "c"}' if name == "build.json" else "", "utf-8")
    return tmp_path


def test_the_recorders_zip_holds_the_recorder_and_nothing_else(package: Path) -> None:
    """Sorted, with line feeds, below a parent package of its own; no cache and no other room."""
    (package / "cli.py").write_text("Z = 3\n")
    (package / "record" / "__pycache__").mkdir()
    (package / "record" / "__pycache__" / "x.pyc").write_bytes(b"0")
    archive = zipfile.ZipFile(io.BytesIO(assets.recorder_zip()))
    names = ["tracepane/__init__.py", "tracepane/record/__init__.py", "tracepane/record/_platform/native.py"]
    assert archive.namelist() == names
    assert archive.read(names[2]) == b"Y = 2\n"


def test_the_recorders_zip_is_the_same_whenever_it_is_made(package: Path) -> None:
    """Neither a file's date nor its mode changes a byte."""
    first = assets.recorder_zip()
    path = package / "record" / "__init__.py"
    path.chmod(0o600)
    path.touch()
    assert assets.recorder_zip() == first


def test_the_folder_is_brought_up_to_date_with_the_recorder(package: Path) -> None:
    """A change in record/ changes recorder.zip, its digest and the build's name; without one nothing is written."""
    builds = []
    for text in (b"X = 1\n", b"X = 2\n"):
        (package / "record" / "__init__.py").write_bytes(text)
        folder = assets.directory()
        described = json.loads((folder / "build.json").read_text())
        assert described["recorder"] == hashlib.sha256((folder / "recorder.zip").read_bytes()).hexdigest()
        assert described["recorder"] == assets.recorder_digest()
        builds.append(described["build"])
    assert builds[0] != builds[1]
    before = (folder / "recorder.zip").stat().st_ino
    assert (assets.directory() / "recorder.zip").stat().st_ino == before


def test_what_was_not_built_is_named_with_the_command(package: Path) -> None:
    """The error says which file is missing and what to run."""
    (package / "_assets" / "worker.js").unlink()
    with pytest.raises(assets.AssetsError, match=r"worker\.js is missing.*make assets"):
        assets.directory()


def imported(folder: Path, name: str) -> set[str]:
    """A script and all that comes with it: what it imports at once, and what that does."""
    found = re.findall(r"""(?:from|import)\s*["']\./([\w.-]+\.js)["']""", (folder / name).read_text("utf-8"))
    return {name}.union(*(imported(folder, other) for other in found))


def test_the_pane_is_a_small_download() -> None:
    """At most 60 KB gzipped come before anything runs: the pane's script, and what it imports at once."""
    folder = assets.directory()
    scripts = imported(folder, "pane.js")
    assert sum(len(gzip.compress((folder / name).read_bytes(), 9)) for name in scripts) <= 60_000, scripts
