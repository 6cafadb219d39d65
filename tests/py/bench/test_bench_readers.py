"""How what other recorders wrote is read back, on recordings as they write them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from bench.recorders import chrono, online, sight, snoopers, viz
from bench.recorders.taken import Look

PYSNOOPER = """Source path:... prog.py
Starting var:.. n = 2
12:00:00.000000 call         4 def double(n):
12:00:00.000000 line         5     m = n * 2
New var:....... m = 4
Starting var:.. k = [1, 'a']
12:00:00.000000 call         1 def other(k):
12:00:00.000000 return       2     return k
Return value:.. [1, 'a']
Modified var:.. m = 5
12:00:00.000000 return       6     return m
"""
SNOOP = """12:00:00.00 >>> Call to double in File "prog.py", line 4
12:00:00.00 ...... n = 2
12:00:00.00    4 | def double(n):
12:00:00.00 .......... m = 4
12:00:00.00    5 |     m = n * 2
12:00:00.00 .......... m = 5
12:00:00.00 <<< Return value from double: 5
"""
LOG = [
    {"ph": "M", "name": "process_name", "args": {}},
    {"ph": "i", "ts": 2, "name": "Variable Assign - m = 5", "args": None},
    {"ph": "i", "ts": 1, "name": "Variable Assign - n = 2", "args": None},
]
ONLINE = [
    {
        "stack_to_render": [{"encoded_locals": {"n": 2, "m": 5, "box": ["REF", 1]}}],
        "heap": {"1": ["INSTANCE", "Box", ["held", ["REF", 2]]], "2": ["LIST", 1, ["SPECIAL_FLOAT", "2.0"]]},
    }
]


def read_log(events: list[dict[str, Any]]) -> Iterator[Look]:
    """As bytes, which is how the file comes."""
    return viz._read(json.dumps({"traceEvents": events}).encode())


@pytest.mark.parametrize(
    "looks",
    [
        lambda: snoopers._read_pysnooper(PYSNOOPER),
        lambda: snoopers._read_snoop(SNOOP),
        lambda: read_log(LOG),
        lambda: online._read(json.dumps(ONLINE)),
    ],
    ids=["pysnooper", "snoop", "viztracer", "json-tracer"],
)
def test_a_state_of_two_variables_is_found(looks: Callable[[], Iterator[Look]]) -> None:
    """Both as they were at one moment, and nothing that never was."""
    assert sight.count(looks(), ["n", "m"], [sight.mark([2, 5]), sight.mark([2, 6])]) == 1


def test_json_tracer_is_read_through_objects() -> None:
    """An attribute that leads to a list, with a float written apart."""
    assert sight.count(online._read(json.dumps(ONLINE)), ["box.held"], [sight.mark([[1, 2.0]])]) == 1


def test_calls_have_variables_of_their_own() -> None:
    """What an inner call binds is not seen in the outer one."""
    assert sight.count(snoopers._read_pysnooper(PYSNOOPER), ["m", "k"], [sight.mark([4, [1, "a"]])]) == 0


@pytest.mark.parametrize(
    ("captured", "value"),
    [
        ({"$": "list", "items": [1, "a"], "len": 2}, [1, "a"]),
        ({"$": "dict", "items": [["k", {"$": "tuple", "items": [1]}]], "len": 1}, {"k": (1,)}),
    ],
)
def test_chronotrace_is_read_as_values(captured: Any, value: Any) -> None:
    """Lists, tuples and dicts as what they were."""
    assert chrono._value(captured) == value


def test_what_chronotrace_cut_is_missing() -> None:
    """Half a list is no list."""
    look = {"cut": chrono._value({"$": "list", "items": [1], "len": 9, "truncated": True})}
    assert sight.count([look.__getitem__], ["cut"], [sight.mark([[1]])]) == 0
