"""Records a program in this interpreter, `python looked.py`, source on stdin: prints as JSON how much was looked at."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "py" / "src"))


def main() -> None:
    """Items that were compared or read, bytes of slots and texts that were written, and events."""
    from tracepane.record.format.writer import TraceWriter
    from tracepane.record.recorder.recorder import Recorder

    code = compile(sys.stdin.read(), "prog.py", "exec")
    writer = TraceWriter(lambda _: None)
    recorder = Recorder(writer, {"prog.py": ("prog.py", [(1, 1_000_000)])})
    recorder.adopt(code)
    recorder.start()
    exec(code, {"__name__": "__main__"})
    recorder.stop()
    writer.flush()
    rest = writer.size - writer.steps * 17 - writer.rows * 8 - writer.versions * 18
    print(json.dumps({"looked": recorder.heap.looked, "bytes": rest, "events": writer.steps}))


if __name__ == "__main__":
    main()
