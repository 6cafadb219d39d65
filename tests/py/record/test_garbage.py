"""Cyclic garbage dies when it would without a recorder: at `gc.collect()` and at the exit, whatever it goes through."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from recording import events

from tracepane.record.trace import Trace

Record = Callable[..., Trace]

NODE = """\
import gc, weakref
class Node:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print('freed', self.name)
"""

# How a node comes to hold itself, and what it is held by besides.
CYCLES = {
    "attribute": "n.me = n",
    "list": "n.me = [n]",
    "dict": "n.me = {'n': n}",
    "tuple": "n.me = (n, 1)",
    "set": "n.me = {n}",
    "nested": "n.me = [{'k': ([n],)}]",
    "bound method": "n.me = [n.__init__]",
    "closure": "n.me = [lambda: n]",
    "exception": "n.me = ValueError(n)",
    "caught exception": "\n    try: raise KeyError(n)\n    except KeyError as error: kept = [error]",
    "generator": "n.me = [(n for _ in 'ab')]",
}


def printed(trace: Trace) -> list[str]:
    """The lines of standard output."""
    return str(trace.expand()["stdout"]).splitlines()


@pytest.mark.parametrize("way", CYCLES)
def test_dies_when_collected(way: str, record: Record) -> None:
    """A node that is part of a cycle dies at `gc.collect()`, not before and not after."""
    made = f"def make():\n    n = Node('n')\n    {CYCLES[way]}\nmake()\nprint('made')\n"
    source = f"{NODE}{made}gc.collect()\nprint('collected')\n"
    trace = record(source)
    assert printed(trace) == ["made", "freed n", "collected"]
    assert [event for event in events(trace, ["call"]) if "__del__" in event]


def test_what_died_lends_its_name_to_nobody(record: Record) -> None:
    """Finalizers are recorded; the objects that they were for are gone after it, and others come in their places."""
    trace = record(
        "import gc\n"
        "class N:\n"
        "    def __init__(s, n):\n"
        "        s.n = n\n"
        "    def __del__(s):\n"
        "        pass\n"
        "y = [N(i) for i in range(40)]\n"
        "for k in y: k.me = k\n"
        "del y, k\n"
        "gc.collect()\n"
        "z = [N(i) for i in range(80)]\n"
    )
    calls = [each for each in trace.expand()["events"] if each["kind"] == "call"]
    made = [each["set"]["s"] for each in calls if each["function"] == "N.__init__"]
    assert [each["attributes"] for each in made] == [{}] * 120
    assert len({each["id"] for each in made}) == 120


def test_dies_at_the_exit(record: Record) -> None:
    """What nobody collected dies at the end of the run, like the names of the module."""
    trace = record(NODE + "a = Node('a'); a.me = [a]\nb = [Node('b')]; b.append(b)\nprint('end')\n")
    assert sorted(printed(trace)) == ["end", "freed a", "freed b"]
    assert printed(trace)[0] == "end"


def test_parents_and_children(record: Record) -> None:
    """The usual tree: children in a list, the parent in an attribute."""
    source = (
        NODE
        + """\
    def add(self, child):
        self.children = [*getattr(self, 'children', []), child]
        child.parent = self
root = Node('root'); root.add(Node('left')); root.add(Node('right'))
watch = weakref.ref(root)
del root
print(watch() is None)
gc.collect()
print(watch() is None)
"""
    )
    assert sorted(printed(record(source))) == ["False", "True", "freed left", "freed right", "freed root"]


def test_what_is_in_use_stays(record: Record) -> None:
    """A collection takes nothing from those who can still reach it, and objects keep their ids."""
    source = (
        NODE
        + """\
box = [1]; box.append(box)
def hold():
    mine = [2]; mine.append({'mine': mine})
    gc.collect()
    return mine
got = hold()
gc.collect()
same = got[1]['mine'] is got, box[1] is box
print(same)
"""
    )
    trace = record(source)
    assert printed(trace) == ["(True, True)"]
    found = [event for event in events(trace) if "got=" in event or "box=" in event or "mine=" in event]
    numbers = {event.split("list#")[1].split("(")[0] for event in found if "list#" in event}
    assert len(numbers) == 2


def test_a_finalizer_that_makes_new_garbage(record: Record) -> None:
    """One collection is one collection: garbage that a finalizer makes waits for the next."""
    source = (
        "import gc\nmade = 0\nclass Again:\n    def __del__(self):\n        global made\n        made += 1\n"
        "        if made < 9:\n            new = Again(); new.me = [new]\n"
        "first = Again(); first.me = [first]\ndel first\ngc.collect()\nprint(made < 9)\n"
    )
    assert printed(record(source)) == ["True"]


def test_a_coroutine_that_nobody_awaits(record: Record) -> None:
    """Its warning comes at the exit, though an exception's frames hold it."""
    source = (
        "import asyncio\nasync def inner(): pass\nasync def outer(): asyncio.run(inner())\n"
        "try: asyncio.run(outer())\nexcept RuntimeError as error: print(error)\n"
    )
    assert "coroutine 'inner' was never awaited" in record(source).expand()["stderr"]


def test_locals_of_an_uncaught_exception(record: Record) -> None:
    """They die at the exit, before the names of the module."""
    source = NODE + "def work():\n    n = [Node('n')]\n    raise ValueError\ng = Node('g')\nwork()\n"
    assert printed(record(source)) == ["freed n", "freed g"]


def test_locals_at_sys_exit(record: Record) -> None:
    """They die before the exit handlers run."""
    source = (
        NODE
        + "import atexit, sys\natexit.register(print, 'bye')\n"
        + "def work():\n    n = [Node('n')]\n    sys.exit(3)\nwork()\n"
    )
    assert printed(record(source)) == ["freed n", "bye"]


def test_names_die_in_order_at_the_exit(record: Record) -> None:
    """The nearer a finalizer is to a name the sooner it runs, in the order of the names: what CPython 3.14.8 prints."""
    source = NODE + "a = [Node('a')]\nb = Node('b')\n_c = {'c': (Node('c'),)}\nd = [[Node('d')]]\n"
    assert printed(record(source)) == ["freed b", "freed a", "freed c", "freed d"]


def test_finalizers_at_the_exit_find_the_globals(record: Record) -> None:
    """All that has no finalizer of its own is still there: what CPython 3.14.8 prints."""
    source = (
        "_mark = 'p'\nlog = []\ncount = 0\n"
        "def tell(word):\n    global count\n    count += 1\n    log.append(word)\n"
        "    print(word, count, len(log), _mark)\n"
        "class N:\n    made = 0\n"
        "    def __init__(self, name):\n        self.name = name\n        N.made += 1\n"
        "    def __del__(self):\n        tell(f'{self.name} of {N.made}')\n"
        "first = N('first')\nkept = [N('in a list')]\n_hidden = N('hidden')\n"
        "def steps():\n    try:\n        yield\n    finally:\n        tell('closed')\n"
        "it = steps()\nnext(it)\nlast = N('last')\n"
    )
    trace = record(source)
    assert printed(trace) == [
        "first of 4 1 1 p", "hidden of 4 2 2 p", "closed 3 3 p", "last of 4 4 4 p", "in a list of 4 5 5 p",
    ]  # fmt: skip
    assert trace.expand()["stderr"] == ""


def test_only_the_programs_weak_references_are_counted(record: Record) -> None:
    """And listed; the recorder's are not there for it."""
    source = (
        "import weakref\nclass A: pass\na = A()\nprint(weakref.getweakrefcount(a), weakref.getweakrefs(a))\n"
        "r = weakref.ref(a)\nprint(weakref.getweakrefcount(a), weakref.getweakrefs(a) == [r])\n"
        "print(weakref.getweakrefcount(1), weakref.getweakrefcount)\n"
    )
    assert printed(record(source)) == ["0 []", "1 True", "0 <built-in function getweakrefcount>"]
