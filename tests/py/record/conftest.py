"""The recorder's suite runs natively and in Pyodide: tests that take `record` run once for each."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from recording import job

from tracepane import assets
from tracepane.record import container, process
from tracepane.record.trace import Trace

ROOT = Path(__file__).resolve().parents[3]
CORE = ROOT / "node_modules" / "pyodide"
LIBRARY = ROOT / "py" / "src" / "tracepane" / "_assets" / "stdlib.zip"
Record = Callable[..., Trace]


@pytest.fixture(scope="session")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[dict[str, Any]], Trace]]:
    """Records jobs in Pyodide under Node, each in an interpreter of its own."""
    if shutil.which("node") is None or not CORE.is_dir():
        pytest.skip(f"Node and the Pyodide core are needed: node on the path, {CORE}")
    recorder = tmp_path_factory.mktemp("recorder") / "recorder.zip"
    recorder.write_bytes(assets.recorder_zip())
    script = ROOT / "tests" / "py" / "run" / "interpreter.mjs"
    command = ["node", str(script), str(CORE), str(recorder), str(LIBRARY) if LIBRARY.is_file() else ""]
    node = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert node.stdin is not None
    assert node.stdout is not None

    def run(document: dict[str, Any]) -> Trace:
        assert node.stdin is not None
        assert node.stdout is not None
        node.stdin.write(json.dumps({"job": document, "record": True}) + "\n")
        node.stdin.flush()
        answer = json.loads(node.stdout.readline())
        assert answer["left"] == ""
        return Trace.parse(container.MAGIC + base64.b64decode(answer["records"]))

    yield run
    node.stdin.close()
    node.wait(60)


@pytest.fixture(params=["native", "pyodide"])
def record(request: pytest.FixtureRequest) -> Record:
    """Records a program in a fresh interpreter; options are those of `recording.job`."""
    if request.param == "native":
        return lambda source, **options: process.record(job(source, **options))
    run = request.getfixturevalue("pyodide")
    return lambda source, **options: run(job(source, **options))
