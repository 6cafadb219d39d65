"""A reader that was written from the reference pages reads what the package's own reader reads."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
import second_reader

from gold import FOLDER, programs
from tracepane.record.trace import Trace


def test_it_knows_nothing_of_ours() -> None:
    """It imports the standard library alone."""
    tree = ast.parse(Path(second_reader.__file__).read_text("utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in found}
    assert names == {"__future__", "base64", "itertools", "json", "struct", "zlib", "collections", "hashlib", "typing"}


@pytest.mark.parametrize("name", programs())
def test_it_reads_the_vectors(name: str) -> None:
    """Every event of every gold trace, unfolded, is the one of the vectors."""
    found = second_reader.Reader((FOLDER / f"{name}.trace").read_bytes()).expand()
    expected = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["expanded"]
    assert json.loads(json.dumps(found)) == expected


def test_it_reads_a_stream() -> None:
    """The records as a run hands them out: plain chunks, no index."""
    from tracepane.record.format import container

    trace = Trace.load(FOLDER / "bubble.trace")
    parts = [container.MAGIC, container.pack(container.HEADER, container.write_json(trace.header))]
    parts += [container.pack(container.CHUNK, chunk, checked=False) for chunk in trace.chunks()]
    parts.append(container.pack(container.END, container.write_json(trace.end)))
    found = second_reader.Reader(b"".join(parts)).expand()
    assert found == second_reader.Reader(trace.pack()).expand()
