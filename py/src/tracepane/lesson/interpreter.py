"""The Python that reads sources: CPython 3.14 where there is one, since lessons run on it; else the one at hand.

A newer Python than the host's knows newer syntax and sends line events for other lines.
"""

from __future__ import annotations

import atexit
import base64
import functools
import json
import subprocess
import sys
from typing import Any

from tracepane.lesson import syntax

SAME = sys.version_info >= (3, 14)


@functools.lru_cache(maxsize=1024)
def describe(data: bytes) -> dict[str, Any]:
    """`syntax.describe` of a source, under CPython 3.14 if it can be found."""
    child = None if SAME else reader()
    if child is None:
        return syntax.describe(data)
    return ask(child, data)


def exact() -> bool:
    """Whether sources are read by the version of Python that lessons run on."""
    return SAME or reader() is not None


@functools.cache
def reader() -> subprocess.Popen[bytes] | None:
    """A process of CPython 3.14 that answers as `syntax.serve` does; None where there is no such Python."""
    python = find()
    if python is None:
        return None
    command = [python, "-I", "-S", "-X", "utf8", syntax.__file__]
    try:
        # In a session of its own a terminal's Ctrl-C, which is for the command, does not reach it.
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    except OSError:
        return None
    atexit.register(child.kill)
    return child


def ask(child: subprocess.Popen[bytes], data: bytes) -> dict[str, Any]:
    """One question and its answer; an interpreter that died of a source is replaced and the source blamed."""
    assert child.stdin is not None
    assert child.stdout is not None
    question = json.dumps({"data": base64.b64encode(data).decode()}).encode() + b"\n"
    try:
        child.stdin.write(question)
        child.stdin.flush()
        answer: dict[str, Any] = json.loads(child.stdout.readline())
    except (OSError, ValueError):
        child.kill()
        reader.cache_clear()
        return {**syntax.EMPTY, "error": {"line": 1, "message": "the compiler crashes on it"}}
    return answer


def find() -> str | None:
    """The path of CPython 3.14, or None."""
    try:
        from tracepane.record import process

        return str(process.find_python())
    except Exception:  # whatever is missing there, reading sources does not need it
        return None
