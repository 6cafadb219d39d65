"""Scenarios: named inputs of a pane."""

from __future__ import annotations

import keyword
import math
import pprint
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from tracepane.lesson.document import Table, line_of
from tracepane.lesson.mistake import Mistakes
from tracepane.lesson.source import Source, content, read_source
from tracepane.lesson.text import Text

GENERATED = "scenario.py"
LIMITS = {"steps": 1_000_000, "bytes": 67_108_864, "seconds": 30}
ONLY = Text({"en": "Example", "zh": "示例"})


@dataclass(frozen=True)
class Scenario:
    """One named input; `files` are pairs of a name below the working directory and its bytes."""

    id: str
    label: Text
    set: Mapping[str, Any] = field(default_factory=dict)
    stdin: Mapping[str, Any] = field(default_factory=lambda: {"text": "", "closed": True})
    files: tuple[tuple[str, bytes], ...] = ()
    argv: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=lambda: LIMITS)
    line: int = 0

    @property
    def source(self) -> Source | None:
        """The generated source that binds the names; None if it sets none."""
        if not self.set:
            return None
        text = "".join(f"{name} = {literal(value)}\n" for name, value in self.set.items())
        return Source(GENERATED, "scenario", text.encode("utf-8", "surrogatepass"))

    def job(self) -> dict[str, Any]:
        """The parts of a job that are the scenario's own."""
        return {
            "scenario": self.id,
            "argv": list(self.argv),
            "env": dict(self.env),
            "stdin": dict(self.stdin),
            "files": [{"name": name, **content(data)} for name, data in self.files],
            "limits": dict(self.limits),
        }


def literal(value: Any) -> str:
    """A JSON-like value as a Python literal, wrapped when it is long."""
    short = repr(plain(value))
    return short if len(short) <= 88 else pprint.pformat(plain(value), width=88, sort_dicts=False)


def plain(value: Any) -> Any:
    """The value without the types that know lines; their `repr` is the same, but pprint asks for the exact type."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def read_scenarios(definition: Table, folder: Path, file: str, mistakes: Mistakes) -> tuple[Scenario, ...]:
    """The scenarios of a definition that the schema has passed; one without a name if it gives none."""
    if "scenarios" not in definition:
        return (read_scenario("example", definition, Table(definition.line), ONLY, folder, file, mistakes),)
    found = []
    for name, item in definition["scenarios"].items():
        label = Text.read(item["label"], line_of(item, ["label"]))
        found.append(read_scenario(name, definition, item, label, folder, file, mistakes))
    return tuple(found)


def read_scenario(
    name: str, definition: Table, item: Table, label: Text, folder: Path, file: str, mistakes: Mistakes
) -> Scenario:
    """One scenario; what it does not give itself is the pane's."""
    check_names(item, file, mistakes)
    files = {**read_files(definition, folder, file, mistakes), **read_files(item, folder, file, mistakes)}
    return Scenario(
        id=name,
        label=label,
        set=item.get("set", {}),
        stdin=stdin(item.get("stdin", definition.get("stdin", ""))),
        files=tuple(files.items()),
        argv=tuple(item.get("argv", definition.get("argv", ()))),
        env={**definition.get("env", {}), **item.get("env", {})},
        limits={**LIMITS, **definition.get("limits", {}), **item.get("limits", {})},
        line=item.line,
    )


def stdin(value: Any) -> dict[str, Any]:
    """Standard input as a job carries it."""
    if isinstance(value, str):
        return {"text": value, "closed": True}
    return {"text": value.get("text", ""), "closed": value.get("closed", True)}


def check_names(item: Table, file: str, mistakes: Mistakes) -> None:
    """Names that `set` binds must be Python's, and their values writable as literals."""
    for name, value in item.get("set", {}).items():
        line = line_of(item, ["set", name])
        problem = wrong_name(name)
        if problem:
            mistakes.add(file, line, f"`set` cannot bind `{name}`: it is {problem}", "Choose another name.")
        odd = odd_value(value)
        if odd:
            mistakes.add(
                file,
                line,
                f"`set` cannot give `{name}` {odd}",
                "Use null, true, false, numbers, texts, lists and mappings; quote what is meant as a text.",
            )


def wrong_name(name: str) -> str:
    """Why a name cannot be bound, or nothing."""
    if not name.isidentifier():
        return "no Python name"
    if keyword.iskeyword(name) or name == "__debug__":
        return "a word of the Python language"
    if name.startswith("__"):
        return "reserved: names that start with `__` are the interpreter's"
    if unicodedata.normalize("NFKC", name) != name:
        return f"not as Python stores it, `{unicodedata.normalize('NFKC', name)}`"
    return ""


def odd_value(value: Any) -> str:
    """What in the value has no literal, or nothing."""
    if isinstance(value, dict):
        return next(filter(None, map(odd_value, value.values())), "")
    if isinstance(value, list):
        return next(filter(None, map(odd_value, value)), "")
    if isinstance(value, float) and not math.isfinite(value):
        return f"the number {value}"
    if value is None or isinstance(value, bool | int | float | str):
        return ""
    return f"a value of type {type(value).__name__} (`{value}`)"


def read_files(item: Table, folder: Path, file: str, mistakes: Mistakes) -> dict[str, bytes]:
    """The files of the working directory, by name."""
    found: dict[str, bytes] = {}
    for name, value in item.get("files", {}).items():
        line = line_of(item, ["files", name])
        path = PurePosixPath(name)
        if (
            path.is_absolute()
            or ".." in path.parts
            or "\\" in name
            or "\0" in name
            or path.as_posix() != name
            or name == "."
        ):
            mistakes.add(
                file,
                line,
                f"`files` cannot make `{name}`",
                "Name a file below the working directory, as in `data/in.txt`.",
            )
        elif isinstance(value, str):
            found[name] = value.encode("utf-8", "surrogatepass")
        else:
            data = read_source(folder / value["copy"], mistakes, file, line, f"files.{name}")
            found.update({name: data} if data is not None else {})
    return found
