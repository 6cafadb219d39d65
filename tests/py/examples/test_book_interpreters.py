"""The chapter on each CPython from 3.10 to 3.14 that is present, on the standard library alone."""

import json
import os
import subprocess
from functools import cache
from pathlib import Path

import pytest
import yaml
from native import VERSIONS, interpreter, python

HERE = Path(__file__).resolve().parent
DOCS = HERE.parents[2] / "docs"
LESSON = DOCS / "lessons" / "long-tasks"
FILES = sorted(LESSON.glob("*.yml"))
PANES = [pane for file in FILES for pane in yaml.safe_load(file.read_text("utf-8")).values()]
RULES = ["boundary", "candidate", "comparison", "continuation", "ledger", "pairs", "retention", "store", "transfer"]


def run(python, *arguments, **options):
    """Run an interpreter with these arguments and give what it printed; its exit code must be 0."""
    done = subprocess.run([python, *arguments], capture_output=True, encoding="utf-8", check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@cache
def outputs(python):
    """What each scenario of each pane prints, under this interpreter."""
    orders = [
        {
            "path": [str((LESSON / root).resolve()) for root in pane["path"]],
            "main": [str(LESSON / pane["setup"]), str(LESSON / pane["call"])],
            "set": scenario.get("set", {}),
        }
        for pane in PANES
        for scenario in pane["scenarios"].values()
    ]
    return json.loads(run(python, "-I", "-S", "-B", str(HERE / "plain_outputs.py"), input=json.dumps(orders)))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_chapter_runs_on(version, tmp_path):
    """The tests of the practices pass, and every scenario prints what it prints to readers."""
    python_path = interpreter(version)
    done = run(python_path, "-I", "-S", "-B", str(DOCS / "book" / "v2" / "test_practices.py"), cwd=tmp_path)
    assert "tests ran" in done
    assert outputs(python_path) == outputs(python())


def test_the_rules_hold_on_314():
    """The same tests as here, run where readers run the pages (pytest is plain Python, so it can be lent)."""
    lent = str(Path(pytest.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": lent, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    files = [str(HERE / f"test_book_{rule}.py") for rule in RULES]
    told = run(
        python(), "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--confcutdir={HERE}", *files, env=environment
    )
    assert " passed" in told
