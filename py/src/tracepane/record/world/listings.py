"""What the program learns of files: listings in order of name, times of the simulated clock, no facts of the machine.

A file system lists names in an order of its own, counts inodes as it likes and stamps with the machine's clock.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tracepane.record.hidden import builtin, conceal
from tracepane.record.own import BUILTINS
from tracepane.record.world.clock import START, Clock

globals()["__builtins__"] = BUILTINS

_stat, _lstat, _fstat, _listdir, _scandir, _utime = os.stat, os.lstat, os.fstat, os.listdir, os.scandir, os.utime
_UNMASKED = 0o022 if sys.platform == "emscripten" else 0  # there the umask is not applied
_OWNER = 1000


@conceal
class Stamps:
    """When each file was last written, by inode, on the simulated clock."""

    def __init__(self, clock: Clock) -> None:
        """`clock` is the run's."""
        self._clock = clock
        self._times: dict[int, tuple[int, int]] = {}
        self._numbers: dict[int, int] = {}

    def touch(self, number: int) -> None:
        """The file behind a descriptor is written now."""
        now = self._clock.wall()
        self._times[_fstat(number).st_ino] = (now, now)

    def set(self, path: Any, times: tuple[int, int] | None, follow: bool) -> None:
        """`os.utime`: (access, modification) in nanoseconds, None for now."""
        now = self._clock.wall()
        found = _stat(path) if isinstance(path, int) or follow else _lstat(path)
        self._times[found.st_ino] = times or (now, now)

    def show(self, found: os.stat_result) -> os.stat_result:
        """What the program is told about a file."""
        number = self._numbers.setdefault(found.st_ino, len(self._numbers) + 1)
        accessed, modified = self._times.get(found.st_ino, (START, START))
        size = 4096 if stat.S_ISDIR(found.st_mode) else found.st_size
        mode = found.st_mode if stat.S_ISLNK(found.st_mode) else found.st_mode & ~_UNMASKED
        whole = (mode, number, 1, found.st_nlink, _OWNER, _OWNER, size)
        seconds = (accessed // 10**9, modified // 10**9, modified // 10**9)
        extra = {
            "st_atime": accessed / 1e9,
            "st_mtime": modified / 1e9,
            "st_ctime": modified / 1e9,
            "st_atime_ns": accessed,
            "st_mtime_ns": modified,
            "st_ctime_ns": modified,
            "st_blksize": 4096,
            "st_blocks": -(-size // 512),
            "st_rdev": 0,
        }
        return os.stat_result((*whole, *seconds), extra)


def install(stamps: Stamps) -> None:
    """Change what `os` says of files."""
    for name, function in (_stats(stamps) | _lists(stamps) | {"utime": _utimes(stamps)}).items():
        setattr(os, name, builtin(function, getattr(os, name)))


def _stats(stamps: Stamps) -> dict[str, Callable[..., Any]]:
    def status(path: Any, **options: Any) -> os.stat_result:
        return stamps.show(_stat(path, **options))

    def lstatus(path: Any, **options: Any) -> os.stat_result:
        return stamps.show(_lstat(path, **options))

    def fstatus(fd: int) -> os.stat_result:
        return stamps.show(_fstat(fd))

    return {"stat": status, "lstat": lstatus, "fstat": fstatus}


def _lists(stamps: Stamps) -> dict[str, Callable[..., Any]]:
    def listdir(path: Any = None) -> list[Any]:
        return sorted(_listdir(path))

    def scandir(path: Any = None) -> Listing:
        with _scandir(path) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        return Listing([DirEntry(entry, stamps) for entry in found])

    return {"listdir": listdir, "scandir": scandir}


def _utimes(stamps: Stamps) -> Callable[..., None]:
    def utime(
        path: Any, times: Any = None, *, ns: Any = None, dir_fd: Any = None, follow_symlinks: bool = True
    ) -> None:
        options = {} if ns is None else {"ns": ns}
        _utime(path, times, dir_fd=dir_fd, follow_symlinks=follow_symlinks, **options)
        if times is not None:
            ns = tuple(int(seconds * 1_000_000_000) for seconds in times)
        if dir_fd is None:
            stamps.set(path, ns, follow_symlinks)

    return utime


@conceal
class Listing:
    """What `os.scandir` returns: an iterator that can be closed."""

    def __init__(self, entries: list[DirEntry]) -> None:
        """Entries in the order in which they are given out."""
        self._entries: Iterator[DirEntry] = iter(entries)

    def __iter__(self) -> Listing:
        """Itself."""
        return self

    def __next__(self) -> DirEntry:
        """The next entry."""
        return next(self._entries)

    def __enter__(self) -> Listing:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """No more entries."""
        self._entries = iter(())


Listing.__name__ = Listing.__qualname__ = "ScandirIterator"
Listing.__module__ = "posix"


@conceal
class DirEntry:
    """One entry of a directory, as `os.DirEntry`."""

    def __init__(self, entry: os.DirEntry[Any], stamps: Stamps) -> None:
        """`entry` is the platform's."""
        self.name, self.path = entry.name, entry.path
        self._entry, self._stamps = entry, stamps

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        """As `os.stat`."""
        return self._stamps.show(self._entry.stat(follow_symlinks=follow_symlinks))

    def inode(self) -> int:
        """As of `stat`."""
        return self.stat(follow_symlinks=False).st_ino

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a directory."""
        return self._entry.is_dir(follow_symlinks=follow_symlinks)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        """Whether it is a regular file."""
        return self._entry.is_file(follow_symlinks=follow_symlinks)

    def is_symlink(self) -> bool:
        """Whether it is a symbolic link."""
        return self._entry.is_symlink()

    def is_junction(self) -> bool:
        """Never, here."""
        return False

    def __fspath__(self) -> Any:
        """The path."""
        return self.path

    def __repr__(self) -> str:
        """As the platform's."""
        return f"<DirEntry {self.name!r}>"


DirEntry.__module__ = "posix"
