"""The trace on its way out: the records of a trace file without the magic, each in one write to a file descriptor.

Nothing is compressed and no CRC is taken: these bytes never leave the machine.
"""

from __future__ import annotations

import os
from typing import Any

from tracepane.record.format.container import CHUNK, END, HEADER, pack, write_json
from tracepane.record.hidden import conceal
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_write = os.write


@conceal
class Wire:
    """Sends a run's header, chunks and end to an open file descriptor, which stays open."""

    def __init__(self, number: int) -> None:
        """`number` is the file descriptor."""
        self._number = number

    def header(self, header: dict[str, Any]) -> None:
        """Send the header, once and first."""
        self._send(HEADER, write_json(header))

    def chunk(self, payload: bytes) -> None:
        """Send one chunk's raw bytes."""
        self._send(CHUNK, payload)

    def end(self, end: dict[str, Any]) -> None:
        """Send the end, once and last. In a browser this does not return: the worker leaves the interpreter."""
        self._send(END, write_json(end))

    def _send(self, kind: int, payload: bytes) -> None:
        data = memoryview(pack(kind, payload, checked=False))
        while data:  # a pipe may take less than it was given
            data = data[_write(self._number, data) :]
