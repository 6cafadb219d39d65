"""The program that is recorded, as whoever records it in its own process has it: all but its last source has run."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any


class Program:
    """A job's program, laid into a folder; `call` runs its last source, which is what is measured.

    `target` names the function that a recorder by decorator takes: `module:function`. `alone` says that the shown
    source is the whole program, so that everything which runs is to be recorded.
    """

    def __init__(self, job: dict[str, Any], target: str, folder: Path, *, alone: bool) -> None:
        """Lay the sources, and run all but the last, unrecorded."""
        self.alone, self.target = alone, target
        shown = next(source for source in job["sources"] if source.get("traced"))
        self.root = folder / "src"
        self.shown, self.text = self.root / shown["name"], str(shown["text"])
        self._ranges = shown["traced"]
        _lay(self.root, job["sources"])
        _lay(folder / "work", job["files"])
        sys.path.insert(0, str(self.root))
        os.chdir(folder / "work")
        self._space: dict[str, Any] = {"__name__": "__main__"}
        *before, last = [self._compile(name) for name in job["main"]]
        for code in before:
            exec(code, self._space)
        self._last = last

    def call(self) -> None:
        """Run the last source."""
        exec(self._last, self._space)

    def traces(self, code: CodeType) -> bool:
        """Whether a code belongs to what the job records."""
        if code.co_filename != str(self.shown):
            return False
        last = max(line for _, _, line in code.co_lines() if line)
        return any(first <= code.co_firstlineno and last <= end for first, end in self._ranges)

    def decorate(self, wrap: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
        """Put a decorated function in the target's place."""
        module, name = self.target.split(":")
        owner = importlib.import_module(module)
        setattr(owner, name, wrap(getattr(owner, name)))

    def replace(self, code: CodeType) -> None:
        """Run another code in the place of the target's module."""
        name = self.target.partition(":")[0]
        module = sys.modules[name] = self._space[name] = ModuleType(name)
        exec(code, module.__dict__)

    def value(self, name: str) -> Any:
        """A variable of the program's `__main__`."""
        return self._space[name]

    def _compile(self, name: str) -> CodeType:
        path = self.root / name
        return compile(path.read_bytes(), str(path), "exec")


def _lay(folder: Path, files: list[dict[str, Any]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        path = folder / file["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file["text"], "utf-8")
