"""Which object an instruction changes, where its bytecode tells: `x[i] = …`, `self.total += 1`, `rows[0][k] = …`.

The stack is followed with symbols: from which variable something was loaded, and by which attributes and keys. Where an
operand's origin is not known, the instruction may change anything. What calls change is told when they are made; see
calls.py.
"""

from __future__ import annotations

import dis
from typing import Any, NamedTuple

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

ATTRIBUTE, ITEM = 0, 1


class Place(NamedTuple):
    """Where an object is found: from a variable by attributes and items, a tuple of (ATTRIBUTE, name) and (ITEM, key).

    The key is a symbol, None where it is not known. `local` says that the variable is one of the frame's own, `born`
    where in the code it was loaded.
    """

    root: str
    local: bool = False
    path: tuple[tuple[int, Any], ...] = ()
    born: int = 0


class Constant(NamedTuple):
    """A constant."""

    value: Any


class Sum(NamedTuple):
    """What an operator makes of two symbols, which is known when both are ints."""

    operator: str
    left: Symbol
    right: Symbol


class Method(NamedTuple):
    """A method that was loaded from the object at a place."""

    owner: Place


Symbol = Place | Constant | Sum | Method | None


class Touch(NamedTuple):
    """The object at `place` is the only one that an instruction changes; of it no more than `key`, if that is known.

    `kind` says whether the key is an attribute's name or an item's symbol, `offset` where the instruction stands; it
    `stores` one item (of a list many, if the key is a slice), or else may do anything to the object.
    """

    place: Place
    kind: int
    key: Any
    offset: int
    stores: bool = True


_LOCALS = frozenset(("LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_FAST_CHECK"))
_PAIRS = frozenset(("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"))
_CONSTANTS = frozenset(("LOAD_CONST", "LOAD_SMALL_INT"))
_PUSHES = frozenset(("LOAD_DEREF", "LOAD_COMMON_CONSTANT", "PUSH_NULL"))
_POPS = frozenset(
    "STORE_FAST STORE_NAME STORE_GLOBAL STORE_DEREF POP_TOP POP_ITER RETURN_VALUE POP_JUMP_IF_FALSE POP_JUMP_IF_TRUE "
    "POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE".split()
)
_REPLACES = frozenset(
    ("TO_BOOL", "UNARY_NOT", "UNARY_NEGATIVE", "UNARY_INVERT", "GET_ITER", "FORMAT_SIMPLE", "CONVERT_VALUE")
)
_TWO_TO_ONE = frozenset(("COMPARE_OP", "CONTAINS_OP", "IS_OP", "FORMAT_WITH_SPEC"))
_COLLECTS = frozenset(("BUILD_LIST", "BUILD_TUPLE", "BUILD_SET", "BUILD_STRING"))
_NOTHING = frozenset(("NOP", "RESUME", "NOT_TAKEN", "EXTENDED_ARG", "CACHE"))
_REDUCES = {"CALL": 2, "CALL_KW": 3}  # how many besides the arguments


def touches(instructions: list[dis.Instruction]) -> dict[int, Touch | Method]:
    """By offset, what the stores and in-place operators change, and whose methods are called."""
    found: dict[int, Touch | Method] = {}
    stack = Stack()
    line = None
    targets = {each.jump_target for each in instructions if each.jump_target is not None}
    for instruction in instructions:
        if instruction.offset in targets or instruction.line_number != line:
            stack.items.clear()  # one may come here with another stack; symbols are not carried from line to line
            line = instruction.line_number
        effect = stack.take(instruction)
        if effect is not None:
            found[instruction.offset] = effect
    return found


class Stack:
    """The evaluation stack, as far as it is known; below that are unknown values."""

    def __init__(self) -> None:
        """Nothing is known."""
        self.items: list[Symbol] = []

    def take(self, instruction: dis.Instruction) -> Touch | Method | None:
        """Follow one instruction; its effect, if that is known."""
        name, argument, offset = instruction.opname, instruction.argval, instruction.offset
        if name in _LOCALS:
            self.items.append(Place(argument, True, (), offset))
        elif name in _PAIRS:
            self.items += [Place(variable, True, (), offset) for variable in argument]
        elif name == "STORE_FAST_LOAD_FAST":
            self.items[-1:] = [Place(argument[1], True, (), offset)]
        elif name == "STORE_FAST_STORE_FAST":
            self.pop(2)
        elif name == "LOAD_NAME":
            self.items.append(Place(argument, False, (), offset))
        elif name in _CONSTANTS:
            self.items.append(Constant(argument))
        elif name in _PUSHES:
            self.items.append(None)
        elif name in _POPS:
            self.pop()
        elif name in _REPLACES:
            self.pop()
            self.items.append(None)
        elif name in _TWO_TO_ONE:
            self.pop(2)
            self.items.append(None)
        elif name in _COLLECTS:
            self.pop(instruction.arg or 0)
            self.items.append(None)
        elif name not in _NOTHING:
            return self._act(instruction)
        return None

    def _act(self, instruction: dis.Instruction) -> Touch | Method | None:
        name, count = instruction.opname, instruction.arg or 0
        if name == "LOAD_GLOBAL":
            self.items.append(Place(instruction.argval, False, (), instruction.offset))
            if "NULL" in instruction.argrepr:
                self.items.append(None)
        elif name == "LOAD_ATTR":
            self._attribute(instruction)
        elif name == "COPY":
            self.items.append(self.peek(count))
        elif name == "SWAP":
            self._swap(count)
        elif name == "BINARY_OP":
            return self._operate(instruction)
        elif name in _REDUCES:
            called = self.pop(count + _REDUCES[name])
            self.items.append(None)
            return called if isinstance(called, Method) else None
        elif name in ("STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR"):
            return self._store(instruction)
        else:
            self.items.clear()
        return None

    def _store(self, instruction: dis.Instruction) -> Touch | None:
        name, offset = instruction.opname, instruction.offset
        key = self.pop() if name.endswith("SUBSCR") else None
        owner = self.pop()
        self.pop(name.startswith("STORE"))
        if not isinstance(owner, Place):
            return None
        if name == "STORE_ATTR":
            return Touch(owner, ATTRIBUTE, instruction.argval, offset)
        stores = name == "STORE_SUBSCR"
        return Touch(owner, ITEM, key if stores else None, offset, stores)

    def _attribute(self, instruction: dis.Instruction) -> None:
        owner = self.pop()
        if "NULL" in instruction.argrepr:
            self.items += [Method(owner) if isinstance(owner, Place) else None, owner]
        else:
            self.items.append(_step(owner, ATTRIBUTE, instruction.argval))

    def _swap(self, depth: int) -> None:
        while len(self.items) < depth:
            self.items.insert(0, None)
        self.items[-1], self.items[-depth] = self.items[-depth], self.items[-1]

    def _operate(self, instruction: dis.Instruction) -> Touch | None:
        text = instruction.argrepr
        right, left = self.pop(), self.pop()
        if text == "[]":
            self.items.append(_step(left, ITEM, right))
        elif text in ("+", "-", "*", "%", "//") and left is not None and right is not None:
            self.items.append(Sum(text, left, right))
        else:
            self.items.append(None)
        if text.endswith("=") and isinstance(left, Place):
            return Touch(left, ITEM, None, instruction.offset, False)
        return None

    def peek(self, depth: int) -> Symbol:
        """What lies so deep, 1 is the top."""
        return self.items[-depth] if 0 < depth <= len(self.items) else None

    def pop(self, count: int = 1) -> Symbol:
        """Take some off; the last one taken."""
        last: Symbol = None
        for _ in range(count):
            last = self.items.pop() if self.items else None
        return last


def _step(owner: Symbol, kind: int, key: Any) -> Place | None:
    return owner._replace(path=(*owner.path, (kind, key))) if isinstance(owner, Place) else None


def roots(symbol: Symbol) -> set[str]:
    """The variables that a symbol is made of."""
    if isinstance(symbol, Sum):
        return roots(symbol.left) | roots(symbol.right)
    if isinstance(symbol, Place):
        return {symbol.root}.union(*(roots(key) for kind, key in symbol.path if kind == ITEM))
    return set()


def last_load(symbol: Symbol) -> int:
    """How far on in the code the symbol's first variable was loaded whose value may change without the frame's doing.

    That is a global, or an attribute or item of something; a large number where there is none.
    """
    if isinstance(symbol, Sum):
        return min(last_load(symbol.left), last_load(symbol.right))
    if isinstance(symbol, Place) and (symbol.path or not symbol.local):
        return min(symbol.born, *(last_load(key) for kind, key in symbol.path if kind == ITEM), 1 << 30)
    return 1 << 30
