"""References: traces of a site's jobs on native CPython. One is of use only to the very job it was made from."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tracepane.lesson.mistake import Mistakes, Wrong
from tracepane.lesson.pane import Pane
from tracepane.record import process
from tracepane.record.format.container import TraceError
from tracepane.record.trace import Trace

Recording = Callable[[dict[str, Any]], Trace]


class References:
    """Native traces, kept in a folder under the digests of job, recorder and Pyodide core.

    What is not there is recorded and kept for the next build. With `record` None nothing is recorded: then every
    trace must be there, made from the same job by the same recorder, or it is a mistake.
    """

    def __init__(self, folder: Path, recorder: str, core: str, record: Recording | None = process.record) -> None:
        """`recorder` and `core` are the digests that build.json gives."""
        self.folder, self.record = folder, record
        self.tool = hashlib.sha256(f"{recorder}\n{core}".encode()).hexdigest()[:16]

    def place(
        self, pane: Pane, scenario: str, job: dict[str, Any], below: Path, mistakes: Mistakes
    ) -> dict[str, Any] | None:
        """Put a scenario's trace into `references/` below a folder, and describe it as a file of jobs does."""
        digest = pane.digests[scenario]
        name = f"{digest[:16]}-{self.tool}.trace"
        try:
            trace = self.find(name, digest) or self.make(name, job)
            check_reached(trace)
        except Wrong as wrong:
            file = pane.name.rpartition("#")[0]
            line = next(each.line for each in pane.scenarios if each.id == scenario) or pane.line
            mistakes.add(file, line, f"the pane `{pane.id}`, scenario `{scenario}`: {wrong.message}", wrong.mend)
            return None
        target = below / "references" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.folder / name, target)
        kept, version = trace.end["digest"], trace.header["runtime"]["version"]
        return {"trace": f"../references/{name}", "digest": kept, "events": trace.steps, "python": version}

    def find(self, name: str, digest: str) -> Trace | None:
        """A trace that was recorded before; None if there is none, or one that is damaged or of another job."""
        try:
            trace = Trace.load(self.folder / name)
        except (OSError, TraceError):
            return None
        return trace if trace.header["job"] == digest else None

    def make(self, name: str, job: dict[str, Any]) -> Trace:
        """Record a trace and keep it. Raises Wrong where that cannot be."""
        if self.record is None:
            raise Wrong(*self.stale(name))
        try:
            trace = self.record(job)
        except process.PythonMissing as error:
            raise Wrong(f"its reference cannot be recorded: {error}", "Or build without `record`.") from None
        except process.RunError as error:
            raise Wrong(f"its reference cannot be recorded: {error}", "Try it with `tracepane record`.") from None
        if trace.end["status"] == "crashed":  # and not kept: the machine may be at fault, not the program
            detail = str(trace.end.get("detail") or "").strip().replace("\n", " ")
            why = f" ({detail})" if detail else ""
            raise Wrong(f"the interpreter died of it{why}", "Try it with `tracepane record`.")
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.folder / f"{name}.part"
        trace.save(part)
        part.replace(self.folder / name)
        return trace

    def stale(self, name: str) -> tuple[str, str]:
        """What is wrong with a reference that is not there, and its mend."""
        mend = "Record it anew: build with `record: true` or TRACEPANE_RECORD=1."
        if any(self.folder.glob(f"{name.split('-')[0]}-*.trace")):
            return "its reference is stale: another recorder or Pyodide made it", mend
        return "its reference is stale or missing: there is none of this very job", mend


def check_reached(trace: Trace) -> None:
    """A run in which nothing of what is shown ran is no lesson. Raises Wrong."""
    if not trace.columns["frame_code"]:
        error = trace.end.get("exception")
        why = f"; it ended with {error['type']}: {error['message']}" if error else ""
        raise Wrong(f"it ran, but nothing of what is shown did{why}", "Call what is shown, or show what is called.")
