"""The recorder reads bytecode by itself: the same as `dis` reads, and what CPython then does."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tracepane.record import process

MODULES = ("argparse", "asyncio.tasks", "contextlib", "dataclasses", "decimal", "enum", "json.encoder", "typing")


def test_as_dis_reads() -> None:
    """Offsets, arguments, lines, names, jumps and the codes of functions, of all instructions of some modules."""
    script = Path(__file__).with_name("read_code.py")
    done = subprocess.run(
        [process.find_python(), "-P", str(script), *MODULES], text=True, capture_output=True, check=True
    )
    said = done.stdout.splitlines()
    assert said == [said[-1]]
    assert int(said[-1].split()[0]) > 500


def test_what_follows_is_what_comes() -> None:
    """Of each line that can be followed by one only, and of each return, CPython's own events say the same."""
    script = Path(__file__).with_name("follow_code.py")
    done = subprocess.run([process.find_python(), "-P", str(script)], text=True, capture_output=True, check=True)
    said = done.stdout.splitlines()
    assert [line for line in said if line.startswith("wrong")] == []
    assert sum(int(line.split()[1]) for line in said) > 50_000
