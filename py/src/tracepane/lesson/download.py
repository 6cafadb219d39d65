"""Files that a page offers for download: named by a fence, found below one folder, told by their names from there."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tracepane.lesson.document import Table, line_of
from tracepane.lesson.mistake import Mistakes, near
from tracepane.lesson.project import name_in
from tracepane.lesson.schema import validate

SKIPPED = "__pycache__"


@dataclass(frozen=True)
class Download:
    """Files by their names below `root`, in order of name. `name` is the archive's and the folder's inside it."""

    name: str
    root: Path
    files: dict[str, Path]

    def read(self) -> dict[str, bytes]:
        """The bytes of each file."""
        return {name: path.read_bytes() for name, path in self.files.items()}

    @property
    def digest(self) -> str:
        """Changes with any name and any byte."""
        total = hashlib.sha256(self.name.encode())
        for name, data in self.read().items():
            total.update(f"\0{name}\0{len(data)}\0".encode() + data)
        return total.hexdigest()[:8]


def read_download(table: Table, page: Path, project: Path, line: int, mistakes: Mistakes) -> Download | None:
    """The files that a fence offers, or None after mistakes."""
    file = name_in(project, page)
    if not validate(table, "download", "this download", file, line, mistakes):
        return None
    root = Path(os.path.normpath(page.parent / table.get("root", ".")))
    if not root.is_dir():
        mend = "Paths start at the page."
        mistakes.add(file, line_of(table, ["root"], line), f"the folder {table['root']} does not exist", mend)
        return None
    before = len(mistakes.errors)
    found: dict[str, Path] = {}
    for index, pattern in enumerate(table["files"]):
        found.update(matching(root, pattern, file, line_of(table, ["files", index], line), mistakes))
    return Download(table["download"], root, dict(sorted(found.items()))) if len(mistakes.errors) == before else None


def matching(root: Path, pattern: str, file: str, line: int, mistakes: Mistakes) -> dict[str, Path]:
    """The files below the root that a pattern means; a pattern that leads out of it or means none is a mistake."""
    parts = PurePosixPath(pattern).parts
    if ".." in parts or PurePosixPath(pattern).is_absolute():
        mistakes.add(file, line, f"`{pattern}` leads out of the root", "Choose a `root` above all files.")
        return {}
    found = {path.relative_to(root).as_posix(): path for path in sorted(root.glob(pattern)) if offered(path, root)}
    if not found:
        known = list(names_beside(root, parts))
        mend = near(parts[-1] if parts else pattern, known, "Names and patterns start at the root.")
        mistakes.add(file, line, f"no file is called `{pattern}`", mend)
    return found


def offered(path: Path, root: Path) -> bool:
    """Whether a path is a file for readers: no cache of Python's, and nothing hidden."""
    parts = path.relative_to(root).parts
    return path.is_file() and not any(part == SKIPPED or part.startswith(".") for part in parts)


def names_beside(root: Path, parts: tuple[str, ...]) -> Iterator[str]:
    """The names in the folder that a pattern's last part was looked for in, where there is such a folder."""
    folder = root.joinpath(*parts[:-1])
    if folder.is_dir():
        yield from sorted(path.name for path in folder.iterdir() if offered(path, root))
