"""A trace for people: one line an event, with the values that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tracepane.record.trace import Trace

Value = Mapping[str, Any]
Event = Mapping[str, Any]

WIDTH = 100  # columns of a value before it is cut
HEAD, TAIL = 200, 40  # events shown before and after the fold of a long trace
PIECE = 10_000  # events that are expanded at a time


def listing(trace: Trace, first: int | None = None, last: int | None = None) -> Iterator[str]:
    """The lines that show a trace, from step `first` to `last`; without them a long one is folded in the middle."""
    yield headline(trace)
    for part in parts(trace.steps, first, last):
        if isinstance(part, int):
            yield f"      … {part} steps more; --all shows them, --from and --to a part"
            continue
        for begin in range(part.start, part.stop, PIECE):
            events = trace.expand(begin, min(begin + PIECE, part.stop))["events"]
            place = max(len(where(event)) for event in events)
            yield from (line(event, place) for event in events)
    yield from ending(trace.end)


def headline(trace: Trace) -> str:
    """Where it ran, how much there is and how it ended."""
    runtime = trace.header["runtime"]
    name = f"{runtime.get('implementation', 'Python')} {runtime.get('version', '')}".strip()
    return f"{name} ({runtime.get('platform', '?')}) · {trace.steps} events · {trace.end['status']}"


def parts(steps: int, first: int | None, last: int | None) -> Iterator[range | int]:
    """The steps to show; a number stands for so many that are folded."""
    if first is None and last is None and steps > HEAD + TAIL:
        yield range(HEAD)
        yield steps - HEAD - TAIL
        yield range(steps - TAIL, steps)
    else:
        stop = steps if last is None else min(last + 1, steps)
        yield range(min(first or 0, stop), stop)


def where(event: Event) -> str:
    """File and line."""
    place = [str(event[key]) for key in ("file", "line") if event.get(key)]
    return ":".join(place) or "-"


def line(event: Event, place: int) -> str:
    """One event: step, place, depth as indentation, what happened, and what changed."""
    indent = "  " * max(0, (event.get("depth") or 1) - 1)
    parts = [happened(event), *(f"{name} = {text(value)}" for name, value in (event.get("set") or {}).items())]
    parts += [f"del {name}" for name in event.get("unset") or ()]
    return f"{event['step']:>7}  {where(event):<{place}}  {indent}{'   '.join(parts)}".rstrip()


def happened(event: Event) -> str:
    """The event's own word and what it carries."""
    kind, function = event["kind"], event.get("function") or ""
    if kind in {"call", "resume"}:
        return f"{kind} {function}"
    if kind in {"return", "yield"}:
        return f"{kind} {text(event['value'])}" if event.get("value") is not None else kind
    if kind in {"raise", "unwind"}:
        return f"{kind} {exception(event.get('exception') or {})}"
    if kind == "output":
        return f"{event['stream']} | {cut(repr(event['text']))}"
    if kind == "file":
        return f"file {event['path']} {event['change']}, {event['size']} bytes"
    return str(kind)


def exception(value: Value) -> str:
    """An exception by its type and arguments."""
    return f"{value.get('type', '?')}({', '.join(text(each) for each in value.get('args') or ())})"


def ending(end: Mapping[str, Any]) -> Iterator[str]:
    """How the run ended, with the traceback of an exception."""
    told = {key: end[key] for key in ("limit", "code", "detail") if end.get(key) is not None}
    yield f"end: {end['status']}" + "".join(f", {key} {value}" for key, value in told.items())
    exception = end.get("exception")
    if exception:
        for frame in exception.get("traceback") or ():
            folded = f"  (repeated {frame['repeated']} times)" if frame.get("repeated") else ""
            yield f"  {frame['file']}:{frame['line']} in {frame['function']}{folded}"
        yield f"  {exception['type']}: {exception.get('message', '')}"


def text(value: Value) -> str:
    """A value in expanded JSON on one line, near to how Python would write it."""
    return cut(full(value))


def full(value: Value) -> str:
    """A value in expanded JSON, uncut."""
    kind = value.get("type")
    if kind is None:
        return f"#{value.get('id', '?')}"
    if "items" in value:
        return items(value)
    if "entries" in value:
        inner = ", ".join(f"{full(key)}: {full(each)}" for key, each in value["entries"]) + left_out(value)
        return f"{{{inner}}}" if kind == "dict" else f"{kind}({{{inner}}})"
    if "attributes" in value:
        return f"{kind}({', '.join(f'{name}={full(each)}' for name, each in value['attributes'].items())})"
    if "name" in value:
        return f"<{kind} {value['name']}>"
    return atom(str(kind), value)


BRACKETS = {"list": "[]", "tuple": "()", "set": "{}"}


def items(value: Value) -> str:
    """A list, tuple, set or the like."""
    inner = ", ".join(full(each) for each in value["items"]) + left_out(value)
    brackets = BRACKETS.get(value["type"])
    if brackets is None:
        return f"{value['type']}([{inner}])"
    comma = "," if value["type"] == "tuple" and len(value["items"]) == 1 else ""
    return f"{brackets[0]}{inner}{comma}{brackets[1]}" if inner or value["type"] != "set" else "set()"


def left_out(value: Value) -> str:
    """How much was cut from a container."""
    shown = len(value.get("items", value.get("entries", ())))
    return f", … {value['length'] - shown} more" if "length" in value else ""


def atom(kind: str, value: Value) -> str:
    """A number, text or the like; a text is quoted so that no control character reaches the terminal."""
    if "text" not in value:
        return f"<{kind}>"
    told = repr(value["text"]) if kind in {"str"} else str(value["text"])
    return f"{told}… ({value['length']} in all)" if "length" in value else told


def cut(told: str) -> str:
    """At most WIDTH columns of a text."""
    return told if len(told) <= WIDTH else f"{told[: WIDTH - 1]}…"
