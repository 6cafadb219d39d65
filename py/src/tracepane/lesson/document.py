"""YAML whose parts know the line they came from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

from tracepane.lesson.mistake import Mistakes


class Table(dict[str, Any]):
    """A mapping; `line` is its first line, `lines` the line of each key."""

    def __init__(self, line: int) -> None:
        """An empty one that begins at this line."""
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}


class Row(list[Any]):
    """A sequence; `line` is its first line, `lines` the line of each item."""

    def __init__(self, line: int) -> None:
        """An empty one that begins at this line."""
        super().__init__()
        self.line = line
        self.lines: list[int] = []


def line_of(value: Any, path: Sequence[str | int], otherwise: int = 0) -> int:
    """The line of the part that the path leads to, or of the nearest part above it."""
    line = otherwise or getattr(value, "line", 0)
    for key in path:
        known = isinstance(value, Table) and key in value
        if not known and not (isinstance(value, Row) and isinstance(key, int)):
            break
        line = value.lines[key]
        value = value[key]
    return int(line)


def read_text(path: Path, file: str, what: str, mistakes: Mistakes) -> str | None:
    """The text of a page or file of panes, named `file` in messages; None after a mistake."""
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        mistakes.add(file, 0, f"this {what} does not exist", "Paths start at the file that names them.")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        message = f"this {what} is not UTF-8 (byte 0x{error.object[error.start]:02x})"
        mistakes.add(file, line, message, "Save it as UTF-8.")
    except OSError as error:
        mistakes.add(file, 0, f"this {what} cannot be read: {error.strerror}", "Name a file.")
    return None


def read_yaml(text: str, file: str, before: int, mistakes: Mistakes) -> Any:
    """The document as Table, Row and plain values; None after a mistake. `before` lines precede the text."""
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = before + (mark.line + 1 if mark else 0)
        message = f"this is no YAML: {' '.join(filter(None, [error.context, error.problem]))}"
        mistakes.add(
            file, line, message, "Check indentation, quotes and colons there; quote a text that holds `: ` or ` #`."
        )
        return None
    except yaml.reader.ReaderError as error:
        line = before + text.count("\n", 0, error.position) + 1
        message = f"this is no YAML: the character U+{error.character:04X} may not stand in it"
        mistakes.add(file, line, message, "Remove it, or write it as an escape in double quotes.")
        return None
    return None if node is None else Reader(loader, file, before, mistakes).read(node)


class Reader:
    """Turns nodes into values. Keys must be text and stand once; an alias gives the very value it names."""

    def __init__(self, loader: yaml.SafeLoader, file: str, before: int, mistakes: Mistakes) -> None:
        """For the nodes of one loader."""
        self.loader, self.file, self.before, self.mistakes = loader, file, before, mistakes
        self.known: dict[yaml.Node, Any] = {}
        self.open: set[yaml.Node] = set()

    def read(self, node: yaml.Node) -> Any:
        """The value of a node."""
        if node in self.open:
            message, mend = "this value contains itself", "Write it out; an alias must name something that is complete."
            self.mistakes.add(self.file, self._line(node), message, mend)
            return None
        if node not in self.known:
            self.open.add(node)
            self.known[node] = self._value(node)
            self.open.remove(node)
        return self.known[node]

    def _value(self, node: yaml.Node) -> Any:
        if isinstance(node, yaml.MappingNode):
            return self._table(node)
        return self._row(node) if isinstance(node, yaml.SequenceNode) else self._scalar(node)

    def _line(self, node: yaml.Node) -> int:
        return self.before + node.start_mark.line + 1

    def _scalar(self, node: yaml.Node) -> Any:
        try:
            return SafeConstructor.construct_object(self.loader, node)
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            problem = getattr(error, "problem", None) or str(error)
            self.mistakes.add(self.file, self._line(node), f"this value cannot be read: {problem}", "Put it in quotes.")
            return ""

    def _row(self, node: yaml.SequenceNode) -> Row:
        row = Row(self._line(node))
        for each in node.value:
            row.lines.append(self._line(each))
            row.append(self.read(each))
        return row

    def _table(self, node: yaml.MappingNode) -> Table:
        table = Table(self._line(node))
        self._refuse_twins(node)
        for key, value in self._merged(node):
            name = self._key(key)
            table.pop(name, None)
            table.lines[name] = self._line(key)
            table[name] = self.read(value)
        return table

    def _merged(self, node: yaml.MappingNode) -> list[tuple[yaml.Node, yaml.Node]]:
        """The pairs of a mapping with those that `<<: *alias` brings."""
        try:
            self.loader.flatten_mapping(node)
        except yaml.MarkedYAMLError as error:
            message, mend = f"`<<` cannot be merged: {error.problem}", "Name an alias of a mapping."
            self.mistakes.add(self.file, self._line(node), message, mend)
            return []
        return list(node.value)

    def _refuse_twins(self, node: yaml.MappingNode) -> None:
        seen: dict[str, int] = {}
        for key, _ in node.value:
            name = self._key(key)
            if name in seen and name != "<<":
                mend = f"It stands at line {seen[name]} too, and only one of them would count; rename or remove one."
                self.mistakes.add(self.file, self._line(key), f"`{name}` is given twice", mend)
            seen[name] = self._line(key)

    def _key(self, node: yaml.Node) -> str:
        # YAML 1.1 reads `on`, `no` and `1` as other types; a key is always meant as the text that stands there.
        return node.value if isinstance(node, yaml.ScalarNode) else "?"
