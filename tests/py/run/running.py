"""One way to run a program in the tests: source in; output, files, end and events out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lone_job import job

from tracepane.record import process
from tracepane.record.format.layout import CHANGES, STDERR, STDOUT
from tracepane.record.trace import Trace


@dataclass(frozen=True)
class Outcome:
    """What a run left. `files` holds each change in order: (path, change, content after it)."""

    stdout: str
    stderr: str
    files: tuple[tuple[str, str, bytes], ...]
    end: dict[str, Any]
    trace: Trace

    @property
    def status(self) -> str:
        """The end's word."""
        return str(self.end["status"])

    @property
    def exit(self) -> int:
        """The exit code that a shell would see."""
        return int(self.end.get("code", {"finished": 0}.get(self.status, 1)))


def run(source: str | bytes, *, record: bool = False, **options: Any) -> Outcome:
    """Run a program natively; not recorded unless asked, which is quicker. Options are those of `job`."""
    return outcome(process.record(job(source, **options), record=record))


def outcome(trace: Trace) -> Outcome:
    """What a trace says of a run."""
    columns, strings = trace.columns, trace.strings
    texts = {STDOUT: "", STDERR: ""}
    for kind, arg in zip(columns["event_kind"], columns["event_arg"], strict=True):
        if kind in texts:
            texts[kind] += strings[arg]
    return Outcome(texts[STDOUT], texts[STDERR], tuple(_files(trace)), trace.end, trace)


def _files(trace: Trace) -> list[tuple[str, str, bytes]]:
    columns, held, found = trace.columns, {}, []
    for number, path in enumerate(columns["file_path"]):
        name = trace.strings[path]
        old = held.get(name, b"")
        start, stop = trace.file_starts[number], trace.file_starts[number + 1]
        prefix, suffix = columns["file_prefix"][number], columns["file_suffix"][number]
        new = old[:prefix] + bytes(columns["file_bytes"][start:stop]) + old[len(old) - suffix :]
        held[name] = new
        found.append((name, CHANGES[columns["file_change"][number]], new))
    return found
