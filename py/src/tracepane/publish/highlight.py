"""Python as highlighted HTML, one piece for each line, with the classes that Material's palette colours."""

from __future__ import annotations

import functools

from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tracepane.lesson.source import Source


def highlight(source: Source) -> tuple[str, ...]:
    """The inside of each line, every span closed where its line ends."""
    return lines_of(source.text, len(source.lines))


@functools.lru_cache(maxsize=64)  # one file is often shown by several panes, and by each in every language
def lines_of(text: str, count: int) -> tuple[str, ...]:
    """The lines of a text. The lexer gets all of it, so that a line inside a long string is coloured as such."""
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    formatter: HtmlFormatter[str] = HtmlFormatter(nowrap=True)
    pieces: list[str] = []
    formatter.format(lexer.get_tokens(text), Sink(pieces))
    lines = "".join(pieces).split("\n")
    return tuple(lines[:count] + [""] * (count - len(lines)))


class Sink:
    """Takes what the formatter writes."""

    def __init__(self, pieces: list[str]) -> None:
        """Appends to the list that it is given."""
        self.write = pieces.append
