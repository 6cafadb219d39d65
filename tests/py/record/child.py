"""Records one program in this (fresh) interpreter: `python child.py recorder|oracle`, the job on stdin, records on fd 1."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "py" / "src"), str(Path(__file__).parent)]


def main() -> None:
    """Run the job; the trace goes to what was standard output."""
    from tracepane.record import runner
    from tracepane.record.recorder import Recorder
    from tracepane.record.wire import Wire

    kind = Recorder
    if sys.argv[1] == "oracle":
        from oracle import Oracle

        kind = Oracle
    job = json.loads(sys.stdin.read())
    wire = Wire(os.dup(1))
    leave = os._exit
    runner.run(job, wire.header, wire.chunk, recorder=kind, emit_end=wire.end)
    leave(0)


if __name__ == "__main__":
    main()
