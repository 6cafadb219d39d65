"""What every program is known to do, worked out without recording it: the states that a recording is searched for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

from bench.recorders.sight import mark
from bench.workloads import bubble, records


class Known(NamedTuple):
    """Paths to variables, such as `shelf.newest.mark`, and the marks of the values that they have together."""

    paths: list[str]
    marks: list[str]


def states(name: str) -> Known:
    """The known states of a workload, each once."""
    paths, worked_out = _STATES[name]
    return Known(paths, list(dict.fromkeys(mark(values) for values in worked_out())))


def _scalar() -> list[list[Any]]:
    """After each change of the first number, while the turn still is the same."""
    state, found = 7, []
    for turn in range(5000):
        state = (state * 16807 + turn) % 2147483647
        found.append([state, turn])
    return found


def _bubble() -> list[list[Any]]:
    """The whole list after each swap."""
    numbers, found = bubble.scatter(60), []
    for last in range(59, 0, -1):
        for left in range(last):
            if numbers[left] > numbers[left + 1]:
                numbers[left : left + 2] = reversed(numbers[left : left + 2])
                found.append([numbers.copy()])
    return found


def _records() -> list[list[Any]]:
    """Each whole copy, with the label that it alone has."""
    twins = copy.deepcopy(records.build())
    for twin in twins:
        twin["about"]["labels"].append("copied")
    return [[twin] for twin in twins]


def _fib() -> list[list[Any]]:
    """A number and the two results that it is the sum of."""
    series = [0, 1]
    while len(series) < 16:
        series.append(series[-1] + series[-2])
    return [[n, series[n - 1], series[n - 2]] for n in range(2, 16)]


def _objects() -> list[list[Any]]:
    """How many there are, the newest, and the one before the one before it, which is reached through both."""
    key, marks, found = 1, [], []
    for count in range(1, 201):
        key = key * 75 % 65537
        marks.append(f"M{key * 7919:011}")
        if count > 2:
            found.append([count, marks[-1], marks[-3]])
    return found


def _strings() -> list[list[Any]]:
    """The whole text after each step."""
    text, found = "", []
    for number in range(500):
        text += f"{number:05}" + "the end of one line is another's begin "[:35]
        found.append([text])
    return found


_STATES: dict[str, tuple[list[str], Callable[[], list[list[Any]]]]] = {
    "scalar": (["state", "turn"], _scalar),
    "bubble": (["numbers"], _bubble),
    "records": (["twin"], _records),
    "fib": (["n", "one", "two"], _fib),
    "objects": (["self.count", "self.newest.mark", "self.newest.older.older.mark"], _objects),
    "strings": (["text"], _strings),
}
