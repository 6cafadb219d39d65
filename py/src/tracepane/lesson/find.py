"""All panes of a project: those of its files of panes, and those that its pages define."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import yaml

from tracepane.lesson import page
from tracepane.lesson.mistake import Mistakes
from tracepane.lesson.pane import Pane, read_pane, read_panes
from tracepane.lesson.project import project_of

SKIPPED = {"node_modules", "build", "dist", "site-packages", "__pycache__"}


def panes(root: Path | str) -> list[Pane]:
    """Every pane below a folder, or of one page or file of panes, each once. Raises LessonErrors with all mistakes."""
    mistakes = Mistakes()
    found = read_all(Path(root).absolute(), mistakes)
    mistakes.stop()
    return found


def pane(name: str) -> Pane:
    """The pane that tools name `FILE#ID`. Raises LessonErrors."""
    file, _, id = name.rpartition("#")
    return load(Path(file), id)


def load(path: Path | str, id: str, *, project: Path | None = None) -> Pane:
    """The pane `id` of a file of panes, or of a page that defines it in a fence. Raises LessonErrors."""
    path = Path(path).absolute()
    if path.suffix == ".md":
        return page.load(path, id, project=project)
    mistakes = Mistakes()
    pane = read_pane(path, id, project or project_of(path), mistakes)
    mistakes.stop()
    assert pane is not None
    return pane


def read_all(root: Path, mistakes: Mistakes) -> list[Pane]:
    """Every pane below a folder, or of one file; mistakes are noted."""
    found: dict[str, Pane] = {}
    for path in files(root):
        project = project_of(path)
        if path.suffix == ".md":
            read = [each.pane for each in page.read_page(path, project, mistakes)]
        else:
            read = read_panes(path, project, mistakes)
        found.update((each.name, each) for each in read)
    return list(found.values())


def files(root: Path) -> Iterator[Path]:
    """The pages and files of panes below a folder, in order; the file itself if it is one."""
    if root.is_file():
        yield root
        return
    for folder, names, leaves in os.walk(root):
        names[:] = sorted(name for name in names if name not in SKIPPED and not name.startswith("."))
        for leaf in sorted(leaves):
            path = Path(folder, leaf)
            if path.suffix == ".md" or (path.suffix in (".yml", ".yaml") and holds_panes(path)):
                yield path


def holds_panes(path: Path) -> bool:
    """Whether a YAML file is one of panes: it is called so, or its first entry has a source."""
    if path.stem == "panes" or path.stem.endswith(".panes"):
        return True
    try:
        value = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return False
    first = next(iter(value.values()), None) if isinstance(value, dict) and value else None
    return (
        isinstance(first, dict) and "source" in first and ("scenarios" in first or "show" in first or "call" in first)
    )
