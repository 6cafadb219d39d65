"""The chapter on each CPython from 3.10 to 3.14 that is present, on the standard library alone."""

import json
from functools import cache
from pathlib import Path

import pytest
import yaml
from native import VERSIONS, interpreter, python, run, run_tests
from scenario import order

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs"
LESSON = DOCS / "lessons" / "long-tasks"
FILES = sorted(LESSON.glob("*.yml"))
PANES = [pane for file in FILES for pane in yaml.safe_load(file.read_text("utf-8")).values()]
RULES = ["boundary", "candidate", "comparison", "continuation", "ledger", "pairs", "retention", "store", "transfer"]


@cache
def outputs(python):
    """What each scenario of each pane prints, under this interpreter."""
    orders = [order(LESSON, pane, scenario) for pane in PANES for scenario in pane["scenarios"]]
    return json.loads(run(python, "-I", "-S", "-B", str(HERE / "plain_outputs.py"), input=json.dumps(orders)))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_chapter_runs_on(version, tmp_path):
    """The tests of the practices pass, and every scenario prints what it prints to readers."""
    python_path = interpreter(version)
    done = run(python_path, "-I", "-S", "-B", str(DOCS / "book" / "v2" / "test_practices.py"), cwd=tmp_path)
    assert "tests ran" in done
    assert outputs(python_path) == outputs(python())


@pytest.mark.parametrize("version", VERSIONS)
def test_all_scenarios_run_one_after_the_other_on(version):
    """`run.py all`, as the chapter's first page has it: each label, and below it what its scenario prints."""
    labels = [
        f"{id} {name}: {scenario['label']['en']}\n"
        for file in FILES
        for id, pane in yaml.safe_load(file.read_text("utf-8")).items()
        for name, scenario in pane["scenarios"].items()
    ]
    expected = "".join(label + output for label, output in zip(labels, outputs(python()), strict=True))
    assert run(interpreter(version), "-I", "-B", str(LESSON / "run.py"), "all") == expected


def test_the_rules_hold_on_314():
    """The same tests as here, run where readers run the pages."""
    run_tests(f"test_book_{rule}.py" for rule in RULES)
