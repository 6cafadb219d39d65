"""The rules of the lessons' own code hold on CPython 3.14 too: that is where readers run it."""

import os
import subprocess
from pathlib import Path

import pytest
from native import python

HERE = Path(__file__).resolve().parent
RULES = [
    "test_history.py",
    "test_prepare_context.py",
    "test_run_loop.py",
    "test_book_boundary.py",
    "test_book_candidate.py",
    "test_book_retention.py",
    "test_book_store.py",
    "test_book_pairs.py",
    "test_book_ledger.py",
    "test_book_continuation.py",
    "test_book_transfer.py",
    "test_book_comparison.py",
]


def test_the_rules_hold_on_314():
    """The same tests, run by that interpreter (pytest is plain Python, so it can be lent)."""
    lent = str(Path(pytest.__file__).parents[1])
    done = subprocess.run(
        [python(), "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", *(str(HERE / file) for file in RULES)],
        env=os.environ | {"PYTHONPATH": lent, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
