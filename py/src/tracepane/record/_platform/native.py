"""CPython on the machine: the trace goes out by a pipe, the parent waits at its other end."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # it has no stub
import os
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import NoReturn

# Taken now: the program finds others in their place.
_exit, _signal_, _setitimer = os._exit, _signal.signal, _signal.setitimer
_now = time.perf_counter


Interrupt = Callable[[FrameType | None], None]


def facts() -> dict[str, str]:
    """What the header says of the runtime."""
    return {"platform": sys.platform}


def prepare() -> None:
    """Nothing stands between the program and the interpreter."""


def interrupt(seconds: float, on_time: Interrupt, on_stop: Interrupt) -> None:
    """Call `on_time` after so many seconds, and `on_stop` for Ctrl-C, between two bytecodes."""
    _signal_(_signal.SIGALRM, lambda _, frame: on_time(frame))
    _signal_(_signal.SIGINT, lambda _, frame: on_stop(frame))
    _setitimer(_signal.ITIMER_REAL, seconds, 0.1)


def leave(code: int) -> NoReturn:
    """End the process at once, past everything that the program could do about it."""
    _exit(code)
