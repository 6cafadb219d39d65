"""The statement that stands on a line, for those who ask what the line did."""

from __future__ import annotations

import ast


def statement(source: str, line: int) -> str:
    """The text of the smallest statement on a line, of a compound one only its head; "" beyond the source.

    Where the source does not parse with this Python (a newer syntax), the line alone.
    """
    lines = source.split("\n")
    if not 1 <= line <= len(lines):
        return ""
    first, last = _span(source, line)
    return "\n".join(lines[first - 1 : last])


def _span(source: str, line: int) -> tuple[int, int]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return line, line
    spans = [_head(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    around = [(first, last) for first, last in spans if first <= line <= last]
    return min(around, key=lambda span: span[1] - span[0], default=(line, line))


def _head(node: ast.stmt) -> tuple[int, int]:
    """First and last line of a statement without its body."""
    body = getattr(node, "body", None)
    last = node.end_lineno or node.lineno
    if isinstance(body, list) and body:
        last = max(node.lineno, body[0].lineno - 1)
    return node.lineno, last
