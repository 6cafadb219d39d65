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
from tracepane.record.bytecode.lines import BINDS, CALLS, CELLS, IN_PLACE, STORES, TOUCH, Stretch
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

Call = Callable[[types.FrameType, str, Any], Any]
_RETURN = opcode.opmap.get("RETURN_VALUE", -1)
_NARROW = TOUCH | IN_PLACE | CELLS
_UNBOUND, _NOTHING = object(), object()


def make_trace(recording: Recording) -> dict[str, Callable[..., Any]]:
    """The local trace function and what it calls, as methods of activations. CPython keeps it when it returns None."""
    heap, writer, scene, stack = recording.heap, recording.writer, recording.scene, recording.stack
    events, pairs, texts = writer.events, writer.pairs, writer.texts
    ints, numbers, dead, touched = heap.ints, heap.numbers, heap.dead, heap.touched
    add_event, add_pair, add_text = events.extend, pairs.extend, texts.append
    find, get_ref, store = scene.places.find, heap.ref, make_store(scene)

    # Two functions, long as they are: every event comes by here, and a call for each part would double its cost. Each
    # variable of those around them that one names has a cost at every call, used or not: what is seldom used has none.
    # A handler that returns would make CPython count references at every load after it.
    def trace(self: Activation, frame: types.FrameType, event: str, arg: Any) -> None:
        """After code that changed nothing but one variable of the frame's own, or stored once into an object."""
        if self.calm != heap.calm:
            self.carefully(frame, event, arg)
            return
        ran = self.stretch
        name, rows = ran.only, 0
        if name is None or dead or len(events) >= recording.due or (touched and ran.way != CALLS):
            self.ordinarily(frame, event, arg)
            return
        if event != "line":
            line = ran.returns
            if event != "return" or name or line < 0 or recording.stack[-1] is not self:
                self.ordinarily(frame, event, arg)
                return
            ref = (type(arg) is int and ints.get(arg)) or heap.ref(arg)
            # The ref of what is returned comes before those of what is stored.
            way = ran.way
            if way >= STORES and (way == STORES or touched) and (ref < 0 or (rows := self.store(ran, frame)) < 0):
                self.ordinarily(frame, event, arg)
                return
            recording.stack.pop()
            self.variables = None
            idle = self.code.idle
            if idle is not None:
                idle.append(self)
            if ref < 0 and heap.numbers[-ref].stamp != heap.epoch:
                rows += self.meet(frame, ref)
            add_event((RETURN, self.number, line, ref, rows))
            return
        if name:
            variables = self.variables
            if variables is None:
                self.variables = variables = frame.f_locals
            try:
                value = variables[name]
            except KeyError:
                value = _UNBOUND
            if type(value) is int and (not ran.counter or name in self.atoms):
                ref = ints.get(value, 0)
                if not ref:
                    if value.bit_length() < FEW:
                        writer.count = ref = ints[value] = writer.count + 1
                        add_text(value)
                    else:
                        ref = heap.ref(value)
                refs = self.refs
                if refs.get(name) != ref:
                    refs[name] = ref
                    self.atoms[name] = value
                    add_pair((ran.target or self.target(ran, name), ref))
                    rows = 1
            else:
                atoms = self.atoms
                known = atoms.get(name, _NOTHING)
                if value is not known:
                    if value is _UNBOUND or (known is _NOTHING and ran.counter):
                        self.ordinarily(frame, event, arg)
                        return
                    ref, new = heap.ref(value), False
                    if ref > 0:
                        atoms[name] = value
                    else:
                        atoms.pop(name, None)
                        new = heap.numbers[-ref].stamp != heap.epoch
                    if self.refs.get(name) != ref:
                        self.refs[name] = ref
                        add_pair((ran.target or self.target(ran, name), ref))
                        rows = 1
                    if new:
                        rows += self.meet(frame, ref)
        elif (way := ran.way) >= STORES and (way == STORES or touched):
            rows = self.store(ran, frame)
            if rows < 0:
                self.ordinarily(frame, event, arg)
                return
        following = ran.following
        if following is None:
            place = frame.f_lasti
            following = self.code.begun.get(place)
            if following is None:
                self.begin(frame, place, rows)
                return
        self.stretch = following
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
            self.code.stretches.begin(place, following)
        if not following.begun:
            recording.begin(following)

    def meet(self: Activation, frame: types.FrameType, ref: int) -> int:
        """Write what an object holds that was not looked at yet; the number of rows."""
        rows = heap.walk((ref,))
        if scene.cells.fresh:
            scene.cells.settle(frame)
        return rows

    def target(self: Activation, ran: Stretch, name: str) -> int:
        """What the rows of a stretch's one variable name, as it is not known yet."""
        ran.target = found = self.code.targets.get(name) or scene.target(self.code, name)
        return found

    def ordinarily(self: Activation, frame: types.FrameType, event: str, arg: Any) -> None:
        """After code that changed variables, and objects that are known."""
        nonlocal pairs
        ran, code = self.stretch, self.code
        if len(events) >= recording.due:
            recording.look_around()
        if self.calm != heap.calm or dead:
            self.carefully(frame, event, arg)
            return
        if event != "line":
            place = frame.f_lasti
            returns = event == "return" and code.kind <= layout.FUNCTION_CODE and code.raw[place] == _RETURN
            if not returns or stack[-1] is not self:
                self.carefully(frame, event, arg)
                return
        found = None
        changes = ran.changes
        if touched and not changes and ran.way == BINDS and event == "line" and len(events) < recording.due:
            rows = taken(self, ran, frame)
            if rows >= 0:
                self.begin(frame, frame.f_lasti, rows)
                return
        if changes or touched:
            if changes & heap.mask:
                self.carefully(frame, event, arg)
                return
            counter = ran.counter
            if (
                counter and not touched and (ran.steady or self.called is not ran)
                and (counter in self.atoms if code.kind else self.names.refs.get(counter, 0) > 0)
            ):  # fmt: skip
                pass  # a number has become another one
            elif touched or changes & _NARROW:
                if self.called is ran and not ran.steady:
                    self.carefully(frame, event, arg)
                    return
                found = find(self, ran, frame)
                if found is None:
                    self.carefully(frame, event, arg)
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
            rows, following = (len(pairs) - before) >> 1, ran.following or code.begun.get(frame.f_lasti)
            if following is None:
                self.begin(frame, frame.f_lasti, rows)
            else:
                self.stretch = following
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
            pairs[place:place] = (ran.target or self.target(ran, name), ref)
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

    return {each.__name__: each for each in (trace, ordinarily, begin, meet, target, store)}


def make_call(
    recording: Recording, codes: Mapping[int, Code | None], kind: Callable[[Code], Any], longer: Call
) -> Call:
    """The global trace function: the local one of a frame that begins.

    Calls of known functions are recorded here, all else that begins is for `longer`. `codes` are known by the addresses
    of their code objects, `kind` makes activations.
    """
    heap, writer, stack = recording.heap, recording.writer, recording.stack
    events = writer.events
    add_event, add_pair, add_frame = events.extend, writer.pairs.extend, writer.begun.extend
    ints, dead, touched, get_ref = heap.ints, heap.dead, heap.touched, heap.ref
    new: Any = object.__new__

    def call(frame: types.FrameType, event: str, arg: Any) -> Any:
        code = codes.get(id(frame.f_code))
        calm = heap.calm
        if code is None or heap.expected is not code.code or code.seen != calm or not stack:
            return longer(frame, event, arg)
        caller = stack[-1]
        ran, names = caller.stretch, code.names
        if (
            caller.calm != calm or not ran.late or dead or touched or len(events) >= recording.due
            or caller.depth >= recording.deepest or frame.f_globals is not names.variables
        ):  # fmt: skip
            return longer(frame, event, arg)
        heap.expected = None
        caller.called = ran
        if code.idle:
            self = code.idle.pop()
        else:
            self = new(kind)  # and what else an activation begins with: its constructor would cost a call
            self.code, self.variables = code, None
        self.refs, self.atoms, self.called = {}, {}, None
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
                elif heap.numbers[-ref].stamp != calm:
                    fresh = [*fresh, ref] if fresh else [ref]
                refs[name] = ref
                add_pair((targets.get(name) or recording.scene.target(code, name), ref))
        if fresh:
            rows += heap.walk(fresh)
            if recording.scene.cells.fresh:
                recording.scene.cells.settle(frame)
        stack.append(self)
        add_event((CALL, number, line, 0, rows))
        return self.trace

    return call
