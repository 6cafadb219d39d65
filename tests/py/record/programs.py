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
