"""The same job in Chromium and on native CPython: the same trace, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from worker_page import WorkerPage

from tracepane.check.compare import compare
from tracepane.lesson import program
from tracepane.record import process

PROGRAMS = {
    "aliasing": "a = [1]\nb = {'x': a, 'y': a}\na.append(b)\nb['z'] = len(a)\n",
    "exceptions": (
        "def f(n):\n    if n == 0:\n        raise ValueError('deep', n)\n    f(n - 1)\n\n"
        "try:\n    f(3)\nexcept ValueError as error:\n    print(error.args)\nf(1)\n"
    ),
    "generators": (
        "def count(n):\n    for i in range(n):\n        got = yield i\n        print(got)\n\n"
        "g = count(3)\nnext(g)\ng.send('a')\ng.close()\n"
    ),
    "files": "with open('a.txt', 'w') as f:\n    f.write('one')\nwith open('a.txt', 'a') as f:\n    f.write('two')\n",
    "chance": "import random, uuid, time\nprint(random.random(), uuid.uuid4(), time.time())\n",
    "async": (
        "import asyncio\n\nasync def one(n):\n    await asyncio.sleep(n)\n    return n\n\n"
        "async def main():\n    print(await asyncio.gather(one(2), one(1)))\n\nasyncio.run(main())\n"
    ),
    "recursion": "def f(n):\n    return f(n + 1)\n\ntry:\n    f(0)\nexcept RecursionError:\n    print('too deep')\n",
}


@pytest.mark.parametrize("source", PROGRAMS.values(), ids=PROGRAMS)
def test_the_browsers_trace_equals_the_native_one(worker_page: WorkerPage, tmp_path: Path, source: str) -> None:
    """Event by event, value by value; and so the digests are the same."""
    browser = worker_page.run(tmp_path, source)
    native = process.record(program.job(tmp_path / "prog.py"))
    assert compare(native, browser).status == "equal", compare(native, browser)
    assert browser.end["digest"] == native.end["digest"]
