"""Objects of the library show nothing that differs between patch versions of CPython, or between it and a browser."""

from __future__ import annotations

import pytest
from interpreters import Interpreters
from lone_job import job
from recording import record

PROGRAMS = {
    "typing": "from typing import *\nx = Optional[int]\ny = [ClassVar, Final, Literal, Union, List, Annotated]\n",
    "argparse": (
        "import argparse\nparser = argparse.ArgumentParser(prog='p')\nparser.add_argument('n', type=int)\n"
        "group = parser.add_argument_group('g')\nparser.format_help()\nprint(parser.parse_args(['3']))\n"
    ),
    "paths": "from pathlib import Path\npath = Path('a') / 'b.txt'\nseen = {path}\nprint(path in seen)\n",
    "asyncio": (
        "import asyncio\nasync def work(n): return n\nasync def main():\n    each = asyncio.as_completed([work(1)])\n"
        "    for one in each:\n        print(await one)\nasyncio.run(main())\n"
    ),
    "html": (
        "from html.parser import HTMLParser\nclass Parser(HTMLParser):\n    def __init__(self):\n"
        "        super().__init__()\n        self.tags = []\n    def handle_starttag(self, tag, attrs):\n"
        "        self.tags.append(tag)\nparser = Parser()\nparser.feed('<p>one <b>two</b>')\n"
    ),
    "logging": (
        "import logging\nclass Plain(logging.Formatter):\n    def format(self, record):\n        return record.msg\n"
        "handler = logging.StreamHandler()\nhandler.setFormatter(Plain())\nlog = logging.getLogger('a.b')\n"
        "log.addHandler(handler)\nlog.warning('hot')\n"
    ),
    "threading": "from threading import *\nthread = current_thread()\nlock, mine = Lock(), local()\n",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_in_pyodide(name: str, interpreters: Interpreters) -> None:
    """Natively and in Pyodide, which are two patch versions, the traces are the same."""
    document = job(PROGRAMS[name])
    assert interpreters.record(document).end["digest"] == record(PROGRAMS[name]).end["digest"]


def test_a_class_of_the_programs_own_shows_all() -> None:
    """Only the library's classes leave something out."""
    source = (
        "class Path:\n    def __init__(self):\n        self._hash = 1\n        self.__doc__ = 'text'\nmine = Path()\n"
    )
    final = record(source).expand()["events"][-2]["set"]["mine"]
    assert list(final["attributes"]) == ["_hash", "__doc__"]
