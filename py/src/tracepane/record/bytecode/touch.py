"""Which object an instruction changes, where its bytecode tells: `x[i] = …`, `self.total += 1`, `rows.append(…)`.

The stack is followed with symbols: from which variable something was loaded, by which attributes, and how many items
deep it was found. Where an operand's origin is not known, the instruction may change anything.
"""

from __future__ import annotations

import dis
from typing import NamedTuple

from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS


class Place(NamedTuple):
    """Where an object is found: from a variable by attributes, then some items deep (which ones is not known)."""

    root: str
    attributes: tuple[str, ...] = ()
    deep: int = 0


class Method(NamedTuple):
    """A method that was loaded from something."""

    name: str
    owner: Place | None


class Pure(NamedTuple):
    """A call of a builtin function that changes nothing, if the name still means that."""

    name: str


Symbol = Place | Method | Pure | None
Effect = Place | Pure
"""The only place whose object an instruction changes, or a call that changes nothing."""

# Methods of built-in types that change nothing but the object they belong to. A method of that name that was written in
# Python is seen by the trace function; one of another type in C is taken at its name.
METHODS = frozenset(
    "append appendleft insert pop popleft remove clear reverse copy index count get setdefault popitem keys values "
    "items add discard upper lower strip lstrip rstrip split splitlines startswith endswith replace find rfind title "
    "capitalize isdigit isalpha isalnum isspace islower isupper zfill center ljust rjust encode decode bit_length "
    "format".split()
)
PURE = frozenset(
    "len range abs isinstance issubclass int float str bool ord chr round hash id repr divmod pow hex bin oct type "
    "callable".split()
)
_VARIABLES = frozenset(("LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_FAST_CHECK", "LOAD_NAME"))
_PAIRS = frozenset(("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"))
_PUSHES = frozenset(("LOAD_CONST", "LOAD_SMALL_INT", "LOAD_DEREF", "LOAD_COMMON_CONSTANT", "PUSH_NULL"))
_POPS = frozenset(("STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "STORE_DEREF", "POP_TOP", "POP_ITER", "RETURN_VALUE"))
_REPLACES = frozenset(
    ("TO_BOOL", "UNARY_NOT", "UNARY_NEGATIVE", "UNARY_INVERT", "GET_ITER", "FORMAT_SIMPLE", "GET_LEN")
)
_TWO_TO_ONE = frozenset(("COMPARE_OP", "CONTAINS_OP", "IS_OP", "FORMAT_WITH_SPEC"))
_COLLECTS = frozenset(("BUILD_LIST", "BUILD_TUPLE", "BUILD_SET", "BUILD_STRING"))
_NOTHING = frozenset(("NOP", "RESUME", "NOT_TAKEN", "EXTENDED_ARG", "CACHE"))


def effects(instructions: list[dis.Instruction]) -> dict[int, Effect]:
    """By offset, what is known of the stores, calls and in-place operators among the instructions."""
    found: dict[int, Effect] = {}
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

    def take(self, instruction: dis.Instruction) -> Effect | None:
        """Follow one instruction; its effect, if that is known."""
        name, argument = instruction.opname, instruction.argval
        if name in _VARIABLES:
            self.items.append(Place(argument))
        elif name in _PAIRS:
            self.items += [Place(variable) for variable in argument]
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

    def _act(self, instruction: dis.Instruction) -> Effect | None:
        name, argument = instruction.opname, instruction.arg or 0
        if name == "LOAD_GLOBAL":
            self._global(instruction)
        elif name == "LOAD_ATTR":
            self._attribute(instruction)
        elif name == "COPY":
            self.items.append(self.peek(argument))
        elif name == "SWAP":
            self._swap(argument)
        elif name == "BINARY_OP":
            return self._operate(instruction.argrepr)
        elif name in ("STORE_ATTR", "DELETE_ATTR"):
            owner = self.pop()
            self.pop(name == "STORE_ATTR")
            return _place(owner)
        elif name in ("STORE_SUBSCR", "DELETE_SUBSCR"):
            self.pop()
            owner = self.pop()
            self.pop(name == "STORE_SUBSCR")
            return _place(owner)
        elif name == "CALL":
            return self._call(argument)
        else:
            self.items.clear()
        return None

    def _global(self, instruction: dis.Instruction) -> None:
        name = instruction.argval
        self.items.append(Pure(name) if name in PURE else Place(name))
        if "NULL" in instruction.argrepr:
            self.items.append(None)

    def _attribute(self, instruction: dis.Instruction) -> None:
        owner = self.pop()
        place = owner if isinstance(owner, Place) else None
        if "NULL" in instruction.argrepr:
            self.items += [Method(instruction.argval, place), owner]
        else:
            self.items.append(_attribute(place, instruction.argval))

    def _swap(self, depth: int) -> None:
        while len(self.items) < depth:
            self.items.insert(0, None)
        self.items[-1], self.items[-depth] = self.items[-depth], self.items[-1]

    def _operate(self, text: str) -> Effect | None:
        self.pop()
        left = self.pop()
        self.items.append(_item(left) if text == "[]" else None)
        return _place(left) if text.endswith("=") else None

    def _call(self, count: int) -> Effect | None:
        self.pop(count + 1)
        called = self.pop()
        self.items.append(None)
        if isinstance(called, Pure):
            return called
        if isinstance(called, Method) and called.name in METHODS:
            return _place(called.owner)
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


def _attribute(place: Place | None, name: str) -> Place | None:
    return Place(place.root, (*place.attributes, name)) if place is not None and not place.deep else None


def _item(symbol: Symbol) -> Place | None:
    return symbol._replace(deep=symbol.deep + 1) if isinstance(symbol, Place) else None


def _place(symbol: Symbol) -> Place | None:
    return symbol if isinstance(symbol, Place) else None
