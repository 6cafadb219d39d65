"""A native child imports the recorder's bytecode; where there is none, its sources."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tracepane.record.compiled import compiled
from tracepane.record.process import find_python

SHOW = "import sys; sys.path.insert(0, sys.argv[1]); import room.told as told; print(told.WORD, told.__file__)"


def zipped(text: str) -> bytes:
    """A zip with a package of one module: the same bytes at any time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("room/__init__.py"), "")
        archive.writestr(zipfile.ZipInfo("room/told.py"), text)
    return buffer.getvalue()


def imported(path: Path) -> list[str]:
    """What the module says, and the name of the file that was imported."""
    told = subprocess.run([find_python(), "-c", SHOW, path], capture_output=True, text=True, check=True)
    word, file = told.stdout.split()
    return [word, Path(file).name]


def test_the_bytecode_is_imported() -> None:
    """With the sources beside it, for whoever looks into a fault."""
    path = compiled(find_python(), zipped("WORD = 'compiled'"))
    assert imported(path) == ["compiled", "told.pyc"]
    with zipfile.ZipFile(path) as archive:
        assert sorted(archive.namelist()) == [
            f"room/{name}" for name in ("__init__.py", "__init__.pyc", "told.py", "told.pyc")
        ]


def test_it_is_compiled_once_and_anew_when_it_changes() -> None:
    """One path for the same sources, another for others."""
    first = compiled(find_python(), zipped("WORD = 1"))
    assert compiled(find_python(), zipped("WORD = 1")) == first
    assert imported(compiled(find_python(), zipped("WORD = 2"))) == ["2", "told.pyc"]


def test_threads_that_ask_at_once_get_one_that_stays() -> None:
    """None is given a folder that goes again."""
    python, content = find_python(), zipped("WORD = 'shared'")
    with ThreadPoolExecutor(4) as pool:
        paths = list(pool.map(lambda _: compiled(python, content), range(4)))
    assert [path.exists() for path in paths] == [True] * 4


def test_what_cannot_be_compiled_is_imported_as_it_came() -> None:
    """The child then says what is wrong with it."""
    path = compiled(find_python(), zipped("WORD = ("))
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["room/__init__.py", "room/told.py"]


def test_nothing_is_left_behind() -> None:
    """The zip goes with the process that had it made."""
    script = "import sys; from tracepane.record.compiled import compiled; print(compiled(sys.argv[1], b''))"
    told = subprocess.run([sys.executable, "-c", script, find_python()], capture_output=True, text=True, check=True)
    assert not Path(told.stdout.strip()).parent.exists()
