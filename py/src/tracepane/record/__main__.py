"""The native child: `… record|silent FD LOCK`, the job on standard input. The trace goes to FD; LOCK stays held."""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

from tracepane.record.hidden import hidden

_HIGH = 900  # from where our descriptors are, so that the program's own files count from 3


@hidden
def main(*_: Any) -> None:
    """Run the job. Called as `sys.excepthook`, by C with an empty stack, so that nothing lies below the program."""
    from tracepane.record import runner
    from tracepane.record.wire import Wire

    sys.excepthook, stderr = sys.__excepthook__, sys.stderr
    mode, trace, lock = sys.argv[1:]
    wire = Wire(_move(int(trace), _HIGH))
    _move(int(lock), _HIGH + 1)
    job = json.loads(sys.stdin.buffer.read())
    leave = os._exit
    try:
        runner.send(job, wire, record=mode == "record")
    except BaseException as error:  # a fault of ours, or a job that cannot be run: the parent tells
        traceback.print_exception(error, file=stderr)
        stderr.flush()
        leave(70)
    leave(0)


def _move(number: int, high: int) -> int:
    os.dup2(number, high, inheritable=False)
    os.close(number)
    return high


def begin() -> None:
    """Arrange for `main` to run, and end what runs now."""
    sys.excepthook = main
    raise SystemError("the run begins")


if __name__ == "__main__":
    begin()
