"""What the tests of several rooms share: Pyodide under Node. `lone_job.py` lies here too."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from interpreters import CORE, Interpreters

from tracepane import assets


@pytest.fixture(scope="session")
def interpreters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interpreters]:
    """Runs jobs in Pyodide, each in an interpreter of its own."""
    if shutil.which("node") is None or not CORE.is_dir():
        pytest.skip(f"Node and the Pyodide core are needed: node on the path, {CORE} (`npm ci` puts it there)")
    recorder = tmp_path_factory.mktemp("recorder") / "recorder.zip"
    try:  # as bytecode, where the browser code has been built: half of each start would be compiling
        recorder.write_bytes((assets.directory() / "recorder.zip").read_bytes())
    except assets.AssetsError:
        recorder.write_bytes(assets.recorder_zip())
    made = Interpreters(recorder)
    yield made
    made.close()
