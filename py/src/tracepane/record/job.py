"""The job: everything that one run needs (docs/reference/job.md)."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

FORMAT = "tracepane-job/1"
Job = Mapping[str, Any]

_ROOT = re.compile(r"/tmp/tracepane-[0-9a-f]{8}")


class JobError(ValueError):
    """A job that cannot be run, with what is wrong in it."""


def digest(job: Job) -> str:
    """SHA-256 of the job's JSON without its probes, in hexadecimal: the job's identity."""
    kept = {key: value for key, value in job.items() if key != "probes"}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def root(pane: str, scenario: str) -> str:
    """The run's directory, the same in every runtime."""
    return "/tmp/tracepane-" + hashlib.sha256(f"{pane}\0{scenario}".encode()).hexdigest()[:8]


def content(entry: Mapping[str, str]) -> bytes:
    """The bytes of a source or file of the job."""
    if "base64" in entry:
        return base64.b64decode(entry["base64"], validate=True)
    return entry["text"].encode("utf-8", "surrogatepass")


def traced(job: Job) -> dict[str, tuple[str, list[tuple[int, int]]]]:
    """What is recorded: `co_filename` → (name of the source, ranges of lines)."""
    return {
        path(job, source["name"]): (source["name"], [(first, last) for first, last in source["traced"]])
        for source in job["sources"]
        if source.get("traced")
    }


def path(job: Job, name: str) -> str:
    """Where the source `name` lies while the job runs."""
    return f"{job['root']}/src/{name}"


def check(job: Job) -> None:
    """Raise JobError unless the job can be run safely: names stay below the root, and `main` names sources."""
    if job.get("format") != FORMAT:
        raise JobError(f"this is no {FORMAT} document: its format is {job.get('format')!r}")
    if not _ROOT.fullmatch(str(job.get("root"))):
        raise JobError(f"root is {job.get('root')!r}; it must be /tmp/tracepane- and eight hexadecimal digits")
    for name in _names(job):
        if not name or name.startswith("/") or "\0" in name or any(p in ("", ".", "..") for p in name.split("/")):
            raise JobError(f"{name!r} is no path below the run's directory")
    sources = {source["name"] for source in job["sources"]}
    for name in job["main"]:
        if name not in sources:
            raise JobError(f"main names {name!r}, which is none of the sources")


def _names(job: Job) -> Iterator[str]:
    for entry in (*job["sources"], *job.get("files", ())):
        yield entry["name"]
