"""CPython in Pyodide, in a worker. docs/reference/worker.md says who calls `boot` and `run`."""

from __future__ import annotations

import os
import sys
import zipimport
import zlib
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any, NoReturn

from tracepane.record.hidden import hidden

_exit = os._exit
_importer: Any = zipimport
_decompress = zlib.decompress
_runners: list[ModuleType] = []  # for `rescue`, which can import nothing: the program has its own modules


Interrupt = Callable[[FrameType | None], None]


def facts() -> dict[str, str]:
    """What the header says of the runtime."""
    return {"platform": sys.platform}


def prepare() -> None:
    """The library lies deflated in a zip: to inflate it must not load `zlib`, which natively is not loaded then."""
    _importer._get_decompress_func = hidden(lambda: _decompress)


def interrupt(seconds: float, on_time: Interrupt, on_stop: Interrupt) -> None:
    """No signals here: the page ends a run by ending the worker."""


def leave(code: int) -> NoReturn:
    """End the interpreter; the worker has the end record already, and never lets that write return."""
    _exit(code)


def boot() -> str:
    """Import what a run needs and take the roads to JavaScript from the program. Returns the Python version.

    Called again in an interpreter that starts from the memory of one in which it was called.
    """
    from tracepane.record import recorder, runner  # noqa: F401

    _runners[:] = [runner]
    return sys.version.split()[0]


@hidden
def run(job: str, fd: int, record: bool) -> None:
    """Run the job (JSON text) and write the trace's records to `fd`."""
    import json

    from tracepane.record import runner
    from tracepane.record.wire import Wire

    # `fd` is out of the way already (a large negative number), so the program's own files count from 3.
    runner.send(json.loads(job), Wire(fd), record=record)


def rescue() -> None:
    """Write what was recorded and not yet written; called when the interpreter died (a trap, a stack overflow in C).

    CPython's memory outlives the death of its C stack, and nothing else of the program runs any more.
    """
    for runner in _runners:
        runner.rescue()
