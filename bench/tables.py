"""The tables of a result, in Markdown, in either language."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Any

from bench.bars import bars
from bench.figures import cost, median, per_step
from bench.words import WORDS

Figures = dict[str, Any]
Words = dict[str, str]


PARTS = ("native", "inside", "scale", "boot", "million", "walk")
"""What a run can have, in the order in which it is measured."""


def report(result: Figures, language: str) -> str:
    """Everything that the result holds, under headings of the second level."""
    words = WORDS[language]
    parts = [_head(result, words), _section(words["bars"], _bars(result, words))]
    if "native" in result:
        parts.append(_section(words["native"].format(python=result["machine"]["python"]), _native(result, words)))
    if "inside" in result:
        parts.append(_section(words["inside"].format(browser=result["inside"]["browser"]), _inside(result, words)))
    if "scale" in result:
        parts.append(_section(words["scale"], _scale(result["scale"], words)))
    if "boot" in result:
        parts.append(_section(words["boot"].format(browser=result["boot"]["browser"]), _boot(result["boot"], words)))
    in_page = result.get("walk") or result.get("million")
    if in_page:
        browser = in_page["browser"]
        parts.append(_section(words["page"].format(browser=browser), _page(result, words)))
    return "\n\n".join(parts) + "\n"


def _head(result: Figures, words: Words) -> str:
    before, after = result["load"]
    machine = result["machine"]
    parts = ", ".join(part for part in PARTS if part in result)
    more = {"minutes": result["minutes"], "repeat": result["repeat"], "parts": parts}
    text = words["head"].format(**machine, **more, before=before, after=after)
    busy = max(before, after) > machine["cores"] * 1.5
    return f"{text}\n\n{words['loaded']}" if busy else text


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first to the right."""
    lines = [f"| {' | '.join(heads)} |", "| --- |" + " ---: |" * (len(heads) - 1)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def number(value: float | None, digits: int = 3) -> str:
    """With so many digits that count; empty for None."""
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 10 ** (digits - 1) else f"{value:.{digits}g}"


def _bars(result: Figures, words: Words) -> str:
    heads = [words[key] for key in ("bar", "on", "limit", "figure", "verdict")]
    rows = [
        [
            words[bar.what],
            bar.on,
            f"{bar.sign} {bar.limit:g}",
            number(bar.figure),
            words["met" if bar.met else "missed"],
        ]
        for bar in bars(result)
    ]
    return table(heads, rows)


def _native(result: Figures, words: Words) -> str:
    heads = [words[key] for key in ("recorder", "line", "raw", "stored", "peak", "found", "rounds")]
    parts = []
    for name, measured in result["native"].items():
        title = words["lines"].format(name=name, lines=measured["lines"])
        recorders = measured["recorders"]
        rows = [_native_row(each, measured, words) for each in recorders if each not in ("plain", "silent")]
        parts.append(f"### {title}\n\n{table(heads, [*rows, *_absent(result, words, len(heads))])}")
    return "\n\n".join(parts)


def _native_row(name: str, measured: Figures, words: Words) -> list[str]:
    recorders, lines = measured["recorders"], measured["lines"]
    figures = recorders[name]
    why = next((words[key].format(reason=figures[key]) for key in ("impossible", "failed") if key in figures), None)
    if why is not None:
        return [words.get(name, name), why, *[""] * 5]
    seconds = cost(recorders, name) or 0.0
    over = (median(figures, "peak") or 0.0) - (median(recorders["plain"], "peak") or 0.0)
    found = f"{figures['found']} / {measured['known']}" if "found" in figures and measured["known"] else ""
    sizes = [number(figures[key] / lines) if figures.get(key) else "" for key in ("raw", "stored")]
    rounds = str(len(figures["seconds"]))
    return [words.get(name, name), number(seconds / lines * 1e6), *sizes, number(max(over, 0) / 2**20), found, rounds]


def _absent(result: Figures, words: Words, columns: int) -> Iterable[list[str]]:
    for name, _, reason, _ in result["peers"]:
        if reason:
            yield [words[name], words["not_installed"].format(reason=reason), *[""] * (columns - 2)]


def _inside(result: Figures, words: Words) -> str:
    programs = result["inside"]["programs"]
    lines = result["inside"]["lines"]
    names = [name for name in next(iter(programs.values())) if name not in ("plain", "silent")]
    heads = [words["recorder"], *(f"{program}, {words['line']} ({words['heap']})" for program in programs)]
    rows = [
        [words.get(name, name), *(_cell(programs[program], name, lines[program]) for program in programs)]
        for name in names
    ]
    return table(heads, rows)


def _cell(recorders: Figures, name: str, lines: int) -> str:
    seconds = cost(recorders, name)
    if seconds is None:
        return "—"
    return f"{number(seconds / lines * 1e6)} ({number((median(recorders[name], 'memory') or 0) / 2**20)})"


def _scale(scale: Figures, words: Words) -> str:
    heads = [words[key] for key in ("program", "steps", "event", "bytes_event", "packed", "process")]
    rows = [
        [
            name, f"{size['steps']:,}", number(per_step(size) * 1e6), number(size["raw"] / size["steps"]),
            number(size["stored"] / size["steps"]), number(size["peak"] / 2**20),
        ]
        for name, sizes in scale.items() for size in sizes if "steps" in size
    ]  # fmt: skip
    return table(heads, rows)


def _boot(boot: Figures, words: Words) -> str:
    heads = [words[key] for key in ("start", "median", "best", "times", "rounds")]
    stock = statistics.median(boot["stock"])
    rows = [
        [
            name, number(statistics.median(boot[name])), number(min(boot[name])),
            number(stock / statistics.median(boot[name])), str(len(boot[name])),
        ]
        for name in ("stock", "compiled", "snapshot")
    ]  # fmt: skip
    return table(heads, rows)


def _page(result: Figures, words: Words) -> str:
    heads = [words[key] for key in ("what", "median", "p99_ms", "worst")]
    rows = []
    for name, word in (("press", "pressed"), ("seek", "seek"), ("step", "step"), ("drag", "drag")):
        times = sorted(result.get("walk", {}).get(name, ()))
        if times:
            at = (statistics.median(times), times[len(times) * 99 // 100], times[-1])
            rows.append([words[word], *map(number, at)])
    million = result.get("million")
    if million:
        for name, times in million["questions"].items():
            cells = [number(times[key]) for key in ("median", "p99", "worst")]
            rows.append([words["question"].format(name=name), *cells])
        rows.append([words["wall"].format(steps=million["steps"]), number(million["wall"]), "", ""])
    return table(heads, rows)
