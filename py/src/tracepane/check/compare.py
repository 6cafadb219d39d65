"""Compare two traces event by event; the first divergence is told in words, with its likely reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tracepane.check import listing
from tracepane.check.divergence import Candidate, candidates
from tracepane.check.reasons import Evidence, Reason, explain
from tracepane.check.statement import statement
from tracepane.record.trace import Trace

Event = dict[str, Any]
Sources = Sequence[Mapping[str, Any]]  # of a job: {"name", "text", …}

SETS = (3, 4)  # shapes of set and frozenset in trace-format.md


@dataclass(frozen=True)
class Verdict:
    """What a comparison found.

    `status` is `equal`, `different` or `incomparable`; `compared` the number of equal events; `step` the first that
    differs, with the event of either trace in expanded JSON (None where a trace has no more); `reason` a known
    difference of platforms that explains it; `note` what an equal verdict does not cover.
    """

    status: str
    compared: int
    words: str
    step: int | None = None
    left: Event | None = None
    right: Event | None = None
    reason: Reason | None = None
    note: str = ""


def compare(
    left: Trace, right: Trace, sources: Sources = (), names: tuple[str, str] = ("native", "browser")
) -> Verdict:
    """Compare two traces of one job. With the job's `sources`, the line behind a difference helps to name its reason.

    A run that Stop or a limit of seconds ended is compared up to the shorter end; so is one whose interpreter died,
    but that is never called equal.
    """
    first = first_divergence(left, right)
    if first is not None:
        return _differed(left, right, first, sources, names)
    count = reach(left, right)
    dead = [name for name, trace in zip(names, (left, right), strict=True) if trace.end["status"] == "crashed"]
    if dead:
        told = f"the interpreter died ({' and '.join(dead)}); the {count} events that both have are equal"
        details = [str(trace.end["detail"]) for trace in (left, right) if trace.end.get("detail")]
        return Verdict("incomparable", count, "\n".join([told, *details]))
    note = "" if whole(left) and whole(right) else f"compared up to the shorter end: {_end(left)} and {_end(right)}"
    return Verdict("equal", count, f"equal: {count} events" + (f"; {note}" if note else ""), note=note)


def first_divergence(left: Trace, right: Trace) -> Candidate | None:
    """The first event at which two traces differ, within what both reach; None when there is none."""
    if left.end["digest"] == right.end["digest"]:
        return None
    count = reach(left, right)
    near = [found for found in candidates(left.columns, right.columns) if found.step < count]
    for found in near:
        # A string has no owner of its own: where it may have come in first, the events themselves decide.
        if (found.sure or raw(left, found.step) != raw(right, found.step)) and not _cut_output(
            left, right, found.step, count
        ):
            return found
    if not (whole(left) and whole(right)):
        return None
    if _identity(left.end) != _identity(right.end):
        return Candidate(count - 1, "how the run ended")
    # The digests differ, so these traces are never called equal, even where the events read alike.
    return near[0] if near else Candidate(0, "the order in which texts were first used")


def raw(trace: Trace, step: int) -> Event | None:
    """One event in expanded JSON, None where the trace has no more."""
    events = trace.expand(step, step + 1)["events"] if step < trace.steps else []
    return dict(events[0]) if events else None


def whole(trace: Trace) -> bool:
    """Whether the end of a trace is the program's own (or a count's) and not a moment that differs from run to run."""
    end = trace.end
    return not (end["status"] in {"stopped", "crashed"} or end.get("limit") == "seconds")


def reach(left: Trace, right: Trace) -> int:
    """How many events of two traces are compared."""
    if whole(left) and whole(right):
        return max(left.steps, right.steps)
    return min(trace.steps if whole(trace) else events_before_end(trace) for trace in (left, right))


def events_before_end(trace: Trace) -> int:
    """How many events a trace has without its end; a process that was killed wrote none."""
    return trace.steps - (1 if trace.steps and trace.kind(trace.steps - 1) == "end" else 0)


def _cut_output(left: Trace, right: Trace, step: int, count: int) -> bool:
    """Whether the last event is one of output that the shorter run did not finish."""
    if step != count - 1 or (whole(left) and whole(right)):
        return False
    a, b = raw(left, step), raw(right, step)
    if not a or not b or a["kind"] != "output" or b["kind"] != "output":
        return False
    return str(a["text"]).startswith(str(b["text"])) or str(b["text"]).startswith(str(a["text"]))


def _identity(end: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in end.items() if key not in {"digest", "wall", "steps"}}


def _differed(left: Trace, right: Trace, first: Candidate, sources: Sources, names: tuple[str, str]) -> Verdict:
    step = first.step
    events = (_event(left, step), _event(right, step))
    reason = explain(
        Evidence(
            events[0] or {},
            events[1] or {},
            "\n".join(code(left, right, step, sources)),
            [*sets(left), *sets(right)],
            (_version(left), _version(right)),
            "\n".join(str(source.get("text", "")) for source in sources),
        )
    )
    words = told(first, events, (left, right), names) + (f"\nlikely reason: {reason.words}" if reason else "")
    return Verdict("different", step, words, step, *events, reason)


def _event(trace: Trace, step: int) -> Event | None:
    """An event in expanded JSON; the last one with all that is said of the end."""
    event = raw(trace, step)
    return {**event, **_identity(trace.end)} if event and event["kind"] == "end" else event


def _version(trace: Trace) -> str:
    return str(trace.header.get("runtime", {}).get("version", ""))


def _end(trace: Trace) -> str:
    limit = trace.end.get("limit")
    return f"{trace.end['status']} ({limit})" if limit else str(trace.end["status"])


def told(first: Candidate, events: Sequence[Event | None], traces: Sequence[Trace], names: Sequence[str]) -> str:
    """The first divergence in words: the step, then what either side has there."""
    before = "it is the first event" if first.step == 0 else f"the {first.step} events before it are equal"
    width = max(len(name) for name in names) + 1
    lines = [f"step {first.step} differs ({before}): {first.what}"]
    for name, event, other, trace in zip(names, events, reversed(events), traces, strict=True):
        here = describe(event, other) if event else f"no more events; the run ended as {_end(trace)}"
        lines.append(f"  {name + ':':<{width}} {here}")
    return "\n".join(lines)


def describe(event: Event, other: Event | None) -> str:
    """One event on a line: what and where, then what it holds that the other does not."""
    if event["kind"] == "end":
        return "; ".join(line.strip() for line in listing.ending(event))
    place = f"{listing.where(event)} in {event['function']}" if event.get("function") else listing.where(event)
    before = other or {}
    changes = {
        key: value for key, value in (event.get("set") or {}).items() if (before.get("set") or {}).get(key) != value
    }
    parts = [f"{listing.happened(event)} at {place}, depth {event.get('depth')}"]
    parts += [f"{name} = {listing.text(value)}" for name, value in changes.items()]
    parts += [f"{name} is gone" for name in event.get("unset") or () if name not in (before.get("unset") or ())]
    return "; ".join(parts)


def code(left: Trace, right: Trace, step: int, sources: Sources) -> Iterator[str]:
    """The statements that may have caused a difference: those that ran before the event in its frame, and its own."""
    texts = {str(source["name"]): str(source.get("text", "")) for source in sources}
    places: dict[tuple[str, int], None] = {}
    for trace in (left, right):
        places.update(dict.fromkeys(behind(trace, step)))
    return (statement(texts[file], line) for file, line in places if file in texts)


def behind(trace: Trace, step: int) -> Iterator[tuple[str, int]]:
    """Files and lines behind an event: its own, and that of the event before it in its frame (a call: in any)."""
    step = min(step, trace.steps - 1)
    frames, kind = trace.columns["event_frame"], trace.kind(step)
    yield from place(trace, step)
    for earlier in range(step - 1, -1, -1):
        if frames[earlier] == frames[step] or kind in {"call", "resume", "end"}:
            yield from place(trace, earlier)
            return


def place(trace: Trace, step: int) -> Iterator[tuple[str, int]]:
    """File and line of an event, if it has any."""
    frame = trace.frame(step)
    if frame >= 0:
        yield trace.file(frame), trace.line(step)


def sets(trace: Trace) -> Iterator[frozenset[str]]:
    """The members of every set that a trace holds and that has two or more: texts of strings, `#3` for objects."""
    columns, strings = trace.columns, trace.strings
    start = 0
    for shape, form, count in zip(
        columns["version_shape"], columns["version_form"], columns["version_count"], strict=True
    ):
        if shape in SETS and form == 0 and count > 1:
            refs = columns["slot"][start : start + count]
            atoms = {strings[ref - 1] for ref in refs if ref > 0}
            objects = {f"#{-ref}" for ref in refs if ref < 0}
            yield frozenset({atom[1:] for atom in atoms if atom[:1] == "s"} | objects)
        start += count
