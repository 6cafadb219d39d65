"""Locks for a program of one thread: to wait for one that is held moves the clock; to wait for ever is an error."""

from __future__ import annotations

import _thread
from typing import Any

from tracepane.record.clock import Clock
from tracepane.record.hidden import builtin, conceal
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

DEADLOCK = "this waits for ever: the lock is held, and a lesson has no other thread that could release it"


def install(clock: Clock) -> None:
    """Replace the lock of `_thread`, on which those of `threading` and `queue` stand."""

    @conceal
    class lock:
        """A lock object."""

        __slots__ = ("__weakref__", "_held")

        def __init__(self) -> None:
            self._held = False

        def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
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
                clock.advance(int(timeout * 1_000_000_000))
            return False

        def release(self) -> None:
            if not self._held:
                raise RuntimeError("release unlocked lock")
            self._held = False

        def locked(self) -> bool:
            return self._held

        def __enter__(self) -> bool:
            return self.acquire()

        def __exit__(self, *_: object) -> None:
            self.release()

        def _at_fork_reinit(self) -> None:
            self._held = False

        def __repr__(self) -> str:
            return f"<{'locked' if self._held else 'unlocked'} _thread.lock object>"

        acquire_lock, release_lock, locked_lock = acquire, release, locked

    lock.__module__, lock.__qualname__ = "_thread", "lock"
    module: Any = _thread
    module.allocate_lock = module.allocate = builtin(lambda: lock(), module.allocate_lock)
    module.lock = module.LockType = lock
