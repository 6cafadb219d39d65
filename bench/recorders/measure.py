"""One measurement, in an interpreter that is used for nothing else: `measure.py PLAN FOLDER`, both as the host says.

The plan is a JSON document: `recorder`, `job`, `target`, `alone`, `paths`, `known`, `kept`, and `look`, which says
whether the recording is to be weighed and counted, too. The answer goes to `answer.json` in the folder.
"""

from __future__ import annotations

import importlib
import json
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.recorders import floors, ours, sight
from bench.recorders.program import Program
from bench.recorders.taken import NotPossible, Taken

RECORDERS = {
    "plain": "floors:plain",
    "bare": "floors:bare",
    "copies": "floors:copies",
    "naive_repr": "naive:reprs",
    "naive_pickle": "naive:pickles",
    "pysnooper": "snoopers:pysnooper",
    "snoop": "snoopers:snoop",
    "viztracer": "viz:variables",
    "json_tracer": "online:trace",
    "dodona_json_tracer": "online:trace",
    "chronotrace": "chrono:record",
}
"""Where the function of each recorder is; `ours`, `silent` (ours without recording) and `lines` besides."""


def main() -> None:
    """Measure what the command line says."""
    plan, folder = json.loads(Path(sys.argv[1]).read_bytes()), Path(sys.argv[2])
    answer = measure(plan, folder)
    (folder / "answer.json").write_text(json.dumps(answer), "utf-8")


def measure(plan: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Do what the plan says; `folder` is for what is laid, and for our trace's chunks."""
    name = plan["recorder"]
    if name in ("ours", "silent"):
        return _measure_ours(plan, folder)
    program = Program(plan["job"], plan["target"], folder, alone=plan["alone"])
    if name == "lines":
        return _count_lines(program, plan["kept"])
    try:
        taken = _recorder(name)(program)
    except NotPossible as error:
        return {"impossible": str(error)}
    answer = {"seconds": taken.seconds, "saving": taken.saving, "peak": peak()}
    if plan["look"] and taken.looks is not None:
        answer |= _weigh(taken) | {"found": sight.count(taken.looks(), plan["paths"], plan["known"])}
    return answer


def _recorder(name: str) -> Callable[[Program], Taken]:
    module, function = RECORDERS[name].split(":")
    found: Callable[[Program], Taken] = getattr(importlib.import_module(f"bench.recorders.{module}"), function)
    return found


def _measure_ours(plan: dict[str, Any], folder: Path) -> dict[str, Any]:
    # The run takes much from the interpreter; what is needed after it is kept from before.
    look, kept_peak, write = plan["look"], peak, Path.write_bytes
    kept = ours.run(plan["job"], record=plan["recorder"] == "ours")
    answer = {"seconds": kept.seconds, "saving": 0.0, "peak": kept_peak(), "header": kept.header, "end": kept.end}
    if look:
        write(folder / "chunks", b"".join(kept.chunks))
        answer["sizes"] = [len(chunk) for chunk in kept.chunks]
    return answer


def _count_lines(program: Program, kept: str) -> dict[str, Any]:
    """How many lines run; and the value that the program itself keeps of what is looked for, where it does."""
    lines = floors.lines(program)
    return {"lines": lines, "kept": [sight.mark([program.value(kept)])] if kept else []}


def _weigh(taken: Taken) -> dict[str, Any]:
    """Bytes uncompressed, and as its own file or else deflated at the highest level."""
    stored = zlib.compress(taken.data, 9) if taken.stored is None else taken.stored
    return {"raw": len(taken.data) or None, "stored": len(stored)}


def peak() -> int:
    """The most memory that this process ever held, in bytes; 0 where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)
