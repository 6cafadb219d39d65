"""A pane: one shown source, its scenarios and its flow, read from an author's definition and validated."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracepane.lesson import document, schema
from tracepane.lesson.document import Table, line_of
from tracepane.lesson.flow import Node, read_flow
from tracepane.lesson.job import build_job
from tracepane.lesson.mistake import Mistakes, Wrong, near
from tracepane.lesson.module import imported, name_below
from tracepane.lesson.project import name_in
from tracepane.lesson.scenario import GENERATED, Scenario, read_scenarios
from tracepane.lesson.source import Range, Source, read_source, shown_range, stops, traced_codes
from tracepane.lesson.text import Text
from tracepane.record import job as record_job

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


@dataclass(frozen=True)
class Pane:
    """A validated pane. `file` and `line` say where it is defined; `lines` are those shown, first and last."""

    id: str
    name: str
    file: Path
    line: int
    title: Text | None
    note: Text | None
    show: str | None
    lines: Range
    setup: Source | None
    shown: Source
    support: tuple[Source, ...]
    call: Source | None
    scenarios: tuple[Scenario, ...]
    flow: tuple[Node, ...]

    def sources(self, scenario: Scenario) -> list[Source]:
        """The sources of a scenario's job, in order: scenario, setup, shown, support, call."""
        return [each for each in (scenario.source, self.setup, self.shown, *self.support, self.call) if each]

    def main(self, scenario: Scenario) -> list[Source]:
        """The sources that run, in order; without a call the shown one is itself the call."""
        return [each for each in (scenario.source, self.setup, self.call or self.shown) if each]

    def jobs(self) -> dict[str, dict[str, Any]]:
        """The job of each scenario, by the scenario's id."""
        return {
            each.id: build_job(self.name, self.sources(each), [source.name for source in self.main(each)], each)
            for each in self.scenarios
        }

    @functools.cached_property
    def stops(self) -> dict[int, int]:
        """For each shown line the line on which a breakpoint set there stops; lines that have none are absent."""
        return stops(self.shown, self.lines)

    @functools.cached_property
    def digests(self) -> dict[str, str]:
        """The digest of each scenario's job."""
        return {scenario: record_job.digest(job) for scenario, job in self.jobs().items()}

    def files(self) -> list[Path]:
        """Every file that the pane was made from."""
        sources = (self.setup, self.shown, *self.support, self.call)
        return [self.file, *dict.fromkeys(each.path for each in sources if each and each.path)]

    def texts(self) -> Iterator[tuple[str, Text]]:
        """Every text for readers, with its place in the definition."""
        yield from ((name, text) for name, text in (("title", self.title), ("note", self.note)) if text)
        yield from ((f"scenarios.{each.id}.label", each.label) for each in self.scenarios)
        yield from ((f"flow.{each.id}.text", each.text) for each in self.flow)


def read_pane(
    path: Path, id: str, project: Path, mistakes: Mistakes, named_at: tuple[str, int] | None = None
) -> Pane | None:
    """The pane `id` of a file of panes, or None after mistakes; `named_at` is who asks for it, file and line."""
    table = read_table(path, project, mistakes)
    if table is None:
        return None
    file = name_in(project, path)
    if id not in table or id.startswith("."):
        known = [name for name in table if not name.startswith(".")]
        mend = near(id, known, "Define it there.")
        mistakes.add(*(named_at or (file, 0)), f"there is no pane `{id}` in {file}", mend)
        return None
    return define(id, table[id], path, table.lines[id], project, mistakes)


def read_panes(path: Path, project: Path, mistakes: Mistakes) -> list[Pane]:
    """Every pane of a file; those with mistakes are left out and the mistakes noted."""
    table = read_table(path, project, mistakes)
    names = [name for name in table or () if not name.startswith(".")]
    file = name_in(project, path)
    for name in names:
        if not NAME.fullmatch(name):
            mend = "Use letters of a to z, digits, `-` and `_`, and begin with a letter."
            mistakes.add(file, line_of(table, [name]), f"`{name}` is no name for a pane", mend)
    panes = (define(name, table[name], path, table.lines[name], project, mistakes) for name in names if table)
    return [pane for pane in panes if pane]


def read_table(path: Path, project: Path, mistakes: Mistakes) -> Table | None:
    """A file of panes as YAML, or None after a mistake."""
    file = name_in(project, path)
    text = document.read_text(path, file, "file of panes", mistakes)
    if text is None:
        return None
    table = document.read_yaml(text, file, 0, mistakes)
    if isinstance(table, Table):
        return table
    if not any(error.file == file for error in mistakes.errors):
        mistakes.add(
            file,
            1,
            "a file of panes holds a name and a definition for each",
            "Begin with `my_pane:` and its `source:`.",
        )
    return None


def define(id: str, definition: Any, path: Path, line: int, project: Path, mistakes: Mistakes) -> Pane | None:
    """The pane of one definition, or None after mistakes."""
    file = name_in(project, path)
    known = len(mistakes.errors)
    if schema.validate(definition, "pane", f"the pane `{id}`", file, line, mistakes):
        pane = Definition(id, definition, path, line, project, mistakes).pane()
        if len(mistakes.errors) == known:
            return pane
    return None


class Definition:
    """A definition of the right form on its way to a pane: what its words mean is looked up and checked here."""

    def __init__(self, id: str, table: Table, path: Path, line: int, project: Path, mistakes: Mistakes) -> None:
        """Of a table that the schema has passed."""
        self.id, self.table, self.path, self.line, self.project = id, table, path, line, project
        self.mistakes, self.file, self.folder = mistakes, name_in(project, path), path.parent
        self.roots = self.import_roots()

    def pane(self) -> Pane | None:
        """The pane, or None where there is nothing to show."""
        scenarios = read_scenarios(self.table, self.folder, self.file, self.mistakes)
        setup, call = self.source("setup", "setup"), self.call()
        shown = self.source("source", "shown")
        lines = self.shown_lines(shown) if shown else None
        if shown is None or lines is None:
            return None
        shown = Source(shown.name, shown.role, shown.data, shown.path, (lines,))
        known = [each for each in (setup, shown, call) if each]
        support = self.support(known)
        self.check_names([*known, *support], scenarios)
        flow = read_flow(self.table.get("flow") or document.Row(0), shown, lines, self.file, self.mistakes)
        name = f"{self.file}#{self.id}"
        show = self.table.get("show")
        return Pane(
            self.id, name, self.path, self.line, self._text("title"), self._text("note"), show and str(show), lines,
            setup, shown, tuple(support), call, scenarios, flow,
        )  # fmt: skip

    def at(self, *path: str | int) -> int:
        """The line of a part of the definition."""
        return line_of(self.table, path, self.line)

    def import_roots(self) -> list[Path]:
        """The folders of `path`, the source's own when it is absent."""
        for index, each in enumerate(self.table.get("path", ())):
            if not (self.folder / each).is_dir():
                mend = f"Paths start at {self.file}; name a folder that holds the modules."
                self.mistakes.add(self.file, self.at("path", index), f"the import root {each} is no folder", mend)
        names = self.table.get("path") or [str(Path(self.table["source"]).parent)]
        return [self.place(each) for each in names]

    def place(self, name: str) -> Path:
        """A path of the definition, made absolute; links are left as they are named."""
        return Path(os.path.normpath(self.folder / name))

    def _text(self, key: str) -> Text | None:
        return Text.read(self.table[key], self.at(key)) if key in self.table else None

    def source(self, key: str, role: str, index: int | None = None) -> Source | None:
        """The source that a key names, compiled; None after a mistake or when the key is absent."""
        if key not in self.table:
            return None
        value = self.table[key] if index is None else self.table[key][index]
        path, line = self.place(value), self.at(key, *(() if index is None else (index,)))
        data = read_source(path, self.mistakes, self.file, line, key)
        if data is None:
            return None
        source = Source(name_below(path, self.roots), role, data, path)
        self.check_syntax(source)
        return source

    def call(self) -> Source | None:
        """The call; None where the shown file is itself the call."""
        same = "call" in self.table and self.place(self.table["call"]) == self.place(self.table["source"])
        return None if same else self.source("call", "call")

    def check_syntax(self, source: Source) -> None:
        """A source that does not compile is a mistake at its own line."""
        error = source.syntax["error"]
        if error and source.path:
            file = name_in(self.project, source.path)
            self.mistakes.add(file, error["line"], f"this does not compile: {error['message']}", "Correct it there.")

    def shown_lines(self, shown: Source) -> Range | None:
        """The lines to show, at least one of which must be traced."""
        if shown.syntax["error"]:
            return None
        show = self.table.get("show")
        try:
            lines = shown_range(shown, None if show is None else str(show))
        except Wrong as wrong:
            self.mistakes.add(self.file, self.at("show"), wrong.message, wrong.mend)
            return None
        if not traced_codes(shown, lines):
            mend = "Only code whose every line is shown is traced; show whole functions, or the whole file."
            self.mistakes.add(
                self.file, self.at("show"), f"nothing that lines {lines[0]} to {lines[1]} show is traced", mend
            )
        return lines

    def support(self, known: Sequence[Source]) -> list[Source]:
        """The files that the author names, then the modules that are imported."""
        count = len(self.table.get("support", ()))
        named = [source for index in range(count) if (source := self.source("support", "support", index))]
        named = [each for each in named if each.path not in [other.path for other in known]]
        found = imported([*known, *named], self.roots)
        for each in found:
            self.check_syntax(each)
        return [*named, *found]

    def check_names(self, sources: Sequence[Source], scenarios: Sequence[Scenario]) -> None:
        """Names of sources must differ, since each is written under its name."""
        seen: dict[str, Path | None] = {GENERATED: None} if any(each.set for each in scenarios) else {}
        for each in sources:
            if each.name in seen:
                other = seen[each.name]
                which = name_in(self.project, other) if other else "the generated source that binds what `set` gives"
                mend = "Rename it, or give import roots in `path` below which the two names differ."
                self.mistakes.add(self.file, self.line, f"two sources are named {each.name}; one is {which}", mend)
            seen[each.name] = each.path
