"""The words that the build writes into a page, one JSON file a language. What the element says is its own."""

from __future__ import annotations

import functools
import json
from importlib import resources


def say(language: str, key: str, **values: object) -> str:
    """A text in the page's language (`zh-Hans` is served by `zh`), in English where there is none."""
    return words(language)[key].format(**values)


@functools.cache
def words(language: str) -> dict[str, str]:
    """All texts in a language."""
    known = {each.name.removesuffix(".json"): each for each in resources.files(__name__).iterdir()}
    file = known.get(language) or known.get(language.split("-")[0]) or known["en"]
    loaded: dict[str, str] = json.loads(file.read_text("utf-8"))
    return loaded
