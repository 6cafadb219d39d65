"""Small programs, one for each construct that a recorder may get wrong.

All in one text: it is read as a list, and a program of three lines needs no file of its own.
"""

from __future__ import annotations

import re

_TEXT = r'''
=== scalars
a = 1
b = 2.5
c = a + b
a, b = b, a
d = -0.0
e = None
f = True
f = 1
g = 3 + 4j
h = b"ab\x00"
i = ...
j = NotImplemented
del a
a = "again"
=== loop
total = 0
for i in range(5):
    total += i
while total > 7:
    total -= 1
else:
    done = True
=== one_line_loop
total = 0
for i in range(3): total += i
x = [i for i in range(3)]
y = {k: v for k, v in zip("ab", x)}
=== functions
def add(a, b=2, *args, c=3, **more):
    d = a + b
    return d + c
r = add(1)
r = add(1, 5, 6, 7, c=8, e=9)
r = add(b=1, a=0)
=== nested_calls
def f(x):
    return g(x) + g(x + 1)
def g(x):
    return x * 2
print(f(g(3)))
=== recursion
def fib(n):
    if n < 2:
        return n
    a = fib(n - 1)
    b = fib(n - 2)
    return a + b
print(fib(6))
=== lists
a = [1, 2, 3]
b = a
b.append(4)
a[0] = "x"
a += [5]
c = a + [6]
del a[1]
a[1:3] = []
a.sort(key=str)
a.clear()
=== dicts
d = {"a": 1}
d["b"] = [1]
e = d
e["b"].append(2)
d.update(c=3)
del d["a"]
d.pop("b")
d |= {"z": 0}
d.setdefault("q", []).append(1)
=== sets
s = {3, 1, 2}
s.add("x")
s.discard(1)
t = frozenset(s)
s |= {None, 2.5, True}
u = {(1, 2), (3,)}
s.clear()
=== nested_containers
grid = [[0] * 3 for _ in range(3)]
grid[1][1] = 5
row = grid[1]
row.append(9)
grid.append(grid[0])
grid[0].append("shared")
tree = {"kids": [{"kids": []}]}
tree["kids"][0]["kids"].append(tree)
=== tuples
t = (1, [2], {"k": (3,)})
t[1].append(4)
a, (b,), c = t[0], t[1][:1], t[2]
first, *rest = t
n = ()
=== aliasing
def change(items):
    items.append(1)
    items = items + [2]
    items.append(3)
    return items
a = []
b = change(a)
c = [a, a, b]
c[0].append("seen twice")
=== default_argument
def push(item, bag=[]):
    bag.append(item)
    return bag
a = push(1)
b = push(2)
a[0] = "x"
=== classes
class Point:
    kind = "point"
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def move(self, dx):
        self.x += dx
        return self
p = Point(1, 2)
q = p.move(3)
p.label = [q]
del p.y
Point.kind = "moved"
=== inheritance
class Base:
    def __init__(self):
        self.log = []
    def run(self):
        self.log.append("base")
class Child(Base):
    def run(self):
        super().run()
        self.log.append("child")
c = Child()
c.run()
=== slots
class S:
    __slots__ = ("a", "b", "__dict__")
    def __init__(self):
        self.a = 1
class T(S):
    __slots__ = ("c",)
s = S()
s.b = [s.a]
s.extra = 1
t = T()
t.c = s
del s.a
=== properties
class Temp:
    def __init__(self):
        self._c = 0
        self.reads = 0
    @property
    def c(self):
        self.reads += 1
        return self._c
    @c.setter
    def c(self, value):
        self._c = value
t = Temp()
t.c = 5
x = t.c + t.c
=== subclasses_of_builtins
class L(list):
    pass
class D(dict):
    def __missing__(self, key):
        self[key] = []
        return self[key]
class I(int):
    pass
class S(str):
    pass
l = L([1])
l.name = "l"
l.append(2)
d = D()
d["a"].append(1)
d.name = S("d")
i = I(7)
i.unit = "kg"
j = i + 1
=== collections
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
c = Counter("hello")
c.update("l")
d = defaultdict(list)
d["a"].append(1)
e = d["b"]
o = OrderedDict(a=1, b=2)
o.move_to_end("a")
q = deque([1, 2], maxlen=3)
q.appendleft(0)
q.append(3)
P = namedtuple("P", "x y")
p = P(1, [2])
p.y.append(3)
=== enums
import enum
class Color(enum.Enum):
    RED = 1
    GREEN = 2
class Level(enum.IntEnum):
    LOW = 1
c = Color.RED
l = Level.LOW
m = l + 1
=== dataclasses
from dataclasses import dataclass, field
@dataclass
class Item:
    name: str
    price: float = 0.0
    tags: list = field(default_factory=list)
i = Item("pen")
i.tags.append("blue")
j = Item("pen", tags=i.tags)
same = i == j
=== generators
def count(n):
    i = 0
    while i < n:
        got = yield i
        if got:
            i = got
        i += 1
    return "done"
g = count(4)
a = next(g)
b = g.send(1)
for x in g:
    print(x)
try:
    next(g)
except StopIteration as stop:
    v = stop.value
=== generator_close_and_throw
def g():
    try:
        yield 1
        yield 2
    except ValueError as e:
        yield str(e)
    finally:
        print("closed")
a = g()
next(a)
b = a.throw(ValueError("x"))
a.close()
c = g()
c.close()
d = g()
next(d)
d.close()
e = g()
try:
    e.throw(KeyError(1))
except KeyError:
    pass
f = g()
next(f)
f = None
print("after")
=== yield_from
def inner():
    x = yield 1
    return x
def outer():
    r = yield from inner()
    yield r
    yield from [7, 8]
o = outer()
a = next(o)
b = o.send("sent")
rest = list(o)
=== generator_expression
data = [1, 2, 3]
g = (x * 2 for x in data if x != 2)
data.append(4)
t = tuple(g)
s = sum(x for x in t)
=== coroutines
class Later:
    def __await__(self):
        got = yield "need"
        return got * 2
async def job(tag):
    value = await Later()
    return f"{tag}{value}"
c = job("r")
a = c.send(None)
try:
    c.send(21)
except StopIteration as stop:
    r = stop.value
=== async_generators
async def numbers():
    try:
        for i in range(3):
            yield i
    finally:
        print("closed")
async def main():
    out = []
    async for n in numbers():
        out.append(n)
    return out
def drive(step):
    try:
        step.send(None)
    except StopIteration as stop:
        return stop.value
print(drive(main()))
=== async_with
class Lock:
    async def __aenter__(self):
        return self
    async def __aexit__(self, *exc):
        return True
async def main():
    async with Lock() as lock:
        raise ValueError("swallowed")
    return [x async for x in agen()]
async def agen():
    yield 1
    yield 2
c = main()
try:
    c.send(None)
except StopIteration as stop:
    r = stop.value
=== exceptions
def low():
    raise KeyError("gone")
def mid():
    for _ in range(1):
        low()
def top():
    try:
        mid()
    except KeyError as err:
        return err.args[0]
r = top()
=== exceptions_again
class Mine(Exception):
    def __init__(self, code):
        super().__init__("mine", code)
        self.code = code
def f():
    try:
        raise Mine(3)
    except Mine as e:
        e.add_note("noted")
        raise RuntimeError("second") from e
    finally:
        print("finally")
try:
    f()
except RuntimeError as e:
    cause = e.__cause__
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise
except ArithmeticError as a:
    kept = a
=== finally_paths
def f(x):
    for i in range(3):
        try:
            if x == i:
                continue
            if x == 9:
                return "r"
            if i == 2:
                break
        finally:
            x += 1
    else:
        x = "else"
    return x
a = f(0)
b = f(9)
c = f(5)
def g():
    try:
        try:
            raise ValueError("first")
        finally:
            try:
                raise TypeError("inner")
            except TypeError:
                pass
    except ValueError as e:
        return e
d = g()
=== uncaught
def f(n):
    x = [n]
    return 1 / x[0]
print("start")
f(0)
=== exception_groups
try:
    raise ExceptionGroup("bag", [ValueError("a"), KeyError("b")])
except* ValueError as eg:
    n = len(eg.exceptions)
except* KeyError:
    m = 1
=== context_managers
from contextlib import contextmanager, suppress
@contextmanager
def box(name):
    log.append("in " + name)
    try:
        yield name
    finally:
        log.append("out " + name)
log = []
with box("a") as a, box("b") as b:
    log.append(a + b)
with suppress(KeyError):
    {}["x"]
try:
    with box("c"):
        raise ValueError
except ValueError:
    pass
=== closures
def counter(start):
    n = start
    def up(step=1):
        nonlocal n
        n += step
        return n
    def get():
        return n
    return up, get
up, get = counter(5)
a = up()
b = up(2)
c = get()
other, _ = counter(5)
d = other()
e = get()
=== closure_late_binding
def make():
    fs = []
    for i in range(3):
        fs.append(lambda: i)
    i = "changed"
    return [f() for f in fs]
r = make()
def outer():
    items = []
    def add(x):
        items.append(x)
    add(1)
    items = items + [2]
    add(3)
    return items
s = outer()
=== closure_unbound
def outer(flag):
    def inner():
        return late
    if flag:
        late = 1
    try:
        return inner()
    except NameError as e:
        return str(e)
a = outer(True)
b = outer(False)
def dele():
    x = [1]
    def f():
        return x
    del x
    x = [2]
    return f
g = dele()
g()
=== decorators
import functools
def twice(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args) + f(*args)
    inner.calls = 0
    return inner
@twice
def hi(name):
    return "hi " + name
r = hi("bo")
hi.calls += 1
=== globals
count = 0
items = []
def bump():
    global count
    count += 1
    items.append(count)
def fresh():
    global made
    made = count
bump()
bump()
fresh()
del made
=== comprehensions
def work():
    n = "outer"
    squares = [n * n for n in (2, 3)]
    last = [(y := v + 1) for v in squares]
    nested = [[i * j for j in range(2)] for i in range(2)]
    return n, squares, last, y, nested
r = work()
n = "module"
z = [n for n in range(2)]
class K:
    q = 1
    w = [i for i in range(2)]
    lam = [lambda: i for i in range(2)]
=== lambdas
f = lambda x, y=1: x + y
a = f(1)
b = sorted([3, 1, 2], key=lambda v: -v)
c = list(map(lambda v: v + a, b))
d = list(filter(None, [0, 1]))
=== walrus_and_match
data = [1, 2, 3]
if (n := len(data)) > 2:
    m = n
def what(x):
    match x:
        case {"k": v, **rest}:
            return v, rest
        case [a, b, *c]:
            return a, c
        case int(z) if z > 3:
            return z
        case str() as s:
            return s
        case _:
            return None
r = [what({"k": 1, "j": 2}), what([1, 2, 3]), what(5), what("q"), what(2.5)]
=== strings
s = "a" * 3
s += "é☃\U0001f600"
t = f"{s!r:>10} {len(s)}"
u = s.encode()
half = "\ud83d"
v = half + "\ude00"
w = "\x00\n\t"
=== big_values
big = 1 << 20000
neg = -(10 ** 3999)
over = 10 ** 4000
huge = 1 << 300000
text = "ab" * 40000
blob = bytes(70000)
nums = list(range(10050))
nums[5] = "changed"
nums.append("beyond what is kept")
nums[10049] = "not kept"
nan = float("nan")
inf = [float("inf"), -float("inf"), nan]
=== self_containing
a = [1]
a.append(a)
d = {"self": None}
d["self"] = d
a.append(d)
class N:
    pass
n = N()
n.me = n
n.all = [n, a]
=== id_reuse
trail = []
for n in range(4):
    box = [n]
    trail.append(box[0])
    del box
def make(n):
    local = {"n": n}
    return len(local)
for n in range(3):
    make(n)
keep = [7]
other = [7]
=== in_flight
def make(n):
    return [n]
def pair(a, b):
    return [a, b]
p = pair(make(1), make(2))
make(3); make(4)
q = [make(5), make(6)]
r = make(7) + make(8)
=== finalizers
class Res:
    def __init__(self, name):
        self.name = name
    def __del__(self):
        print("freed", self.name)
a = Res("a")
a = None
print("1")
box = [Res("b")]
del box
print("2")
def f():
    r = Res("c")
    raise ValueError("x")
try:
    f()
except ValueError as e:
    print("caught", e)
print("3")
pair = (Res("d"), [Res("e")])
pair = 0
print("4")
d = {"r": Res("f")}
d.clear()
print("5")
def g():
    local = [Res("g")]
    return 1
g()
print("6")
=== weak_references
import weakref
class Node:
    pass
n = Node()
r = weakref.ref(n)
l = [n]
del n
a = r() is None
l = None
b = r() is None
cache = weakref.WeakValueDictionary()
def fill():
    x = Node()
    cache["x"] = x
    return len(cache)
c = fill()
d = len(cache)
=== hostile
class Meta(type):
    def __hash__(cls): raise RuntimeError("hash")
    def __eq__(cls, other): raise RuntimeError("eq")
    def __instancecheck__(cls, x): raise RuntimeError("instancecheck")
    def __getattribute__(cls, name): return type.__getattribute__(cls, name)
class Bad(metaclass=Meta):
    def __init__(self): object.__setattr__(self, "v", [1])
    def __repr__(self): raise RuntimeError("repr")
    def __eq__(self, other): raise RuntimeError("eq")
    def __hash__(self): return 1
    def __bool__(self): raise RuntimeError("bool")
    def __len__(self): raise RuntimeError("len")
    def __iter__(self): raise RuntimeError("iter")
    def __getattr__(self, name): raise RuntimeError("getattr " + name)
    def __getattribute__(self, name): raise RuntimeError("getattribute " + name)
    @property
    def __class__(self): raise RuntimeError("class")
    @property
    def __dict__(self): raise RuntimeError("dict")
b = Bad()
l = [b]
d = {b: 1}
class Lie:
    __class__ = int
x = Lie()
x.y = 2
class Key(str):
    def __hash__(self): return 7
    def __eq__(self, other): return True
k = {Key("a"): 1}
k[Key("b")] = 2
=== monkeypatched
import builtins
real = builtins.len
a = [1]
builtins.len = lambda x: -1
builtins.id = lambda x: 7
builtins.type = builtins.isinstance = builtins.repr = builtins.list = builtins.dict = None
a.append(len(a))
b = {"k": a}
del builtins.sorted, builtins.zip, builtins.enumerate, builtins.range
b["j"] = (1, {2})
=== exec_and_eval
x = 1
src = "y = x + 1\nz = y * 2"
exec(src)
exec(compile("q = 1\nq += 1", __file__, "exec"))
w = eval("x + 1")
ns = {}
exec("def f(a):\n    return a", ns)
v = ns["f"](3)
=== class_bodies
class A:
    """Doc."""
    x = 1
    y = [x, x + 1]
    def m(self): return self
    for i in range(2):
        y.append(i)
    del i
    @staticmethod
    def s(): return 1
    @classmethod
    def c(cls): return cls
    class Inner:
        z = 3
a = A().m()
b = A.s()
c = A.c()
=== metaclasses
class Log(dict):
    def __setitem__(self, key, value):
        dict.__setitem__(self, key, value)
class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return Log()
    def __new__(mcs, name, bases, ns):
        return super().__new__(mcs, name, bases, dict(ns))
class A(metaclass=Meta):
    x = 1
    def f(self): return self.x
r = A().f()
=== iterators
class Count:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return self
    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n
r = list(Count(2))
for x in Count(2):
    y = x
it = iter([1, 2])
a = next(it)
b = next(it, None)
c = next(it, "end")
items = []
m = map(items.append, [1, 2])
next(m)
for _ in m:
    pass
pops = [1, 2, None, 3]
for p in iter(pops.pop, None):
    q = p
=== operators
class V:
    def __init__(self, x):
        self.x = x
        self.log = []
    def __add__(self, o):
        self.log.append("add")
        return V(self.x + o.x)
    def __iadd__(self, o):
        self.x += o.x
        return self
    def __getitem__(self, i):
        self.log.append(i)
        return self.x
    def __contains__(self, i):
        self.log.append("in")
        return True
    def __lt__(self, o):
        o.log.append("lt")
        return True
    def __bool__(self):
        self.log.append("bool")
        return False
a = V(1)
b = V(2)
c = a + b
a += b
d = a[0]
e = 1 in a
f = a < b
g = not a
=== callbacks_from_c
seen = []
def key(x):
    seen.append(x)
    return -x
data = [2, 3, 1]
data.sort(key=key)
m = max(data, key=key)
d = {}
import functools
t = functools.reduce(lambda a, b: d.setdefault(a, b) or a + b, [1, 2, 3])
class H:
    def __hash__(self):
        seen.append("h")
        return 1
    def __eq__(self, o):
        seen.append("e")
        return True
d[H()] = 1
d[H()] = 2
=== attribute_access
class A:
    def __getattr__(self, name):
        self.__dict__.setdefault("asked", []).append(name)
        return name
    def __setattr__(self, name, value):
        self.__dict__[name] = value
    def __delattr__(self, name):
        self.__dict__["gone"] = name
a = A()
a.x = 1
b = a.missing
del a.x
c = vars(a)
c["new"] = 1
a.__dict__ = {"fresh": 1}
setattr(a, "s", [])
a.s.append(1)
=== modules
import math
import os.path as p
from math import pi, floor as fl
r = fl(pi)
s = math.sqrt(4)
=== multiline
def add(a, b, c):
    return a + b + c
total = add(
    1,
    2 +
    3,
    len("abcd"),
)
for (
    i
) in range(2):
    total += i
total = total - \
    1
x = {
    "a": [
        1,
        add(1, 2,
            3),
    ],
}
=== conditional_expressions
a = 1 if [] else 2
b = a and [] or {}
c = a < 2 < 3
assert c is not None, "no"
d = [x for x in [1, 2] if x > 1] or None
e = not a
=== type_parameters
def first[T](items: list[T]) -> T:
    return items[0]
class Box[T]:
    def __init__(self, item: T):
        self.item = item
type Pair[T] = tuple[T, T]
a = first([1])
b = Box(2)
c = Pair.__value__
def annotated(x: int = 1) -> "str": ...
n = annotated.__annotations__
v: int = 3
=== template_strings
who = "ada"
greeting = t"hi {who!r:>6}!"
who = "bob"
parts = list(greeting)
=== methods
a = []
f = a.append
f(1)
class C:
    def m(self): return 1
c = C()
m = c.m
m.__func__.note = 1
r = range(1, 10, 2)
s = slice(1, None)
ba = bytearray(b"ab")
ba[0] = 0
mv = memoryview(ba)
mv[1] = 9
t = type(c)
n = len
=== unpacking
a, b = 1, 2
(c, d), *e = (3, 4), 5, 6
x = [*e, *"ab"]
y = {**{"k": 1}, "j": 2}
def f(*p, **k): return p, k
z = f(*x, **y)
for i, (j, k) in enumerate([(1, 2), (3, 4)]):
    pass
w = [0, 1, 2]
i, w[i] = 1, 9
=== output
print("a", end="")
print("b")
import sys
sys.stdout.write("c")
sys.stdout.write("d\n")
sys.stderr.write("err\n")
for i in range(2):
    print(i, end=","); print(i)
def f():
    print("in f")
    return 1
print(f(), "out")
=== own_trace_function
import sys
hits = []
def spy(frame, event, arg):
    hits.append(event)
    return spy
def work():
    a = 1
    return a
sys.settrace(spy)
work()
sys.settrace(None)
n = len(hits)
work()
=== recursion_error
def dive(n):
    return dive(n + 1) + 1
try:
    dive(0)
except RecursionError as err:
    print("caught", type(err).__name__)
total = 0
for k in range(3):
    total += k
=== recursion_caught_deep
import sys
sys.setrecursionlimit(150)
def dive(n):
    try:
        return dive(n + 1)
    except RecursionError:
        return 0
r = dive(0)
after = [1]
after.append(2)
def clean(n):
    try:
        return clean(n + 1)
    finally:
        n = None
try:
    clean(0)
except RecursionError:
    done = True
=== frame_locals
import sys
def f():
    x = 1
    sys._getframe().f_locals["x"] = 2
    y = x
    d = locals()
    d["x"] = 3
    return x
r = f()
def g():
    frame = sys._getframe(1)
    frame.f_locals["z"] = "from below"
    frame.f_globals["w"] = "global"
def h():
    z = 1
    g()
    return z
s = h()
=== deep
x = []
for _ in range(300):
    x = [x]
y = x
x = None
=== reassigned_class
class A:
    pass
class B:
    pass
a = A()
a.x = 1
a.__class__ = B
a.x = 2
=== shared_state
class Stack:
    items = []
    def __init__(self):
        self.own = []
    def push(self, x):
        self.items.append(x)
        self.own.append(x)
a = Stack()
b = Stack()
a.push(1)
b.push(a)
Stack.items = []
a.push(2)
=== bubble
def bubble(data, counts):
    n = len(data)
    for i in range(n - 1):
        for j in range(n - 1 - i):
            counts["compare"] += 1
            if data[j] > data[j + 1]:
                data[j], data[j + 1] = data[j + 1], data[j]
                counts["at"][j] = counts["at"].get(j, 0) + 1
    return data
counts = {"compare": 0, "at": {}}
r = bubble([5, 2, 4, 1], counts)
=== linked
class Node:
    def __init__(self, key):
        self.key = key
        self.next = None
head = None
for i in range(4):
    node = Node(i)
    node.next = head
    head = node
prev = None
while head:
    head.next, prev, head = prev, head, head.next
=== queue
from heapq import heappush, heappop
h = []
for v in (3, 1, 2):
    heappush(h, (v, [v]))
out = []
while h:
    v, items = heappop(h)
    items.append("popped")
    out.append(items)
=== string_building
s = ""
for w in "to be or not".split():
    s = s + w[0]
t = s.upper()
u = ",".join(x for x in t)
v = u.replace(",", "")
=== boolean_int_confusion
x = [1, True, 1.0]
x[0] = True
x[0] = 1.0
x[0] = 1
z = [0.0]
z[0] = -0.0
n = [float("nan")]
n[0] = float("nan")
n = n
k = {1: "a"}
k[True] = "b"
y = 1
y = True
y = 1.0
=== class_attribute
class R:
    items = []
def a():
    x = R.items
    x.append(1)
    return 0
def b():
    R.items.append(2)
    R.items.append([3])
    y = 1
    z = R.items
    return y
a(); b(); a()
=== deques
from collections import deque
def f():
    q = deque([1, 1, 2, [3]])
    q.append(4); q.append([5])
    q.popleft()
    q.popleft()
    q.append(q.pop())
    q.pop()
    q.popleft()
    q.appendleft(9)
    q.extend([1, 2])
    m = deque([1, 2], 2)
    m.append(3)
    m.popleft()
    return q
f()
=== set_members
def f():
    s = set()
    for i in [3, 1, 2, 10, (), True, 7, 1.0]:
        s.add(i)
    s.discard(1)
    s.add(True)
    s.discard(True); s.add(1)
    s.remove(())
    s.pop()
    s.add((1, 2))
    s.add(5)
    s.clear()
    return s
f()
=== stores
def f(d, xs):
    for i in range(5):
        d[i] = i
        d[i % 2] += 1
        d.setdefault(i % 3, []) if i > 9 else d.setdefault("q", []).append(i)
        xs[i // 2] = i
        xs[-1] = [i]
        xs[i], xs[i + 1] = xs[i + 1], xs[i]
    d[True] = "t"
    d[1.0] = "u"
    del d[1]
    d.popitem()
    d["n"] = None
    d["n"] = [d]
    xs.pop(); xs.append(1); xs.append(xs.pop())
    xs.pop(0)
    xs.insert(0, 5)
    xs.sort(key=str)
    xs[1:3] = []
    xs[0] = xs[0]
    xs += [7]
    xs *= 2
    return d
f({}, [0, 0, 0, 0, 0, 0, 0])
=== shared_counters
def outer():
    n = 0
    log = []
    def up(k):
        nonlocal n
        n += k
        log.append(n)
        return n
    def down():
        nonlocal n, log
        log = [n]
        n = log
        n += [up2()]
    def up2():
        nonlocal n
        n = 5
        return n
    up(1); up(2)
    for i in range(3):
        n = up(i)
    down()
    del n
    return log
outer()
=== growing_objects
class A:
    def __init__(self, x):
        self.x = x
        self.kids = []
        self.n = 0
    def total(self):
        return self.n
    def grow(self):
        self.n += 1
        self.kids.append(A(self.n))
        self.n = self.n + len(self.kids)
        self.x, self.n = self.n, self.x
        self.kids[-1].x += 1
        self.kids[0].n = self
        return self
a = A(1)
for i in range(3):
    a.grow().kids.append(i)
    a.n += a.grow().total()
    a.last = a.kids.pop()
    a.kids[0] = A(i).grow()
b = a
b.x = b.kids
b.x.append(b)
del b.x
setattr(b, "y", [1])
b.y.append(2)
object.__setattr__(b, "z", 3)
=== slots_and_exceptions
class S:
    __slots__ = ("a", "b")
    def __init__(self):
        self.a = 1
        self.b = [self]
    def go(self):
        self.a += 1
        self.b.append(self.a)
        self.b = self.a
s = S(); s.go()
class E(Exception):
    def __init__(self, code):
        super().__init__("m", code)
        self.code = code
        self.args = (1, [2])
def r():
    try:
        raise E(3)
    except E as e:
        e.extra = [1]
        e.extra.append(e)
        e.args[1].append(4)
        return e
x = r()
x.code = 5
=== generators_in_use
def g(n):
    for i in range(n):
        got = yield i
        if got: yield [got]
    return n
def h():
    r = yield from g(2)
    yield r
for v in g(3): w = v
gen = g(2)
next(gen)
gen.send([1])
box = [gen]
list(gen)
k = h()
for v in k: z = v
def consume():
    total = 0
    for v in g(2):
        total += v
    return total, [y for y in g(1)], {y: 1 for y in h()}
consume()
=== functions_in_c
import heapq, functools, math
def f():
    h = []
    for x in [5, 1, 4, 2]:
        heapq.heappush(h, x)
    y = [h]
    heapq.heappush(y[0], 0)
    heapq.heappop(h)
    z = sorted(h, key=h.append) if False else sorted(h)
    w = [3, 1]
    u = max(w, key=w.append)
    m = map(w.append, [1, 2])
    for _ in m: t = 1
    w.append(next(iter([1])))
    list(map(w.append, [7]))
    ap = w.append
    ap(9)
    p = functools.partial(w.append, 8)
    p()
    q = [].append
    q(1)
    it = iter(w.pop, 1)
    for v in it: t = v
    return h
f()
=== library_containers
from collections import defaultdict, OrderedDict, Counter
def f():
    g = defaultdict(list)
    for i in range(4):
        g[i % 2].append(i)
        g["k"]
        x = g[i]
    o = OrderedDict()
    o["a"] = 1
    o["b"] = [o]
    o.move_to_end("a")
    c = Counter()
    c["a"] += 1
    c.update("ab")
    return g
f()
=== python_operators
class P:
    def __init__(self): self.v = 0; self.log = []
    @property
    def value(self):
        self.log.append("get")
        return self.v
    @value.setter
    def value(self, x):
        self.log.append(x)
        self.v = x
    def __iadd__(self, o):
        self.v += o
        return self
    def __setitem__(self, k, x):
        self.log.append((k, x))
    def __getitem__(self, k):
        return self.log
    def __call__(self, x):
        self.log.append(x)
    def __enter__(self): self.v = "in"; return self
    def __exit__(self, *a): self.v = "out"
p = P()
p.value = 3
p.value += 1
p += 5
p[0] = 1
p[1].append(2)
p[1] += [3]
p("c")
with p as q: q.v = 1
def f(p):
    p.value = [1]
    p.value += [2]
    p += 5
    p[0] = p
    p[1].append(2)
    p("c")
    with p as q: q.v = 1
    x = p.value
f(p)
=== rebound_globals
d = {}
def key(k):
    d[k] = [k]
    d.pop(0, None)
    return k
def f():
    global d
    d[key(1)] = key(2)
    d[key(3)].append(key(4))
    e = d
    e[key(5)] += [key(6)]
    d = {}
    e["x"] = d
    d["y"] = 1
    return e
f()
xs = [1]
def swap():
    global xs
    xs = [2]
    return 3
xs[0] = swap()
xs.append(swap())
xs += [swap()]
n = 0
def bump():
    global n
    n = [1]
    return [2]
n += len(bump())
n = []
n += bump()
=== swaps
def f():
    a = b = [0]
    a.append(1); b.append(2)
    c, a = a, [9]
    c.append(a); a.append(c)
    t = ([1], {"k": [2]})
    t[0].append(3)
    t[1]["k"].append(4)
    t[1]["k"][0] = 5
    t[1]["n"] = t
    t[0][0], t[1]["z"] = t[1]["k"], t[0]
    x = [[1], [2]]
    x[0].append(x.pop())
    x[0][0] = x
    y = x
    x = x + [1]
    y[0], x[0] = x, y
    for i in range(2): x[i] = i; y.append(i)
    [x.append(i) for i in range(2)]
    return [v for v in x if not y.append(v)] if False else x
f()
def m(**k): return k
z = m(a=1)
z.update(b=[2]); z |= {"c": 3}
v = vars()
u = 1
=== class_counters
x = 1
class A:
    x = [1]
    x += [2]
    y = x
    y += [3]
    z = 1
    z += 1
    y[0] = 5
    y.append(6)
    def m(self): return self
A().m()
=== odd_keys
class K(int): pass
def f(d, k):
    d[k] = 1
    k = K(3)
    d[k] = 2
    d[3] = 4
    d["s"] = k
    d["s"] += 1
    d[(1, 2)] = [k]
    d[(1, 2)].append(1)
    d[None] = d
    d[1.5] = d[None]
    d[float("nan")] = 1
    d.get(3)
    xs = [0, 1]
    xs[True] = 5
    xs[-2] = 7
    try: xs[9] = 1
    except IndexError: pass
    try: xs.append()
    except TypeError: pass
    try: d[[]] = 1
    except TypeError: pass
    b = bytearray(b"abc")
    b[1] = 120
    b.append(1)
    m = memoryview(b)
    m[0] = 65
    return d, xs
f({}, 3)
=== texts_and_names
s = "s"
sfoo = "foo"
i1 = 1
i = "i1"
names = {"sfoo": 1, "foo": 2, "i5": 5, "i-3": -3, "i05": 5}
foo = [-3, 5, "5", "-3", 10**299, 10**300, 10**301, -10**300]
n = "\ud83d"; t = "\u00e9"; u = "a" * 2000; v = u + "b"; w = u * 40; x = w + "c"
y = [u, v, w, x, "\u00e9" * 2000, b"a" * 2000]
print("sprint", "i5", i1)
=== lazy_loops
import itertools
def f():
    a, b = [1, 2], [3]
    for x in itertools.chain(a, b): b.append(x) if len(b) < 5 else None
    for x in filter(b.append, [1, 2]): pass
    for x in [y for y in map(a.append, [1])]: pass
    for i, x in enumerate(reversed(a)): b[0] = x
    for x in zip(a, map(b.append, [7, 8])): z = x
    return a
def g(xs):
    return iter(xs)
def h():
    a = [1, 2, 3]
    for x in g(a): a[0] = x
    for x in sorted(g(a)): a.append(x)
    while a: a.pop() if len(a) % 2 else a.pop(0)
    return a
f(); h()
=== instance_swaps
class N:
    def __init__(self, v, nxt=None):
        self.v = v; self.nxt = nxt
def f():
    a = N(1); b = N(2, a); a.nxt = b
    a.v, b.v = b.v, a.v
    a.nxt.v = [a]; a.nxt.v.append(b)
    a.nxt.nxt.v = 5
    a.nxt, b.nxt = None, a
    a.__class__ = type("M", (N,), {})
    a.v = 3
    a.w = 4
    a.__dict__["q"] = 1
    a.__dict__ = {"v": 9}
    a.v += 1
    c = [a, b]
    c[0].v = c[1].v = c
    del c[0].v, c[1]
    for n in c: n.v = n
    return c
f()
=== tuple_keys
class K:
    def __init__(self, n): self.n = n
    def __hash__(self): return 1
    def __eq__(self, o): return self is o
def f():
    memo = {}
    def go(r, c):
        if (r, c) in memo: return memo[r, c]
        if r == 0 or c == 0: v = 1
        else: v = go(r - 1, c) + go(r, c - 1)
        memo[(r, c)] = v
        return v
    go(3, 3)
    memo["x"] = 1
    memo["x"] = [2]
    memo[(0, 1)] = memo
    memo[(0, 1)] = 5
    memo.setdefault((9, 9), []).append(1)
    memo.popitem()
    del memo["x"]
    k = K(1)
    memo[k] = 1
    memo[k] = 2
    k.n = 5
    memo[K(2)] = k
    memo.pop(k)
    return memo
f()
def g(d, k):
    d["a"] = 1
    d[(1,)] = 2
    d["b"] = 3
    d["a"] = 4
    d[k] = 5
    d[frozenset([1])] = [6]
    d["b"] += 1
    d[(1,)] += 1
    d.update({(2,): 1})
    for q in list(d): d[q] = q
    d.clear()
    d[k] = k
g({}, K(3))
=== changed_back
shown = 1000
kept = [1000, 2.5]
flag = {1000}
def busy(rounds):
    global shown
    for n in range(rounds):
        shown = n + 2000
        kept[0] = shown
        kept[1] = n / 7
        flag.add(shown)
        flag.discard(shown)
    shown = len(kept) * 500
    kept[0] = shown
    kept[1] = shown / 400
def work():
    own = 1000
    kept[0] = own
    busy(9)
    own = kept[0]
    def other():
        nonlocal own
        for own in range(4000, 4009): pass
        own = 500 * len(kept)
    other()
    return own, shown
work()
busy(9)
work()
=== other_bases
class First:
    def __init__(self): self.own = []
class Second:
    def __del__(self): print("gone", self.x)
class Child(First): pass
child = Child()
child.x = 1
Child.__bases__ = (Second,)
child.x = 2
child.y = [child.x]
child.own.append(child.y)
class Slot: __slots__ = ("a",)
class Other: __slots__ = ("a",)
class Slotted(Slot): pass
slotted = Slotted()
slotted.a = slotted.b = [1]
try:
    Slotted.__bases__ = (Other,)
    slotted.a = slotted.b = 2
    slotted.c = 3
except TypeError as error:
    print(error)
setattr(Child, "__bases__", (First,))
child.x = 3
kept = [child, slotted]
=== long_texts
def f():
    texts = []
    base = "x" * 600
    for turn in range(12):
        text = base + str(turn % 7) * 30
        texts.append(text)
        if turn % 5 == 4: texts.clear()
        other = text[:-1] + "z"
        other = text
        part = turn / 3
        part = turn / 3.0
        held = {text, other, "a"}
        held = {text}
    return texts
f()
found = {}
for turn in range(9):
    key = "k" * 510 + str(turn % 4)
    found[key] = turn
    found.setdefault(key + "y", key)
    del found[key + "y"]
=== visited
def f():
    seen = set()
    grid = [(0, 0)]
    while grid:
        r, c = grid.pop()
        if (r, c) in seen or r > 2 or c > 2: continue
        seen.add((r, c))
        grid.append((r + 1, c)); grid.append((r, c + 1))
    seen.add("x")
    seen.add((0, 0))
    seen.add(5)
    t = (7, 7)
    seen.add(t)
    seen.discard(t)
    seen.add((8, [].__len__()))
    u = {t}
    u.add(f)
    u.remove(t)
    u.add(t)
    u.add(len)
    return seen
f()
=== comprehensions_over_lines
items = [3, 1, 2]
x = [p
     for p in items]
y = {p: p * 2
     for p in items
     if p > 1}
z = {p
     for p in items}
class C:
    a = [p
         for p in (1, 2)]
    b = 3
    def __init__(self):
        self.v = [p
                  for p in (1, 2)]
        self.w = 1
    def more(self, d):
        d["k"] = [p
                  for p in self.v]
        d["n"] = 1
        self.v += [p
                   for p in (9,)]
        self.w = 2
        return [p
                for p in self.v]
c = C()
d = {}
r = c.more(d)
def outer():
    shared = [q
              for q in items]
    def inner():
        nonlocal shared
        shared = [q
                  for q in items]
        k = 1
        return shared, k
    inner()
    got = [(q, 1)
           for q in items]
    n = got[0]
    return shared, n
outer()
def gen():
    for i in range(2):
        yield [p
               for p in items]
        v = [p
             for p in items]
        yield v
list(gen())
def nested():
    m = [[a * b
          for a in items]
         for b in items
         if b]
    k = sum(m[0]) + max([e
                         for e in m[0]])
    x, *y = [e
             for e in items]
    del x
    x = y = [e
             for e in items]
    global G
    G = [e
         for e in items]
    t = 1
    for w in [e
              for e in items]:
        t += w
    while [e
           for e in items if t < 9]:
        t += 9
    if [e
        for e in items]:
        t = 3
    try:
        u = [1 / e
             for e in (1, 0)]
    except ZeroDivisionError:
        u = 2
    with open("f.txt", "w") as f:
        f.write("".join([str(e)
                         for e in items]))
    assert [e
            for e in items]
    x[0] = [e
            for e in items]
    items.append([e
                  for e in items])
    a, b = ([e
             for e in (1,)],
            2)
    return a, b, u
nested()
def short(v): return [e
                      for e in v]
short([1])
f = lambda v: [e
               for e in v]
f([2])
for i in [e
          for e in (1, 2)]:
    h = i
=== expressions_over_lines
import asyncio
async def agen():
    for i in range(3):
        yield i
async def main():
    x = [i
         async for i in agen()]
    y = 1
    z = [await asyncio.sleep(0, i)
         for i in range(2)]
    w = 2
    x = [i async for i in agen()]
    y = 1
    x = {i: 1 async for i in agen()}; k = 3
    async for q in agen():
        r = [q
             for _ in (1,)]
    async with asyncio.Lock() as l:
        s = [q
             for _ in (1,)]
    t = 1
    v = (each
         for each in x)
    u = list(v)
    return x, y, z
asyncio.run(main())
def walrus(xs):
    a = [(b := e)
         for e in xs]
    c = b
    d = (a
         if c
         else b)
    m = 1
    match [e
           for e in xs]:
        case [first, *_]:
            k = first
        case _:
            k = 0
    j = f"{[e
            for e in xs]}"
    i = 1
    n = (a and
         c)
    o = not (
        a
        or c)
    p = a[
        0]
    a[0] = (
        5
    )
    a += (
        6,
    )
    p += (
        7
    )
    return (
        p
    )
walrus([1, 2])
=== raised_again
class W:
    def __enter__(self): return self
    def __exit__(self, *a): pass
def f():
    try:
        1 / 0
    except ZeroDivisionError as err:
        try:
            raise KeyError
        finally:
            z = 1
def g():
    try:
        1 / 0
    except ZeroDivisionError as err:
        with W():
            raise KeyError
def h():
    try:
        1 / 0
    except ZeroDivisionError as err:
        try: raise KeyError
        except ValueError: pass
def k():
    try:
        1 / 0
    except* ZeroDivisionError as err:
        x = [1 / i
             for i in (0,)]
def m():
    try:
        try:
            raise ValueError
        except ValueError as err:
            x = [1 / i
                 for i in (0,)]
    except ZeroDivisionError:
        y = 1
    for i in range(2):
        try:
            1 / 0
        except ZeroDivisionError as again:
            try: raise
            except KeyError: pass
for each in (f, g, h, k, m):
    try: each()
    except Exception as seen:
        try:
            try: raise seen
            finally: a = 1
        except Exception: pass
class C:
    try:
        1 / 0
    except ZeroDivisionError as err:
        try:
            try: raise KeyError
            finally: b = 1
        except KeyError: pass
    c = 2
=== suspended_loops
class Pause:
    def __await__(self):
        yield
async def numbers():
    yield 1
    await Pause()
async def later(v): await Pause(); return v
async def main():
    a = [m
         async for m in numbers()]
    b = 1
    c = [m async for m in numbers()
         if await later(m)]
    d = {m: 1
         async for m in numbers()}
    async for n in numbers():
        e = [m
             async for m in numbers()]
    f = [[m
          async for m in numbers()]
         for _ in (1, 2)]
    return {m
            async for m in numbers()}
run = main()
try:
    while True: run.send(None)
except StopIteration as end:
    got = end.value
=== lines_untold
import sys
def off(fr):
    fr.f_trace_lines = False
def on(fr):
    fr.f_trace_lines = True
def f(n):
    fr = sys._getframe()
    if n:
        off(fr)
    x = 1
    y = 2
    on(fr)
    z = 3
    return z
for i in (0, 0, 1, 1, 0): f(i)
'''


def _programs() -> dict[str, str]:
    parts = re.split(r"^=== (\w+)\n", _TEXT, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


PROGRAMS = _programs()
"""Name → source."""
