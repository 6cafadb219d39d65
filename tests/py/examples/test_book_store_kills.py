"""The store under `kill -9`: what was confirmed is there, and nothing else is claimed."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither the fork nor the kill -9 of this test")
def test_a_kill_at_any_point_loses_and_claims_nothing():
    """Each line of the store, steps of SQLite's machine, bytes within a COMMIT, and a kill -9 from outside."""
    program = Path(__file__).with_name("store_kills.py")
    # A kill takes what the process holds, not what the kernel holds: files in memory do, and are quick.
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        done = subprocess.run([sys.executable, "-B", program, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["at_line"]["points"] > 100
    assert report["at_step"]["points"] > 50
    assert report["at_byte"]["journals"] > 10  # killed in the middle: SQLite had something to mend
    assert report["journal"]["points"] == 20
    assert len(report["at_line"]["outcomes"]) == len(report["at_step"]["outcomes"]) == 4
