"""The native child: `python -m tracepane.record FD record|silent`, the job on standard input; the trace goes to FD."""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

from tracepane.record.hidden import hidden

_HIGH = 900  # where the trace's descriptor goes, so that the program's own files count from 3


@hidden
def main(*_: Any) -> None:
    """Run the job. Called as `sys.excepthook`, by C with an empty stack, so that nothing lies below the program."""
    from tracepane.record import runner
    from tracepane.record.wire import Wire

    sys.excepthook, stderr = sys.__excepthook__, sys.stderr
    wire = Wire(_take_descriptor(int(sys.argv[1])))
    job = json.loads(sys.stdin.buffer.read())
    leave = os._exit
    try:
        runner.send(job, wire, record=sys.argv[2] == "record")
    except BaseException as error:  # a fault of ours, or a job that cannot be run: the parent tells
        traceback.print_exception(error, file=stderr)
        stderr.flush()
        leave(70)
    leave(0)


def _take_descriptor(number: int) -> int:
    high = os.dup2(number, _HIGH, inheritable=False)
    os.close(number)
    return high


def begin() -> None:
    """Arrange for `main` to run, and end what runs now."""
    sys.excepthook = main
    raise SystemError("the run begins")


if __name__ == "__main__":
    begin()
