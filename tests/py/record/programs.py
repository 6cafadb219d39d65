"""Random programs for the oracle: a few functions and a module body that change shared structures in every way."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = "a b c d".split()
ATOMS = ["0", "1", "True", "1.0", "-0.0", "'x'", "None", "10 ** 30", "float('nan')"]
FUNCTIONS = ["f", "g", "h"]

PRELUDE = """
from collections import defaultdict, deque
class Node:
    kind = "node"
    def __init__(self, value=None):
        self.value = value
        self.kids = []
    def add(self, other):
        self.kids.append(other)
        return self
    @property
    def size(self):
        self.asked = True
        return len(self.kids)
    def __iadd__(self, other):
        self.value = other
        return self
class Pair:
    __slots__ = ("left", "right")
def take(thing, key, other=None):
    try:
        return thing[key]
    except Exception:
        return other
a, b, c, d = [1], {"k": [2]}, Node(0), 3
"""


@st.composite
def value(draw: st.DrawFn) -> str:
    """An expression that makes or names a value."""
    names, atoms = st.sampled_from(NAMES), st.sampled_from(ATOMS)
    inner = draw(st.one_of(names, atoms))
    other = draw(st.one_of(names, atoms))
    forms = [
        inner, f"[{inner}, {other}]", f"({inner}, {other})", f"{{'k': {inner}}}", f"Node({inner})", f"[{inner}] * 2",
        f"[x for x in ({inner}, {other})]", f"(lambda: {inner})()", f"take({inner}, 0, {other})", "defaultdict(list)",
        f"deque([{inner}], 3)", f"(lambda: ({inner}, {other}))", f"{inner} if {other} else {inner}", "Pair()",
        f"dict(k={inner})", f"list(map(str, [{draw(atoms)}]))", "iter([1, 2, 3])", f"{{{draw(atoms)}, {draw(atoms)}}}",
        # Over lines, as CPython makes fewer events in a loop there than one would think.
        f"[x\n for x in ({inner}, {other})]", f"{{n: {inner}\n for n in (1, 2)\n if {other}}}",
        f"take({inner},\n 0, {other})",
    ]  # fmt: skip
    return draw(st.sampled_from(forms))


@st.composite
def change(draw: st.DrawFn) -> str:
    """A statement on one line."""
    name, other = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    new = draw(value())
    forms = [
        f"{name} = {new}", f"{name} = {other}", f"{name}, {other} = {other}, {name}", f"{name}.append({new})",
        f"{name}[0] = {new}", f"{name}['k'] = {new}", f"{name} += [{new}]", f"{name}.add({new})",
        f"{name}.value = {new}",
        f"del {name}[0]", f"{name}.pop()", f"{name}.kids[0] = {new}", f"{name}.size", f"{name}['k'].append({new})",
        f"{name}.left = {new}", f"{name}.update(j={new})", f"{name} = next({other})", f"{name} = {name}()",
        f"{name} = {draw(st.sampled_from(FUNCTIONS))}({other})", f"for _ in {name}: {other}.append(_)",
        f"{name} += 1", f"{name}.sort(key=lambda x: {other}.append(1) or 0)", f"print({name} is {other})",
        f"{name}.__dict__['new'] = {new}", f"{name} |= {{'z': {new}}}", f"{name} = [*{other}, {new}]",
        f"del {name}.value",
        f"{name}.extend(x for x in {other})", f"{name} = sum([1 for _ in {other}])", f"raise ValueError({name})",
        f"{name} = list({draw(st.sampled_from(FUNCTIONS))}s({other}))",
    ]  # fmt: skip
    return draw(st.sampled_from(forms))


@st.composite
def body(draw: st.DrawFn, depth: str) -> str:
    """Some statements, each in a `try` so that the program goes on."""
    lines = []
    for statement in draw(st.lists(change(), min_size=1, max_size=5)):
        lines += [f"{depth}try:", f"{depth}    {statement}", f"{depth}except Exception as error:", f"{depth}    pass"]
        if draw(st.booleans()):
            lines += [
                f"{depth}for i in range(2):",
                f"{depth}    try: {draw(change())}",
                f"{depth}    except Exception: break",
            ]
    return "\n".join(lines)


@st.composite
def program(draw: st.DrawFn) -> str:
    """A whole program."""
    parts = [PRELUDE]
    for function in FUNCTIONS:
        scope = draw(st.sampled_from(["", "    global a\n", "    global b, c\n"]))
        parts.append(f"def {function}(p):\n{scope}    d = p\n{_local(draw(body('    ')), scope)}\n    return d\n")
        parts.append(f"def {function}s(p):\n    d = p\n    q = lambda: d\n    yield d\n    d = [d]\n    yield q()\n")
    parts.append(draw(body("")))
    parts.append(draw(body("")))
    return "\n".join(parts)


def _local(text: str, scope: str) -> str:
    """A function's body may bind only what it declared: the rest would be an error before anything happened."""
    return text if scope else text.replace("a = ", "d = ").replace("b = ", "d = ").replace("c = ", "d = ")


STRAIGHT = """
class Node:
    shared = []
    def __init__(self, value):
        self.value = value
        self.kids = [value]
        self.total = {"x": 0, "list": []}
        self.next = None
    def grow(self, other):
        self.value += 1
        self.kids.append(other)
        self.next = other
        self.total["x"] += 1
        return self
def work(rows, table, node, n):
    alias = rows[0]
    other = [[0], [1]]
    kid = Node(n)
BODY
    return alias, other, kid
rows, table, node, n = [[1], [2]], {"k": 0, "a": [1], "d": {"e": [2]}}, Node(0), 0
shared = Node.shared
alias, other, kid = rows[1], [[0], [1]], Node(1)
work(rows, table, node, n)
MODULE
"""
# Statements that do not fail whatever ran before them, on few objects that are known by many names.
STEPS = """
rows.append([n]) | rows[0].append(n) | rows[0] = [n] | rows[n % len(rows)].append(alias) | table["a"] = rows[-1]
table["a"].append(n) | table["k"] += 1 | table["d"]["e"].append(n) | table["d"]["e"] = [n] | node.kids.append(kid)
node.value += 1 | node.next = kid | kid.next = node | node.kids[0] = rows | node.total["x"] += 1
node.total["list"] += [n] | node.total["list"].append(n) | node.shared.append(n)
kid.kids += [n] | alias.append(n) | alias = rows[-1]
rows.insert(0, other[0]) | other[0].append(n) | other[0], other[1] = other[1], other[0] | n += 1 | n = len(rows) + n
rows, other = other, rows | last = rows[-1]; last.append(n)
found = table.setdefault("s", []) | table.setdefault("s", [])
kid = node.grow(kid) | kid = Node(n) | rows[0] = rows[-1] = [n] | x = y = [n] | node.kids = node.kids + [n]
alias += [n] | rows += [[n]] | t = (alias, [n]) | s = {n}; s.add(n + 1) | table["t"] = (alias, {"q": alias})
table["t"] = table["d"] | first, *rest = rows | kid.total = node.total | kid.total["x"] = n | del node.kids[1:]
node.kids.pop() if node.kids else None | node.kids.insert(0, n); node.value = n | rows.append(alias); alias.append(n)
for row in rows: row.append(n) | [row.append(n) for row in rows]
rows.append(rows.pop(0)) | alias[:] = [n] | alias.clear()
node.next.value = n | table["a"], alias = alias, table["a"] | rows.reverse() | kid.kids.extend([n, [n]])
print(n) | other[0] = sorted(map(id, []))
n = n if alias else 0 | rows[-1].insert(0, rows[0]) | node.kids[-1:] = [[n]]
"""


@st.composite
def straight(draw: st.DrawFn) -> str:
    """A program of plain statements, for which the recorder tells from the bytecode what they change."""
    step = st.sampled_from([one.strip() for line in STEPS.strip().splitlines() for one in line.split(" | ")])

    def block(depth: str) -> str:
        lines = []
        for statements in draw(st.lists(st.lists(step, min_size=1, max_size=4), min_size=1, max_size=4)):
            if draw(st.booleans()):
                loop = f"{depth}for _ in range(2):\n"
                lines.append(loop + "".join(f"{depth}    {_guard(one)}\n" for one in statements))
            else:
                lines += [f"{depth}{_guard(one)}" for one in statements]
        return "\n".join(lines)

    return STRAIGHT.replace("BODY", block("    ")).replace("MODULE", block(""))


def _guard(statement: str) -> str:
    """Some need objects that are not there at every moment."""
    for need, test in {
        "node.next.value": "if node.next: ",
        "other[0]": "if len(other) > 1: ",
        "rows[": "if rows: ",
    }.items():
        if need in statement and not statement.startswith(("for", "[")):
            return test + statement
    return statement
