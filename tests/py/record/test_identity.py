"""Objects keep one id as long as they live, never get a dead one's, and die when they would without a recorder."""

from __future__ import annotations

from collections.abc import Callable

from recording import events

from tracepane.record.trace import Trace

Record = Callable[..., Trace]

CLASS = "class Res:\n    def __init__(self, name): self.name = name\n    def __del__(self): print('freed', self.name)\n"


def order(trace: Trace) -> list[str]:
    """Output and module lines, in their order."""
    return [event for event in events(trace) if event.startswith(("output", "line <module>"))]


def printed(trace: Trace) -> list[str]:
    """The lines of standard output."""
    return str(trace.expand()["stdout"]).splitlines()


def test_a_reused_address_is_another_object(record: Record) -> None:
    """Lists that live one after the other in the same place have ids of their own."""
    source = "for n in range(3):\n    box = [n]\n    del box\n"
    found = [event for event in events(record(source)) if "box=" in event]
    assert found == [f"line <module>:3 box=list#{n + 1}({n})" for n in range(3)]


def test_the_same_object_everywhere(record: Record) -> None:
    """An object that was returned, passed on and stored is the one that it was."""
    source = "def make():\n    return [1]\ndef keep(x):\n    return {'x': x}\na = keep(make())\nb = a['x']\n"
    found = events(record(source))
    assert "return make:2 → list#3(1)" in found
    assert "call keep:3 x=list#3(1)" in found
    assert "line <module>:6 a=dict#4('x': list#3(1))" in found
    assert "return <module>:6 b=list#3(1) → None" in found


def test_instance_dies_on_its_line(record: Record) -> None:
    """`__del__` runs when the last name goes, in its place among the events."""
    trace = record(CLASS + "r = Res('r')\nr = None; print('then')\nprint('after')\n")
    assert printed(trace) == ["freed r", "then", "after"]
    assert [e for e in events(trace) if "__del__" in e and e.startswith("call")] == [
        "call Res.__del__:3 self=Res#4(name='r')"
    ]


def test_what_a_container_held_dies_before_the_next_line(record: Record) -> None:
    """Lists, tuples, dicts and exceptions are held by the recorder, but no longer than the line that lets them go."""
    source = (
        CLASS
        + """\
box = [Res('a')]
del box
print('1')
pair = (Res('b'), [Res('c')])
pair = 0
print('2')
d = {'k': {'k': Res('d')}}
d.clear()
print('3')
def fail():
    r = Res('e')
    raise ValueError('x')
try:
    fail()
except ValueError as e:
    print('caught')
print('4')
def local():
    inner = [Res('f')]
local()
print('5')
def suspended():
    try: yield [Res('g')]
    finally: print('closed')
g = suspended()
next(g)
g = [g]
g = None
print('6')
"""
    )
    assert " ".join(printed(record(source))) == (
        "freed a 1 freed c freed b 2 freed d 3 caught freed e 4 freed f 5 freed g closed 6"
    )


def test_what_came_to_hold_something_later(record: Record) -> None:
    """A list that was plain when it was first seen lets go in time of what it was given later, however deep."""
    source = (
        CLASS + "outer = [[[]]]\ninner = outer[0]\ninner[0].append(Res('r'))\ndel inner\ndel outer\nprint('then')\n"
    )
    assert printed(record(source)) == ["freed r", "then"]


def test_weak_references_see_objects_die(record: Record) -> None:
    """The recorder keeps nothing alive that the program watches."""
    source = """\
import weakref
class Node: pass
n = Node()
r = weakref.ref(n, lambda _: print('gone'))
held = [n]
del n
print(r() is None)
held = None
print(r() is None)
cache = weakref.WeakValueDictionary()
def fill(): cache['k'] = Node()
fill()
print(len(cache))
"""
    assert printed(record(source)) == ["False", "gone", "True", "0"]


def test_many_short_lived_lists(record: Record) -> None:
    """Ids are never given twice, however many objects come and go."""
    trace = record("for n in range(9000):\n    x = [n]\n")
    columns = trace.columns
    assert list(columns["version_object"]) == list(range(1, 9001))


def test_shared_variables_share_a_cell(record: Record) -> None:
    """Closures of one call share their variables, those of another call have their own."""
    source = """\
def make():
    n = 0
    def up():
        nonlocal n
        n += 1
    def get():
        return n
    return up, get
up, get = make()
other, _ = make()
up()
other()
a = get()
"""
    trace = record(source)
    columns, strings = trace.columns, trace.strings
    cells = {}
    for step, kind in enumerate(columns["event_kind"]):
        for row in range(trace.row_starts[step], trace.row_starts[step + 1]):
            target = columns["row_target"][row]
            if target & 3 == 2 and strings[target >> 2] == "n" and kind == 0:
                cells.setdefault(trace.function(trace.frame(step)), []).append(columns["row_value"][row])
    up = cells["make.<locals>.up"]
    assert len(up) == 2
    assert up[0] != up[1]
    assert cells["make.<locals>.get"] == [up[0]]
