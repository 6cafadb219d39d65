"""Known differences between platforms, told from the evidence at the first divergence.

Each rule looks at the two events and at the source behind them, and answers in words only when it sees the mark of
its own kind of difference. A reason is a likely one; when no rule speaks, the divergence has no known excuse.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Event = dict[str, Any]
Atom = tuple[str, str]  # type name, exact text


@dataclass(frozen=True)
class Reason:
    """A known platform difference: its kind in two or three words (stable), and a sentence for people."""

    kind: str
    words: str


@dataclass(frozen=True)
class Evidence:
    """What is known at the first divergence.

    `left` and `right` are the two events in expanded JSON (empty where a trace has none), `code` the text of the
    statements that may have caused the difference, `source` that of all sources, `sets` the members of every set
    that either trace holds (texts of strings, `#3` for objects), `versions` the two versions of CPython.
    """

    left: Event
    right: Event
    code: str = ""
    sets: Sequence[frozenset[str]] = ()
    versions: tuple[str, str] = ("", "")
    source: str = ""

    @property
    def pairs(self) -> list[tuple[Atom, Atom]]:
        """The atoms that differ, left with right, in the order in which the events hold them."""
        left, right = list(atoms(self.left)), list(atoms(self.right))
        return [(a, b) for a, b in zip(left, right, strict=False) if a != b]

    @property
    def numbers(self) -> bool:
        """Whether whole numbers differ, or only the way that the program took (a test on a number does that)."""
        return any(integer(a) is not None and integer(b) is not None for a, b in self.pairs) or self.diverted

    @property
    def diverted(self) -> bool:
        """Whether the events stand in different places or are of different kinds: another way was taken."""
        return any(self.left.get(key) != self.right.get(key) for key in ("kind", "file", "line", "function"))

    @property
    def types(self) -> set[str]:
        """Names of the exception types of either event."""
        found = (event.get("exception") or {} for event in (self.left, self.right))
        return {str(exception["type"]) for exception in found if "type" in exception}


def atoms(value: Any) -> Iterator[Atom]:
    """Every atom of an event or a value, depth first; of a printed text, its words and numbers.

    An object stands among them as its id, under the type `#`.
    """
    if isinstance(value, dict):
        if "id" in value:
            yield "#", f"#{value['id']}"
        if "text" in value and "type" in value:
            yield str(value["type"]), str(value["text"])
        elif value.get("kind") == "output":
            yield from words(str(value.get("text", "")))
        else:
            for key, inner in value.items():
                yield from words(inner) if key in {"message", "traceback"} and isinstance(inner, str) else atoms(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from atoms(inner)


NUMBER = re.compile(r"[-+]?(?:\d+\.\d*(?:[eE][-+]?\d+)?|\d+(?:[eE][-+]?\d+)?|\.\d+)")


def words(text: str) -> Iterator[Atom]:
    """The words and numbers of a printed text, numbers under the type that they look like."""
    for part in re.findall(r"0x[0-9a-fA-F]+|[-+]?\d[\w.+-]*|\w+|[^\w\s]", text):
        if NUMBER.fullmatch(part):
            yield ("int" if re.fullmatch(r"[-+]?\d+", part) else "float"), part
        else:
            yield "str", part


WIDTHS = {frozenset({2**63 - 1, 2**31 - 1}), frozenset({2**64 - 1, 2**32 - 1}), frozenset({2**64, 2**32})}
WIDTHS |= {frozenset({-(2**63), -(2**31)}), frozenset({2**63, 2**31}), frozenset({64, 32})}


def pointer_width(seen: Evidence) -> str | None:
    """A machine word has 64 bits here and 32 there."""
    numbers = [(integer(a), integer(b)) for a, b in seen.pairs]
    wide = any(frozenset(pair) in WIDTHS for pair in numbers)
    size = any(frozenset(pair) == frozenset({8, 4}) for pair in numbers)
    named = re.search(
        r"maxsize|calcsize|sizeof|c_void_p|c_s?size_t|c_u?long\b|array\(|architecture|bit_length", seen.code
    )
    if wide or (size and named):
        return "the browser's CPython is a 32-bit build, the native one is 64-bit (sys.maxsize, sizes of C types)"
    return None


def integer(atom: Atom) -> int | None:
    """The number that an atom says, if it is a whole one of usual size."""
    return int(atom[1]) if atom[0] == "int" and re.fullmatch(r"[-+]?\d{1,40}", atom[1]) else None


# A set that is made where it is walked, so that no variable ever held it.
SET_MADE = r"\bset\(|frozenset|\{[^:{}]*,[^:{}]*\}|\{[^:{}]*\bfor\b[^{}]*\}"


def set_order(seen: Evidence) -> str | None:
    """Strings hash differently, so a set of them is walked in another order; so do objects that hash by address."""
    told = (
        "sets of strings, and of objects without a hash of their own, are walked in another order: "
        "the browser's CPython hashes differently (32-bit FNV; addresses)"
    )
    if any(a[1] in group and b[1] in group for a, b in seen.pairs for group in seen.sets):
        return told
    left, right = list(atoms(seen.left)), list(atoms(seen.right))
    moved = left != right and Counter(left) == Counter(right)
    walked = re.search(r"\bfor\b", seen.code) and any(a[0] == b[0] == "str" for a, b in seen.pairs)
    if (moved or walked) and re.search(SET_MADE, seen.code):
        return told
    return None


def identity(seen: Evidence) -> str | None:
    """`id()` and addresses in texts."""
    address = any(a[1].startswith("0x") and b[1].startswith("0x") for a, b in seen.pairs)
    if address or (seen.numbers and re.search(r"\bid\(", seen.code)):
        return "id() and the addresses in default texts of objects are places in memory; they are never the same twice"
    return None


def hashing(seen: Evidence) -> str | None:
    """`hash()` gives other numbers."""
    if seen.numbers and re.search(r"\bhash\(|__hash__", seen.code):
        return "hash() gives other numbers: 64-bit SipHash natively, 32-bit FNV in the browser"
    return None


def errno(seen: Evidence) -> str | None:
    """The numbers of operating system errors."""
    numbered = any(re.search(r"\[Errno -?\d+\]", str(event)) for event in (seen.left, seen.right))
    system = any(name in OS_ERRORS for name in seen.types)
    if (
        numbered
        or re.search(r"\berrno\b", seen.code)
        or (system and any(integer(a) is not None for a, _ in seen.pairs))
    ):
        return "errno numbers differ: the browser's C library (Emscripten) numbers system errors in its own way"
    return None


OS_ERRORS = {
    "OSError", "FileNotFoundError", "FileExistsError", "PermissionError", "IsADirectoryError", "NotADirectoryError",
    "BlockingIOError", "ChildProcessError", "ConnectionError", "InterruptedError", "TimeoutError", "ProcessLookupError",
}  # fmt: skip


def object_size(seen: Evidence) -> str | None:
    """`sys.getsizeof` and what counts memory."""
    if seen.numbers and re.search(r"getsizeof|__sizeof__|tracemalloc|getallocatedblocks", seen.code):
        return "objects have other sizes in memory: pointers take 4 bytes in the browser, 8 natively"
    return None


def last_digit(seen: Evidence) -> str | None:
    """The last digits of a float."""
    if any(close(a, b) for a, b in seen.pairs):
        return "the last digit of a float differs: the two C libraries round some math functions differently"
    return None


def close(left: Atom, right: Atom) -> bool:
    """Whether two different texts of floats are within a few units of the last place."""
    if "float" not in (left[0], right[0]):
        return False
    try:
        a, b = float(left[1]), float(right[1])
    except ValueError:
        return False
    return a != b and math.isclose(a, b, rel_tol=1e-13, abs_tol=0.0)


ENVIRONMENT = (
    r"\bos\.(environ|getenv|name|uname|getpid|getuid|cpu_count|getlogin|get_terminal_size)|\bplatform\.|\bsys\.(platform"
    r"|version|executable|prefix|path|flags|implementation|builtin_module_names|stdlib_module_names|int_info|float_info"
    r"|thread_info|hash_info|api_version|hexversion|abiflags|modules)|\btime\.(tzname|timezone)|\bsysconfig\.|\blocale\."
    r"|\bsocket\.|\bgetpass\.|expanduser|Path\.home|astimezone|__file__"
)


def environment(seen: Evidence) -> str | None:
    """What the program reads of the machine around it."""
    if re.search(ENVIRONMENT, seen.code):
        return "the line asks about the machine (platform, environment, paths, process, time zone), which truly differs"
    return None


def recursion(seen: Evidence) -> str | None:
    """How deep is too deep."""
    if "RecursionError" in seen.types or "MemoryError" in seen.types:
        return "the stack ends at another depth: the browser gives C code less room than the native process"
    return None


def collection(seen: Evidence) -> str | None:
    """When cyclic garbage dies."""
    functions = {str(event.get("function", "")).rpartition(".")[2] for event in (seen.left, seen.right)}
    # Garbage dies at any line, so here the line behind the difference need not be the one that mentions it.
    mentioned = re.search(r"\bgc\.|\bweakref\b|__del__|finalize\(", seen.source)
    if functions & {"__del__"} or (seen.diverted and mentioned):
        return "cyclic garbage dies at another moment: the collector changed between patch versions of CPython (3.14.5)"
    return None


def wording(seen: Evidence) -> str | None:
    """Messages that CPython words anew from one patch version to the next."""
    same_type = len(seen.types) == 1 and not seen.diverted
    if same_type and seen.versions[0] != seen.versions[1] and all(a[0] == b[0] == "str" for a, b in seen.pairs):
        return f"CPython {seen.versions[0]} and {seen.versions[1]} word this message differently"
    return None


# In this order: the sharper mark first.
RULES: tuple[tuple[str, Callable[[Evidence], str | None]], ...] = (
    ("pointer width", pointer_width),
    ("object size", object_size),
    ("errno", errno),
    ("hash", hashing),
    ("id", identity),
    ("last digit", last_digit),
    ("set order", set_order),
    ("recursion depth", recursion),
    ("garbage collection", collection),
    ("environment", environment),
    ("message wording", wording),
)


KINDS = tuple(kind for kind, _ in RULES)


def explain(seen: Evidence) -> Reason | None:
    """The likely reason of a divergence when it is a known difference of the platforms, else None."""
    for kind, rule in RULES:
        if told := rule(seen):
            return Reason(kind, told)
    return None
