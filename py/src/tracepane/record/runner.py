"""Takes a job, runs it in this (fresh) interpreter, and yields the trace: header, chunks, end.

The interpreter is used up by a run: modules are replaced, the clock is simulated, what a browser cannot give is gone.
"""

from __future__ import annotations

import functools
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from tracepane.record import job as jobs
from tracepane.record import program
from tracepane.record._platform import platform
from tracepane.record.ending import describe
from tracepane.record.format.layout import FEATURES, FORMAT
from tracepane.record.format.writer import TraceWriter
from tracepane.record.hidden import conceal, hidden
from tracepane.record.own import BUILTINS, FOLDER
from tracepane.record.silent import Silent
from tracepane.record.wire import Wire
from tracepane.record.world import (
    clock,
    entropy,
    environment,
    files,
    garbage,
    imports,
    library,
    listings,
    locks,
    loop,
    withheld,
)
from tracepane.record.world.streams import Streams
from tracepane.record.world.workspace import Workspace

globals()["__builtins__"] = BUILTINS

Emit = Callable[[bytes], object]
EmitJSON = Callable[[dict[str, Any]], object]

LIMITS = {"steps": 1_000_000, "bytes": 64 << 20, "seconds": 30}
_LOOKS = 64  # times that anything is looked at between two looks at the machine's clock

_now = time.perf_counter
_current: list[Run] = []  # the run that goes on, for `rescue`


@hidden
def run(
    job: jobs.Job,
    emit_header: EmitJSON,
    emit_chunk: Emit,
    *,
    record: bool = True,
    recorder: Any = None,
    emit_end: EmitJSON | None = None,
) -> dict[str, Any]:
    """Run the job; the trace's header, then chunks go out while it runs. Returns the end, after `emit_end` has it.

    Does not return when the program left the interpreter (`os._exit`), ran into a limit or out of input: `emit_end`
    is given the end, and the interpreter is left at once. Raises JobError and WorkspaceError before anything ran.
    """
    jobs.check(job)
    emit_header(header(job))
    return Run(job, emit_chunk, emit_end or (lambda end: None), record, recorder).go()


@hidden
def send(job: jobs.Job, wire: Wire, *, record: bool = True) -> dict[str, Any]:
    """Run the job and write its trace to the wire."""
    return run(job, wire.header, wire.chunk, record=record, emit_end=wire.end)


@hidden
def rescue() -> None:
    """Send what a run had recorded when its interpreter died under it; nothing of the program runs any more."""
    while _current:
        run = _current.pop()
        run.rescue()


def header(job: jobs.Job) -> dict[str, Any]:
    """The trace's header: which job, on which runtime."""
    version = "{}.{}.{}".format(*sys.version_info[:3])
    runtime = {"implementation": sys.implementation.name, "version": version, **platform.facts()}
    return {"format": FORMAT, "features": list(FEATURES), "job": jobs.digest(job), "runtime": runtime}


@conceal
class Run:
    """One run of a job, from the empty directory to the end."""

    def __init__(self, job: jobs.Job, emit_chunk: Emit, emit_end: EmitJSON, record: bool, recorder: Any) -> None:
        """Prepare everything that is outside the program's sight; `go` does the rest."""
        self.job = job
        self.limits: Mapping[str, float] = {**LIMITS, **job.get("limits", {})}
        self.writer = TraceWriter(emit_chunk)
        self.recorder = self._make_recorder(record, recorder)
        self.collector = garbage.Collector(self.recorder)
        self.clock = clock.Clock()
        self.stamps = listings.Stamps(self.clock)
        self.workspace = Workspace(job["root"], self.stamps.touch)
        stdin = job.get("stdin", {"text": "", "closed": True})
        self.streams = Streams(self._output, self._starve, jobs.content(stdin), stdin.get("closed", True))
        self._emit_end = emit_end
        self._ended = False
        self._due: str | None = None
        self._looks = self._inside = 0
        self._started = _now()

    def _make_recorder(self, record: bool, recorder: Any) -> Any:
        if recorder is None and record:
            from tracepane.record.recorder import Recorder as recorder
        made = (recorder if record else Silent)(self.writer, jobs.traced(self.job))
        made.max_steps, made.max_bytes = int(self.limits["steps"]), int(self.limits["bytes"])
        made.on_limit = self._limit
        made.before_event = self.before_event
        return made

    def go(self) -> dict[str, Any]:
        """Run the program and everything that follows; the end."""
        self.workspace.lay(self.job)
        paths = [jobs.path(self.job, name) for name in self.job["main"]]
        self._settle(paths)
        main = program.make_main(paths[0])
        garbage.settle()
        self._started = _now()
        _current.append(self)
        platform.interrupt(self.limits["seconds"], self._out_of_time, self._stopped)
        self.recorder.start()
        # No name for the exception here: its frames and their locals die before the exit handlers run.
        facts = self._outcome(program.execute(paths, main, self.recorder.adopt, self.recorder.room))
        program.finish(main, self._own_modules(), self.collector)
        return self.end(facts)

    def _settle(self, paths: list[str]) -> None:
        chance = entropy.Entropy()
        environment.settle(self.job["root"], self.job.get("env", {}), [paths[0], *self.job.get("argv", ())])
        clock.install(self.clock)
        entropy.install(chance)
        withheld.install(self.clock, self._left)
        locks.install(self.clock)
        listings.install(self.stamps)
        files.install(self.workspace, self.streams.input, self.streams.write)
        imports.install(self.job["root"], self._adjusted(chance))
        self.streams.install()
        platform.prepare()

    def _adjusted(self, chance: entropy.Entropy) -> dict[str, Callable[[Any], None]]:
        return {
            **withheld.ADJUSTED,
            "select": functools.partial(withheld.adjust_select, self.clock),
            "_weakref": functools.partial(garbage.adjust_weak, self.collector),
            "gc": functools.partial(garbage.adjust, self.collector),
            "linecache": library.adjust_linecache,
            "traceback": library.adjust_traceback,
            "asyncio": functools.partial(loop.adjust, self.clock),
            "random": functools.partial(entropy.adjust_random, chance),
            "uuid": entropy.adjust_uuid,
        }

    def _outcome(self, error: BaseException | None) -> dict[str, Any]:
        if error is None:
            return {"status": "finished"}
        facts = {"status": "exception", "exception": describe(error, self._name)}
        code = program.report(error)
        return {"status": "exit", "code": code} if isinstance(error, SystemExit) else facts

    def _own_modules(self) -> list[Any]:
        below = self.job["root"] + "/"
        own = [m for m in sys.modules.values() if str(getattr(m, "__file__", None) or "").startswith(below)]
        return own[::-1]

    def _name(self, path: str) -> tuple[str, bool]:
        prefix = f"{self.job['root']}/src/"
        if path.startswith(prefix):
            return path[len(prefix) :], True
        return library.shown(path), not library.holds(path)

    def before_event(self) -> None:
        """The recorder is about to record an event: what came before it must be recorded first."""
        if self.streams.pending():
            self.streams.drain()
        if self.workspace.dirty():
            self._look()
        self._looks += 1
        if self._looks >= _LOOKS or self._due:
            self._looks = 0
            if not self._due and _now() - self._started > self.limits["seconds"]:
                self._due = "seconds"
            if self._due:
                self._cut()

    def _look(self) -> None:
        for change in self.workspace.changes():
            self.recorder.file(*change)

    def _output(self, stream: str, text: str) -> None:
        self._inside += 1
        self.recorder.output(stream, text)
        self._inside -= 1

    def _starve(self) -> NoReturn:
        self.leave({"status": "input"})

    def _left(self, code: int) -> NoReturn:
        self.leave({"status": "exit", "code": code})

    def _limit(self, which: str) -> NoReturn:
        self.leave({"status": "limit", "limit": which})

    def _out_of_time(self, frame: Any) -> None:
        self._due = self._due or "seconds"
        self._cut_unless_busy(frame)

    def _stopped(self, frame: Any) -> None:
        self._due = "stopped"
        self._cut_unless_busy(frame)

    def _cut_unless_busy(self, frame: Any) -> None:
        """End now, unless `frame` was interrupted in the middle of an event: then the next event or signal ends."""
        while frame is not None and not self._inside:
            if frame.f_code.co_filename.startswith(FOLDER):
                return
            frame = frame.f_back
        if not self._inside:
            self._cut()

    def _cut(self) -> NoReturn:
        if self._due == "stopped":
            self.leave({"status": "stopped"})
        self.leave({"status": "limit", "limit": "seconds"})

    def leave(self, facts: dict[str, Any]) -> NoReturn:
        """End the run here and now: nothing of the program runs any more."""
        self.end(facts)
        platform.leave(facts.get("code", 0))

    def end(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Stop recording, write the end event, send the end."""
        if self._ended:
            return facts
        self._ended = True
        self._inside += 1
        if facts.get("limit") not in ("steps", "bytes"):
            self._last_look()
        self.recorder.stop()
        end: dict[str, Any] = self.recorder.finish(facts) | {"wall": round(_now() - self._started, 6)}
        self._emit_end(end)
        return end

    def rescue(self) -> None:
        """Send what is there, as it is, but for half an event at its end."""
        if self._ended:
            return
        self._ended = True
        self.recorder.stop()
        self.writer.flush()

    def _last_look(self) -> None:
        self.streams.drain(final=True)
        if self.workspace.dirty():
            self._look()
        os.chdir("/")
