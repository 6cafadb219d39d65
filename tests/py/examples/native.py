"""The CPython on which lessons run."""

import os
import shutil
import sys
from pathlib import Path

import pytest


def python():
    """The CPython 3.14 to run on, or a skip that says why."""
    beside = Path(sys.executable).with_name("python3.14")
    found = os.environ.get("TRACEPANE_PYTHON") or (str(beside) if beside.exists() else shutil.which("python3.14"))
    if not found:
        pytest.skip("no CPython 3.14 here: `make setup` installs one")
    return found
