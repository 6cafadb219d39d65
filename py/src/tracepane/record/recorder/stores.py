"""Takes in the one store of a stretch of code, which is how most objects change, in one Python frame.

As CPython does, a store remembers what it was last into: the shape of an instance and the attribute's place in it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from tracepane.record.bytecode.lines import Stretch
from tracepane.record.bytecode.sole import Key, Sole
from tracepane.record.format.layout import FULL, ITEMS_LIMIT, OBJECT, SPLICE
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.activation import Activation
from tracepane.record.recorder.atoms import FEW
from tracepane.record.recorder.calls import HEAD, TAIL
from tracepane.record.recorder.entry import Entry
from tracepane.record.recorder.narrow import FARTHEST
from tracepane.record.recorder.scene import Scene
from tracepane.record.recorder.shadow import AtomDict, Atoms, Entries, Items, Shadow
from tracepane.record.recorder.shape import Attributes, Shape
from tracepane.record.values.atoms import TEXTS

globals()["__builtins__"] = BUILTINS

Store = Callable[[Activation, Stretch, types.FrameType], int]
_ENDS = (TAIL, HEAD)
_NOTHING = object()
_dict_get = dict.get


def make_store(scene: Scene) -> Store:
    """Writes what a stretch stored into one object, or one method changed; the rows, −1 where it is not so simple."""
    heap, cells, reachable = scene.heap, scene.cells, scene.places.reachable
    writer, narrow, numbers, entries, ints = heap.writer, heap.narrow, heap.numbers, heap.entries, heap.ints
    add_record, add_slots, add_pair = writer.records.extend, writer.slots.extend, writer.pairs.extend
    touched, add_text = heap.touched, writer.texts.append
    last_of, string, get_ref, follow, put = writer.last_of, writer.string, heap.ref, heap.follow, narrow.put

    def store(self: Activation, ran: Stretch, frame: types.FrameType) -> int:
        sole: Any = ran.sole
        if sole is None:
            return method(self, ran, frame)
        number = -self.refs.get(sole.root, 0)
        if number <= 0 or (self.called is ran and not ran.steady):
            return -1
        if sole.path:
            number = reach(self, sole, number, frame)
        entry = numbers[number]
        if entry.stamp != heap.epoch:
            return -1
        if not sole.name:
            return item(self, sole, entry, frame)
        shadow = entry.shadow
        if shadow is not sole.shape and not meet(sole, shadow):
            return -1
        try:
            own = sole.get(entry.watch())
            value = own[sole.name]
        except (KeyError, TypeError):  # it is a property's, or there is no weak reference to such an object
            own, value = (), None
        length, named, whole = sole.length, sole.named, type(value) is int
        if len(own) != length or (sole.paired and not whole and id(type(value)) not in TEXTS):
            return -1
        if named < 0:
            named = sole.named = string(sole.name) + 1
        if whole:
            ref = ints.get(value)
            if ref is None:
                if value.bit_length() < FEW:
                    writer.count = ref = ints[value] = writer.count + 1
                    add_text(value)
                else:
                    ref = get_ref(value)
        elif value is None:
            ref = heap.none or get_ref(value)
        else:
            known = entries.get(id(value))
            ref = -known.number if known is not None else get_ref(value)
        entry.shadow = sole.after
        place, last = sole.place, last_of[number]
        slots = last.slots
        if named:
            slots += (named, ref)
            last.length, cost, size = length, 4, place + 2
        else:
            if slots[place] == ref:
                return 0
            slots[place] = ref
            cost, size = 3, 2 * length
        # The end of `method` too, and of Narrow's: a call that both share would cost a tenth of a store.
        if last.spliced + cost < size:
            last.spliced += cost
            add_record((number, last.shape, last.kind, length, SPLICE, cost))
            add_slots((place, 0, named, ref) if named else (place, 1, ref))
        else:
            last.spliced = 0
            add_record((number, last.shape, last.kind, length, FULL, size))
            add_slots(slots)
        add_pair((number << 2 | OBJECT, writer.versions))
        writer.versions += 1
        if ref < 0:
            entry.leaf = False
            if numbers[-ref].stamp != heap.epoch or heap.delicate:
                return 1 + hold(entry, (-ref,), frame)
        return 1

    def item(self: Activation, sole: Sole, entry: Entry, frame: types.FrameType) -> int:
        """Another item of a list or dict, which may be new in a dict, or two of a list."""
        variable, key = sole.key
        if variable:
            key = find_key(self, sole.key, frame)
        shadow: Any = entry.shadow
        held, kind = entry.held, type(shadow)
        if kind is Entries or kind is AtomDict:
            if sole.other or id(type(key)) not in TEXTS:
                return -1
            value, length, places = _dict_get(held, key, _NOTHING), shadow.length, shadow.places
            place = places.get(key, -1) if places is not None else shadow.place(key)
            if place < 0:
                return -1 if value is _NOTHING or sole.paired else added(entry, shadow, key, value, frame)
            if len(held) != length:
                return -1
            slot = 2 * place + 1
        elif (kind is Items or kind is Atoms) and type(held) is list and type(key) is int:
            length = shadow.length
            slot = place = key if key >= 0 else key + length
            if len(held) != length or not 0 <= place < length or place >= ITEMS_LIMIT:
                return -1
            if sole.other:
                return two(entry, shadow, place, find_key(self, sole.other, frame), frame)
            value = held[place]
        else:
            return -1
        if type(value) is int:
            ref = ints.get(value)
            if ref is None:
                if value.bit_length() < FEW:
                    writer.count = ref = ints[value] = writer.count + 1
                    add_text(value)
                else:
                    ref = get_ref(value)
        elif sole.paired and id(type(value)) not in TEXTS:
            return -1
        else:
            ref = get_ref(value)
        if kind is Entries or kind is Items:
            shadow.items[place], shadow.atoms[place] = id(value), value if ref > 0 else None
        elif ref > 0:
            shadow.items[place] = value
        else:
            entry.shadow = heap.cast(entry)
        rows = put(entry, slot, ref, length)
        return rows + hold(entry, (-ref,), frame) if ref < 0 and rows else rows

    def meet(sole: Sole, shadow: Shadow | None) -> bool:
        """Remember what an object is that an attribute is stored into; False where that is not so simple."""
        shape = shadow.shape if type(shadow) is Attributes else shadow
        if type(shape) is not Shape or sole.name == "__class__":
            return False
        if shape is sole.shape:
            return True
        place = shape.places.get(sole.name, ITEMS_LIMIT)
        if place < shape.length:
            sole.after, sole.place, sole.named = shape, 2 * place + 1, 0
        elif shape.length < ITEMS_LIMIT:
            # Its name joins the string table when it is there.
            sole.after, sole.place, sole.named = shape.then(sole.name), 2 * shape.length, -1
        else:
            return False
        sole.shape, sole.get, sole.length = shape, shape.get, sole.after.length
        return True

    def reach(self: Activation, sole: Sole, number: int, frame: types.FrameType) -> int:
        """The id of the object that is stored into, found from another; 0 where that is not so simple."""
        for step in sole.path:
            entry = numbers[number]
            shadow: Any = entry.shadow
            kind, place = type(shadow), -1
            if entry.stamp != heap.epoch or shadow is None:
                return 0
            if isinstance(step, str):
                shape = shadow.shape if kind is Attributes else shadow
                if type(shape) is Shape:
                    place = 2 * shape.places.get(step, ITEMS_LIMIT) + 1
            else:
                key = find_key(self, step, frame)
                if kind is Entries and id(type(key)) in TEXTS:
                    place = 2 * shadow.place(key) + 1
                elif kind is Items and type(key) is int and type(entry.held) is list:
                    place = key if key >= 0 else key + shadow.length
            slots = last_of[number].slots
            if not 0 <= place < len(slots) or slots[place] >= 0:
                return 0
            number = -slots[place]
        return number

    def two(entry: Entry, shadow: Any, one: int, key: Any, frame: types.FrameType) -> int:
        """Two other items of a list, which may have changed places."""
        length, held, number = shadow.length, entry.held, entry.number
        other = key if type(key) is not int or key >= 0 else key + length
        if type(key) is not int or not 0 <= other < min(length, ITEMS_LIMIT):
            return -1
        start, stop = (one, other) if one < other else (other, one)
        if not 0 < stop - start < FARTHEST:
            return -1
        first, second = held[start], held[stop]
        refs = get_ref(first), get_ref(second)
        if type(shadow) is Items:
            shadow.items[start], shadow.items[stop] = id(first), id(second)
            shadow.atoms[start], shadow.atoms[stop] = (
                first if refs[0] > 0 else None,
                second if refs[1] > 0 else None,
            )
        elif refs[0] > 0 and refs[1] > 0:
            shadow.items[start], shadow.items[stop] = first, second
        else:
            entry.shadow = heap.cast(entry)
        narrow.new, slots = (), last_of[number].slots
        if slots[start] == refs[0]:
            rows = put(entry, stop, refs[1], length)
        elif slots[stop] == refs[1]:
            rows = put(entry, start, refs[0], length)
        else:
            between = (refs[0], *slots[start + 1 : stop], refs[1])
            rows = narrow.write(entry, start, len(between), between, length)
        return rows + hold(entry, narrow.new, frame) if narrow.new else rows

    def hold(entry: Entry, new: Sequence[int], frame: types.FrameType) -> int:
        """Write what is new in what an object came to hold; the number of rows."""
        rows = follow(entry, new)
        if cells.fresh:
            cells.settle(frame)
        return rows

    def added(entry: Entry, shadow: AtomDict, key: Any, value: Any, frame: types.FrameType) -> int:
        """An item more of a dict, at its end."""
        length = shadow.length + 1
        if len(entry.held) != length or length > ITEMS_LIMIT:
            return -1
        refs = get_ref(key), get_ref(value)
        if not shadow.add(key, value):
            entry.shadow = heap.cast(entry)
        narrow.new = ()
        rows = narrow.write(entry, 2 * length - 2, 0, refs, length)
        return rows + hold(entry, narrow.new, frame) if narrow.new else rows

    def method(self: Activation, ran: Stretch, frame: types.FrameType) -> int:
        """What the one call of a list's method changed: an item more or less at an end."""
        if len(touched) != 1:
            return -1
        entry, what = touched[0]
        value, number = entry.held, entry.number
        shadow: Any = entry.shadow
        if type(value) is not list or entry.stamp != heap.epoch or shadow is None:
            return -1
        near = self.refs.get(ran.holder, 0) or self.names.refs.get(ran.holder, 0) if ran.holder != ran.only else 0
        at_hand = near == -number or (-near in last_of and -number in last_of[-near].slots)
        if not at_hand and not reachable(self, ran, entry):
            return -1
        before, now, last = shadow.length, len(value), last_of[number]
        if before > ITEMS_LIMIT or now > ITEMS_LIMIT:
            return -1
        slots, ref, cost = last.slots, 0, 2
        if what == TAIL and now == before + 1 and not ran.only:
            item = value[-1]
            if type(item) is int:
                ref = ints.get(item) or get_ref(item)
            else:
                known = entries.get(id(item))
                ref = -known.number if known is not None else get_ref(item)
            slots.append(ref)
            spliced: tuple[int, ...] = (before, 0, ref)
            cost = 3
            if type(shadow) is Items:
                shadow.items.append(id(item))
                shadow.atoms.append(item if ref > 0 else None)
            elif ref > 0:
                shadow.items.append(item)
            else:
                entry.shadow = shadow = heap.cast(entry)
        elif now == before - 1 and what in _ENDS:
            place = now
            if what == HEAD:
                place = 0  # a splice begins where the two differ, not where something was taken out
                while place < now and slots[place] == slots[place + 1]:
                    place += 1
            del slots[place], shadow.items[place]
            if type(shadow) is Items:
                del shadow.atoms[place]
            spliced = (place, 1)
        elif now == before and what in _ENDS:
            touched.clear()
            return 0
        else:
            return -1
        touched.clear()
        shadow.length = last.length = now
        if last.spliced + cost < now:
            last.spliced += cost
            add_record((number, last.shape, last.kind, now, SPLICE, cost))
            add_slots(spliced)
        else:
            last.spliced = 0
            add_record((number, last.shape, last.kind, now, FULL, now))
            add_slots(slots)
        add_pair((number << 2 | OBJECT, writer.versions))
        writer.versions += 1
        if ref < 0:
            entry.leaf = False
            if numbers[-ref].stamp != heap.epoch or heap.delicate:
                return 1 + hold(entry, (-ref,), frame)
        return 1

    return store


def find_key(activation: Activation, key: Key, frame: types.FrameType) -> Any:
    """What a key is, no atom where the variable has no such value."""
    variable, added = key
    if not variable:
        return added
    variables = activation.variables
    if variables is None:
        activation.variables = variables = frame.f_locals
    try:
        value = variables[variable]
    except KeyError:
        return _NOTHING
    if added:
        return value + added if type(value) is int else _NOTHING
    return value
