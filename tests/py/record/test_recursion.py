"""Recursion ends where it ends without a recorder, and says the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lone_job import job

from tracepane.record import process
from tracepane.record.trace import Trace

PROGRAMS = {
    "depth": (
        "import sys\ndef go(n):\n    try: return go(n + 1)\n    except RecursionError: return n\n"
        "print(go(1), sys.getrecursionlimit())\nsys.setrecursionlimit(120)\nprint(go(1), sys.getrecursionlimit())\n"
        "sys.setrecursionlimit(3000)\nprint(go(1))\n"
    ),
    "uncaught": "def go(n):\n    go(n + 1)\ngo(0)\n",
    "in the middle of a line": "def go(n):\n    x = [n]\n    return len(x) + go(n + 1)\ngo(0)\n",
    "two functions": (
        "n = 0\ndef a():\n    global n\n    n += 1\n    b()\ndef b(): a()\ntry: a()\nexcept RecursionError: print(n)\n"
    ),
    "a limit below the depth": (
        "import sys\ndef deep(n):\n    if n: return deep(n - 1)\n    try: sys.setrecursionlimit(50)\n"
        "    except RecursionError as error: return str(error)\nprint(deep(70))\n"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_without_a_recorder(name: str, record: Callable[..., Trace]) -> None:
    """Output and traceback are the same to the last frame."""
    plain = process.record(job(PROGRAMS[name]), record=False).expand()
    recorded = record(PROGRAMS[name]).expand(0, 1)
    assert (recorded["stdout"], recorded["stderr"]) == (plain["stdout"], plain["stderr"])
    assert recorded["end"].get("exception") == plain["end"].get("exception")
