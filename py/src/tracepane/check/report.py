"""What `verify` found, for people (a table), for CI (JUnit) and for other tools (JSON)."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tracepane.check.verify import Result, Side

MARKS = {"equal": "equal", "different": "DIFFERENT", "platform": "platform", "error": "NOT RUN"}


def name(result: Result) -> str:
    """The row's name: target and scenario."""
    scenario = result.row.scenario
    return f"{result.row.target} · {scenario}" if scenario else result.row.target


def progress(place: int, count: int, result: Result) -> str:
    """One line while verify runs."""
    seconds = f"{result.native.seconds:.1f} s native, {result.browser.seconds:.1f} s browser"
    return f"[{place}/{count}] {name(result)}: {MARKS[result.status]}  ({seconds})"


def summary(result: Result) -> str:
    """The facts of one row, short enough for a table."""
    if result.verdict is None or result.status == "error":
        return result.detail.splitlines()[0] if result.detail else ""
    if result.status == "equal":
        end = result.native.end
        return f"{result.verdict.compared} events, {end}" + (f"; {result.verdict.note}" if result.verdict.note else "")
    reason = result.verdict.reason
    return f"step {result.verdict.step}" + (f", {reason.kind}" if reason else "")


def table(results: Sequence[Result]) -> str:
    """All rows, what differed told apart from what did not run, and the story of each that is not equal."""
    titles = ("pane or program", "scenario", "result", "what was compared")
    cells = [titles, *((r.row.target, r.row.scenario, MARKS[r.status], summary(r)) for r in results)]
    widths = [max(len(row[column]) for row in cells) for column in range(3)]
    lines = [
        "  ".join(text.ljust(width) for text, width in zip(row[:3], widths, strict=True)) + "  " + row[3]
        for row in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in (*widths, len(titles[3]))))
    return "\n".join([*(line.rstrip() for line in lines), *details(results), "", counts(results)])


def details(results: Sequence[Result]) -> Iterator[str]:
    """For each row that is not equal, the whole story."""
    for result in results:
        if result.status == "equal" and not result.changed:
            continue
        yield f"\n{name(result)}: {MARKS[result.status]}"
        yield from (f"  {line}" for line in story(result).splitlines())


def story(result: Result) -> str:
    """What happened in one row, in words: changed lines first, since they explain the rest."""
    parts = [
        f"{line.file}:{line.line} is traced and reads `{line.native.strip()}` natively, "
        f"`{line.browser.strip()}` in the browser"
        for line in result.changed
    ]
    if result.verdict is not None and result.status != "equal":
        parts.append(result.verdict.words)
    elif result.detail:
        parts.append(result.detail)
    elif result.changed:
        parts.append("the change makes no difference to the trace")
    return "\n".join(parts)


def counts(results: Sequence[Result]) -> str:
    """The last line: how many rows there were of each result."""
    found = Counter(result.status for result in results)
    told = [f"{found['equal']} equal", f"{found['different']} different", f"{found['error']} not run"]
    if found["platform"]:
        told.insert(2, f"{found['platform']} different for an accepted reason")
    return f"{len(results)} verified: {', '.join(told)}"


def to_json(results: Sequence[Result], engine: str) -> str:
    """The results as one JSON document: `{"format", "browser", "rows": [...]}`."""
    rows = [_row(result) for result in results]
    return (
        json.dumps({"format": "tracepane-verify/1", "browser": engine, "rows": rows}, indent=2, ensure_ascii=False)
        + "\n"
    )


def _row(result: Result) -> dict[str, Any]:
    verdict = result.verdict
    reason = verdict.reason if verdict else None
    return {
        "target": result.row.target,
        "scenario": result.row.scenario,
        "status": result.status,
        "events": verdict.compared if verdict else 0,
        "step": verdict.step if verdict else None,
        "reason": {"kind": reason.kind, "words": reason.words} if reason else None,
        "detail": "" if result.status == "equal" else story(result),
        "changed": [
            {"file": line.file, "line": line.line, "native": line.native, "browser": line.browser}
            for line in result.changed
        ],
        "native": _side(result.native),
        "browser": _side(result.browser),
    }


def _side(side: Side) -> dict[str, Any]:
    return {"end": side.end, "python": side.python, "events": side.events, "seconds": round(side.seconds, 3)}


def to_junit(results: Sequence[Result], engine: str) -> str:
    """The results as JUnit XML: a difference is a failure, a row that did not run an error."""
    found = Counter(result.status for result in results)
    suite = ElementTree.Element(
        "testsuite",
        name=f"tracepane verify ({engine})",
        tests=str(len(results)),
        failures=str(found["different"]),
        errors=str(found["error"]),
    )
    for result in results:
        seconds = result.native.seconds + result.browser.seconds
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=result.row.target,
            name=result.row.scenario or result.row.target,
            time=f"{seconds:.3f}",
        )
        if result.status in {"different", "error"}:
            kind = "failure" if result.status == "different" else "error"
            ElementTree.SubElement(case, kind, message=_printable(summary(result))).text = _printable(story(result))
        elif result.status == "platform":
            ElementTree.SubElement(case, "system-out").text = _printable(story(result))
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _printable(text: str) -> str:
    """XML has no form for control characters."""
    return "".join(char if char in "\t\n" or char.isprintable() else f"\\x{ord(char):02x}" for char in text)
