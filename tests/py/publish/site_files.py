"""The one helper of the publishing tests: an author's files in, a built site out, its pages as trees."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
CORE = '"""Text."""\ndef twice(n):\n    text = "<&>"\n    return n + n\n'
PANE = """p:
  source: core.py
  show: twice
  setup: set.py
  call: call.py
  note: {en: "Real & true.", zh: 真实的。}
  scenarios:
    one: {label: {en: One, zh: 一}, set: {n: 1}}
    two: {label: {en: "<Two>", zh: 二}, set: {n: 2}}
  flow:
    - {id: a, text: {en: Take, zh: 取}, at: "text =", to: [b]}
    - {id: b, text: {en: Give, zh: 给}, at: return}
"""
FENCE = "```tracepane\npane: panes.yml#p\n```\n"
FILES = {
    "mkdocs.yml": "site_name: T\nplugins: [tracepane]\nsite_dir: www\ntheme: {name: material, font: false}\n",
    "docs/index.md": f"# Title\n\n{FENCE}",
    "docs/panes.yml": PANE,
    "docs/core.py": CORE,
    "docs/set.py": "import math\n",
    "docs/call.py": "from core import twice\nprint(twice(n))\n",
}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files below a folder, over a site that is right without them."""
    for name, content in {**FILES, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def publish(folder: Path, files: Mapping[str, str] | None = None) -> Path:
    """Build such a site and return its folder."""
    write(folder, files or {})
    build(load_config(str(folder / "mkdocs.yml")))
    return folder / "www"


def refused(folder: Path, files: Mapping[str, str]) -> list[str]:
    """What a build that must fail says, line by line."""
    with said() as text:
        try:
            publish(folder, files)
        except Abort:
            return text.getvalue().splitlines()
    raise AssertionError("the build did not fail")


@contextmanager
def said() -> Iterator[io.StringIO]:
    """What MkDocs logs as an error."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setLevel(logging.ERROR)
    logger = logging.getLogger("mkdocs")
    logger.addHandler(handler)
    try:
        yield text
    finally:
        logger.removeHandler(handler)


def tree(text: str) -> Element:
    """A page as a tree."""
    parser = Tree()
    parser.feed(text)
    return parser.close_tree()


def page(path: Path) -> Element:
    """A file as a tree."""
    return tree(path.read_text("utf-8"))


def text_of(element: Element) -> str:
    """All text in an element."""
    return "".join(element.itertext())


class Tree(HTMLParser):
    """Builds a tree; an end tag that fits nothing is a failure."""

    def __init__(self) -> None:
        """Everything stands below one element."""
        super().__init__()
        self.builder = TreeBuilder()
        self.builder.start("root", {})
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.builder.start(tag, {name: value or "" for name, value in attrs})
        if tag in VOID:
            self.builder.end(tag)
        else:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that has nothing inside, as in SVG."""
        self.builder.start(tag, {name: value or "" for name, value in attrs})
        self.builder.end(tag)

    def handle_endtag(self, tag: str) -> None:
        """The innermost open element of that name ends; HTML lets some end by themselves."""
        assert tag in self.open, f"</{tag}> ends nothing"
        while (inner := self.open.pop()) != tag:
            assert inner in ("li", "p", "dd", "dt"), f"<{inner}> never ends"
            self.builder.end(inner)
        self.builder.end(tag)

    def handle_data(self, data: str) -> None:
        """Text."""
        self.builder.data(data)

    def close_tree(self) -> Element:
        """The whole."""
        self.close()
        self.builder.end("root")
        return self.builder.close()
