"""The `tracepane` fence, an extension of Python-Markdown that needs nothing else (docs/authors/plain.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from tracepane.lesson.mistake import Mistakes
from tracepane.lesson.page import Fence, Shown, fences, show
from tracepane.lesson.project import project_of
from tracepane.publish.markup import tag
from tracepane.publish.publication import Publication, relative
from tracepane.publish.words import say


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
        md.preprocessors.register(FencePreprocessor(md, self), "tracepane", 29)


class FencePreprocessor(Preprocessor):
    """Takes the fences out of a page's lines and leaves what Python-Markdown replaces by their HTML."""

    def __init__(self, md: Markdown, extension: TracepaneExtension) -> None:
        """For one document."""
        super().__init__(md)
        self.stash, self.extension = md.htmlStash, extension

    def run(self, lines: list[str]) -> list[str]:
        """The page's lines with a placeholder for each fence."""
        result: list[str] = []
        ids: dict[str, int] = {}
        last = 0
        for fence in fences("\n".join(lines)):
            result += lines[last : fence.first - 1]
            result += ["", fence.indent + self.stash.store(self.html(fence, ids)), ""]
            last = fence.last
        return result + lines[last:]

    def html(self, fence: Fence, ids: dict[str, int]) -> str:
        """The pane of a fence; where it has a mistake, a sentence that says so."""
        it = self.extension
        shown = show(fence, it.path, it.project, it.before, it.mistakes)
        if shown is None:
            return tag("p", say(it.language, "wrong"), class_="tracepane-mistake", role="alert")
        it.shown.append(shown)
        return it.publication.show(shown, it.url, unique(shown.pane.id, ids), it.language)


def unique(id: str, ids: dict[str, int]) -> str:
    """An id that no other pane of the page has."""
    ids[id] = ids.get(id, 0) + 1
    candidate = id if ids[id] == 1 else f"{id}-{ids[id]}"
    return candidate if candidate == id or candidate not in ids else unique(candidate, ids)


def makeExtension(**options: Any) -> TracepaneExtension:
    """For `markdown.markdown(text, extensions=["tracepane"])`."""
    return TracepaneExtension(**options)
