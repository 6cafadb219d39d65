"""Locks for a program of one thread: to wait for one that is held moves the clock; to wait for ever is an error."""

from __future__ import annotations

import _thread
from typing import Any

from tracepane.record.hidden import builtin, conceal
from tracepane.record.own import BUILTINS
from tracepane.record.world.clock import Clock

globals()["__builtins__"] = BUILTINS

DEADLOCK = "this waits for ever: the lock is held, and a lesson has no other thread that could release it"
_clocks: list[Clock] = []  # the run's one clock: no attribute of a lock, where the program would find it


@conceal
class lock:
    """A lock object."""

    __slots__ = ("__weakref__", "_held")

    def __init__(self) -> None:
        self._held = False

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Lock it; whether that was done."""
        if timeout != -1 and not blocking:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if self._held:
            return self._wait(blocking, timeout)
        self._held = True
        return True

    def _wait(self, blocking: bool, timeout: float) -> bool:
        if blocking and timeout == -1:
            raise RuntimeError(DEADLOCK)
        if blocking:
            _clocks[0].advance(int(timeout * 1_000_000_000))
        return False

    def release(self) -> None:
        """Unlock it. Raises RuntimeError when it is not locked."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def locked(self) -> bool:
        """Whether it is locked."""
        return self._held

    def __enter__(self) -> bool:
        """Lock it."""
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        """Unlock it."""
        self.release()

    def _at_fork_reinit(self) -> None:
        self._held = False

    def __repr__(self) -> str:
        """As a real one, without its address."""
        return f"<{'locked' if self._held else 'unlocked'} _thread.lock object>"

    acquire_lock, release_lock, locked_lock = acquire, release, locked


def install(clock: Clock) -> None:
    """Replace the lock of `_thread`, on which those of `threading` and `queue` stand."""
    _clocks[:] = [clock]
    lock.__module__, lock.__qualname__ = "_thread", "lock"
    module: Any = _thread
    module.allocate_lock = module.allocate = builtin(lambda: lock(), module.allocate_lock)
    module.lock = module.LockType = lock
