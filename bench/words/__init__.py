"""The tables' words in both languages, and the names of recorders, which are the same in both."""

import json
from pathlib import Path


def _read(name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((Path(__file__).parent / f"{name}.json").read_text("utf-8"))
    return found


WORDS = {language: _read(language) | _read("names") for language in ("en", "zh")}
