"""The run's private directory: `<root>/src` (sources), `<root>/work` (where the program is), `<root>/tmp`.

What the program does to files below `work` becomes file events. A file is looked at when something wrote to it through
one of the doors that `files.py` watches, and is compared by content: times of change are too coarse, and differ by
platform.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from typing import Any

from tracepane.record import job as jobs
from tracepane.record.format.layout import CHANGED, CREATED, DELETED
from tracepane.record.format.overlap import overlap
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

# Taken now: the program may replace what it likes in `os` and `io`.
_open, _read, _write, _close = os.open, os.read, os.write, os.close
_scandir, _lstat, _stat, _fstat = os.scandir, os.lstat, os.stat, os.fstat
_mkdir, _unlink, _rmdir = os.mkdir, os.unlink, os.rmdir
_realpath, _isabs, _join, _getcwd = os.path.realpath, os.path.isabs, os.path.join, os.getcwd

Splice = tuple[int, int, bytes]


class WorkspaceError(OSError):
    """The run's directory cannot be used, with the reason and the way out."""


class Workspace:
    """Knows every file below `<root>/work` by its content, and says what changed."""

    def __init__(self, root: str, stamp: Callable[[int], None]) -> None:
        """`root` is the job's. `stamp(descriptor)` is told when a file is written."""
        self._stamp = stamp
        self.root = root
        self.work = f"{root}/work"
        self._contents: dict[str, bytes] = {}
        self._untold: set[str] = set()  # files of the job's that no change has told the content of
        self._touched: set[str] = set()
        self._moved = False
        self._paths: dict[int, str] = {}
        self._unsure = False
        self.always = False  # something writes past the watched doors (a memory map, a database)

    def lay(self, job: jobs.Job) -> None:
        """Write the job's sources and files into an empty directory, and take them as the first state."""
        self.clear()
        for part in ("", "/src", "/work", "/tmp"):
            _mkdir(self.root + part, 0o700)
        for folder, entries in (("src", job["sources"]), ("work", job.get("files", ()))):
            for entry in entries:
                _put(f"{self.root}/{folder}/{entry['name']}", jobs.content(entry))
        self._contents = dict(self._find())
        self._untold = set(self._contents)

    def clear(self) -> None:
        """Remove the directory. One that is not ours, or no directory, is an error and stays."""
        try:
            found = _lstat(self.root)
        except FileNotFoundError:
            return
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise WorkspaceError(
                f"{self.root} exists and is not a directory of yours: remove it, the run needs this very name"
            )
        _remove_tree(self.root)

    def touch(self, path: Any) -> None:
        """The file `path` (as the program gave it) was or will be written to."""
        self._touched.add(self._resolve(path))

    def move(self, *paths: Any) -> None:
        """Names came, went or changed their file; `paths` may have another content now."""
        self._moved = True
        for path in paths:
            self.touch(path)

    def opened(self, number: int, path: Any) -> None:
        """The file descriptor `number` now stands for `path`."""
        self._paths[number] = self._resolve(path)

    def copied(self, number: int, copy: int) -> None:
        """`copy` now stands for the same file as `number`."""
        if number in self._paths:
            self._paths[copy] = self._paths[number]

    def wrote(self, number: int) -> None:
        """Bytes go to the file behind a descriptor."""
        self._stamp(number)
        path = self._paths.get(number)
        if path is None:
            self._unsure = True
        else:
            self._touched.add(path)

    def doubt(self) -> None:
        """Something changed, and there is no telling what: look at every file once."""
        self._unsure = True

    def dirty(self) -> bool:
        """Whether `changes` may find anything."""
        return self._moved or bool(self._touched) or self._unsure or self.always

    def changes(self) -> Iterator[tuple[str, int, int, Splice]]:
        """Each change since the last call, by path: path below work, change, size, splice (see TraceWriter.file).

        Deletions come first, so that a renamed file is deleted, then created.
        """
        if self.always or self._unsure:
            now = dict(self._find())
        elif self._moved:
            now = dict(self._find(self._contents, self._touched))
        else:
            now = self._look_at_touched()
        self._touched.clear()
        self._moved = self._unsure = False
        before, self._contents = self._contents, now
        for path in sorted(before.keys() - now.keys()):
            self._untold.discard(path)
            yield path, DELETED, 0, (0, 0, b"")
        for path in sorted(now):
            if path not in before:
                yield path, CREATED, len(now[path]), (0, 0, now[path])
            elif now[path] is not before[path] and now[path] != before[path]:
                yield path, CHANGED, len(now[path]), self._splice(path, before[path], now[path])

    def _splice(self, path: str, before: bytes, after: bytes) -> Splice:
        """The first change of a file that the job gave holds it whole: a trace says nothing of it before."""
        if path not in self._untold:
            return splice(before, after)
        self._untold.discard(path)
        return 0, 0, after

    def _look_at_touched(self) -> dict[str, bytes]:
        now = dict(self._contents)
        for path in self._touched:
            name = self._name(path)
            if name is not None:
                content = _content(path)
                if content is None:
                    now.pop(name, None)
                else:
                    now[name] = content
        return now

    def _find(
        self, known: dict[str, bytes] | None = None, touched: set[str] | None = None
    ) -> Iterator[tuple[str, bytes]]:
        """Every file below work with its content; with `known`, only those are read that are new or touched."""
        for path in _walk(self.work):
            name = path[len(self.work) + 1 :]
            if known is not None and name in known and path not in (touched or ()):
                yield name, known[name]
                continue
            content = _content(path)
            if content is not None:
                yield name, content

    def _name(self, path: str) -> str | None:
        return path[len(self.work) + 1 :] if path.startswith(self.work + "/") else None

    def _resolve(self, path: Any) -> str:
        path = os.fsdecode(path)
        return _realpath(path if _isabs(path) else _join(_getcwd(), path))


def splice(before: bytes, after: bytes) -> Splice:
    """What `after` keeps of `before`: bytes at the start, bytes at the end, and those put between."""
    prefix, suffix = overlap(before, after)
    return prefix, suffix, after[prefix : len(after) - suffix]


def _walk(folder: str) -> Iterator[str]:
    try:
        with _scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
        else:
            yield entry.path


def _content(path: str) -> bytes | None:
    """The bytes of a regular file (a link's target counts), or None."""
    try:
        if not stat.S_ISREG(_stat(path).st_mode):
            return None
        number = _open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return None
    try:
        parts = []
        while part := _read(number, 1 << 20):
            parts.append(part)
        return b"".join(parts)
    finally:
        _close(number)


def _put(path: str, data: bytes) -> None:
    folder = path.rpartition("/")[0]
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = folder.rpartition("/")[0]
    for folder in reversed(missing):
        _mkdir(folder, 0o700)
    number = _open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o644)
    try:
        view = memoryview(data)
        while view:
            view = view[_write(number, view) :]
    finally:
        _close(number)


def _remove_tree(folder: str) -> None:
    os.chmod(folder, 0o700)
    with _scandir(folder) as entries:
        found = list(entries)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            _remove_tree(entry.path)
        else:
            _unlink(entry.path)
    _rmdir(folder)
