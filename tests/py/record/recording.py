"""Source in, exact events out: one way to record a program in the tests, and one to write its events down."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from lone_job import job

from tracepane.record import process
from tracepane.record.format import container
from tracepane.record.trace import Trace

CHILD = Path(__file__).with_name("child.py")


def record(source: str | bytes, **options: Any) -> Trace:
    """Record a program natively, as a user would. Options are those of `job`."""
    return process.record(job(source, **options))


def record_all(wanted: Sequence[tuple[str, dict[str, Any]]]) -> list[Trace]:
    """Record many jobs natively, each with `recorder` or `oracle`."""
    with tempfile.TemporaryDirectory() as folder:
        command = [process.find_python(), "-S", "-P", str(CHILD), folder]
        document = json.dumps(wanted).encode("ascii")
        environment = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}
        subprocess.run(command, input=document, env=environment, check=True, capture_output=True, timeout=600)
        return [Trace.parse(container.MAGIC + Path(folder, str(n)).read_bytes()) for n in range(len(wanted))]


def events(trace: Trace, kinds: Iterable[str] = ()) -> list[str]:
    """The events as one line each: kind, function and line, what was set and unset, and the event's own value."""
    return [written(event) for event in trace.expand()["events"] if not kinds or event["kind"] in kinds]


def written(event: dict[str, Any]) -> str:
    """One event on one line."""
    words = [event["kind"]]
    if event["function"] is not None:
        words.append(f"{event['function']}:{event['line'] or 0}")
    words += [f"{name}={short(value)}" for name, value in event.get("set", {}).items()]
    words += [f"-{name}" for name in event.get("unset", ())]
    if event["kind"] in ("return", "yield", "resume") and "value" in event:
        words.append(f"→ {short(event['value'])}")
    if "exception" in event:
        raised = event["exception"]
        words.append(f"! {raised['type']}({', '.join(map(short, raised['args']))})")
    if event["kind"] == "output":
        words.append(repr(event["text"]))
    return " ".join(words)


def short(value: dict[str, Any]) -> str:
    """A value in a notation close to Python's; objects carry their ids."""
    kind = value.get("type")
    if kind is None:
        return f"#{value['id']}"
    if "id" not in value:
        text = repr(value["text"]) if kind == "str" else str(value["text"])
        return text + (f"…{value['length']}" if "length" in value else "")
    parts = [short(item) for item in value.get("items", ())]
    parts += [f"{short(key)}: {short(held)}" for key, held in value.get("entries", ())]
    parts += [f"{name}={short(held)}" for name, held in value.get("attributes", {}).items()]
    if "name" in value:
        parts.insert(0, value["name"])
    return f"{kind}#{value['id']}({', '.join(parts)})" + (f"…{value['length']}" if "length" in value else "")
