"""Every case program on which recorders and runners have failed in public prints and exits as it must."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from running import run

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases"


def cases(ends: bool) -> list[Any]:
    """The case programs that end by themselves, or those that do not."""
    listed = CASES / "expected.json"
    if not listed.is_file():
        reason = f"the case programs are not here: {listed} is missing"
        return [pytest.param(None, marks=pytest.mark.skip(reason=reason), id="none")]
    found = [case for case in json.loads(listed.read_text("utf-8")) if "exit" in case]
    return [pytest.param(case, id=case["file"][:3]) for case in found if case["nonterminating"] is not ends]


def options(case: dict[str, Any]) -> dict[str, Any]:
    """A case as options of `run`."""
    return {"name": case["file"], "stdin": case["stdin"] or "", "env": case["env"] or {}}


@pytest.mark.parametrize("case", cases(ends=True))
def test_case_prints_and_exits_as_it_must(case: dict[str, Any]) -> None:
    """The same standard output and exit code as in plain CPython, on the first run and on the second."""
    source = (CASES / "programs" / case["file"]).read_bytes()
    for _ in range(2 if case["run_twice"] else 1):
        found = run(source, **options(case))
        assert (found.stdout, found.exit) == (case["stdout"], case["exit"])


@pytest.mark.parametrize("case", cases(ends=False))
def test_endless_case_is_ended_by_a_limit(case: dict[str, Any]) -> None:
    """A program that never ends runs into the limit of seconds, or floods into that of bytes."""
    source = (CASES / "programs" / case["file"]).read_bytes()
    found = run(source, limits={"seconds": 2, "bytes": 1 << 20}, **options(case))
    assert found.status == "limit"
    assert found.end["limit"] == ("bytes" if found.stdout else "seconds")
