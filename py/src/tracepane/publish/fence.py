"""The `tracepane` fence, an extension of Python-Markdown that needs nothing else (docs/authors/plain.md)."""

from __future__ import annotations

from itertools import chain, count
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from tracepane.lesson.download import Download
from tracepane.lesson.mistake import Mistakes
from tracepane.lesson.page import Fence, Shown, fences, show
from tracepane.lesson.project import project_of
from tracepane.publish.markup import tag
from tracepane.publish.publication import Publication, relative
from tracepane.publish.words import say

STAND_IN = "tracepane-id"


class TracepaneExtension(Extension):
    """Renders the fences of one page at a time; `open` says which. Mistakes gather in `mistakes`."""

    def __init__(
        self,
        publication: Publication | None = None,
        *,
        path: Path | None = None,
        url: str = "index.html",
        language: str = "en",
        project: Path | None = None,
        **options: Any,
    ) -> None:
        """For the page at `path`, which will be at `url` below the site."""
        super().__init__(**options)
        self.publication = publication or Publication()
        self.mistakes = Mistakes()
        self.open(path or Path.cwd() / "page.md", url, language, project=project)

    def open(self, path: Path, url: str, language: str, *, before: int = 0, project: Path | None = None) -> None:
        """Begin a page; `before` of its lines (front matter) precede the text that will be rendered."""
        self.path, self.url, self.language, self.before = path.absolute(), url, language, before
        self.project = project or project_of(self.path)
        self.shown: list[Shown] = []

    def head(self) -> str:
        """What the page's head needs: the style sheet and the script, as seen from the page."""
        style = relative(self.publication.style, self.url)
        script = relative(self.publication.script, self.url)
        return f'<link rel="stylesheet" href="{style}"><script type="module" src="{script}"></script>'

    def extendMarkdown(self, md: Markdown) -> None:
        """Come before any other extension that knows fences, after line ends are made alike."""
        md.block_level_elements.append("trace-pane")
        fences = FencePreprocessor(md, self)
        md.preprocessors.register(fences, "tracepane", 29)
        # Around `toc`, which is at 5.
        md.treeprocessors.register(IdKeeper(fences), "tracepane-keep", 6)
        md.treeprocessors.register(IdRelease(), "tracepane-release", 4)


class FencePreprocessor(Preprocessor):
    """Takes the fences out of a page's lines and leaves what Python-Markdown replaces by their HTML."""

    def __init__(self, md: Markdown, extension: TracepaneExtension) -> None:
        """For one document."""
        super().__init__(md)
        self.stash, self.extension = md.htmlStash, extension
        self.ids: set[str] = set()
        self.defined: dict[str, int] = {}

    def run(self, lines: list[str]) -> list[str]:
        """The page's lines with a placeholder for each fence."""
        result: list[str] = []
        self.ids.clear()
        self.defined.clear()
        last = 0
        for fence in fences("\n".join(lines)):
            result += lines[last : fence.first - 1]
            result += ["", fence.indent + self.stash.store(self.html(fence)), ""]
            last = fence.last
        return result + lines[last:]

    def html(self, fence: Fence) -> str:
        """The pane of a fence, or the files that it offers; where it has a mistake, a sentence that says so."""
        it = self.extension
        shown = show(fence, it.path, it.project, it.before, it.mistakes, self.defined)
        if shown is None:
            return tag("p", say(it.language, "wrong"), class_="tracepane-mistake", role="alert")
        if isinstance(shown, Download):
            return it.publication.offer(shown, it.url, it.language)
        it.shown.append(shown)
        return it.publication.show(shown, it.url, unique(shown.pane.id, self.ids), it.language)


class IdKeeper(Treeprocessor):
    """Shows the panes' ids to the table of contents, so that no heading gets one of them too."""

    def __init__(self, fences: FencePreprocessor) -> None:
        """For the panes that were found on the page."""
        super().__init__()
        self.fences = fences

    def run(self, root: Element) -> None:
        """Stand-ins at the end of the page."""
        for id in sorted(self.fences.ids):
            SubElement(root, STAND_IN, id=id)


class IdRelease(Treeprocessor):
    """Takes the stand-ins away again."""

    def run(self, root: Element) -> None:
        """All of them, and nothing else."""
        for element in root.findall(STAND_IN):
            root.remove(element)


def unique(id: str, ids: set[str]) -> str:
    """An id that no other pane of the page has; it is added to theirs."""
    numbered = (f"{id}-{number}" for number in count(2))
    found = next(each for each in chain([id], numbered) if each not in ids)
    ids.add(found)
    return found


def makeExtension(**options: Any) -> TracepaneExtension:
    """For `markdown.markdown(text, extensions=["tracepane"])`."""
    return TracepaneExtension(**options)
