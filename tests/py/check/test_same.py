"""Two sides run the same job, but for text inside the traced ranges."""

from __future__ import annotations

import base64
import copy
from typing import Any

import pytest

from tracepane.check.same import Line, NotTheSameError, changed_lines

JOB: dict[str, Any] = {
    "format": "tracepane-job/1",
    "pane": "panes.yml#sum",
    "scenario": "normal",
    "sources": [
        {"name": "setup.py", "role": "setup", "text": "n = 3\n"},
        {"name": "core.py", "role": "shown", "text": "import x\n\n\ndef f(n):\n    return n + 1\n", "traced": [[4, 5]]},
    ],
    "stdin": {"text": "", "closed": True},
    "probes": [],
}


def changed(path: list[Any], value: Any) -> list[Line]:
    """The traced lines that differ after one part of the browser's job was replaced."""
    other = copy.deepcopy(JOB)
    part: Any = other
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return list(changed_lines(JOB, other))


def test_equal_jobs_have_no_changed_line() -> None:
    """The usual case: one job for both."""
    assert list(changed_lines(JOB, copy.deepcopy(JOB))) == []


def test_a_traced_line_may_differ_and_is_named() -> None:
    """A change inside the traced range is what a comparison of traces is for."""
    text = "import x\n\n\ndef f(n):\n    return n + 2\n"
    assert changed(["sources", 1, "text"], text) == [Line("core.py", 5, "    return n + 1", "    return n + 2")]


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        (
            ["sources", 0, "text"],
            "n = 4\n",
            r"setup\.py:1 is outside what is traced and reads `n = 3` natively, `n = 4`",
        ),
        (["sources", 1, "text"], "import y\n\n\ndef f(n):\n    return n + 1\n", r"core\.py:1 is outside"),
        (
            ["sources", 1, "text"],
            "import x\n\n\ndef f(n):\n    return n + 1\n\n",
            r"6 lines natively, 7 in the browser",
        ),
        (["sources", 1, "traced"], [[4, 4]], r"core\.py: `traced` is"),
        (["sources", 1, "name"], "other.py", r"one side alone has core\.py, other\.py"),
        (["sources", 0, "role"], "support", r"setup\.py: `role` is 'setup' natively, 'support' in the browser"),
        (["stdin"], {"text": "1\n", "closed": True}, r"`stdin` is"),
        (["limits"], {"steps": 5}, r"`limits` is None natively"),
    ],
)
def test_any_other_difference_is_refused(path: list[Any], value: Any, told: str) -> None:
    """Where the inputs differ, equal or different traces would prove nothing."""
    with pytest.raises(NotTheSameError, match=told):
        changed(path, value)


def test_probes_are_no_part_of_a_job() -> None:
    """A reader's watch changes nothing."""
    assert changed(["probes"], [{"expression": "n"}]) == []


def test_form_feeds_and_odd_line_breaks_end_no_line() -> None:
    """Line numbers are CPython's, or the wrong line would be named."""
    odd = copy.deepcopy(JOB)
    odd["sources"][1]["text"] = "x = '\u2028'\x0c\n\n\ndef f(n):\n    return n + 1\n"
    other = copy.deepcopy(odd)
    other["sources"][1]["text"] = odd["sources"][1]["text"].replace("n + 1", "n + 2")
    assert [line.line for line in changed_lines(odd, other)] == [5]


def test_sources_in_other_encodings_are_compared_byte_for_byte() -> None:
    """A source with a coding cookie travels as base64."""
    odd = copy.deepcopy(JOB)
    del odd["sources"][1]["text"]
    data = b"# coding: latin-1\n\n\ndef f(n):\n    return '\xe9'\n"
    odd["sources"][1]["base64"] = base64.b64encode(data).decode()
    other = copy.deepcopy(odd)
    other["sources"][1]["base64"] = base64.b64encode(data.replace(b"\xe9", b"\xe8")).decode()
    assert list(changed_lines(odd, other)) == [Line("core.py", 5, "    return 'é'", "    return 'è'")]
