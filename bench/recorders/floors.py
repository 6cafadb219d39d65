"""No recorders: what any of them would cost at the least."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from bench.recorders.clock import now
from bench.recorders.program import Program
from bench.recorders.taken import Taken


def plain(program: Program) -> Taken:
    """The program by itself."""
    began = now()
    program.call()
    return Taken(now() - began, b"")


def lines(program: Program) -> int:
    """How many lines run in what the job records."""
    total = 0

    def local(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal total
        total += event == "line"
        return local

    traced(program, local)
    return total


def bare(program: Program) -> Taken:
    """A trace function that does nothing."""

    def local(frame: FrameType, event: str, arg: Any) -> Any:
        return local

    return Taken(traced(program, local), b"")


def copies(program: Program) -> Taken:
    """A trace function that copies the frame's variables, and forgets them."""

    def local(frame: FrameType, event: str, arg: Any) -> Any:
        dict(frame.f_locals)
        return local

    return Taken(traced(program, local), b"")


def traced(program: Program, local: Any) -> float:
    """Run the program under a trace function; seconds."""

    def choose(frame: FrameType, event: str, arg: Any) -> Any:
        return local(frame, event, arg) if program.traces(frame.f_code) else None

    trace = local if program.alone else choose
    began = now()
    sys.settrace(trace)
    program.call()
    sys.settrace(None)
    return now() - began
