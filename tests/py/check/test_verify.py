"""Rows: what is equal, what differs, what did not run; the table, JUnit, JSON and exit codes that follow."""

from __future__ import annotations

import json
import re
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from typing import Any

import pytest

from tracepane.check import report
from tracepane.check.verify import Result, Row, RunError, exit_code, shard, verify
from tracepane.record.format.writer import TraceWriter
from tracepane.record.trace import Trace


def job(*lines: str, setup: str = "n = 1") -> dict[str, Any]:
    """A job with a traced source of these lines, and one of setup."""
    sources = [
        {"name": "setup.py", "role": "setup", "text": setup + "\n"},
        {"name": "p.py", "role": "shown", "text": "".join(f"{line}\n" for line in lines), "traced": [[1, len(lines)]]},
    ]
    return {
        "format": "tracepane-job/1",
        "pane": "panes.yml#p",
        "scenario": "normal",
        "sources": sources,
        "main": ["p.py"],
    }


def run(document: dict[str, Any]) -> Trace:
    """A stand-in for both sides: every line of the traced source prints itself, in two events."""
    if document["sources"][1]["text"].startswith("refuse"):
        raise RunError("the interpreter did not start. Build the browser code with `make assets`.")
    chunks: list[bytes] = []
    writer = TraceWriter(chunks.append)
    frame = writer.frame(writer.code("p.py", "<module>", 1, 0), 0)
    writer.event(0, frame, 0, 0, 0)
    for number, line in enumerate(document["sources"][1]["text"].splitlines(), 1):
        writer.event(2, frame, number, 0, 0)
        writer.event(7, frame, number, writer.string(line), 0)
    writer.event(3, frame, 1, writer.string("n") + 1, 0)
    writer.event(10, -1, 0, 0, 0)
    writer.flush()
    header = {"format": "tracepane-trace/1", "features": [], "job": "", "runtime": {"version": "3.14.8"}}
    return Trace.from_chunks(header, chunks, {"status": "finished", "steps": writer.steps})


def results(*pairs: tuple[dict[str, Any], dict[str, Any]], accept: Sequence[str] = ()) -> list[Result]:
    """Verify pairs of a native and a browser job."""
    rows = [Row("panes.yml#p", f"s{place}", native, browser) for place, (native, browser) in enumerate(pairs)]
    ticks = iter(range(1000))
    return list(verify(rows, run, run, accept, clock=lambda: float(next(ticks))))


def one(native: dict[str, Any], browser: dict[str, Any], accept: Sequence[str] = ()) -> Result:
    """The result of one row."""
    return results((native, browser), accept=accept)[0]


def test_one_job_on_both_sides_is_equal() -> None:
    """The usual row."""
    found = one(job("a", "b"), job("a", "b"))
    assert (found.status, found.native.events, found.browser.events, found.native.end) == ("equal", 7, 7, "finished")
    assert exit_code([found]) == 0


def test_a_traced_line_that_behaves_differently_names_line_and_step() -> None:
    """What a lesson that lies looks like."""
    found = one(job("a", "b", "c"), job("a", "B", "c"))
    assert found.status == "different"
    story = report.story(found)
    assert "p.py:2 is traced and reads `b` natively, `B` in the browser" in story
    assert "step 4 differs" in story
    assert exit_code([found]) == 1


def test_a_traced_line_that_changes_nothing_is_equal_and_named() -> None:
    """The traces decide; the line is told all the same."""
    rows = [Row("p", "", job("a  # one"), job("a  # two"))]
    found = next(verify(rows, lambda _: run(job("a")), lambda _: run(job("a"))))
    assert found.status == "equal"
    assert report.story(found).splitlines() == [
        "p.py:1 is traced and reads `a  # one` natively, `a  # two` in the browser",
        "the change makes no difference to the trace",
    ]


@pytest.mark.parametrize("other", [job("a", setup="n = 2"), job("a", "b"), job("a") | {"stdin": {"text": "1"}}])
def test_any_other_difference_is_no_comparison(other: dict[str, Any]) -> None:
    """Setup, number of lines, input: the jobs are not the same, and nothing is run."""
    found = one(job("a"), other)
    assert (found.status, found.native.seconds) == ("error", 0.0)
    assert found.detail.startswith("the jobs are not the same: ")
    assert exit_code([found]) == 2


def test_a_side_that_does_not_run_is_told_apart() -> None:
    """Neither equal nor different; the other rows go on."""
    found = results((job("refuse"), job("refuse")), (job("a"), job("a")))
    assert [result.status for result in found] == ["error", "equal"]
    assert found[0].detail.startswith("native: the interpreter did not start")
    assert exit_code(found) == 2


def test_a_difference_weighs_more_than_a_row_that_did_not_run() -> None:
    """Exit 1: something is proved to be wrong."""
    assert exit_code(results((job("refuse"), job("refuse")), (job("a"), job("b")))) == 1
    assert exit_code([]) == 2


def test_a_platform_difference_passes_only_when_accepted() -> None:
    """The kind must be named by the caller, and no line may be changed."""
    left, right = run(job("2147483647")), run(job("9223372036854775807"))
    rows = [Row("prog.py", "", job("a"), job("a"))]

    def judge(accept: Sequence[str]) -> Result:
        return next(verify(rows, lambda _: left, lambda _: right, accept, clock=lambda: 0.0))

    assert (judge([]).status, judge(["hash"]).status, judge(["pointer width"]).status) == (
        "different",
        "different",
        "platform",
    )
    assert exit_code([judge(["pointer width"])]) == 0
    assert one(job("2147483647"), job("9223372036854775807"), accept=["pointer width"]).status == "different"


def test_the_native_side_runs_while_the_browser_does() -> None:
    """Both wait for the other inside their runs; one after the other would never end."""
    meeting = threading.Barrier(2, timeout=20)

    def meet(document: dict[str, Any]) -> Trace:
        meeting.wait()
        return run(document)

    found = next(verify([Row("p", "", job("a"), job("a"))], meet, meet))
    assert found.status == "equal"


def test_shards_cover_every_row_once() -> None:
    """Parts of a matrix in CI."""
    rows = [Row("p", str(number)) for number in range(7)]
    parts = [shard(rows, f"{part}/3") for part in (1, 2, 3)]
    assert sorted(row.scenario for part in parts for row in part) == [row.scenario for row in rows]
    for wrong in ("0/3", "4/3", "3", "a/b", "1/0", "-1/2"):
        with pytest.raises(ValueError, match="write it as I/N"):
            shard(rows, wrong)


MIXED = ((job("a"), job("a")), (job("a"), job("b")), (job("refuse"), job("refuse")))


def test_the_table_has_a_line_for_each_row_and_ends_with_counts() -> None:
    """What differs and what did not run are told apart."""
    lines = report.table(results(*MIXED)).splitlines()
    assert [re.split(r"\s{2,}", line)[2] for line in lines[2:5]] == ["equal", "DIFFERENT", "NOT RUN"]
    assert lines[-1] == "3 verified: 1 equal, 1 different, 1 not run"


def test_junit_tells_failures_from_errors() -> None:
    """A control character in a program's output does not break the XML."""
    suite = ElementTree.fromstring(report.to_junit(results(*MIXED, (job("a\x1b"), job("b\x1b"))), "chromium").encode())
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "2", "1")
    assert [[part.tag for part in case] for case in suite] == [[], ["failure"], ["error"], ["failure"]]


def test_json_says_everything_that_the_table_does() -> None:
    """For other tools."""
    document = json.loads(report.to_json(results(*MIXED), "chromium"))
    assert (document["format"], document["browser"]) == ("tracepane-verify/1", "chromium")
    assert [row["status"] for row in document["rows"]] == ["equal", "different", "error"]
    assert document["rows"][1]["step"] == 2
    assert document["rows"][1]["changed"] == [{"file": "p.py", "line": 1, "native": "a", "browser": "b"}]
