"""Modules that a job's sources import from its import roots, found from the syntax tree and carried along."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from tracepane.lesson.source import Source


def name_below(path: Path, roots: Iterable[Path]) -> str:
    """The name of a file in a job: its path below the first import root that holds it, else its own name."""
    for root in roots:
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.name


def imported(sources: Sequence[Source], roots: Sequence[Path]) -> list[Source]:
    """The modules that the sources import, directly or through others, as support; none of the sources themselves."""
    known = {each.name for each in sources}
    waiting, found = list(sources), []
    while waiting:
        for name, path in wanted(waiting.pop(0), roots):
            if name not in known:
                known.add(name)
                module = Source(name, "support", path.read_bytes(), path)
                found.append(module)
                waiting.append(module)
    return found


def wanted(source: Source, roots: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Name and path of each file that the imports of one source would run."""
    for module, level, names in source.syntax["imports"]:
        parts = absolute(module, level, source)
        if parts is not None:
            yield from modules(parts, roots)
            for name in names:
                yield from modules([*parts, name], roots)


def absolute(module: str, level: int, source: Source) -> list[str] | None:
    """The parts of a module's full name; None for a relative import that leaves the roots."""
    parts = [part for part in module.split(".") if part]
    if level == 0:
        return parts
    package = PurePosixPath(source.name).parent.parts
    if level - 1 > len(package):
        return None
    return [*package[: len(package) - level + 1], *parts]


def modules(parts: Sequence[str], roots: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """The files that importing a dotted name runs: each package's `__init__.py`, and the module itself."""
    for end in range(1, len(parts) + 1):
        stem = "/".join(parts[:end])
        candidates = (f"{stem}/__init__.py", f"{stem}.py")
        for name, root in ((name, root) for root in roots for name in candidates):
            if (root / name).is_file():
                yield name, root / name
                break
