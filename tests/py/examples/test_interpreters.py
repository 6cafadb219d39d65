"""The example runs on each CPython from 3.10 to 3.14 that is present, on the standard library alone."""

import json
from pathlib import Path

import pytest
from native import VERSIONS, interpreter, run, run_tests

CODE = Path(__file__).resolve().parents[3] / "docs" / "examples" / "s08" / "user_code"
RULES = ["test_history.py", "test_prepare_context.py", "test_run_loop.py", "test_plan.py"]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_example_runs_on(version, tmp_path):
    """All checks pass, and the practice runs, each by itself: isolated, without site packages, from elsewhere."""
    python = interpreter(version)
    isolated = (python, "-I", "-S", "-B")
    assert f" 0 failed (Python {version}." in run(*isolated, str(CODE / "verify_practice.py"), cwd=tmp_path)
    arguments = ["--decision", "allow", "--json", "--work-dir", str(tmp_path / "work")]
    told = json.loads(run(*isolated, str(CODE / "practice.py"), *arguments, cwd=tmp_path))
    assert (told["requests"]["total"], told["check"]) == (13, "equal")


def test_the_rules_hold_on_314():
    """The same tests as here, run where readers run the lesson."""
    run_tests(RULES)
