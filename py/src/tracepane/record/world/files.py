"""The doors through which a program changes files: watched, so that each change is found at its step.

`open` hands out files whose raw layer tells the workspace when bytes really reach the file (a buffered text shows in
its file when it is flushed or closed); the functions of `os` that change names or contents tell it as well.
"""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable
from io import FileIO as _Raw
from typing import Any

from tracepane.record.hidden import builtin, conceal, hidden
from tracepane.record.own import BUILTINS
from tracepane.record.world.workspace import Workspace

globals()["__builtins__"] = BUILTINS

Bare = Callable[[int, bytes], None]
Wrap = Callable[[Any], Callable[..., Any]]

_io_open = io.open
_CHANGING = os.O_CREAT | os.O_TRUNC
_BARE = (1, 2)


def install(workspace: Workspace, stdin: io.RawIOBase, write_bare: Bare) -> None:
    """Watch `open` and the functions of `os`.

    `write_bare(1 or 2, data)` takes what goes to those descriptors, `stdin` stands for descriptor 0.
    """
    builtins.open = io.open = builtin(_opener(_raw_class(workspace, write_bare), stdin), _io_open)
    for name, wrap in (
        _names(workspace) | _descriptors(workspace) | _writers(workspace, write_bare) | {"read": _reads(stdin)}
    ).items():
        original = getattr(os, name, None)
        if original is not None:
            setattr(os, name, builtin(wrap(original), original))


def _raw_class(workspace: Workspace, write_bare: Bare) -> type[io.FileIO]:
    class FileIO(_Raw):
        def __init__(self, file: Any, mode: str = "r", closefd: bool = True, opener: Any = None) -> None:
            _Raw.__init__(self, file, mode, closefd, opener)
            if not isinstance(file, int):
                workspace.opened(self.fileno(), file)
                workspace.wrote(self.fileno())

        def write(self, data: Any, /) -> Any:
            number = self.fileno()
            if number in _BARE:
                return _write_bare(write_bare, number, data)
            workspace.wrote(number)
            return _Raw.write(self, data)

        def truncate(self, size: int | None = None, /) -> int:
            workspace.wrote(self.fileno())
            return _Raw.truncate(self, size)

    FileIO.__module__, FileIO.__qualname__ = "_io", "FileIO"
    return conceal(FileIO)


@hidden
def _write_bare(write_bare: Bare, number: int, data: Any) -> int:
    plain = b"".join(data) if isinstance(data, (list, tuple)) else bytes(memoryview(data))
    write_bare(number, plain)
    return len(plain)


def _opener(raw_class: type[io.FileIO], stdin: io.RawIOBase) -> Callable[..., Any]:
    def open(
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        if type(file) is int and file == 0 and mode in ("r", "rt", "rb"):
            binary = io.BufferedReader(stdin)
            return binary if mode == "rb" else io.TextIOWrapper(binary, encoding, errors, newline)
        if not _writes(mode) or not _proper(mode, buffering, encoding, errors, newline):
            return _io_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        raw = raw_class(file, mode.replace("b", "").replace("t", ""), closefd, opener)
        try:
            return _layers(raw, mode, buffering, encoding, errors, newline)
        except BaseException:
            raw.close()
            raise

    return open


def _writes(mode: Any) -> bool:
    return isinstance(mode, str) and any(letter in mode for letter in "wax+")


def _proper(mode: str, buffering: int, encoding: Any, errors: Any, newline: Any) -> bool:
    """Whether `io.open` would accept these: what it refuses it shall refuse in its own words."""
    letters = set(mode)
    if letters - set("rwaxbt+") or len(mode) > len(letters) or len(letters & set("rwax")) != 1 or {"b", "t"} <= letters:
        return False
    if "b" in letters:
        return encoding is None and errors is None and newline is None
    return buffering != 0


def _layers(raw: io.FileIO, mode: str, buffering: int, encoding: Any, errors: Any, newline: Any) -> Any:
    if buffering == 0:
        return raw
    line_buffering = buffering == 1 and "b" not in mode
    # A fixed size: the natural one is the file system's block, and would flush at other steps elsewhere.
    size = buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE
    buffer = io.BufferedRandom(raw, size) if "+" in mode else io.BufferedWriter(raw, size)
    if "b" in mode:
        return buffer
    text = io.TextIOWrapper(buffer, io.text_encoding(encoding), errors, newline, line_buffering)
    text.mode = mode  # type: ignore[misc]
    return text


def _names(workspace: Workspace) -> dict[str, Wrap]:
    def renamed(original: Any) -> Callable[..., Any]:
        def rename(src: Any, dst: Any, **directories: Any) -> None:
            original(src, dst, **directories)
            workspace.doubt() if directories else workspace.move(src, dst)

        return rename

    def removed(original: Any) -> Callable[..., Any]:
        def remove(path: Any, **directory: Any) -> None:
            original(path, **directory)
            workspace.move()

        return remove

    def linked(original: Any) -> Callable[..., Any]:
        def link(src: Any, dst: Any, *rest: Any, **directories: Any) -> None:
            original(src, dst, *rest, **directories)
            workspace.doubt()

        return link

    def truncated(original: Any) -> Callable[..., Any]:
        def truncate(path: Any, length: int) -> None:
            original(path, length)
            workspace.wrote(path) if isinstance(path, int) else workspace.touch(path)

        return truncate

    return {
        **dict.fromkeys(("rename", "replace"), renamed),
        **dict.fromkeys(("remove", "unlink", "rmdir"), removed),
        **dict.fromkeys(("link", "symlink"), linked),
        "truncate": truncated,
    }


def _descriptors(workspace: Workspace) -> dict[str, Wrap]:
    def opens(original: Any) -> Callable[..., Any]:
        def open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            number: int = original(path, flags, mode, dir_fd=dir_fd)
            if dir_fd is None:
                workspace.opened(number, path)
            if flags & _CHANGING:
                workspace.wrote(number) if dir_fd is None else workspace.doubt()
            return number

        return open

    def dups(original: Any) -> Callable[..., Any]:
        def dup(fd: int, *rest: Any, **inheritable: Any) -> int:
            number: int = original(fd, *rest, **inheritable)
            workspace.copied(fd, number)
            return number

        return dup

    return {"open": opens, "dup": dups, "dup2": dups}


def _reads(stdin: io.RawIOBase) -> Wrap:
    def reads(original: Any) -> Callable[..., Any]:
        def read(fd: int, length: int, /) -> bytes:
            return stdin.read(length) or b"" if fd == 0 else original(fd, length)

        return read

    return reads


def _writers(workspace: Workspace, write_bare: Bare) -> dict[str, Wrap]:
    def writes(original: Any) -> Callable[..., Any]:
        def write(fd: int, data: Any, *rest: Any) -> int:
            if fd in _BARE and not rest:
                return _write_bare(write_bare, fd, data)
            workspace.wrote(fd)
            return original(fd, data, *rest)  # type: ignore[no-any-return]

        return write

    def truncates(original: Any) -> Callable[..., Any]:
        def ftruncate(fd: int, length: int) -> None:
            workspace.wrote(fd)
            original(fd, length)

        return ftruncate

    return {**dict.fromkeys(("write", "writev", "pwrite"), writes), "ftruncate": truncates}
