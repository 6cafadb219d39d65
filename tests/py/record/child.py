"""Records programs, each in a fork of this interpreter: `python child.py FOLDER`, on stdin a JSON list of [kind, job].

`kind` is `recorder`, `oracle`, or `forgetful`: the recorder, which forgets atoms after a few. The trace of entry N goes
to FOLDER/N: a trace file without its magic.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "py" / "src"), str(Path(__file__).parent)]


def record(kind: str, job: object, path: str) -> None:
    """Run one job in this process, and leave it."""
    from oracle import Oracle

    from tracepane.record import runner
    from tracepane.record.recorder import Recorder, recording
    from tracepane.record.wire import Wire

    leave = os._exit
    wire = Wire(os.open(path, os.O_WRONLY | os.O_CREAT))
    if kind == "forgetful":
        recording.MANY_ATOMS, recording.CHECK_EVERY = 1, 3
    recorder = Oracle if kind == "oracle" else Recorder
    runner.run(job, wire.header, wire.chunk, recorder=recorder, emit_end=wire.end)  # type: ignore[arg-type]
    leave(0)


def main() -> None:
    """One fork after the other."""
    for module in ("oracle", "runner", "recorder", "wire"):
        __import__(module if module == "oracle" else f"tracepane.record.{module}")
    for number, (kind, job) in enumerate(json.loads(sys.stdin.read())):
        child = os.fork()
        if not child:
            record(kind, job, f"{sys.argv[1]}/{number}")
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
