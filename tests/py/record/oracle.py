"""The oracle: a recorder that looks at everything at every event. No static analysis, no fast path, nothing forgotten.

It shares with the recorder how a value is read and how a trace is written, and nothing of what the recorder knows,
assumes or skips. It keeps every object it ever saw alive, so programs that watch objects die are not for it.
"""

from __future__ import annotations

import dis
import gc
import sys
import types
from typing import Any

from tracepane.record.bytecode.code import GLOBAL_OPS, hidden, inside, shown, tree
from tracepane.record.format import layout
from tracepane.record.format.writer import TraceWriter
from tracepane.record.own import BUILTINS
from tracepane.record.values.atoms import atom_text
from tracepane.record.values.kinds import is_dict, type_name
from tracepane.record.values.readers import reader
from tracepane.record.values.reading import NAME, VALUE, Reading

globals()["__builtins__"] = BUILTINS

settrace = sys.settrace
MISSING = object()


class Oracle:
    """Same interface as Recorder."""

    room = 0

    def __init__(self, writer: TraceWriter, traced: Any) -> None:
        """Nothing seen yet."""
        self.writer, self.traced = writer, traced
        self.before_event: Any = None
        self.on_limit: Any = None
        self.max_steps = self.max_bytes = sys.maxsize
        self.codes: dict[int, tuple[Any, str, int]] = {}
        self.instructions: dict[int, list[dis.Instruction]] = {}
        self.kept: list[Any] = []
        self.code_ids: dict[int, int] = {}
        self.namespaces: list[Any] = []
        self.frames: dict[int, tuple[Any, int]] = {}  # address → the frame itself, its id
        self.stack: list[tuple[Any, int, int]] = []
        self.objects: dict[int, tuple[Any, int]] = {}
        self.count = 0
        self.variables: dict[tuple[int, int], dict[str, int]] = {}
        self.spaces: dict[int, Any] = {}
        self.cells: dict[tuple[int, str], Shared] = {}
        self.shared: dict[int, Shared] = {}
        self.raised: dict[int, Any] = {}
        self.spoken: list[Any] = []

    watches: tuple[type, ...] = ()

    def let_go(self) -> None:
        """It keeps everything."""

    def forsake(self, among: set[int] | None, *, counted: bool = True) -> set[int]:  # noqa: ARG002
        """It keeps everything."""
        return set()

    def collected(self) -> None:
        """It keeps everything."""

    def adopt(self, code: types.CodeType) -> None:
        """The code of a source."""
        if code.co_filename in self.traced:
            name, ranges = self.traced[code.co_filename]
            for part, first in tree(code):
                if not hidden(part) and inside(part, ranges):
                    self.codes[id(part)] = (part, name, first)
                    # Taken now, as `dis` is at the mercy of a program that replaces builtins.
                    self.instructions[id(part)] = list(dis.get_instructions(part))

    def start(self) -> None:
        """Trace."""
        sys.monitoring.use_tool_id(4, "oracle")
        sys.monitoring.register_callback(4, sys.monitoring.events.RERAISE, self.on_reraise)
        sys.monitoring.set_events(4, sys.monitoring.events.RERAISE)
        settrace(self.on_call)

    def stop(self) -> None:
        """Trace no more."""
        settrace(None)
        sys.monitoring.set_events(4, 0)

    def finish(self, end: dict[str, Any]) -> dict[str, Any]:
        """Write the end."""
        self.speak()
        self.writer.event(layout.END, -1, 0, 0, 0)
        self.writer.flush()
        return {**end, "steps": self.writer.steps}

    def output(self, stream: str, text: str) -> None:
        """The program wrote."""
        if text:
            frame, line = self.stack[-1][1:] if self.stack else (-1, 0)
            if self.spoken and self.spoken[0][:3] != (stream, frame, line):
                self.speak()
            self.spoken.append((stream, frame, line, text))

    def file(self, path: str, change: int, size: int, splice: Any) -> None:
        """A file changed."""
        self.speak()
        frame, line = self.stack[-1][1:] if self.stack else (-1, 0)
        self.writer.event(layout.FILE, frame, line, self.writer.file(path, change, size, splice), 0)
        self.limit()

    def speak(self) -> None:
        """Write pending output."""
        if self.spoken:
            stream, frame, line, _ = self.spoken[0]
            text = self.writer.string("".join(piece[3] for piece in self.spoken))
            self.spoken = []
            self.writer.event(layout.STREAMS[stream], frame, line, text, 0)
            self.limit()

    def limit(self) -> None:
        """End the run after the event with which the limit is reached."""
        if self.on_limit is not None and self.writer.steps >= self.max_steps:
            reached, self.on_limit = self.on_limit, None
            reached("steps")

    def on_reraise(self, _code: Any, _offset: int, exception: Any) -> None:
        """Which exception a `finally` raises again."""
        self.raised[id(sys._getframe(1))] = exception

    def on_call(self, frame: Any, event: str, arg: Any) -> Any:
        """The global trace function."""
        if id(frame.f_code) in self.codes:
            return self.on_event(frame, event, arg)
        return None

    def on_event(self, frame: Any, event: str, arg: Any) -> Any:
        """Any event of a traced frame."""
        if self.before_event:
            self.before_event()
        self.speak()
        code = frame.f_code
        instruction = next(
            (i for i in self.instructions[id(code)] if i.start_offset <= frame.f_lasti <= i.offset), None
        )
        opname = instruction.opname if instruction else ""
        line = frame.f_lineno or 0
        if event == "call":
            kind = layout.RESUME if opname == "RESUME" and instruction.arg & 3 else layout.CALL
            if kind == layout.CALL:
                self.enter(frame)
                line = line and self.codes[id(code)][2]
        elif event == "line":
            kind = layout.LINE
        elif event == "exception":
            self.raised[id(frame)] = arg[1]
            mro = type.__dict__["__mro__"].__get__(type(arg[1]))
            if opname in ("FOR_ITER", "SEND", "END_SEND", "END_FOR", "POP_ITER", "CLEANUP_THROW") and (
                StopIteration in mro or StopAsyncIteration in mro
            ):
                return self.on_event
            if opname in ("RESUME", "SEND", "YIELD_VALUE", "CLEANUP_THROW") and GeneratorExit in mro:
                return self.on_event
            kind = layout.RAISE
        else:
            kind = {"YIELD_VALUE": layout.YIELD, "RETURN_VALUE": layout.RETURN}.get(opname, layout.UNWIND)
        number = self.frames[id(frame)][1]
        if kind in layout.PUSHES:
            self.stack.append((frame, number, line))
        self.stack[-1] = (frame, number, line)
        value = MISSING
        if kind in (layout.RETURN, layout.YIELD):
            value = None if not code.co_flags & 1 else arg  # a class body returns a cell of the interpreter's
            if type(arg).__name__ == "async_generator_wrapped_value":
                value = gc.get_referents(arg)[0]
        elif kind in (layout.RAISE, layout.UNWIND):
            value = self.raised[id(frame)]
        rows, ref = self.observe(frame, number, value)
        if kind in layout.POPS:
            self.stack.pop()
        self.writer.event(kind, number, line, ref, rows)
        self.limit()
        return self.on_event

    def enter(self, frame: Any) -> None:
        """A new frame."""
        code, file, first = self.codes[id(frame.f_code)]
        if id(code) not in self.code_ids:
            kinds = {0x200: 5, 0x80: 4, 0x20: 3}
            kind = next((k for flag, k in kinds.items() if code.co_flags & flag), 2)
            if not code.co_flags & 1:
                kind = 0 if code.co_name == "<module>" else 1
            self.code_ids[id(code)] = self.writer.code(file, code.co_qualname, first, kind)
        space = next((i for i, n in enumerate(self.namespaces) if n is frame.f_globals), None)
        if space is None:
            space = len(self.namespaces)
            self.namespaces.append(frame.f_globals)
        number = self.writer.frame(self.code_ids[id(code)], space)
        self.frames[id(frame)] = (frame, number)
        self.kept.append(frame)
        self.spaces[number] = (space, frame.f_locals if not code.co_flags & 1 else None)

    def observe(self, frame: Any, number: int, value: Any) -> tuple[int, int]:
        """Look at everything."""
        code = frame.f_code
        space, namespace = self.spaces[number]
        rows = 0
        roots: list[Any] = []
        if not code.co_flags & 1:
            is_module = code.co_name == "<module>"
            own = frame.f_globals if is_module else namespace
            found = {n: v for n, v in dict.items(own) if type(n) is str} if is_dict(own) else {}
            scope, owner = (layout.GLOBAL, space) if is_module else (layout.LOCAL, number)
            gone = [n for n in self.variables.get((scope, owner), {}) if n not in found]
            rows += self.write(scope, owner, found, [*found, *gone], roots)
            if is_module:
                return self.reach(roots, value, rows)
        else:
            every = dict(frame.f_locals)
            cells = {*code.co_cellvars, *code.co_freevars}
            seen = {}
            for name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
                if name in cells and shown(name):
                    cell = self.cell(frame, number, name, every.get(name, MISSING))
                    if cell is not None:
                        seen[name] = cell
                elif name in every:
                    seen[name] = every[name]
            names = [*dict.fromkeys((*code.co_varnames, *code.co_cellvars))]
            rows += self.write(layout.LOCAL, number, seen, names, roots)
            rows += self.write(layout.FREE, number, seen, code.co_freevars, roots)
        used = {i.argval for i in self.instructions[id(code)] if i.opname in GLOBAL_OPS}
        wanted = [name for name in code.co_names if name in used]
        found = {name: frame.f_globals[name] for name in wanted if name in frame.f_globals}
        rows += self.write(layout.GLOBAL, space, found, wanted, roots)
        return self.reach(roots, value, rows)

    def cell(self, frame: Any, number: int, name: str, value: Any) -> Any:
        """The real cell of a variable, found among all cells that there are."""
        known = self.cells.get((number, name))
        if known is None and value is not MISSING:
            mark = frame.f_locals[name] = object()
            every = [each for each in gc.get_objects() if type(each) is types.CellType]
            known = next(each for each in every if holds(each, mark))
            frame.f_locals[name] = value
            known = self.shared.setdefault(id(known), Shared(known))
            self.cells[number, name] = known
        return known

    def write(self, scope: int, owner: int, found: dict[str, Any], names: Any, roots: list[Any]) -> int:
        """Rows for the variables of a scope, in the order of `names`."""
        last = self.variables.setdefault((scope, owner), {})
        rows = 0
        for name in filter(shown, names):
            if name in found:
                roots.append(found[name])
            ref = self.ref(found[name]) if name in found else 0
            if last.get(name, 0) != ref:
                last[name] = ref
                self.writer.row(self.writer.string(name) << 2 | scope, ref)
                rows += 1
        return rows

    def ref(self, value: Any) -> int:
        """A ref; objects are never forgotten."""
        text = atom_text(value)
        if text is not None:
            return self.writer.string(text) + 1
        if id(value) not in self.objects:
            self.count += 1
            self.objects[id(value)] = (value, self.count)
        return -self.objects[id(value)][1]

    def reach(self, roots: list[Any], value: Any, rows: int) -> tuple[int, int]:
        """Everything that can be reached, breadth first."""
        ref = 0
        if value is not MISSING:
            ref = self.ref(value)
            roots.append(value)
        queue, seen = [], set()
        for root in roots:
            if atom_text(root) is None and id(root) not in seen:
                seen.add(id(root))
                queue.append(root)
        for each in queue:
            number = self.objects[id(each)][1]
            reading = each.read() if type(each) is Shared else reader(type(each))(each)
            kind = self.writer.string("cell" if type(each) is Shared else type_name(type(each)))
            parts = list(reading.parts)
            if reading.shape & 127 in (layout.SET, layout.FROZENSET):
                slots, children = self.set(parts)
            else:
                slots, children = self.slots(parts)
            if type(each) is Shared and not slots:
                slots = [0]
            if reading.shape & 128:
                more, others = self.slots(reading.attributes or [])
                slots, children = [len(slots), *slots, *more], children + others
            version = self.writer.version(number, reading.shape, kind, reading.length, slots)
            if version >= 0:
                self.writer.row(number << 2 | 3, version)
                rows += 1
            for child in children:
                if id(child) not in seen:
                    seen.add(id(child))
                    queue.append(child)
        return rows, ref

    def slots(self, parts: Any) -> tuple[list[int], list[Any]]:
        """Slots, and the objects among them."""
        slots, children = [], []
        for kind, part in parts:
            if kind == NAME:
                slots.append(self.writer.string(str.__str__(part)) + 1)
            else:
                slots.append(self.ref(part))
                if slots[-1] < 0:
                    children.append(part)
        return slots, children

    def set(self, parts: Any) -> tuple[list[int], list[Any]]:
        """A set in canonical order."""
        objects = [(-self.ref(part), part) for _, part in parts if atom_text(part) is None]
        atoms = sorted((type_name(type(part)), atom_text(part)) for _, part in parts if atom_text(part) is not None)
        objects.sort(key=lambda pair: pair[0])
        slots = [self.writer.string(text) + 1 for _, text in atoms] + [-number for number, _ in objects]
        return slots, [part for _, part in objects]


class Shared:
    """A cell that is a variable."""

    def __init__(self, cell: Any) -> None:
        """The variable in `cell`."""
        self.cell = cell

    def read(self) -> Reading:
        """What the cell holds."""
        try:
            return Reading(layout.CELL, 1, [(VALUE, self.cell.cell_contents)])
        except ValueError:
            return Reading(layout.CELL, 0, [])


def holds(cell: Any, mark: object) -> bool:
    """Whether a cell holds exactly that."""
    try:
        return cell.cell_contents is mark
    except ValueError:
        return False
