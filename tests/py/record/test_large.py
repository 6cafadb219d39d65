"""What a step costs does not depend on how large the containers are that the program works on."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tracepane.record import process

SCRIPT = Path(__file__).with_name("looked.py")
PROGRAMS = {
    "append": "xs = []\nfor i in range(SIZE): xs.append(i)\n",
    "append in a function": "def f():\n    xs = []\n    for i in range(SIZE):\n        xs.append([i])\nf()\n",
    "pop": "def f():\n    xs = list(range(SIZE))\n    while xs: x = xs.pop()\nf()\n",
    "item store": "def f():\n    xs = [True] * SIZE\n    for i in range(SIZE):\n        xs[i] = False\nf()\n",
    "computed keys": "def f(d):\n    for i in range(SIZE):\n        d[i] = i\n        d[i % 9 + i // 9] = 0\nf({})\n",
    "growing dict": "d = {}\nfor i in range(SIZE): d[str(i)] = i\n",
    "counting": "def f(d):\n    for i in range(SIZE):\n        d[i] = d.get(i, 0) + 1\n        d[0] += 1\nf({})\n",
    "setdefault": "def f(d):\n    for i in range(SIZE):\n        d.setdefault(i, i)\nf({})\n",
    "queue": (
        "from collections import deque\ndef f(q):\n    for i in range(SIZE): q.append(i)\n    while q: q.popleft()\n"
        "f(deque())\n"
    ),
    "rows": (
        "def f(g):\n    for i in range(SIZE):\n        g[i][0] = i\n        g[i].append(i)\n"
        "f([[0] for _ in range(SIZE)])\n"
    ),
    "one of many instances": (
        "class P:\n    def __init__(self, x): self.x = x\n    def move(self): self.x += 1\n"
        "def f():\n    ps = [P(i) for i in range(SIZE)]\n    for p in ps:\n        p.move()\n        p.y = p.x\nf()\n"
    ),
    "linked list": (
        "class Node:\n    def __init__(self, next): self.next = next\n"
        "def f():\n    head = None\n    for i in range(SIZE):\n        head = Node(head)\nf()\n"
    ),
    "shared variable": (
        "def f():\n    n, kept = 0, [[i] for i in range(SIZE)]\n    def up(k):\n        nonlocal n\n        n += k\n"
        "    for i in range(SIZE): up(i)\nf()\n"
    ),
    "beside a file": (
        "def up(n): return n + 1\n"
        "def f():\n    n, xs, file = 0, [], open('/dev/null', 'w')\n"
        "    for i in range(SIZE):\n        n += up(i % 7)\n        xs.append(i)\nf()\n"
    ),
    "beside an iterator": (
        "def up(n): return n + 1\n"
        "def f():\n    n, xs, steps = 0, [], iter([1, 2])\n"
        "    for i in range(SIZE):\n        n += up(i % 7)\n        xs.append(i)\nf()\n"
    ),
    "generator": (
        "def g():\n    for i in range(SIZE): yield i\n"
        "def f():\n    kept = [[i] for i in range(SIZE)]\n    for i in g(): j = i\nf()\n"
    ),
}


def measured(name: str, size: int) -> dict[str, int]:
    """What recording a program of some size looked at."""
    source = PROGRAMS[name].replace("SIZE", str(size))
    done = subprocess.run(
        [process.find_python(), "-S", "-P", str(SCRIPT)], input=source, text=True, capture_output=True, check=True
    )
    found: dict[str, int] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_linear(name: str) -> None:
    """Four times the work looks at four times as many items and writes four times as much, not sixteen times."""
    small, large = measured(name, 100), measured(name, 400)
    assert large["looked"] <= 6 * small["looked"] + 100
    assert large["bytes"] <= 6 * small["bytes"]
    assert large["events"] > 3.5 * small["events"]
