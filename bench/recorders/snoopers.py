"""PySnooper and snoop: a decorator writes each line that runs, and each variable that changed, as text."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import Any

from bench.recorders.clock import now
from bench.recorders.naive import literal, look_into
from bench.recorders.program import Program
from bench.recorders.taken import Look, Taken

_DEPTH = 64  # calls below the decorated function that are written, too: more than any of the programs has

_CALL, _RETURN = re.compile(r"\bcall +\d+ "), re.compile(r"\breturn +\d+ ")
_VARIABLE = re.compile(r"^ *(?:Starting var|New var|Modified var):\.+ (\w+) = (.*)$")
_SNOOP_CALL, _SNOOP_RETURN = re.compile(r">>> (?:Call to|Enter)"), re.compile(r"<<< (?:Return value from|Exit)")
_SNOOP_VARIABLE = re.compile(r"\.{2,} (\w+) = (.*)$")


def pysnooper(program: Program) -> Taken:
    """PySnooper with values of any length."""
    import pysnooper as package

    out = io.StringIO()
    depth = _DEPTH if program.alone else 1
    snoop = package.snoop(out, depth=depth, max_variable_length=None, color=False)
    return _written(program, snoop, out, _read_pysnooper)


def snoop(program: Program) -> Taken:
    """Snoop as it comes; it has no option for values of any length."""
    import snoop as package

    out = io.StringIO()
    config = package.Config(out=out, color=False)
    return _written(program, config.snoop(depth=_DEPTH if program.alone else 1), out, _read_snoop)


def _written(
    program: Program, wrap: Callable[..., Any], out: io.StringIO, read: Callable[[str], Iterator[Look]]
) -> Taken:
    program.decorate(wrap)
    began = now()
    program.call()
    seconds = now() - began
    text = out.getvalue()
    return Taken(seconds, text.encode(), looks=lambda: read(text))


def _read_pysnooper(text: str) -> Iterator[Look]:
    return _frames(text, _CALL, _RETURN, _VARIABLE)


def _read_snoop(text: str) -> Iterator[Look]:
    return _frames(text, _SNOOP_CALL, _SNOOP_RETURN, _SNOOP_VARIABLE)


def _frames(text: str, call: re.Pattern[str], leave: re.Pattern[str], bind: re.Pattern[str]) -> Iterator[Look]:
    """The variables of the innermost frame after each line that binds one; both print a call's variables after it."""
    stack: list[dict[str, Any]] = [{}]
    early: dict[str, Any] = {}  # PySnooper prints the parameters before the call itself
    for line in text.split("\n"):
        if found := bind.search(line):
            target = early if "Starting var" in line else stack[-1]
            target[found[1]] = literal(found[2])
            yield look_into(stack[-1])
        elif call.search(line):
            stack.append(early)
            early = {}
        elif leave.search(line) and len(stack) > 1:
            stack.pop()
