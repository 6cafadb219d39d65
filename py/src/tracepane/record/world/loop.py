"""An event loop for `asyncio` without selector, sockets, threads and signals, on the simulated clock.

It is asyncio's own `BaseEventLoop` with the one part replaced that waits: when nothing is ready, the clock moves to
the next timer. So natively and in a browser, where a real loop could not run inside a synchronous call, the same steps
happen.
"""

from __future__ import annotations

from typing import Any

from tracepane.record.hidden import conceal, hidden
from tracepane.record.own import BUILTINS
from tracepane.record.world import tasks
from tracepane.record.world.clock import BOOT, Clock

globals()["__builtins__"] = BUILTINS

DEADLOCK = (
    "the event loop waits for ever: no task can run and no timer is set, so nothing can wake what is awaited "
    "(a lesson has no threads, sockets or signals that could)"
)


@conceal
class Waiting:
    """In the place of a selector: waits by moving the clock."""

    def __init__(self, clock: Clock) -> None:
        """`clock` is the run's."""
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[Any]:
        """Let `timeout` seconds pass. None would be for ever."""
        if timeout is None:
            raise RuntimeError(DEADLOCK)
        if timeout > 0:
            self._clock.advance(max(1, round(timeout * 1e9)))
        return []

    def get_map(self) -> dict[Any, Any]:
        """Nothing is registered."""
        return {}

    def close(self) -> None:
        """Nothing to close."""


def make_class(base: type, clock: Clock, future: Any) -> type:
    """The loop's class, on asyncio's `BaseEventLoop`; `future` is the class of its futures."""
    initialise, finish = base.__init__, base.close  # type: ignore[misc,attr-defined]

    def __init__(self: Any, selector: Any = None) -> None:
        initialise(self)
        self._clock_resolution = 1e-9
        self._selector = Waiting(clock)

    def time(self: Any) -> float:
        # Not a look at the clock: how often asyncio asks differs from version to version.
        return (BOOT + clock.elapsed) / 1e9

    def close(self: Any) -> None:
        finish(self)

    def create_future(self: Any) -> Any:
        return future(loop=self)

    def ignore(self: Any, *_: Any) -> None:
        """Nothing to wake, nothing to process."""

    def add_signal_handler(self: Any, *_: Any) -> None:
        raise NotImplementedError

    methods = {
        "__init__": __init__,
        "time": time,
        "close": close,
        "create_future": create_future,
        "_process_events": ignore,
        "_write_to_self": ignore,
        "add_signal_handler": add_signal_handler,
        "remove_signal_handler": add_signal_handler,
    }
    for name, method in methods.items():
        method.__qualname__ = f"_UnixSelectorEventLoop.{name}"
        hidden(method)  # type: ignore[type-var]
    return type("_UnixSelectorEventLoop", (base,), methods | {"__module__": "asyncio.unix_events"})


def adjust(clock: Clock, module: Any) -> None:
    """`asyncio`, once it is loaded: every way to a loop leads to this one."""
    module._set_running_loop(None)  # Pyodide has one of its own running
    loop = make_class(module.base_events.BaseEventLoop, clock, tasks.adjust(module))
    unix = module.unix_events
    unix._UnixDefaultEventLoopPolicy._loop_factory = loop
    for place in (module, unix):
        for name in ("SelectorEventLoop", "EventLoop", "_UnixSelectorEventLoop"):
            if hasattr(place, name):
                setattr(place, name, loop)
