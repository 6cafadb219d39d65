"""Figures become bars and tables: by arithmetic that can be followed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bench import fill
from bench.bars import bars
from bench.figures import cost
from bench.tables import report
from bench.words import WORDS


def result() -> dict[str, Any]:
    """One program, with round numbers."""
    recorders = {
        "plain": {"seconds": [1.0, 1.0, 9.0], "peak": [10 << 20]},
        "silent": {"seconds": [2.0], "peak": [12 << 20]},
        "copies": {"seconds": [2.0], "peak": [10 << 20]},
        "ours": {"seconds": [4.5], "peak": [14 << 20], "steps": 10, "raw": 400, "stored": 20, "found": 3},
        "json_tracer": {"seconds": [51.0], "peak": [90 << 20], "raw": 9000, "stored": 90, "found": 3},
        "viztracer": {"impossible": "it says why"},
    }
    names = ("date", "processor", "system", "python", "tracepane", "commit")
    return {
        "machine": {name: name for name in names} | {"cores": 2}, "minutes": 1, "load": [0.1, 9.0], "repeat": 1,
        "peers": [["codetracer_python_recorder", "0.3.0", "pip says why", False]],
        "native": {"fib": {"lines": 10, "known": 3, "recorders": recorders}},
        "inside": {"browser": "B", "lines": {"fib": 10}, "programs": {"fib": {
            "plain": {"seconds": [1.0], "memory": [30 << 20]}, "ours": {"seconds": [3.0], "memory": [40 << 20]},
            "silent": {"seconds": [1.0], "memory": [30 << 20]}, "json_tracer": {"failed": "it died"},
        }}},
        "scale": {"scalar": [
            {"steps": steps, "raw": steps * 30, "stored": steps * 3, "peak": 9, "seconds": [each], "plain": [0.0]}
            for steps, each in ((1_000, 1.0), (10_000, 1.0), (100_000, 12.0))
        ]},
        "walk": {"browser": "B", "press": [200.0, 100.0], "seek": [4.0], "step": [5.0], "drag": [6.0]},
        "million": {"browser": "B", "steps": 1_000_000, "memory": 300 << 20, "wall": 9000.0,
                    "questions": {"seek": {"median": 0.1, "p99": 5.0, "worst": 9.0}}},
        "boot": {"browser": "B", "stock": [300.0], "compiled": [200.0], "snapshot": [100.0]},
    }  # fmt: skip


def test_the_cost_is_over_the_plain_run_of_its_kind() -> None:
    """Medians; ours is compared with itself, recording off."""
    recorders = result()["native"]["fib"]["recorders"]
    assert (cost(recorders, "copies"), cost(recorders, "ours"), cost(recorders, "viztracer")) == (1.0, 2.5, None)


@pytest.mark.parametrize(
    ("what", "figure", "met"),
    [
        ("floor", 2.5, True),
        ("vs_json_tracer", 20.0, True),
        ("bytes", 2.0, True),
        ("json_gzip", 4.5, False),
        ("snapshot", 3.0, True),
        ("linear", 1.2, False),
        ("memory", 300.0, True),
        ("p99", 5.0, False),
        ("press", 150.0, True),
    ],
)
def test_a_bar_is_met_or_missed(what: str, figure: float, met: bool) -> None:
    """Each with the figure that it was judged by."""
    bar = next(bar for bar in bars(result()) if bar.what == what)
    assert (bar.figure, bar.met) == (figure, met)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_report_says_what_could_not_be_measured(language: str) -> None:
    """Why a recorder has no figures, and that the machine was busy."""
    text = report(result(), language)
    words = WORDS[language]
    assert all(each in text for each in ("it says why", "pip says why", words["loaded"], words["missed"], words["met"]))


def test_both_languages_have_the_same_tables() -> None:
    """Row for row, and every word in both."""
    english, chinese = (report(result(), language).splitlines() for language in ("en", "zh"))
    assert [line.count("|") for line in english] == [line.count("|") for line in chinese]
    assert WORDS["en"].keys() == WORDS["zh"].keys()


def test_filling_keeps_the_prose(tmp_path: Path) -> None:
    """Twice filled is filled once; a page without a place for figures is refused."""
    for name in fill.PAGES.values():
        (tmp_path / name).write_text(f"before\n\n{fill.BEGIN}\nold figures\n{fill.END}\nafter\n", "utf-8")
    fill.fill(result(), tmp_path)
    once = (tmp_path / "benchmarks.md").read_text("utf-8")
    fill.fill(result(), tmp_path)
    assert once == (tmp_path / "benchmarks.md").read_text("utf-8")
    assert (once.startswith("before\n"), once.endswith("after\n"), "old figures" in once) == (True, True, False)
    with pytest.raises(ValueError, match="has no"):
        fill.put("a page", "tables")
