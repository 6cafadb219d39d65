"""The house's own rules that no linter knows."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 400


def tracked(*patterns: str) -> list[Path]:
    """The files that git knows (or would take) below the checkout, by pattern."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def test_mkdocs_never_empties_the_browser_code() -> None:
    """`mkdocs build` empties its output folder, which is `site/` unless told otherwise."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert re.findall(r"^site_dir:\s*(\S+)", text, re.MULTILINE) == ["build/www"]


def test_the_folder_py_is_no_package() -> None:
    """`py/__init__.py` would shadow an installed package of that name."""
    assert not (ROOT / "py" / "__init__.py").exists()
    assert not (ROOT / "py" / "src" / "__init__.py").exists()


PYTHON_LINE = re.compile(
    r"^\s*(?:def \w+\(.*\)\s*(?:->.*)?:|class \w+(?:\(.*\))?:|except\b.*:"
    r"|from [\w.]+ import \w+|import \w+(?:, \w+)*)\s*$",
    re.MULTILINE,
)


def strings(source: str) -> list[str]:
    """The string and template literals of some TypeScript, comments left out."""
    token = re.compile(r"//[^\n]*|/\*.*?\*/|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\"", re.DOTALL)
    found = (match.group() for match in token.finditer(source))
    return [text[1:-1].replace("\\n", "\n") for text in found if text[0] in "`'\""]


def python_inside(source: str) -> list[str]:
    """Lines of Python that stand in string literals of some TypeScript."""
    return [match.group().strip() for text in strings(source) for match in PYTHON_LINE.finditer(text)]


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("run(`\nimport sys\nsys.exit()\n`)", 1),
        ('run("def f(x):\\n    return x")', 1),
        ("import { a } from './b'; // import sys", 0),
        ("say('import the file from there')", 0),
    ],
)
def test_python_in_a_string_is_seen(source: str, count: int) -> None:
    """The rule below would notice Python that is written into TypeScript, and nothing else."""
    assert len(python_inside(source)) == count


def test_no_python_stands_in_typescript() -> None:
    """What runs as Python lies in a Python file, where linters, types and tests see it."""
    found = {
        str(path.relative_to(ROOT)): python_inside(path.read_text(encoding="utf-8"))
        for path in tracked("site/**/*.ts", "site/*.mjs")
    }
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_files_hold_one_thing() -> None:
    """A source file over 400 lines is split."""
    paths = tracked("py/src/**/*.py", "site/src/**/*.ts", "site/src/**/*.css", "scripts/*.py")
    long = {str(path.relative_to(ROOT)): lines for path in paths if (lines := count_lines(path)) > LIMIT}
    assert long == {}


def count_lines(path: Path) -> int:
    """Lines of a text file."""
    return len(path.read_text(encoding="utf-8").splitlines())


def test_test_files_have_different_names() -> None:
    """Tests lie in no packages, so that pytest cannot collect two files of one name together."""
    names = [path.name for path in tracked("tests/**/test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_nothing_built_is_committed() -> None:
    """Bundles, wheels and wasm are made by the build; the repository holds what a person wrote."""
    built = [str(path.relative_to(ROOT)) for path in tracked("*.wasm", "*.whl", "*.pyc", "*.trace", "*.zip")]
    assert [name for name in built if not name.startswith("tests/gold/")] == []


def test_ci_runs_what_a_developer_runs() -> None:
    """`.ci/run` is executable and calls `make test`, nothing else."""
    path = ROOT / ".ci" / "run"
    commands = [line for line in path.read_text().splitlines() if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["exec make test"]
    assert path.stat().st_mode & 0o111
