"""The local trace function, through which every event of a traced frame goes, and the global one for calls.

A local trace function lives in the frame's `f_trace` and dies with it; it does not know the frame. Most events are
lines and returns after which nothing can have changed but some locals, and objects that are known; and calls of
functions that are known, by lines that changed nothing before. Those take the short way here, each in one Python frame.
Everything else is for local.py.
"""

from __future__ import annotations

import opcode
import types
from collections.abc import Callable, Mapping
from typing import Any

from tracepane.record.bytecode.code import Code
from tracepane.record.bytecode.lines import BINDS, CALLS, CELLS, IN_PLACE, STORES, TOUCH, WEAK, Stretch
from tracepane.record.format import layout
from tracepane.record.format.layout import CALL, LINE, RETURN
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.activation import Activation
from tracepane.record.recorder.atoms import FEW
from tracepane.record.recorder.entry import Entry
from tracepane.record.recorder.narrow import Change
from tracepane.record.recorder.recording import Recording
from tracepane.record.recorder.stores import make_store

globals()["__builtins__"] = BUILTINS

Trace = Callable[[Any, types.FrameType, str, Any], None]
Call = Callable[[types.FrameType, str, Any], Any]
_RETURN = opcode.opmap.get("RETURN_VALUE", -1)
_NARROW = TOUCH | IN_PLACE | CELLS
_UNBOUND, _NOTHING = object(), object()


def make_trace(recording: Recording, carefully: Trace) -> Trace:
    """The local trace function, as a method of activations. CPython keeps it when it returns None."""
    heap, writer, scene, stack = recording.heap, recording.writer, recording.scene, recording.stack
    events, pairs, texts = writer.events, writer.pairs, writer.texts
    ints, numbers, dead, touched = heap.ints, heap.numbers, heap.dead, heap.touched
    add_event, add_pair, add_text = events.extend, pairs.extend, texts.append
    find, get_ref, store = scene.places.find, heap.ref, make_store(scene)

    # Two functions, long as they are: every event comes by here, and a call for each part would double its cost.
    def trace(self: Activation, frame: types.FrameType, event: str, arg: Any) -> None:
        """After code that changed nothing but one variable of the frame's own, or stored once into an object."""
        if self.calm != heap.calm:
            carefully(self, frame, event, arg)
            return
        ran = self.stretch
        way = ran.way
        if (
            not way or dead or len(events) >= recording.due
            or (touched and way != CALLS)
        ):  # fmt: skip
            ordinarily(self, frame, event, arg)
            return
        name, rows = ran.only, 0
        if event != "line":
            line = -1 if event != "return" or name else self.code.returns.get(frame.f_lasti, -1)
            if line < 0 or stack[-1] is not self:
                ordinarily(self, frame, event, arg)
                return
            ref = (type(arg) is int and ints.get(arg)) or get_ref(arg)
            # The ref of what is returned comes before those of what is stored.
            if way >= STORES and (way == STORES or touched) and (ref < 0 or (rows := store(self, ran, frame)) < 0):
                ordinarily(self, frame, event, arg)
                return
            stack.pop()
            self.variables = None
            if ref < 0 and numbers[-ref].stamp != heap.epoch:
                rows += meet(frame, ref)
            add_event((RETURN, self.number, line, ref, rows))
            return
        if name:
            variables = self.variables
            if variables is None:
                self.variables = variables = frame.f_locals
            try:
                value = variables[name]
            except KeyError:
                ordinarily(self, frame, event, arg)
                return
            if type(value) is int and (not ran.counter or name in self.atoms):
                ref = ints.get(value, 0)
                if not ref:
                    if value.bit_length() < FEW:
                        writer.count = ref = ints[value] = writer.count + 1
                        add_text(value)
                    else:
                        ref = get_ref(value)
                refs = self.refs
                if refs.get(name) != ref:
                    refs[name] = ref
                    self.atoms[name] = value
                    add_pair((ran.target or target(self.code, ran, name), ref))
                    rows = 1
            else:
                atoms = self.atoms
                known = atoms.get(name, _NOTHING)
                if value is not known:
                    if known is _NOTHING and ran.counter:
                        ordinarily(self, frame, event, arg)
                        return
                    ref, new = get_ref(value), False
                    if ref > 0:
                        atoms[name] = value
                    else:
                        atoms.pop(name, None)
                        new = numbers[-ref].stamp != heap.epoch
                    if self.refs.get(name) != ref:
                        self.refs[name] = ref
                        add_pair((ran.target or target(self.code, ran, name), ref))
                        rows = 1
                    if new:
                        rows += meet(frame, ref)
        elif way >= STORES and (way == STORES or touched):
            rows = store(self, ran, frame)
            if rows < 0:
                ordinarily(self, frame, event, arg)
                return
        place = frame.f_lasti
        try:
            self.stretch = following = self.code.begun[place]
        except KeyError:
            begin(self, frame, place, rows)
            return
        add_event((LINE, self.number, following.line, 0, rows))

    def begin(self: Activation, frame: types.FrameType, place: int, rows: int) -> None:
        """Write the event of a line at a place where none began before."""
        self.stretch = following = self.code.stretches.at(place)
        following.heed(heap.mask)
        self.line = line = following.line or frame.f_lineno or 0
        self.lined = following
        add_event((LINE, self.number, line, 0, rows))
        if following.line:
            self.code.begun[place] = following
        if not following.begun:
            recording.begin(following)

    def meet(frame: types.FrameType, ref: int) -> int:
        """Write what an object holds that was not looked at yet; the number of rows."""
        rows = heap.walk((ref,))
        if scene.cells.fresh:
            scene.cells.settle(frame)
        return rows

    def target(code: Code, ran: Stretch, name: str) -> int:
        """What the rows of a stretch's one variable name, as it is not known yet."""
        ran.target = found = code.targets.get(name) or scene.target(code, name)
        return found

    def ordinarily(self: Activation, frame: types.FrameType, event: str, arg: Any) -> None:
        """After code that changed variables, and objects that are known."""
        nonlocal pairs
        ran, code = self.stretch, self.code
        if len(events) >= recording.due:
            recording.look_around()
        if self.calm != heap.calm or dead:
            carefully(self, frame, event, arg)
            return
        if event != "line":
            place = frame.f_lasti
            returns = event == "return" and code.kind <= layout.FUNCTION_CODE and code.raw[place] == _RETURN
            if not returns or stack[-1] is not self:
                carefully(self, frame, event, arg)
                return
            if code.kind == layout.FUNCTION_CODE:
                code.returns[place] = frame.f_lineno or 0
        found = None
        changes = ran.changes
        if touched and not changes and ran.way == BINDS and event == "line" and len(events) < recording.due:
            rows = taken(self, ran, frame)
            if rows >= 0:
                begin(self, frame, frame.f_lasti, rows)
                return
        if changes or touched:
            if changes & heap.mask:
                carefully(self, frame, event, arg)
                return
            counter = ran.counter
            if (
                counter and not touched and (ran.steady or self.called is not ran)
                and (counter in self.atoms if code.kind else self.names.refs.get(counter, 0) > 0)
            ):  # fmt: skip
                pass  # a number has become another one
            elif touched or changes & _NARROW:
                if self.called is ran and not ran.steady:
                    carefully(self, frame, event, arg)
                    return
                found = find(self, ran, frame)
                if found is None:
                    carefully(self, frame, event, arg)
                    return
                touched.clear()
        before = len(pairs)
        roots: list[int] = []
        if ran.plain:
            variables, atoms, refs = self.variables, self.atoms, self.refs
            if variables is None:
                self.variables = variables = frame.f_locals
            for name in ran.plain:
                try:
                    value = variables[name]
                except KeyError:
                    value = _UNBOUND
                if value is atoms.get(name, _NOTHING):
                    continue
                if value is _UNBOUND:
                    scene.unbind(self, name)
                    continue
                if type(value) is int:
                    ref = ints.get(value, 0)
                    if not ref:
                        if value.bit_length() < FEW:
                            writer.count = ref = ints[value] = writer.count + 1
                            texts.append(value)
                        else:
                            ref = get_ref(value)
                else:
                    ref = get_ref(value)
                if ref > 0:
                    atoms[name] = value
                else:
                    atoms.pop(name, None)
                    if numbers[-ref].stamp != heap.epoch:
                        roots.append(ref)
                if refs.get(name) != ref:
                    refs[name] = ref
                    pairs += (code.targets.get(name) or scene.target(code, name), ref)
        if ran.stores:
            scene.store(self, ran, roots)
            roots = [each for each in roots if numbers[-each].stamp != heap.epoch]
        ref = 0
        if event != "line":
            line = frame.f_lineno or 0
            ref = (type(arg) is int and ints.get(arg)) or get_ref(arg if code.kind != layout.CLASS_CODE else None)
            if ref < 0 and numbers[-ref].stamp != heap.epoch:
                roots.append(ref)
            stack.pop()
            self.variables = None
        if found:
            changed(self, frame, found, roots)
        elif roots:
            heap.walk(roots)
            if scene.cells.fresh:
                scene.cells.settle(frame)
        self.called = None
        if event == "line":
            place, rows = frame.f_lasti, (len(pairs) - before) >> 1
            try:
                self.stretch = following = code.begun[place]
            except KeyError:
                begin(self, frame, place, rows)
            else:
                add_event((LINE, self.number, following.line, 0, rows))
        else:
            add_event((RETURN, self.number, line, ref, (len(pairs) - before) >> 1))
        if len(events) > recording.due:
            recording.checkpoint()

    def taken(self: Activation, ran: Stretch, frame: types.FrameType) -> int:
        """Write what a method took out of a list and a variable was bound to; the number of rows, −1 as of `store`."""
        name, variables = ran.only, self.variables
        if not name:
            return -1
        if variables is None:
            self.variables = variables = frame.f_locals
        value = variables.get(name, _UNBOUND)
        ref = get_ref(value) if value is not _UNBOUND else 0
        if not ref or (ref < 0 and numbers[-ref].stamp != heap.epoch):
            return -1
        rows = store(self, ran, frame)
        if rows < 0:
            return -1
        if ref > 0:
            self.atoms[name] = value
        else:
            self.atoms.pop(name, None)
        if self.refs.get(name) != ref:
            self.refs[name] = ref
            place = len(pairs) - 2 * rows  # variables come first
            pairs[place:place] = (ran.target or target(self.code, ran, name), ref)
            rows += 1
        return rows

    def changed(self: Activation, frame: types.FrameType, found: dict[Entry, list[Change]], roots: list[int]) -> None:
        """Write what changed in the objects that were found, and what the new roots lead to."""
        if roots or len(found) > 1:
            differ = [entry for entry, changes in found.items() if heap.differs(entry, changes)]
            if len(differ) + bool(roots) > 1:  # in which order they come only a whole look can tell
                calm = heap.calm
                heap.walk(scene.everything(self, frame, roots))
                if calm == heap.calm:
                    heap.calm = self.calm = heap.epoch
            elif differ:
                heap.touch(differ[0], found[differ[0]])
            else:
                heap.walk(roots)
        else:
            for entry, changes in found.items():
                heap.touch(entry, changes)
        heap.cells.clear()
        if scene.cells.fresh:
            scene.cells.settle(frame)

    return trace


def make_call(
    recording: Recording, codes: Mapping[int, Code | None], kind: Callable[[Code], Any], longer: Call
) -> Call:
    """The global trace function: the local one of a frame that begins.

    Calls of known functions are recorded here, all else that begins is for `longer`. `codes` are known by the addresses
    of their code objects, `kind` makes activations.
    """
    heap, writer, scene, stack = recording.heap, recording.writer, recording.scene, recording.stack
    events = writer.events
    add_event, add_pair, add_frame = events.extend, writer.pairs.extend, writer.begun.extend
    ints, numbers, dead, touched = heap.ints, heap.numbers, heap.dead, heap.touched
    get_ref, spies = heap.ref, recording.spies
    new: Any = object.__new__

    def call(frame: types.FrameType, event: str, arg: Any) -> Any:
        code = codes.get(id(frame.f_code))
        if (
            code is None or heap.expected is not code.code or code.seen != heap.calm or not code.quick or recording.lost
            or not stack
        ):  # fmt: skip
            return longer(frame, event, arg)
        caller = stack[-1]
        ran, names, calm = caller.stretch, code.names, heap.calm
        if (
            caller.calm != calm or not ran.late or ran.changes & heap.mask & WEAK or dead or touched
            or len(events) >= recording.due or caller.depth >= recording.deepest or spies.spy is not None
            or frame.f_globals is not names.variables
        ):  # fmt: skip
            return longer(frame, event, arg)
        heap.expected = None
        caller.called = ran
        self = new(kind)  # and what else an activation begins with: its constructor would cost a call
        self.code, self.refs, self.atoms, self.variables = code, {}, {}, None
        self.called = None
        self.names, self.depth, self.address = names, caller.depth + 1, id(frame)
        self.calm = self.epoch = calm
        self.stretch = code.opening
        line = code.first
        self.number = number = writer.frames
        writer.frames = number + 1
        add_frame((code.number, names.number))
        bound = code.entry.plain
        rows, fresh = len(bound), None
        if rows:
            self.variables = variables = frame.f_locals
            atoms, refs, targets = self.atoms, self.refs, code.targets
            for name in bound:
                value = variables[name]
                ref = (ints.get(value) if type(value) is int else 0) or get_ref(value)
                if ref > 0:
                    atoms[name] = value
                elif numbers[-ref].stamp != calm:
                    fresh = [*fresh, ref] if fresh else [ref]
                refs[name] = ref
                add_pair((targets.get(name) or scene.target(code, name), ref))
        if fresh:
            rows += heap.walk(fresh)
            if scene.cells.fresh:
                scene.cells.settle(frame)
        stack.append(self)
        add_event((CALL, number, line, 0, rows))
        return self.trace

    return call
