"""Small programs, one for each construct that a recorder may get wrong."""

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
'''


def _programs() -> dict[str, str]:
    parts = re.split(r"^=== (\w+)\n", _TEXT, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


PROGRAMS = _programs()
"""Name → source."""
