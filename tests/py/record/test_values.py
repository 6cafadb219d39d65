"""Values are exact, and reading them runs nothing of the program's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from recording import events, short

from tracepane.record.trace import Trace

Record = Callable[..., Trace]


def value(trace: Trace, name: str = "v") -> dict[str, Any]:
    """What a module's variable was last set to."""
    found = [event["set"][name] for event in trace.expand()["events"] if name in event.get("set", {})]
    result: dict[str, Any] = found[-1]
    return result


ATOMS = {
    "None": "None",
    "True": "True",
    "...": "Ellipsis",
    "12": "12",
    "-0.0": "-0.0",
    "float('nan')": "nan",
    "1e300 * 1e10": "inf",
    "3 - 0j": "(3-0j)",
    "b'a\\x00'": "6100",
    "10 ** 500": "1" + "0" * 500,
    "-(10 ** 3999)": "-1" + "0" * 3999,
    "10 ** 4000": hex(10**4000),
    "'\\ud83d\\ude00'": "'\\ud83d\\ude00'",
    "'a\\nb\\x1b☃'": "'a\\nb\\x1b☃'",
}


@pytest.mark.parametrize("source", ATOMS)
def test_atom(source: str) -> None:
    """Numbers and texts to the last digit, kept as Python distinguishes them."""
    from recording import record

    assert short(value(record(f"v = {source}\n"))) == ATOMS[source]


def test_atoms_keep_their_types(record: Record) -> None:
    """1, True and 1.0 are equal, and not the same."""
    source = "x = [1, True, 1.0, 0.0, -0.0]\nx[0] = True\nx[3] = -0.0\n"
    assert [e for e in events(record(source)) if "x=" in e] == [
        "line <module>:2 x=list#1(1, True, 1.0, 0.0, -0.0)",
        "line <module>:3 x=list#1(True, True, 1.0, 0.0, -0.0)",
        "return <module>:3 x=list#1(True, True, 1.0, -0.0, -0.0) → None",
    ]


def test_long_values_are_cut_and_say_so(record: Record) -> None:
    """What is left out is counted, and a change in it is still a change."""
    source = "v = 'ab' * 40_000\nw = bytes(70_000)\nx = list(range(10_005))\nx[-1] = None\n"
    trace = record(source)
    assert (value(trace)["length"], len(value(trace)["text"])) == (80_000, 1024)
    assert value(trace, "w")["length"] == 70_000
    assert value(trace, "x")["length"] == 10_005


HOSTILE = """\
class Meta(type):
    def __hash__(cls): print("hash")
    def __eq__(cls, other): print("eq")
    def __instancecheck__(cls, x): print("instancecheck")
    def __getattribute__(cls, name): print("meta", name); return type.__getattribute__(cls, name)
class Bad(metaclass=Meta):
    def __init__(self): object.__setattr__(self, "v", [1])
    def __repr__(self): print("repr")
    def __eq__(self, other): print("eq")
    def __hash__(self): return 1
    def __bool__(self): print("bool")
    def __len__(self): print("len")
    def __iter__(self): print("iter")
    def __getattr__(self, name): print("getattr")
    def __getattribute__(self, name): print("getattribute")
    @property
    def __class__(self): print("class")
b = object.__new__(Bad)
Bad.__init__
l = [b, (b,)]
d = {b: b}
class L(list):
    def __iter__(self): print("iter")
    def __len__(self): print("len")
    def __getitem__(self, i): print("getitem")
    def items(self): print("items")
x = L([1, b])
x.extra = b
class D(dict):
    __iter__ = __len__ = __getitem__ = items = keys = values = lambda *a: print("dict")
y = D(a=b)
class S(str):
    __str__ = __hash__ = __eq__ = __len__ = lambda *a: print("str")
z = S("text")
class P:
    @property
    def __dict__(self): print("dict property")
    __slots__ = ("s", "__weakref__")
p = P()
p.s = z
"""


def test_reading_runs_nothing(record: Record) -> None:
    """Not one of the program's methods is called, however it lies about itself."""
    trace = record(HOSTILE.replace("Bad.__init__\n", ""))
    assert trace.expand()["stdout"] == ""
    assert short(value(trace, "x")).startswith("L#")
    assert "'text'" in short(value(trace, "z"))


def test_self_containing(record: Record) -> None:
    """A structure that holds itself ends where it meets itself."""
    trace = record("v = [1]\nv.append(v)\nd = {'v': v}\nv.append(d)\n")
    assert short(value(trace)) == "list#1(1, #1, dict#2('v': #1))"


def test_very_deep() -> None:
    """A hundred thousand lists in each other, seen all at once, stop neither the recorder nor the reader."""
    from recording import record

    source = "def show(x):\n    return 1\nx = []\nfor _ in range(100_000): x = [x]\nshow(x)\n"
    trace = record(source, traced=[[1, 2]])
    assert len(trace.columns["version_object"]) == 100_001
    assert [event["kind"] for event in trace.expand()["events"]] == ["call", "line", "return", "end"]


def test_canonical_order_of_a_set(record: Record) -> None:
    """Sets look the same wherever they were recorded: by type and text."""
    trace = record("v = {'b', 'a', 3, None, 2.5, (1,), True}\n")
    assert short(value(trace)) == "set#1(None, True, 2.5, 3, 'a', 'b', tuple#2(1))"


def test_monkeypatched_builtins(record: Record) -> None:
    """The recorder keeps its own builtins."""
    names = "len id type isinstance list dict zip map all sorted print"
    source = f"""\
import builtins
for name in '{names}'.split():
    setattr(builtins, name, None)
v = [1]
v += [{{'k': (v,)}}]
"""
    trace = record(source)
    assert trace.end["status"] == "finished"
    assert short(value(trace)) == "list#2(1, dict#3('k': tuple#4(#2)))"
