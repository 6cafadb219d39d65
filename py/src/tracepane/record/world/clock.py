"""The simulated clock: it starts at one fixed moment, and moves by what the program asks of it.

Reading the clock takes a microsecond, sleeping takes exactly as long as asked, computing takes no time.
So times are the same in every run and on every machine, no measured duration is zero, and nobody waits.
"""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any

from tracepane.record.hidden import builtin, conceal
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

START = 1_767_225_600_000_000_000  # 2026-01-01T00:00:00Z in nanoseconds
BOOT = 1_000_000_000  # what the monotonic clocks say at the start
TICK = 1_000  # one look at a clock
_SECOND = 1_000_000_000


@conceal
class Clock:
    """Nanoseconds since the start of the run."""

    def __init__(self) -> None:
        """Start at zero."""
        self.elapsed = 0

    def read(self) -> int:
        """Look at the clock, which takes a tick."""
        self.elapsed += TICK
        return self.elapsed

    def advance(self, nanoseconds: int) -> None:
        """Let time pass."""
        self.elapsed += nanoseconds

    def wall(self) -> int:
        """Nanoseconds since the epoch, without a tick."""
        return START + self.elapsed


def install(clock: Clock, module: Any = time) -> None:
    """Put the simulated clock behind the functions of `time`, before the program imports it."""
    if hasattr(module, "tzset"):
        module.tzset()
    for name in ("tzset", "thread_time", "thread_time_ns"):  # a browser has none
        if hasattr(module, name):
            delattr(module, name)
    module.timezone = module.altzone = module.daylight = 0
    module.tzname = ("UTC", "UTC")
    for name, function in _functions(clock, module).items():
        if hasattr(module, name):
            setattr(module, name, builtin(function, getattr(module, name)))


def _functions(clock: Clock, module: ModuleType) -> dict[str, Any]:
    def seconds(origin: int) -> Any:
        return lambda: (origin + clock.read()) / _SECOND

    def nanoseconds(origin: int) -> Any:
        return lambda: origin + clock.read()

    functions: dict[str, Any] = {"time": seconds(START), "time_ns": nanoseconds(START)}
    for name in ("monotonic", "perf_counter"):
        functions |= {name: seconds(BOOT), f"{name}_ns": nanoseconds(BOOT)}
    functions |= {"process_time": seconds(0), "process_time_ns": nanoseconds(0)}
    return functions | _by_number(clock, module) | _calendar(clock, module) | {"sleep": _sleep(clock)}


def _by_number(clock: Clock, module: ModuleType) -> dict[str, Any]:
    known, resolution = module.clock_gettime, module.clock_getres
    real = getattr(module, "CLOCK_REALTIME", 0)

    def clock_gettime_ns(number: int, /) -> int:
        known(number)  # the error for a clock that does not exist
        return (START if number == real else BOOT) + clock.read()

    def clock_gettime(number: int, /) -> float:
        return clock_gettime_ns(number) / _SECOND

    def clock_getres(number: int, /) -> float:
        resolution(number)
        return 1e-9

    def clock_settime(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    names = (clock_gettime, clock_gettime_ns, clock_getres, clock_settime)
    return {f.__name__: f for f in names} | {"clock_settime_ns": clock_settime}


def _calendar(clock: Clock, module: ModuleType) -> dict[str, Any]:
    gmtime, asctime, strftime, ctime = (getattr(module, name) for name in ("gmtime", "asctime", "strftime", "ctime"))

    def localtime(seconds: float) -> Any:
        return module.struct_time((*gmtime(seconds)[:9], "UTC", 0))

    def now(seconds: float | None) -> float:
        return (START + clock.read()) // _SECOND if seconds is None else seconds

    return {
        "gmtime": lambda seconds=None, /: gmtime(now(seconds)),
        "localtime": lambda seconds=None, /: localtime(now(seconds)),
        "ctime": lambda seconds=None, /: ctime(now(seconds)),
        "asctime": lambda *t: asctime(*(t or (localtime(now(None)),))),
        "strftime": lambda form, *t: strftime(form, *(t or (localtime(now(None)),))),
    }


def _sleep(clock: Clock) -> Any:
    def sleep(seconds: float, /) -> None:
        if not isinstance(seconds, (int, float)) and not hasattr(seconds, "__index__"):
            raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer")
        if seconds != seconds:
            raise ValueError("Invalid value NaN (not a number)")
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        if seconds >= 2**63 // _SECOND:
            raise OverflowError("timestamp too large to convert to C PyTime_t")
        clock.advance(int(seconds * _SECOND))

    return sleep
