"""Mistakes of an author: each with its place and its mend, and all of them together."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class LessonError:
    """One mistake. `file` is relative to the project; `line` counts from 1, 0 is the file as a whole."""

    file: str
    line: int
    message: str
    mend: str

    def __str__(self) -> str:
        """`file:line: message. Mend`, on one line."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}. {self.mend}"


class LessonErrors(Exception):
    """All mistakes that were found, in `errors`, in order of file and line, each once."""

    def __init__(self, errors: Iterable[LessonError]) -> None:
        """Sorts them."""
        self.errors = tuple(sorted(set(errors)))
        super().__init__("\n".join(map(str, self.errors)))


class Wrong(Exception):
    """Something is wrong with a value; who knows where it stands in which file makes a LessonError of it."""

    def __init__(self, message: str, mend: str) -> None:
        """The same parts as a LessonError has, but for its place."""
        self.message, self.mend = message, mend
        super().__init__(message)


class Mistakes:
    """A list that grows while a file is read."""

    def __init__(self) -> None:
        """No mistakes yet."""
        self.errors: list[LessonError] = []

    def add(self, file: str, line: int, message: str, mend: str) -> None:
        """Note one mistake; `mend` is a sentence that says what to do."""
        self.errors.append(LessonError(file, line, message, mend))

    def stop(self) -> None:
        """Raise LessonErrors if there is any mistake."""
        if self.errors:
            raise LessonErrors(self.errors)


def near(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A sentence that offers the nearest of the known words, or all of them if there are few."""
    names = list(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    close += [name for name in difflib.get_close_matches(word, names, n=3, cutoff=0.8) if name not in close]
    if close:
        return f"Did you mean {' or '.join(f'`{name}`' for name in close)}?"
    if names and len(names) <= 20:
        return f"Known are: {', '.join(f'`{name}`' for name in names)}."
    return otherwise
