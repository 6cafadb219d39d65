"""Writes a result's tables into the page on benchmarks, in both languages, between two marks; the prose stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.tables import report
from bench.work import ROOT

BEGIN, END = "<!-- figures: written by `make bench BENCH=--fill` -->", "<!-- end of the figures -->"
PAGES = {"en": "benchmarks.md", "zh": "benchmarks.zh.md"}


def fill(result: dict[str, Any], folder: Path = ROOT / "docs" / "reference") -> None:
    """Put the tables into the pages of a folder. Raises ValueError where a page has no place for them."""
    for language, name in PAGES.items():
        path = folder / name
        path.write_text(put(path.read_text("utf-8"), report(result, language)), "utf-8")


def put(page: str, tables: str) -> str:
    """The page with these tables in the place of those before."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no {BEGIN} … {END}: put them back where the figures belong")
    return f"{before}{BEGIN}\n\n{tables}\n{END}{after}"
