"""Every mistake in a project's lessons that needs no run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tracepane.lesson import page
from tracepane.lesson.find import files
from tracepane.lesson.mistake import LessonError, Mistakes, near
from tracepane.lesson.module import absolute
from tracepane.lesson.page import Shown
from tracepane.lesson.pane import Pane, read_panes
from tracepane.lesson.project import name_in, project_of

SUFFIX = re.compile(r"\.([a-z]{2,3}(-[A-Za-z0-9]+)*)\.md$")


def check(targets: Iterable[Path | str]) -> list[LessonError]:
    """All mistakes of pages, files of panes, or all of these below a folder; in order, each once."""
    mistakes = Mistakes()
    for target in targets:
        root = Path(target).absolute()
        if not root.exists():
            mistakes.add(
                str(target), 0, "there is no such page or folder", "Name a page, a file of panes, or a folder."
            )
        for path in files(root) if root.exists() else ():
            check_file(path, mistakes)
    return sorted(set(mistakes.errors))


def check_file(path: Path, mistakes: Mistakes) -> None:
    """All mistakes of one page, or of one file of panes."""
    project = project_of(path)
    if path.suffix != ".md":
        for pane in read_panes(path, project, mistakes):
            check_pane(pane, project, mistakes)
        return
    for shown in page.read_page(path, project, mistakes):
        check_shown(shown, language_of(path), project, mistakes)


def language_of(path: Path) -> str | None:
    """The language that a page's name gives, as in `page.zh.md`."""
    found = SUFFIX.search(path.name)
    return found[1] if found else None


def check_shown(shown: Shown, language: str | None, project: Path, mistakes: Mistakes) -> None:
    """A pane as a page shows it: its texts must be there in the page's language."""
    check_pane(shown.pane, project, mistakes, [language] if language else [])


def check_pane(pane: Pane, project: Path, mistakes: Mistakes, languages: Iterable[str] = ()) -> None:
    """What a pane's parts say of each other: texts in all languages, names set and read, a file that is run."""
    file = name_in(project, pane.file)
    check_texts(pane, file, mistakes, languages)
    check_set(pane, project, mistakes)
    check_run(pane, file, mistakes)


def check_texts(pane: Pane, file: str, mistakes: Mistakes, languages: Iterable[str]) -> None:
    """A text that is given by language must be given in all languages that are used: by the pane, and by the page."""
    used = {language for _, text in pane.texts() for language in text.by if language} | set(languages)
    for name, text in pane.texts():
        missing = [language for language in sorted(used) if text.get(language) is None]
        if missing:
            given = ", ".join(sorted(text.by))
            mend = f"Add `{missing[0]}:` beside {given}, or one text for all languages."
            message = f"`{name}` of the pane `{pane.id}` is not translated: no text for {' and '.join(missing)}"
            mistakes.add(file, text.line or pane.line, message, mend)


def check_set(pane: Pane, project: Path, mistakes: Mistakes) -> None:
    """Setup must not assign what a scenario sets, and something must read it."""
    mains = [each for each in (pane.setup, pane.call or pane.shown) if each]
    read = {name for each in mains for name in each.syntax["names"]}
    for scenario in pane.scenarios:
        for name in scenario.set:
            assigned = pane.setup.syntax["assigned"] if pane.setup else {}
            if pane.setup and pane.setup.path and name in assigned:
                message = f"setup assigns `{name}`, which the scenario `{scenario.id}` of `{pane.id}` sets"
                setup = name_in(project, pane.setup.path)
                mistakes.add(setup, assigned[name], message, "Give one of the two another name.")
            elif name not in read:
                mend = near(name, sorted(read), "Use it in setup or in the call, or do not set it.")
                file = name_in(project, pane.file)
                mistakes.add(file, scenario.line, f"nothing that runs reads `{name}`, which `{scenario.id}` sets", mend)


def check_run(pane: Pane, file: str, mistakes: Mistakes) -> None:
    """The shown file must be the call, or be imported by what runs."""
    if pane.call is None:
        return
    wanted = pane.shown.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    for each in (pane.setup, pane.call, *pane.support):
        for name, level, names in each.syntax["imports"] if each else ():
            parts = absolute(name, level, each) if each else None
            full = ".".join(parts or ())
            if wanted == full or full.startswith(f"{wanted}.") or wanted in [f"{full}.{last}" for last in names]:
                return
        if each and {"runpy", "importlib", "exec", "__import__"} & reached(each.syntax):
            return
    mend = f"Import it there, as in `from {wanted} import …`; names start at the import roots in `path`."
    mistakes.add(
        file, pane.line, f"neither setup nor call of `{pane.id}` imports the shown file {pane.shown.name}", mend
    )


def reached(syntax: dict[str, Any]) -> set[str]:
    """Names and modules that a source mentions."""
    return set(syntax["names"]) | {each[0] for each in syntax["imports"]}
