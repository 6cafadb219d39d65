"""Whether two sides run the same job: equal documents, but for text inside the traced ranges."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Job = dict[str, Any]


class NotTheSameError(Exception):
    """The jobs differ where a comparison of traces would prove nothing; the text says where."""


@dataclass(frozen=True)
class Line:
    """A traced line that reads otherwise on the two sides."""

    file: str
    line: int
    native: str
    browser: str


def changed_lines(native: Job, browser: Job) -> Iterator[Line]:
    """The traced lines in which two jobs differ. Raises NotTheSameError where anything else does."""
    for key in sorted((native.keys() | browser.keys()) - {"probes", "sources"}):
        if native.get(key) != browser.get(key):
            raise NotTheSameError(
                f"`{key}` is {_brief(native.get(key))} natively, {_brief(browser.get(key))} in the browser"
            )
    names = [[source["name"] for source in job["sources"]] for job in (native, browser)]
    if names[0] != names[1]:
        alone = sorted(set(names[0]) ^ set(names[1]))
        raise NotTheSameError(
            f"one side alone has {', '.join(alone)}" if alone else "the sources stand in another order"
        )
    for left, right in zip(native["sources"], browser["sources"], strict=True):
        yield from _changed(left, right)


def _changed(left: dict[str, Any], right: dict[str, Any]) -> Iterator[Line]:
    name = left["name"]
    for key in sorted((left.keys() | right.keys()) - {"text", "base64"}):
        if left.get(key) != right.get(key):
            told = f"{_brief(left.get(key))} natively, {_brief(right.get(key))} in the browser"
            raise NotTheSameError(f"{name}: `{key}` is {told}")
    lines = [_lines(source) for source in (left, right)]
    if len(lines[0]) != len(lines[1]):
        raise NotTheSameError(f"{name} has {len(lines[0])} lines natively, {len(lines[1])} in the browser")
    for number, (a, b) in enumerate(zip(*lines, strict=True), 1):
        if a != b and not any(first <= number <= last for first, last in left.get("traced", [])):
            told = f"reads `{a.strip()}` natively, `{b.strip()}` in the browser"
            raise NotTheSameError(f"{name}:{number} is outside what is traced and {told}")
        if a != b:
            yield Line(name, number, a, b)


def _lines(source: dict[str, Any]) -> list[str]:
    """Lines as CPython counts them: a form feed or U+2028 ends none. Other encodings are read byte for byte."""
    text = source["text"] if "text" in source else base64.b64decode(source["base64"]).decode("latin-1")
    return str(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
