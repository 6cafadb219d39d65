"""Texts that are the same in every language, or one for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Text:
    """A text by language code. One that is given as a plain string stands under the empty code, for all languages."""

    by: Mapping[str, str]
    line: int = 0

    @classmethod
    def read(cls, value: Any, line: int) -> Text:
        """From a definition: a string, or a mapping of languages."""
        return cls({"": value} if isinstance(value, str) else dict(value), line)

    def get(self, language: str) -> str | None:
        """The text in a language (`zh` serves `zh-Hans`), or None if it is not translated."""
        return self.by.get(language) or self.by.get(language.split("-")[0]) or self.by.get("")

    def best(self, language: str) -> str:
        """The text in a language, else in English, else in whatever there is."""
        return self.get(language) or self.get("en") or next(iter(self.by.values()))

    def job(self, languages: Iterable[str] = ("en", "zh")) -> dict[str, str]:
        """One text for each language, as a file of jobs carries it."""
        if "" in self.by:
            return dict.fromkeys(languages, self.by[""])
        return dict(self.by)
