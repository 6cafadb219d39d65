"""Programs that change objects in all the ways that are taken in without a look at the whole of them. Name → source."""

from __future__ import annotations

PROGRAMS = {
    "attributes of all kinds": """
class A:
    def __init__(self, n):
        self.n = n
        self.text = f"t{n}"
        self.half = n / 2
        self.none = None
        self.flag = n > 1
        self.big = 10 ** 400 + n
        self.pair = (n, [n])
        self.me = self
        self.kind = A
def f():
    last = None
    for n in range(4):
        a = A(n)
        a.last = last
        a.n += 1
        a.text += "x"
        a.half = a.n
        a.pair = a.pair
        a.none = a
        last = a
    return last
f()
""",
    "names in another order": """
class A:
    pass
def f():
    kept = []
    for n in range(6):
        a = A()
        kept.append(a)
        if n % 2:
            a.x = n
        a.y = n
        a.x = -n
        if n % 3 == 0:
            a.z = 0
        a.w = n
    kept[0].y = 1
    kept[1].y = 2
    for a in kept:
        a.y = 5
        a.q = kept
    return kept
f()
""",
    "a deleted attribute comes again": """
class A:
    def __init__(self):
        self.x = 1
        self.y = 2
def f():
    for n in range(3):
        a = A()
        del a.x
        a.z = 3
        a.x = n
        del a.z
        a.y = [n]
        a.x = a.y
        del a.y, a.x
        a.y = 0
f()
""",
    "a property beside an attribute": """
class A:
    def __init__(self):
        self._x = 0
        self.log = []
    @property
    def x(self):
        return self._x
    @x.setter
    def x(self, value):
        self._x = value
        self.log.append(value)
def f():
    a = A()
    for n in range(3):
        a.x = n
        a.x += 1
        a._x = -n
    return a
f()
""",
    "a property that comes later": """
class A:
    pass
def f():
    a, b = A(), A()
    for n in range(4):
        a.x = n
        a.y = n
        if n == 1:
            A.x = property(lambda self: self.y, lambda self, value: b.got(value))
            A.got = lambda self, value: setattr(self, "y", value)
        if n == 2:
            del A.x
    return a, b
f()
""",
    "slots and a dict": """
class S:
    __slots__ = ("left", "right")
class D:
    __slots__ = ("left", "__dict__")
class E:
    __slots__ = ("__dict__",)
class F(S):
    pass
def f(kind):
    a = kind()
    for n in range(3):
        a.left = n
        a.right = [n]
        a.left += 1
        a.right = a
    return a
for kind in (S, D, E, F):
    f(kind)
""",
    "setattr of one's own": """
class A:
    def __setattr__(self, name, value):
        object.__setattr__(self, "_" + name, value)
        if name == "x":
            super().__setattr__("count", getattr(self, "count", 0) + 1)
class B:
    def __setattr__(self, name, value):
        if name != "hidden":
            object.__setattr__(self, name, value)
class C(B):
    def __delattr__(self, name):
        object.__setattr__(self, name, None)
def f(a):
    for n in range(3):
        a.x = n
        a.y = [n]
        a.hidden = n
        a.x += 1 if type(a) is not A else n
    return a
for kind in (B, C):
    f(kind())
def g():
    a = A()
    for n in range(3):
        a.x = n
        a.y = n
g()
""",
    "descriptors": """
class Set:
    def __set_name__(self, owner, name):
        self.name = name
    def __set__(self, instance, value):
        instance.given = (self.name, value)
class Both(Set):
    def __get__(self, instance, owner):
        return 7
class Get:
    def __get__(self, instance, owner):
        return 8
class A:
    x, y, z = Set(), Both(), Get()
def f():
    a = A()
    for n in range(3):
        a.x = n
        a.y = n
        a.z = n
        a.z = a.y
        a.w = a.z
    return a
f()
""",
    "another dict": """
class A:
    pass
def f():
    a, b = A(), A()
    for n in range(3):
        a.x = n
        a.__dict__ = {"y": n}
        a.x = -n
        a.__dict__ = b.__dict__
        a.z = [n]
        b.z = n
        a.__dict__["x"] = n
        a.__dict__[n] = n
        a.x = 5
    return a, b
f()
""",
    "another dict without the word": """
import copy
class A:
    def __init__(self):
        self.x = 1
        self.y = []
class Made(type):
    pass
class M(metaclass=Made):
    def __init__(self):
        self.x = 1
def f():
    a = A()
    for n in range(3):
        b = copy.copy(a)
        b.x = n
        b.z = n
        a.y.append(b)
        c = copy.deepcopy(b)
        c.y = a
        c.x = n
        m = M()
        m.x = n
        m.y = c
    return a
f()
""",
    "an attribute of the class": """
class A:
    x = 0
    items = []
    text = ""
setattr(A, "later", [])
def f():
    kept, a, b = A.later, A(), A()
    b.later += [f"w{a.x}"]
    kept.append(b)
    for n in range(3):
        a.x += 1
        a.items.append(n)
        A.x = 10 + n
        b.items = a.items
        b.items.append(b)
        A.items = [f"n{n}"]
        c = A()
        c.items += [f"m{n}", f"k{n}"]
        c.text += f"t{n}"
        b.x = A
        b.x.x = n
    return a, b
f()
""",
    "another class": """
class A:
    def __init__(self):
        self.x = 1
class B:
    def step(self):
        self.x += 1
        self.y = self.x
class C(A):
    x = property(lambda self: 5, lambda self, value: None)
def f():
    for kind in (B, C, A):
        a = A()
        a.x = 2
        a.__class__ = kind
        a.x = 3
        a.z = 4
        object.__setattr__(a, "__class__", A)
        a.x = 5
        a.w = 6
    return a
f()
""",
    "the right side changes the same object": """
class A:
    def __init__(self):
        self.x = 0
        self.items = [1, 2, 3]
        self.by = {}
    def grow(self):
        self.x += 10
        self.more = [self.x]
        self.items.insert(0, self)
        return self.x
    def swap(self):
        self.items, self.old = [0, 0, 0], self.items
        return 7
def f():
    a = A()
    for n in range(3):
        a.x = a.grow()
        a.x += a.grow()
        a.y = a.grow() + a.x
        a.items[0] = a.grow()
        a.items[a.swap() - 7] = n
        a.by[a.grow()] = a.swap()
        a.items = a.items.append(n)
        a.items = a.old
        a.z = a.items.pop()
        a.by["k"] = a.by.setdefault("m", n)
    return a
f()
""",
    "setattr, delattr and vars": """
class A:
    pass
def f():
    a = A()
    for n in range(4):
        setattr(a, f"x{n}", n)
        a.y = n
        setattr(a, "y", [n])
        a.x0 = n
        delattr(a, "y")
        a.y = n
    return a
f()
def g():
    a = A()
    for n in range(3):
        vars(a)["not a name"] = n
        vars(a)[n] = n
        a.y = n
        vars(a).clear()
        a.y = -n
    return a
g()
""",
    "many names, each once": """
class A:
    pass
def f():
    for n in range(40):
        a = A()
        setattr(a, f"n{n}", n)
        a.x = n
        a.y = a
    for n in range(60):
        setattr(a, f"m{n % 50}", n)
        a.x = n
f()
""",
    "instances that die": """
class A:
    def __init__(self, n):
        self.n = n
        self.child = None
def f():
    last = None
    for n in range(30):
        a = A(n)
        a.child = A(n)
        a.child = A(-n)
        a.child.child = [A(n)]
        a.child.child[0] = A(1)
        last = a if n % 3 else None
        a = None
    return last
f()
""",
    "subclasses of containers": """
class L(list):
    pass
class D(dict):
    def __missing__(self, key):
        return 0
class Told(list):
    def __setitem__(self, key, value):
        super().__setitem__(key, [value])
    def append(self, value):
        super().append((value,))
class Counted(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setitem__("count", len(self))
def f():
    xs, d, told, counted = L([1, 2, 3]), D(), Told([1, 2]), Counted()
    for n in range(3):
        xs[0] = n
        xs.append(n)
        xs.name = n
        xs.pop(0)
        d[n] = n
        d["k"] += n
        d.name = xs
        told[0] = n
        told.append(n)
        told.pop()
        counted[n] = n
        counted["n"] = n
    return xs, d, told, counted
f()
""",
    "an object in place of another": """
class A:
    def __init__(self, n):
        self.n = n
def f():
    for n in range(30):
        a = A(n)
        a.x = [n]
        a = None
        a = A(-n)
        a.y = {n: n}
        a.x = n
        a = None
        xs = [n]
        xs.append(n)
        xs = None
        xs = [n, n]
        xs[0] = -n
        xs.pop(0)
f()
""",
    "items of a list": """
def f():
    xs = [0, 1.0, "a", None, [5], (6,)]
    for n in range(6):
        xs[n] = n
        xs[-1] = n
        xs[n - 6] = [n]
        xs[0] = xs
        xs[True] = n
        xs[n] += [1] if type(xs[n]) is list else 1
        xs[n], xs[-n] = xs[-n], xs[n]
        xs[0], xs[1] = xs[1], xs[0]
        xs[n], xs[n] = n, xs[n]
        xs[0], xs[n] = [n], n
        xs[n - 1], xs[2] = xs[2], xs[n - 1]
        xs[0], xs[True] = 1, 2
    return xs
f()
""",
    "swaps": """
def f(xs):
    n = len(xs)
    for i in range(n - 1):
        for j in range(n - 1 - i):
            if str(xs[j]) > str(xs[j + 1]):
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    i, j = 0, n - 1
    while i < j:
        xs[i], xs[j] = xs[j], xs[i]
        i += 1
        j -= 1
    for i in range(n):
        xs[i - 1], xs[1 + i - n] = xs[i], xs[-1]
    try:
        xs[0], xs[n] = 5, 6
    except IndexError:
        pass
    return xs
f([3, 1, 2, 2, 1])
f([3, [1], 2, "2", None, 1.5, (1,)])
f([5, 5.0, True, 1, 0, -0.0, 0.0, False])
f(list(range(90, 0, -1)))
""",
    "items of a dict": """
def f():
    d = {"n": 0, "at": {}, "xs": [0, 0, 0], 1: "one"}
    for n in range(4):
        d["n"] += 1
        d["n"] = d["n"]
        d[n] = n
        d[True] = n
        d[1.0] = [n]
        d["at"][n] = d["at"].get(n, 0) + 1
        d["at"]["last"] = d
        d["xs"][n - 1] = n
        d["xs"][0], d["xs"][1] = d["xs"][1], d["xs"][0]
        d["xs"][n - 2] += n
        d[n + 10] = d.pop(n)
        d["n"], d["m"] = n, d["n"]
        d[None] = d["xs"]
        d["xs"] = list(d["xs"])
    return d
f()
""",
    "keys that are no text": """
class K:
    asked = 0
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        return hash("k")
    def __eq__(self, other):
        K.asked += 1
        return type(other) is K and other.n == self.n
def f():
    d = {K(1): 1, "z": 2}
    held = {"d": d}
    for n in range(3):
        d["k"] = n
        d[K(n)] = n
        d["k"] += 1
        held["d"]["k"] = [n]
        d["k"].append(n)
        d[(n,)] = n
        d[float("nan")] = n
        d[n, "k"] = d
    print(K.asked)
    return d
f()
""",
    "along a path": """
class Node:
    def __init__(self, n):
        self.n = n
        self.next = None
        self.seen = {}
        self.grid = [[0] * 3 for _ in range(3)]
def f():
    a, b = Node(1), Node(2)
    a.next, b.next = b, a
    for n in range(3):
        a.next.n = n
        a.next.next.n += n
        a.next.next.next.seen[n] = a
        a.grid[n][0] = n
        a.grid[n][n] += 1
        a.grid[-1][-1] = a.next.grid
        a.next.grid = [[n, n], (n,), [n]]
        a.next.grid[0][n - 1] = b
        a.grid[0], a.grid[1] = a.grid[1], a.grid[0]
        a.grid[0][0], a.grid[0][1] = a.grid[0][1], a.grid[0][0]
        row = a.grid[n]
        row[0] = row
        a.grid[n][1] = -n
        a.next, a.old = Node(n), a.next
        a.old.next = a.next
        a.next.next = a
        a.grid = [[0, 0, 0] for _ in range(3)]
    return a
f()
def g(rows, key):
    for n in range(3):
        rows[key][n] = n
        rows["t"][0][n] = n
        rows["t"] = ([n, n, n], rows[key])
        rows["t"][1][0] = rows
    return rows
g({"k": [1, 2, 3], "t": ([0, 0, 0],)}, "k")
""",
    "methods of lists": """
def f():
    xs, kept = [], []
    for n in range(6):
        xs.append(n)
        xs.append([n])
        xs.append(xs)
        xs.append(kept)
        kept.append((n,))
        xs.insert(0, n)
        xs.pop()
        xs.pop(0)
        xs.pop(1)
        xs.pop(-1)
        kept.extend(xs)
        kept.append(len(kept))
        x = kept.pop()
        y = kept.pop(0)
        kept.append(kept.pop())
        kept.append(kept.pop(0))
        kept.append(x); kept.append(y)
        xs.reverse()
    try:
        [].pop()
    except IndexError:
        pass
    while xs:
        x = xs.pop(0)
        del x
    xs.append(1)
    xs.clear()
    return kept
f()
""",
    "pops that only look like those at the start": """
def f():
    xs = [1, 1, 2, 1, 1, 3, 1, 2, 2, 2, 2, 5] * 2
    ys = [[7], [8], [9], xs]
    for n in range(3):
        xs.pop(0 if n else 2)
        xs.pop(2 if n else 0)
        (xs if n else ys).pop(0)
        xs.pop(n and 0)
        xs.pop(n or 0)
        xs.pop(*(0,))
        xs.append(n)
        xs.pop(not 0)
    return xs
f()
""",
    "equal texts that are other objects": """
def f():
    xs = []
    for n in range(3):
        for m in range(4):
            xs.insert(0, f"s{n}")
            xs.insert(n, f"s{m}")
            xs.append(f"s{n}")
        xs.pop(0)
        xs.pop(1)
        xs.remove(f"s{n}")
        del xs[2]
        xs[0], xs[1] = f"s{n}", f"s{n}"
        xs[0], xs[1] = f"s{n}", f"s{n + 1}"
        xs[0] = f"s{n}"
    return xs
f()
""",
    "the variable is bound anew on the same line": """
class A:
    def __init__(self, n):
        self.items = [n, [n], [[n]], self]
        self.n = n
def f():
    xs = [1, [2, [3, [4, 5]]]]
    xs = xs.pop()
    xs = xs.pop(1)
    ys = xs = xs.pop()
    a = A(1)
    a = a.items.pop()
    a.items.append(2)
    n = a.items.pop(0)
    n = a = a.items.pop(0)
    zs, k = [[5], 6], 0
    k, zs = zs.pop(), zs
    zs = zs.append(7) or zs
    zs, k = k, zs.pop()
    box = {"a": [1, [2]], "b": [3]}
    box = box["a"].pop()
    kept = [[1, [2]], 3]
    kept.pop(0).append(kept)
    kept = [kept]
    for kept in kept[0]:
        pass
    return xs, ys, n
f()
gs = [1, [2, [3, [4, 5]]]]
gs = gs.pop()
def g():
    global gs
    gs = gs.pop(1)
    gs.append(1)
    gs = gs.pop(0)
    free = [1, [2]]
    def h():
        nonlocal free
        free.append(3)
        free = free.pop(1)
        free = free.pop()
    h()
g()
""",
    "functions that share variables": """
class A:
    pass
def mk(a, n):
    a.f = lambda: n
def mx(xs, n):
    xs.append(lambda: n)
def md(d, n):
    d["k"] = lambda: n
def use():
    for i in range(3):
        a, xs, d = A(), [], {}
        mk(a, [1])
        mx(xs, [1])
        md(d, [1])
        a.f()
        xs[0]()
        d["k"]().append(2)
    return a, xs, d
use()
""",
    "bound methods beside those of other objects": """
word, stale = "a", [1]
def f(lines, out):
    add, take = out.append, out.pop
    for line in lines:
        add(line.strip())
        add(word.upper())
        add(line)
        n = take()
        str(take()).strip()
        line.find(str(add([])))
        add(2) if out else stale.append(3)
    return out
class A:
    pass
def g():
    import __main__
    __main__.stale = None
def h(out, kind):
    add = out.append
    add(kind.__name__.strip())
    add(2) if out else stale.append(3)
    stale = 1
f([" a", "b", " a"], [])
g()
h([1], A)
""",
    "attributes through a dict that a text asked for": """
class A:
    pass
def f(d, o):
    d["a"] = 3
    o.a = 4
    d["b"] = [o]
o = A()
o.a = 1
d = getattr(o, "__dict__")
d["a"] = 2
f(d, o)
""",
    "globals through a function": """
x = 1
def f():
    return x
def g(v):
    f.__globals__["x"] = v
    f.__globals__["y"] = v
    y = f()
def h(d):
    d["x"] = 4
    a = f()
    d["x"] = 5
    a = x
g(2)
g([3])
d = f.__globals__
d["x"] = 8
h(d)
""",
    "globals through a frame": """
import sys
x = 1
def f():
    d = sys._getframe().f_globals
    d["x"] = 2
    y = x
    d["x"] = [y]
    y = 3
f()
""",
    "lists held elsewhere": """
class Queue:
    def __init__(self):
        self.items = []
        self.size = 0
    def push(self, item):
        self.items.append(item)
        self.size += 1
        return self
    def take(self):
        self.size -= 1
        return self.items.pop(0)
    def last(self):
        return self.items.pop()
shared = []
def note(item):
    shared.append(item)
def out(n):
    box = {"in": [[]]}
    box["in"][0].append(n)
    box["in"].append(box)
    (lambda: box)()["in"].append(shared)
    return box
def f():
    q = Queue()
    for n in range(4):
        q.push(n).push([n])
        note(q.take())
        q.push(q.last())
        q.items.append(q)
        note(n)
        shared.append(out(n))
        q.items[-1].items.append(None)
        q.items.pop(0)
    return q
f()
for n in range(3):
    shared.append(n)
    shared.pop(0)
    shared[0] = n
    shared[1], shared[2] = shared[2], shared[1]
""",
    "what nobody sees yet": """
hidden = []
def note(item):
    hidden.append(item)
    hidden.append([item])
    hidden.pop(0)
def f(g):
    for n in range(3):
        g(n)
    return n
f(note)
f(hidden.append)
f(lambda n: hidden.append(n))
hidden.append(0)
""",
    "a method's last line": """
class A:
    def __init__(self):
        self.items = []
        self.n = 0
    def add(self, item):
        self.items.append(item)
    def drop(self):
        self.items.pop(0)
    def count(self):
        self.n += 1
    def link(self, other):
        self.other = other
    def key(self, k):
        self.items[0] = k
    def both(self):
        return self.items.append(self)
def f():
    a = A()
    for n in range(4):
        a.add(n)
        a.add([n])
        a.count()
        a.link(A())
        a.key(f"k{n}")
        a.drop()
        a.both()
    return a
f()
""",
    "two stores of one line": """
class A:
    pass
def f():
    a, b = A(), A()
    a.x = b.x = [0]
    a.y, b.y = 1, 2
    for n in range(3):
        a.x, a.y = n, a.x
        a.x, b.x = b, a
        a.z = b.z = [n]
        a.x, b.y = [n], b.y
        a.z += [n]
        b.z[0], a.y = a, n
        a.y, b.y = a.y, b.y
    return a, b
f()
""",
    "beside code that is not traced": """
import bisect, heapq, json, random
class A:
    def __init__(self):
        self.xs = []
        self.n = 0
def f():
    a = A()
    for n in range(4):
        a.n = random.randrange(9)
        a.m = n
        bisect.insort(a.xs, n)
        a.n += 1
        heapq.heappush(a.xs, -n)
        a.text = json.dumps(a.xs)
        a.xs.append(a.n)
        a.n = a.n
        sorted(a.xs, key=lambda x: a.xs.append(0) or x) if n == 2 else None
        a.xs[0] = n
        list(map(a.xs.append, [n]))
        a.n = -n
    return a
f()
""",
    "large lists": """
def f():
    xs = list(range(9998))
    for n in range(4):
        xs.append(n)
        xs[n] = -n
    for n in range(4):
        xs.pop(0)
        xs.pop()
        xs[0], xs[1] = xs[1], xs[0]
    return len(xs)
f()
""",
}
