"""The standard library as the program sees it: under one path, without source and line numbers.

Where it lies differs from machine to machine, its lines are not the same in 3.14.2 and in 3.14.8, and a browser has no
source of them; where the program went does not depend on that.
"""

from __future__ import annotations

import _imp
import sys
from collections.abc import Iterable
from types import CodeType, ModuleType
from typing import Any

from tracepane.record.hidden import hidden
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

PREFIX = "/usr"
SHOWN = f"{PREFIX}/lib/python3.14/"
PATH = (f"{PREFIX}/lib/python314.zip", SHOWN[:-1], f"{SHOWN}lib-dynload")  # as sys.path shows it

_fix_file_name: Any = _imp._fix_co_filename  # type: ignore[attr-defined]  # known to importlib alone
# Where this interpreter's own modules lie.
_REAL = tuple(dict.fromkeys(entry for entry in (*sys.path, "/lib/python314.zip") if entry and "tracepane" not in entry))
_PLACES = tuple(sorted((f"{entry}/" for entry in _REAL), key=len, reverse=True))
_FROZEN = "<frozen "  # what lies in the interpreter itself, importlib above all


@hidden
def shown(path: str) -> str:
    """The path of a file as the program sees it."""
    for place in _PLACES:
        if path.startswith(place):
            return SHOWN + path[len(place) :].removesuffix("c" if path.endswith(".pyc") else "")
    return path


@hidden
def holds(path: str) -> bool:
    """Whether a file, by its real path or as it is shown, is the library's."""
    return path.startswith((SHOWN, *_PLACES, _FROZEN))


@hidden
def real(entries: Iterable[Any]) -> list[Any]:
    """Where to look for what a search path names: what it shows of the library stands for where it lies."""
    found: list[Any] = []
    for entry in entries:
        if entry == SHOWN[:-1]:
            found += _REAL
        elif type(entry) is str and entry.startswith(SHOWN):
            found += [place + entry[len(SHOWN) :] for place in _PLACES]
        elif entry not in PATH:
            found.append(entry)
    return found


@hidden
def code_of(loader: Any, name: str) -> CodeType | None:
    """The code of a module of the library, under the path that is shown; None if it is not written in Python."""
    code: CodeType | None = loader.get_code(name) if hasattr(loader, "get_code") else None
    if code is not None:
        _fix_file_name(code, shown(code.co_filename))
    return code


@hidden
def show(module: ModuleType) -> None:
    """Let a module of the library say of itself what is shown: where it lies, or that it is built in."""
    file: Any = module.__dict__.get("__file__")
    spec: Any = module.__dict__.get("__spec__")
    if type(file) is not str or not holds(file):
        return
    if file.endswith(".so"):
        del module.__file__
        spec.origin, spec.has_location = "built-in", False
        return
    module.__file__ = shown(file)
    module.__dict__.pop("__cached__", None)
    if spec is not None and spec.has_location:
        spec.origin, spec.cached = shown(file), None
    if "__path__" in module.__dict__:
        module.__path__ = spec.submodule_search_locations = [shown(file).rpartition("/")[0]]


def adjust_traceback(module: Any) -> None:
    """`traceback`, once it is loaded."""
    summary = module.FrameSummary
    initialise = summary.__init__

    def __init__(self: Any, filename: str, lineno: Any, name: str, *, line: Any = None, **rest: Any) -> None:
        if holds(filename):
            filename, line, lineno = shown(filename), "", "?"
        initialise(self, filename, lineno, name, line=line, **rest)

    summary.__init__ = hidden(__init__)


def adjust_linecache(module: Any) -> None:
    """`linecache`: of the library there is no source, wherever a Python lies."""
    update = module.updatecache

    def updatecache(filename: str, module_globals: Any = None) -> list[str]:
        lines: list[str] = [] if type(filename) is str and holds(filename) else update(filename, module_globals)
        return lines

    module.updatecache = hidden(updatecache)
