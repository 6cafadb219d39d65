"""Python as highlighted HTML, one piece for each line, with the classes that Material's palette colours."""

from __future__ import annotations

from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tracepane.lesson.source import Source


def highlight(source: Source) -> list[str]:
    """The inside of each line, every span closed where its line ends.

    The lexer gets the whole file, so that a line inside a long string is coloured as such; lines end at `\\n` alone.
    """
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    formatter: HtmlFormatter[str] = HtmlFormatter(nowrap=True)
    pieces: list[str] = []
    formatter.format(lexer.get_tokens(source.text), Sink(pieces))
    lines = "".join(pieces).split("\n")
    return lines[: len(source.lines)] + [""] * (len(source.lines) - len(lines))


class Sink:
    """Takes what the formatter writes."""

    def __init__(self, pieces: list[str]) -> None:
        """Appends to the list that it is given."""
        self.write = pieces.append
