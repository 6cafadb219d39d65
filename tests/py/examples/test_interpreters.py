"""The example runs on each CPython from 3.10 to 3.14 that is present, on the standard library alone."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from native import VERSIONS, interpreter, python

HERE = Path(__file__).resolve().parent
CODE = HERE.parents[2] / "docs" / "examples" / "s08" / "user_code"
RULES = ["test_history.py", "test_prepare_context.py", "test_run_loop.py", "test_plan.py"]


def run(python, *arguments, **options):
    """Run an interpreter with these arguments and give what it printed; its exit code must be 0."""
    done = subprocess.run([python, *arguments], capture_output=True, encoding="utf-8", check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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
    """The same tests as here, run where readers run the lesson (pytest is plain Python, so it can be lent)."""
    lent = str(Path(pytest.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": lent, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    files = [str(HERE / file) for file in RULES]
    # What the other tests share needs this project, which that interpreter has not.
    alone = ["-p", "no:cacheprovider", f"--confcutdir={HERE}"]
    told = run(python(), "-B", "-m", "pytest", "-q", *alone, *files, env=environment)
    assert " passed" in told
