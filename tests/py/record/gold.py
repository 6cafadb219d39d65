"""Writes the gold vectors that the browser's reader is tested with: `python tests/py/record/gold.py`.

For each program `tests/gold/NAME.trace`, and `NAME.json` with its expanded form and the state at some steps.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import replay
from corpus import PROGRAMS
from recording import record_all

from tracepane.record import job as jobs
from tracepane.record.format.layout import GLOBAL
from tracepane.record.process import record
from tracepane.record.trace import Trace
from tracepane.record.trace.query import SCOPES, Queries

FOLDER = Path(__file__).resolve().parents[2] / "gold"
NAMES = (
    "scalars functions recursion lists dicts sets nested_containers classes slots subclasses_of_builtins generators "
    "generator_close_and_throw async_generators exceptions exceptions_again closures closure_unbound comprehensions "
    "self_containing id_reuse finalizers methods strings output template_strings bubble linked"
).split()
FORGOTTEN = "forgotten"  # recorded by a recorder that forgets atoms at once: they come again under other refs
MOST = 8  # frames and objects whose histories are told
FILES = """
import os
with open("a.txt", "w") as f:
    f.write("one\\n")
with open("a.txt", "a") as f:
    f.write("two\\n")
    f.flush()
    f.write("three\\n")
os.makedirs("sub/deep")
with open("sub/deep/b.bin", "wb") as f:
    f.write(bytes(range(256)))
with open("a.txt", "r+") as f:
    f.write("ONE")
os.remove("sub/deep/b.bin")
print(open("a.txt").read())
"""
RESTORED = """
level = 1
seen = []

def blink():
    global level
    level = 2
    level = 1

def walk():
    kept = [1]
    held = 5
    def flip():
        nonlocal held
        held = 6
        kept.append(2)
        kept.pop()
        held = 5
        return level
    flip()
    blink()
    return kept, held, level, seen

walk()
seen.append(level)
"""
GROWTH = """
log = "the run begins; " * 32
for turn in range(66):
    log = log + "."
first, other = log, "another text altogether, " * 24
for turn in range(3):
    other = "<" + other
    log = log[:300] + f"[{turn}]" + log[300 + turn:]
log = log[100:-20]
wide = "\u4e00\u4e8c" * 250
wide = wide + "\u4e09"
wide = wide[:77] + "e\u0301" + wide[78:]
again = "".join(["the run begins; " * 32, "." * 66])
same = again == first
print(log[:600])
"""
CUTS = """
neg = -(10 ** 3999)
over = 10 ** 4000
text = "ab" * 40000
odd = "\\ud83d" * 3 + "\\u2603"
blob = bytes(70000)
nan = [float("nan"), float("inf"), -0.0, 1e300, 3 + 4j]
"""


def job(name: str, source: str) -> dict[str, Any]:
    """The job of a program on its own."""
    return {
        "format": jobs.FORMAT,
        "pane": f"gold/{name}",
        "scenario": "",
        "root": jobs.root(f"gold/{name}", ""),
        "sources": [{"name": "prog.py", "role": "shown", "text": source, "traced": [[1, 100_000]]}],
        "main": ["prog.py"],
        "argv": [],
        "env": {},
        "stdin": {"text": "", "closed": True},
        "files": [],
        "limits": {"steps": 100_000, "bytes": 16 << 20, "seconds": 20},
        "probes": [],
    }


def described(trace: Trace, source: str) -> dict[str, Any]:
    """What the vectors say of a trace, found by going through it."""
    every = max(1, trace.steps // 40)
    past = replay.Histories(trace)
    return {
        "expanded": trace.expand(),
        "moments": [_moment(trace, step) for step in range(0, trace.steps, every)],
        "lines": {str(line): found for line in range(1, 80) if (found := replay.steps_at(trace, line))},
        "hits": [{"lines": lines, "steps": replay.hits(trace, lines)} for lines in statements(source)],
        "histories": [
            {"frame": frame, "scope": SCOPES[space], "name": name, "history": past.of_variable(space, owner, name)}
            for frame in range(min(MOST, len(trace.columns["frame_code"])))
            for space, owner, name in past.variables
            if owner == (trace.columns["frame_globals"][frame] if space == GLOBAL else frame)
        ],
        "objects": {str(number): [step for step, *_ in past.objects[number]] for number in list(past.objects)[:MOST]},
        "parts": [
            {"object": number, "part": part, "history": past.of_part(number, part)}
            for number in [number for number, versions in past.objects.items() if len(versions) > 1][:MOST]
            for part in list(past.parts(*past.objects[number][-1][1:]))[:3]
        ],
        "fileHistories": {
            path: [[step, None if content is None else content.hex()] for step, content in history]
            for path, history in past.files.items()
        },
    }


def answered(trace: Trace, asked: dict[str, Any]) -> dict[str, Any]:
    """The same, as the package's own queries answer it. `asked` says what about."""
    queries, last = Queries(trace), trace.steps - 1
    return {
        "expanded": trace.expand(),
        "moments": [_answer(queries, moment["step"]) for moment in asked["moments"]],
        "lines": {line: list(queries.steps_at("prog.py", int(line))) for line in asked["lines"]},
        "hits": [{**hit, "steps": queries.hits("prog.py", hit["lines"])} for hit in asked["hits"]],
        "histories": [
            {**one, "history": queries.history(last, one["frame"], one["scope"], one["name"])}
            for one in asked["histories"]
        ],
        "objects": {number: queries.object_history(last, int(number)) for number in asked["objects"]},
        "parts": [{**one, "history": queries.part_history(last, one["object"], one["part"])} for one in asked["parts"]],
        "fileHistories": {
            path: [[step, None if content is None else content.hex()] for step, content in queries.file_history(path)]
            for path in asked["fileHistories"]
        },
    }


def statements(source: str) -> list[list[int]]:
    """The lines of each statement; of one that holds others, those of its head."""
    try:
        nodes = ast.walk(ast.parse(source))
    except SyntaxError:  # newer syntax than this Python's
        return [[line] for line in range(1, source.count("\n") + 1)]
    found = []
    for node in nodes:
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno
            found.append(list(range(node.lineno, max(node.lineno, last or 0) + 1)))
    return sorted(found)


def _moment(trace: Trace, step: int) -> dict[str, Any]:
    moment = replay.Moment(trace, step)
    return {
        "step": step,
        "stack": [frame._asdict() for frame in moment.stack()],
        "variables": {
            frame.frame: [variable._asdict() for variable in moment.variables(frame.frame)] for frame in moment.stack()
        },
        "output": moment.output(),
        "files": {path: content.hex() for path, content in moment.files().items()},
    }


def _answer(queries: Queries, step: int) -> dict[str, Any]:
    stack = queries.stack(step)
    return {
        "step": step,
        "stack": [frame._asdict() for frame in stack],
        "variables": {
            frame.frame: [variable._asdict() for variable in queries.variables(step, frame.frame)] for frame in stack
        },
        "output": queries.output(step),
        "files": {path: content.hex() for path, content in queries.files(step).items()},
    }


def programs() -> dict[str, str]:
    """The programs by the vectors' names."""
    return {
        **{name: PROGRAMS[name] for name in NAMES},
        "files": FILES,
        "cuts": CUTS,
        "restored": RESTORED,
        "growth": GROWTH,
        FORGOTTEN: PROGRAMS["changed_back"],
    }


def recorded(name: str) -> Trace:
    """A program's trace, recorded now, without what differs from machine to machine."""
    document = job(name, programs()[name])
    trace = record_all([("forgetful", document)])[0] if name == FORGOTTEN else record(document)
    trace.header["runtime"] = {"implementation": "cpython", "version": "3.14", "platform": "gold"}
    trace.end.pop("wall", None)
    return trace


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for name in programs():
        trace = recorded(name)
        trace.save(FOLDER / f"{name}.trace")
        text = json.dumps(described(trace, programs()[name]), ensure_ascii=True, separators=(",", ":"))
        (FOLDER / f"{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
