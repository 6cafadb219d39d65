"""Known differences of platforms are told by their marks, and by nothing less."""

from __future__ import annotations

from typing import Any

import pytest

from tracepane.check.reasons import Evidence, explain

LINE = {"step": 4, "kind": "line", "file": "p.py", "line": 3, "function": "<module>", "depth": 1}


def value(given: Any) -> dict[str, Any]:
    """A Python value as expanded JSON has it."""
    if isinstance(given, list):
        return {"type": "list", "id": 1, "items": [value(each) for each in given]}
    return {"type": type(given).__name__, "text": str(given)}


def assigned(given: Any) -> dict[str, Any]:
    """The event that finds `x` bound to a value."""
    return {**LINE, "set": {"x": value(given)}}


def printed(text: str) -> dict[str, Any]:
    """An event of output."""
    return {**LINE, "kind": "output", "stream": "stdout", "text": text}


def raised(kind: str, *arguments: Any) -> dict[str, Any]:
    """An event at which an exception appears."""
    return {**LINE, "kind": "raise", "exception": {"type": kind, "args": [value(each) for each in arguments]}}


def kind(
    left: dict[str, Any],
    right: dict[str, Any],
    code: str = "",
    sets: Any = (),
    versions: Any = ("", ""),
    source: str = "",
) -> str:
    """The kind of reason found for a divergence, "" for none."""
    reason = explain(Evidence(left, right, code, [frozenset(group) for group in sets], versions, source))
    return reason.kind if reason else ""


@pytest.mark.parametrize(
    ("left", "right", "code", "expected"),
    [
        (assigned(2**63 - 1), assigned(2**31 - 1), "x = sys.maxsize", "pointer width"),
        (printed("9223372036854775807 8\n"), printed("2147483647 4\n"), "print(sys.maxsize, 8)", "pointer width"),
        (assigned(8), assigned(4), 'x = struct.calcsize("P")', "pointer width"),
        (assigned(-8106342910421), assigned(1420104145), 'x = hash("a")', "hash"),
        (assigned(140213), assigned(8812), "x = id(y)", "id"),
        (printed("<object at 0x7f21>\n"), printed("<object at 0x91a0>\n"), "print(object())", "id"),
        (raised("FileNotFoundError", 2, "No such file"), raised("FileNotFoundError", 44, "No such file"), "", "errno"),
        (printed("[Errno 2] No such file"), printed("[Errno 44] No such file"), "print(error)", "errno"),
        (assigned(88), assigned(52), "x = sys.getsizeof(y)", "object size"),
        (assigned(0.8414709848078965), assigned(0.8414709848078964), "x = math.sin(1)", "last digit"),
        (printed("0.8414709848078965\n"), printed("0.8414709848078964\n"), "print(math.sin(1))", "last digit"),
        (assigned(["a", "b"]), assigned(["b", "a"]), "x = list(set(words))", "set order"),
        (assigned(["a", "b"]), assigned(["b", "a"]), "return list({w for w in words})", "set order"),
        (assigned("a"), assigned("b"), "for w in set(words):", "set order"),
        (assigned("linux"), assigned("emscripten"), "x = sys.platform", "environment"),
        (raised("RecursionError", "too deep"), assigned(1), "f()", "recursion depth"),
        (assigned(1), {**assigned(1), "function": "Node.__del__"}, "", "garbage collection"),
        (assigned(1), {**LINE, "line": 9}, "if hash(x) % 2:", "hash"),
    ],
)
def test_a_known_difference_is_named(left: Any, right: Any, code: str, expected: str) -> None:
    """Each kind by its own mark."""
    assert kind(left, right, code) == expected


def test_members_of_a_set_that_come_in_another_order() -> None:
    """The loop variable holds another member of a set that the trace knows."""
    assert kind(assigned("pear"), assigned("plum"), "for x in basket:", [["pear", "plum"]]) == "set order"


def test_objects_of_a_set_that_come_in_another_order() -> None:
    """Objects without a hash of their own hash by address."""
    left, right = ({**LINE, "set": {"x": {"type": "P", "id": number, "attributes": {}}}} for number in (2, 3))
    assert kind(left, right, "for x in points:", [["#2", "#3"]]) == "set order"
    assert kind(left, right, "for x in points:") == ""


def test_garbage_may_die_at_any_line() -> None:
    """The line behind the difference need not be the one that mentions a finalizer, but some line must."""
    left, right = printed("gone"), LINE
    assert kind(left, right, "x = Node()", source="class Node:\n    def __del__(self): ...") == "garbage collection"
    assert kind(left, right, "x = Node()", source="class Node: ...") == ""


def test_wording_needs_two_versions() -> None:
    """A message may differ between patch versions, never within one."""
    left, right = raised("TypeError", "must be str"), raised("TypeError", "must be a str")
    assert kind(left, right, versions=("3.14.8", "3.14.2")) == "message wording"
    assert kind(left, right, versions=("3.14.2", "3.14.2")) == ""


@pytest.mark.parametrize(
    ("left", "right", "code"),
    [
        (assigned(3), assigned(4), "x = n + 1"),
        (assigned(8), assigned(4), "x = n * 2"),
        (assigned("a"), assigned("b"), "x = hash_name(y)"),
        (assigned(0.5), assigned(0.25), "x = math.sin(y)"),
        (assigned("pear"), assigned("plum"), "x = names[0]"),
        (assigned("pear"), assigned("plum"), "for x in names:"),
        (assigned("pear"), assigned("plum"), "x = {'a': 1, 'b': 2}[y]"),
        (printed("1\n"), printed("2\n"), "print(n)"),
        (assigned(["a", "b"]), assigned(["b", "a"]), "x = names[::-1]"),
    ],
)
def test_a_plain_mistake_has_no_excuse(left: Any, right: Any, code: str) -> None:
    """A lesson that lies must not be excused as a platform difference."""
    assert kind(left, right, code) == ""
