"""Measurements on native CPython 3.14: each in a process of its own, with the flags of Tracepane's own runs."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench import own_trace
from bench.recorders import sight
from bench.work import ROOT, Work
from tracepane import assets
from tracepane.record.compiled import FLAGS
from tracepane.record.trace import Trace

_START = "import sys; sys.path[:0] = sys.argv.pop(1).split(':'); from bench.recorders.measure import main; main()"
LIMIT = 300  # seconds that one measurement may take


class Native:
    """Measures on one Python. `recorder` is the path of recorder.zip, which must stay."""

    def __init__(self, python: str, recorder: Path) -> None:
        """Write the recorder as it is now."""
        self.python, self._recorder = python, recorder
        recorder.parent.mkdir(parents=True, exist_ok=True)
        recorder.write_bytes(assets.recorder_zip())

    def measure(self, name: str, work: Work, paths: Iterable[Path] = (), *, look: bool = False) -> dict[str, Any]:
        """One measurement of one recorder on one program; `look` weighs and counts what was recorded, too.

        The answer has `seconds`, `saving`, `peak`, with `look` also `raw`, `stored`, `found`, and of ours `steps`; or
        `impossible` or `failed` with the reason.
        """
        with tempfile.TemporaryDirectory(prefix="tracepane-bench-") as place:
            folder = Path(place)
            plan = folder / "plan.json"
            plan.write_text(json.dumps(make_plan(name, work, look=look)), "utf-8")
            failed = self._run([self._recorder, ROOT, *paths], plan, folder)
            if failed:
                return {"failed": failed}
            answer: dict[str, Any] = json.loads((folder / "answer.json").read_bytes())
            if name == "ours":
                answer |= judge(answer, (folder / "chunks").read_bytes() if look else None, work)
            return answer

    def _run(self, path: list[Path], plan: Path, folder: Path) -> str:
        command = [self.python, *FLAGS, "-c", _START, ":".join(map(str, path)), str(plan), str(folder)]
        environment = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC0", "PATH": os.environ["PATH"]}
        try:
            done = subprocess.run(
                command, env=environment, cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False
            )
        except subprocess.TimeoutExpired:
            return f"took more than {LIMIT} s"
        if (folder / "answer.json").exists():
            return ""
        said = done.stderr.strip().splitlines()
        return said[-1] if said else f"exit code {done.returncode}"


def make_plan(name: str, work: Work, *, look: bool) -> dict[str, Any]:
    """What `recorders/measure.py` reads."""
    return {
        "recorder": name, "job": work.job, "target": work.target, "alone": work.alone,
        "paths": work.known.paths, "known": work.known.marks, "kept": work.kept, "look": look,
    }  # fmt: skip


def judge(answer: dict[str, Any], chunks: bytes | None, work: Work) -> dict[str, Any]:
    """What our trace is, read back from its chunks; without them only how the run went."""
    end = answer.pop("end")
    header = answer.pop("header")
    if end["status"] != "finished":
        return {"failed": f"our run of {work.name} did not finish: {json.dumps(end)[:300]}"}
    if chunks is None:
        return {"steps": end["steps"]}
    trace = Trace.from_chunks(header, _split(chunks, answer.pop("sizes")), end)
    looks = own_trace.looks(trace) if work.known.marks else ()
    found = sight.count(looks, work.known.paths, work.known.marks)
    return {"steps": end["steps"], "raw": len(chunks), "stored": len(trace.pack()), "found": found}


def _split(data: bytes, sizes: list[int]) -> list[bytes]:
    chunks, place = [], 0
    for size in sizes:
        chunks.append(data[place : place + size])
        place += size
    return chunks
