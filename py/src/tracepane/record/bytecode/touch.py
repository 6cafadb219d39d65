"""Which object an instruction changes, where its bytecode tells: `x[i] = …`, `self.total += 1`, `rows[0][k] = …`.

The stack is followed with symbols: from which variable something was loaded, and by which attributes and keys. Where an
operand's origin is not known, the instruction may change anything. What calls change is told when they are made; see
calls.py.
"""

from __future__ import annotations

import opcode
from collections.abc import Callable
from typing import Any, NamedTuple

from tracepane.record.bytecode.instructions import EXTENDED_ARG, STEPS, Bytecode, Span
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

ATTRIBUTE, ITEM = 0, 1
OPERATORS: tuple[str, ...] = tuple([text for _, text in opcode._nb_ops])  # type: ignore[attr-defined]
"""Of BINARY_OP, by its argument; those in place end with an equals sign."""


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


def touches(bytecode: Bytecode, span: Span) -> dict[int, Touch | Method]:
    """By offset, what stores and in-place operators change in a span of instructions, and whose methods are called."""
    found: dict[int, Touch | Method] = {}
    stack = Stack(bytecode)
    raw, targets, before = bytecode.raw, bytecode.targets(), 0
    offset = span.start
    while offset < span.stop:
        if offset in targets:
            stack.items.clear()  # one may come here with another stack; nor are symbols carried from line to line
        operation, argument = raw[offset], before << 8 | raw[offset + 1]
        before = argument if operation == EXTENDED_ARG else 0
        effect = _FOLLOW[operation](stack, argument, offset)
        if effect is not None:
            found[offset] = effect
        offset += STEPS[operation]
    return found


class Stack:
    """The evaluation stack, as far as it is known; below that are unknown values.

    A method for each kind of instructions takes the argument and the offset of one, and gives its effect, if that is
    known.
    """

    def __init__(self, bytecode: Bytecode) -> None:
        """Nothing is known."""
        self.items: list[Symbol] = []
        self._names, self._constants = bytecode.code.co_names, bytecode.code.co_consts
        self._variable = bytecode.variable

    def nothing(self, _argument: int, _offset: int) -> None:
        """All stays as it is."""

    def forget(self, _argument: int, _offset: int) -> None:
        """Any other instruction."""
        self.items.clear()

    def local(self, argument: int, offset: int) -> None:
        """A variable of the frame's own."""
        self.items.append(Place(self._variable(argument), True, (), offset))

    def locals(self, argument: int, offset: int) -> None:
        """Two of them."""
        self.local(argument >> 4, offset)
        self.local(argument & 15, offset)

    def store_load(self, argument: int, offset: int) -> None:
        """One is bound, then another is loaded."""
        self.pop()
        self.local(argument & 15, offset)

    def name(self, argument: int, offset: int) -> None:
        """A variable, by its name."""
        self.items.append(Place(self._names[argument], False, (), offset))

    def global_(self, argument: int, offset: int) -> None:
        """A global, and an empty place above it where it is called."""
        self.name(argument >> 1, offset)
        if argument & 1:
            self.items.append(None)

    def constant(self, argument: int, _offset: int) -> None:
        """A constant."""
        self.items.append(Constant(self._constants[argument]))

    def number(self, argument: int, _offset: int) -> None:
        """A small int."""
        self.items.append(Constant(argument))

    def push(self, _argument: int, _offset: int) -> None:
        """One more value."""
        self.items.append(None)

    def drop(self, _argument: int, _offset: int) -> None:
        """One less."""
        self.pop()

    def drop_two(self, _argument: int, _offset: int) -> None:
        """Two less."""
        self.pop(2)

    def replace(self, _argument: int, _offset: int) -> None:
        """Another one in place of the last."""
        self.pop()
        self.items.append(None)

    def join(self, _argument: int, _offset: int) -> None:
        """Another one in place of the last two."""
        self.pop(2)
        self.items.append(None)

    def collect(self, argument: int, _offset: int) -> None:
        """Another one in place of so many."""
        self.pop(argument)
        self.items.append(None)

    def copy(self, argument: int, _offset: int) -> None:
        """The one that lies so deep once more."""
        self.items.append(self.items[-argument] if 0 < argument <= len(self.items) else None)

    def swap(self, argument: int, _offset: int) -> None:
        """The last one and the one that lies so deep."""
        items = self.items
        while len(items) < argument:
            items.insert(0, None)
        items[-1], items[-argument] = items[-argument], items[-1]

    def call(self, argument: int, _offset: int) -> Method | None:
        """What it returns in place of the arguments, of what is called and of its object."""
        called = self.pop(argument + 2)
        self.items.append(None)
        return called if isinstance(called, Method) else None

    def call_with_names(self, argument: int, offset: int) -> Method | None:
        """The same with names for some arguments."""
        return self.call(argument + 1, offset)

    def attribute(self, argument: int, _offset: int) -> None:
        """An attribute, or a method and its object."""
        owner = self.pop()
        if argument & 1:
            self.items += [Method(owner) if isinstance(owner, Place) else None, owner]
        else:
            self.items.append(_step(owner, ATTRIBUTE, self._names[argument >> 1]))

    def operate(self, argument: int, offset: int) -> Touch | None:
        """An operator, or the item for a key."""
        text = OPERATORS[argument]
        right, left = self.pop(), self.pop()
        if text == "[]":
            self.items.append(_step(left, ITEM, right))
        elif text in ("+", "-", "*", "%", "//") and left is not None and right is not None:
            self.items.append(Sum(text, left, right))
        else:
            self.items.append(None)
        if text.endswith("=") and isinstance(left, Place):
            return Touch(left, ITEM, None, offset, False)
        return None

    def store_attribute(self, argument: int, offset: int) -> Touch | None:
        """An object's attribute is bound."""
        owner = self.pop()
        self.pop()
        return Touch(owner, ATTRIBUTE, self._names[argument], offset) if isinstance(owner, Place) else None

    def store_item(self, _argument: int, offset: int) -> Touch | None:
        """An object's item is stored."""
        key, owner = self.pop(), self.pop()
        self.pop()
        return Touch(owner, ITEM, key, offset) if isinstance(owner, Place) else None

    def delete_attribute(self, _argument: int, offset: int) -> Touch | None:
        """An attribute goes: more than that may change."""
        owner = self.pop()
        return Touch(owner, ITEM, None, offset, False) if isinstance(owner, Place) else None

    def delete_item(self, argument: int, offset: int) -> Touch | None:
        """An item goes: more than that may change."""
        self.pop()
        return self.delete_attribute(argument, offset)

    def pop(self, count: int = 1) -> Symbol:
        """Take some off; the last one taken."""
        last: Symbol = None
        for _ in range(count):
            last = self.items.pop() if self.items else None
        return last


Follow = Callable[[Stack, int, int], Touch | Method | None]
_FAMILIES: dict[Follow, str] = {
    Stack.nothing: "NOP RESUME NOT_TAKEN EXTENDED_ARG CACHE",
    Stack.local: "LOAD_FAST LOAD_FAST_BORROW LOAD_FAST_CHECK",
    Stack.locals: "LOAD_FAST_LOAD_FAST LOAD_FAST_BORROW_LOAD_FAST_BORROW",
    Stack.store_load: "STORE_FAST_LOAD_FAST",
    Stack.name: "LOAD_NAME",
    Stack.global_: "LOAD_GLOBAL",
    Stack.constant: "LOAD_CONST",
    Stack.number: "LOAD_SMALL_INT",
    Stack.push: "LOAD_DEREF LOAD_COMMON_CONSTANT PUSH_NULL",
    Stack.drop: "STORE_FAST STORE_NAME STORE_GLOBAL STORE_DEREF POP_TOP POP_ITER RETURN_VALUE POP_JUMP_IF_FALSE "
    "POP_JUMP_IF_TRUE POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE",
    Stack.drop_two: "STORE_FAST_STORE_FAST",
    Stack.replace: "TO_BOOL UNARY_NOT UNARY_NEGATIVE UNARY_INVERT GET_ITER FORMAT_SIMPLE CONVERT_VALUE",
    Stack.join: "COMPARE_OP CONTAINS_OP IS_OP FORMAT_WITH_SPEC",
    Stack.collect: "BUILD_LIST BUILD_TUPLE BUILD_SET BUILD_STRING",
    Stack.copy: "COPY",
    Stack.swap: "SWAP",
    Stack.call: "CALL",
    Stack.call_with_names: "CALL_KW",
    Stack.attribute: "LOAD_ATTR",
    Stack.operate: "BINARY_OP",
    Stack.store_attribute: "STORE_ATTR",
    Stack.store_item: "STORE_SUBSCR",
    Stack.delete_attribute: "DELETE_ATTR",
    Stack.delete_item: "DELETE_SUBSCR",
}
_FOLLOW: list[Follow] = [Stack.forget] * 256
for _follow, _names in _FAMILIES.items():
    for _name in _names.split():
        if _name in opcode.opmap:
            _FOLLOW[opcode.opmap[_name]] = _follow


def _step(owner: Symbol, kind: int, key: Any) -> Place | None:
    if not isinstance(owner, Place):
        return None
    return Place(owner.root, owner.local, (*owner.path, (kind, key)), owner.born)


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
