"""The pages stand in both languages, piece for piece."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
# What lies below examples/ is read by programs, not by readers of the site.
PAGES = sorted(
    path
    for path in DOCS.rglob("*.md")
    if not path.name.endswith(".zh.md") and path.relative_to(DOCS).parts[0] != "examples"
)


PIECES = re.compile(r"^(#+) |^(`{3,})(\w*)\n.*?^\2$|^(\|)", re.MULTILINE | re.DOTALL)


def outline(path: Path) -> list[str]:
    """What a page is made of, in order: headings by level, code blocks by language, rows of tables."""
    return ["".join(filter(None, found.groups())) for found in PIECES.finditer(path.read_text("utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_a_page_has_the_same_pieces_in_chinese(page: Path) -> None:
    """Headings, code blocks and rows of tables in the same order."""
    chinese = page.with_name(f"{page.stem}.zh.md")
    assert chinese.is_file()
    assert outline(chinese) == outline(page)
    assert len(outline(page)) > 1


def test_no_chinese_page_stands_alone() -> None:
    """Each has its English original."""
    found = {path for path in DOCS.rglob("*.zh.md") if not path.with_name(path.name.replace(".zh", "")).is_file()}
    assert found == set()
