"""The project that a file belongs to; names of panes and places of mistakes are relative to it."""

from __future__ import annotations

import os
from pathlib import Path

MARKS = (("mkdocs.yml", "mkdocs.yaml", "zensical.toml"), ("pyproject.toml", ".git"))


def project_of(path: Path) -> Path:
    """The nearest folder above that builds a site; else the nearest that is a project; else the file's own."""
    folders = [folder for folder in path.absolute().parents if folder != Path(folder.anchor)]
    for marks in MARKS:
        for folder in folders:
            if any((folder / mark).exists() for mark in marks):
                return folder
    return path.absolute().parent


def name_in(project: Path, path: Path) -> str:
    """The path as it is named in messages and panes: relative to the project, with `/`."""
    return Path(os.path.relpath(path, project)).as_posix()
