"""The gold vectors: what the recorder writes today and Python reads in them is what the browser is tested with."""

from __future__ import annotations

import json

import pytest

from gold import FOLDER, answered, described, programs, recorded
from tracepane.record.trace import Trace


@pytest.mark.parametrize("name", programs())
def test_python_reads_what_the_vectors_say(name: str) -> None:
    """Events and values, found by going through the trace: stack, variables, output and files, and every history."""
    found = json.loads(json.dumps(described(Trace.load(FOLDER / f"{name}.trace"), programs()[name])))
    assert found == json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("name", programs())
def test_queries_answer_what_the_vectors_say(name: str) -> None:
    """The same, found by search: state at a step, histories of variables, objects, parts and files, lines and hits."""
    asked = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert json.loads(json.dumps(answered(Trace.load(FOLDER / f"{name}.trace"), asked))) == asked


@pytest.mark.parametrize("name", programs())
def test_the_recorder_still_writes_it(name: str) -> None:
    """The same canonical bytes; if they are to change, `gold.py` writes the vectors anew."""
    trace = recorded(name)
    assert trace.end["digest"] == Trace.load(FOLDER / f"{name}.trace").end["digest"]


def test_no_vector_is_left_over() -> None:
    """Each file belongs to a program that is still recorded."""
    assert {path.stem for path in FOLDER.iterdir()} == set(programs())
