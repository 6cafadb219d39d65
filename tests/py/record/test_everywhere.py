"""The corpus gives the same traces natively and in Pyodide, byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from corpus import PROGRAMS
from interpreters import Interpreters
from lone_job import job
from recording import events, record_all
from test_oracle import BEYOND, difference

from tracepane.record.trace import Trace

# An interpreter takes longer to start than a program to run, so programs that end by themselves share one.
LASTING = {"monkeypatched"}  # what it does to its interpreter would be felt by the next
BATCHES = [list(PROGRAMS)[start::12] for start in range(12)]


def one_after_the_other(programs: Mapping[str, str]) -> dict[str, Any]:
    """A job that runs programs as one `__main__`, each from a file of its own and traced whole."""
    files = {f"corpus_{name}.py": source for name, source in programs.items()}  # no file hides a module of the library
    document = job("", before=list(files), support=files)
    for source in document["sources"]:
        source["traced"] = [[1, 1_000_000]]
    return document


@pytest.fixture(scope="module")
def native() -> dict[str, Trace]:
    """Every program, recorded natively."""
    traces = record_all([("recorder", job(source)) for source in PROGRAMS.values()])
    return dict(zip(PROGRAMS, traces, strict=True))


@pytest.mark.parametrize("batch", BATCHES, ids=range(len(BATCHES)))
def test_corpus(batch: list[str], native: dict[str, Trace], interpreters: Interpreters) -> None:
    """One program after the other; one that is ended by something has an interpreter for itself."""
    lone = [name for name in batch if name in BEYOND | LASTING or native[name].end["status"] != "finished"]
    found = {name: difference(native[name], interpreters.record(job(PROGRAMS[name]))) for name in lone}
    together = one_after_the_other({name: PROGRAMS[name] for name in batch if name not in lone})
    fast = record_all([("recorder", together)])[0]
    assert fast.end["status"] == "finished"
    found["together"] = difference(fast, interpreters.record(together))
    assert {name: words for name, words in found.items() if words} == {}


def test_a_file_that_comes_after_the_builtins_went(interpreters: Interpreters) -> None:
    """The recorder reads its code with builtins of its own."""
    gone = "import builtins\nkept = builtins.getattr, builtins.len\nbuiltins.getattr = builtins.len = None\n"
    late = "def late():\n    return 1\nlate()\nbuiltins.getattr, builtins.len = kept\n"
    document = one_after_the_other({"gone": gone, "late": late})
    native = record_all([("recorder", document)])[0]
    assert events(native, ("call", "return"))[2:5] == ["call <module>:0", "call late:1", "return late:2 → 1"]
    assert difference(native, interpreters.record(document)) == ""
