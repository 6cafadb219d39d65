"""Pyodide under Node: quicker to start than a browser, and the same interpreter."""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any

from tracepane.record.format import container
from tracepane.record.trace import Trace

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "node_modules" / "pyodide"
LIBRARY = ROOT / "py" / "src" / "tracepane" / "_assets" / "stdlib.zip"


class Interpreters:
    """A Node process that runs each job in a Pyodide of its own."""

    def __init__(self, recorder: Path) -> None:
        """Start Node; `recorder` is the recorder's zip."""
        script = Path(__file__).with_name("interpreter.mjs")
        library = str(LIBRARY) if LIBRARY.is_file() else ""
        pipe = subprocess.PIPE
        command = ["node", str(script), str(CORE), str(recorder), library]
        self._node = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)

    def record(self, document: dict[str, Any], record: bool = True) -> Trace:
        """One job's trace."""
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.write(json.dumps({"job": document, "record": record}) + "\n")
        self._node.stdin.flush()
        answer = json.loads(self._node.stdout.readline())
        assert answer["left"] == ""
        return Trace.parse(container.MAGIC + base64.b64decode(answer["records"]))

    def close(self) -> None:
        """End Node."""
        assert self._node.stdin is not None
        self._node.stdin.close()
        self._node.wait(60)
