"""Standard input, output and error of the program.

Writing is done in C (`io.BytesIO.write`), so that printing needs no frame of ours and a recursion ends at the same
depth whether it prints or not; a line's end calls `flush`, which hands the text on.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Callable
from typing import Any

from tracepane.record.hidden import conceal
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_getvalue, _seek, _truncate, _tell = io.BytesIO.getvalue, io.BytesIO.seek, io.BytesIO.truncate, io.BytesIO.tell
_read, _fstat = os.read, os.fstat
_get_limit, _set_limit = sys.getrecursionlimit, sys.setrecursionlimit
_ROOM = 200  # frames

Receive = Callable[[str, str], None]


def _unsupported(name: str) -> Any:
    def method(self: Any, *_: Any) -> Any:
        raise io.UnsupportedOperation(name)

    return method


@conceal
class BufferedWriter(io.BytesIO):
    """The binary layer of sys.stdout and sys.stderr: keeps bytes until a line ends or someone drains it."""

    def __init__(self, name: str, number: int, drain: Callable[[], None]) -> None:
        """`name` as `<stdout>`; `drain` is called at every flush."""
        io.BytesIO.__init__(self)
        self.name = name
        self.mode = "wb"  # type: ignore[misc]
        self._number = number
        self._drain = drain

    def flush(self) -> None:
        """Hand on what was written. Near the limit of recursion that needs more room; without any, it waits."""
        limit = _get_limit()
        try:
            _set_limit(limit)  # refused where it could not be set back
        except RecursionError:
            return
        _set_limit(limit + _ROOM)
        try:
            self._drain()
        finally:
            _set_limit(limit)

    def fileno(self) -> int:
        """1 or 2, as of the real streams."""
        return self._number

    def isatty(self) -> bool:
        """A page is no terminal."""
        return False

    def seekable(self) -> bool:
        """Standard output has no position."""
        return False

    def readable(self) -> bool:
        """Standard output cannot be read."""
        return False

    def close(self) -> None:
        """The standard streams outlive the program that closes them; what it prints afterwards is an error as ever."""
        self._drain()
        io.BytesIO.close(self)

    def __repr__(self) -> str:
        """As the real one's."""
        return f"<_io.BufferedWriter name={self.name!r}>"

    read = read1 = readline = readlines = readinto = readinto1 = _unsupported("read")
    seek = tell = _unsupported("File or stream is not seekable.")
    truncate = _unsupported("truncate")
    getvalue = getbuffer = _unsupported("not a memory file")


BufferedWriter.__module__ = "_io"


@conceal
class Output:
    """One of the two output streams: takes what `sys.stdout` and the bare descriptor were given, in text."""

    def __init__(self, name: str, number: int, drain: Callable[[], None], errors: str) -> None:
        """`name` is `stdout` or `stderr`."""
        self.name = name
        self.buffer = BufferedWriter(f"<{name}>", number, drain)
        self.text = io.TextIOWrapper(
            self.buffer, encoding="utf-8", errors=errors, newline="\n", line_buffering=True, write_through=True
        )
        self.text.mode = "w"  # type: ignore[misc]
        self._decode = codecs.getincrementaldecoder("utf-8")("backslashreplace").decode

    def pending(self) -> bool:
        """Whether something was written that nobody took."""
        return not self.buffer.closed and _tell(self.buffer) > 0

    def take(self, final: bool = False) -> str:
        """What was written since the last time. A character cut in two waits for its rest, unless `final`."""
        data = b""
        if self.pending():
            data = _getvalue(self.buffer)
            _seek(self.buffer, 0)
            _truncate(self.buffer)
        return self._decode(data, final)


@conceal
class Streams:
    """The three standard streams, installed into `sys`."""

    def __init__(self, receive: Receive, starve: Callable[[], None], stdin: bytes, closed: bool) -> None:
        """`receive(stream, text)` gets output; `starve()` is called when input runs out that is not closed."""
        self._receive = receive
        self._outputs = [
            Output("stdout", 1, self.drain, "strict"),
            Output("stderr", 2, self.drain, "backslashreplace"),
        ]
        self.input = StandardInput(stdin, closed, starve)
        self.stdin = io.TextIOWrapper(io.BufferedReader(self.input), encoding="utf-8", errors="strict")
        self.stdin.mode = "r"  # type: ignore[misc]

    def install(self) -> None:
        """Put the streams where the program looks for them."""
        sys.stdout = sys.__stdout__ = self._outputs[0].text  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = self._outputs[1].text  # type: ignore[misc]
        sys.stdin = sys.__stdin__ = self.stdin  # type: ignore[misc]

    def pending(self) -> bool:
        """Whether output waits to be handed on."""
        first, second = self._outputs
        return first.pending() or second.pending()

    def drain(self, final: bool = False) -> None:
        """Hand on all that was written."""
        for output in self._outputs:
            text = output.take(final)
            if text:
                self._receive(output.name, text)

    def write(self, number: int, data: bytes) -> None:
        """What the program wrote to the bare descriptor 1 or 2."""
        self.drain()
        output = self._outputs[number - 1]
        text = output._decode(bytes(data))
        if text:
            self._receive(output.name, text)


@conceal
class StandardInput(io.RawIOBase):
    """The job's standard input. When it runs out and is not closed, the run ends: the reader is asked for more."""

    name = "<stdin>"
    mode = "rb"

    def __init__(self, data: bytes, closed: bool, starve: Callable[[], None]) -> None:
        """`starve()` does not return."""
        self._data = data
        self._at = 0
        self._whole = closed
        self._starve = starve

    def readinto(self, target: Any, /) -> int:
        """A line at a time, as a terminal would give it: no more is taken than was asked for."""
        if self._at == len(self._data) and not self._whole:
            self._starve()
        end = self._data.find(b"\n", self._at) + 1 or len(self._data)
        taken = self._data[self._at : min(end, self._at + len(target))]
        target[: len(taken)] = taken
        self._at += len(taken)
        return len(taken)

    def readable(self) -> bool:
        """It can be read."""
        return True

    def fileno(self) -> int:
        """0, as of the real stream."""
        return 0

    def isatty(self) -> bool:
        """A page is no terminal."""
        return False


StandardInput.__name__ = StandardInput.__qualname__ = "FileIO"
StandardInput.__module__ = "_io"
