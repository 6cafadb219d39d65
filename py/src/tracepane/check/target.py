"""What a command is pointed at: a program, a pane, a file of panes, a page, or the whole project."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracepane.check.verify import Row
from tracepane.lesson import find, program
from tracepane.lesson.pane import Pane
from tracepane.lesson.project import project_of

Job = dict[str, Any]


class TargetError(Exception):
    """A target, a scenario or a site is not there; the text says what is."""


@dataclass(frozen=True)
class Target:
    """A name, and a job for each scenario; a program has one, whose name is empty."""

    name: str
    jobs: dict[str, Job]

    def job(self, scenario: str | None) -> Job:
        """The job of a scenario; it may be left out where there is only one."""
        known = ", ".join(self.jobs)
        if scenario is None and len(self.jobs) == 1:
            return next(iter(self.jobs.values()))
        if scenario is None:
            raise TargetError(f"{self.name} has several scenarios; choose one with --scenario: {known}")
        if scenario not in self.jobs:
            told = f"its scenarios are: {known}" if known else "a program has none"
            raise TargetError(f"{self.name} has no scenario `{scenario}`; {told}")
        return self.jobs[scenario]


def resolve(name: str, stdin: str = "", closed: bool = True) -> list[Target]:
    """The targets that a name on the command line stands for. Raises LessonErrors and TargetError.

    `FILE#ID` is one pane; a `.yml`, `.yaml` or `.md` file or a folder all its panes; any other file a program.
    """
    path = Path(name)
    if "#" in name and not path.exists():
        return [of_pane(find.pane(name))]
    if path.is_dir() or path.suffix in {".yml", ".yaml", ".md"}:
        if not path.exists():
            raise TargetError(f"{name} does not exist")
        found = [of_pane(pane) for pane in find.panes(path)]
        if not found:
            raise TargetError(f"there is no pane in {name}; name a program or FILE#ID")
        return found
    return [Target(name, {"": program.job(path, stdin=stdin, closed=closed)})]


def single(name: str, stdin: str = "", closed: bool = True) -> Target:
    """The one program or pane that a name stands for. Raises LessonErrors and TargetError."""
    found = resolve(name, stdin, closed)
    if len(found) != 1:
        known = ", ".join(target.name for target in found) or "none"
        raise TargetError(f"{name} is no single target; name one pane as FILE#ID. Its panes: {known}")
    return found[0]


def docs(folder: Path) -> Path:
    """The folder of pages in the project that a folder lies in."""
    project = project_of(folder / "-")
    return project / "docs" if (project / "docs").is_dir() else project


def of_pane(pane: Pane) -> Target:
    """A pane with its scenarios."""
    return Target(pane.name, pane.jobs())


def everything(folder: Path) -> list[Target]:
    """All panes of the project that a folder lies in. Raises LessonErrors and TargetError."""
    pages = docs(folder)
    found = [of_pane(pane) for pane in find.panes(pages)]
    if not found:
        raise TargetError(f"there is no pane below {pages}; name a program or FILE#ID")
    return found


def rows(targets: Sequence[Target], site: Path | None = None) -> list[Row]:
    """A row for each target and scenario. With a built `site`, the browser's jobs are those that it ships.

    Raises TargetError when the folder is no built site.
    """
    if site is None:
        return [Row(target.name, scenario, job, job) for target in targets for scenario, job in target.jobs.items()]
    shipped = dict(site_jobs(site))
    cut = {(target.name, scenario): job for target in targets for scenario, job in target.jobs.items()}
    names = {target.name for target in targets}
    keys = [*cut, *(key for key in shipped if key not in cut and key[0] in names)]
    return [_row(key, cut.get(key), shipped.get(key), site) for key in keys]


def _row(key: tuple[str, str], native: Job | None, browser: Job | None, site: Path) -> Row:
    problem = ""
    if browser is None:
        problem = f"the jobs are not the same: the site in {site} has no such pane or scenario; build it again"
    elif native is None:
        problem = f"the jobs are not the same: only the site in {site} has this scenario; build it again"
    return Row(*key, native, browser, problem)


def site_jobs(site: Path) -> Iterator[tuple[tuple[str, str], Job]]:
    """Every job that a built site ships, under its pane's name and scenario."""
    files = sorted(site.glob("**/assets/tracepane/jobs/*.json"))
    if not files:
        raise TargetError(
            f"{site} is no built site with panes: nothing lies in assets/tracepane/jobs; run `make build`"
        )
    for file in files:
        document = json.loads(file.read_text(encoding="utf-8"))
        for scenario in document["scenarios"]:
            yield (document["pane"], scenario["id"]), scenario["job"]
