"""The garbage collector: it runs when the program asks, or when memory would run out, not in between.

When the automatic collector runs depends on how many objects were made so far, the runner's own among them, and it
changed within 3.14; so cyclic garbage would die at another step on another machine. Here it dies at `gc.collect()`, at
the exit, or after so many objects that no lesson gets there with something that shows.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, Protocol

from tracepane.record.hidden import builtin, conceal
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

_NATURAL = (2000, 10, 0)  # what CPython 3.14 says
_OBJECTS = 5_000_000

_collect, _set_threshold, _freeze, _enable = gc.collect, gc.set_threshold, gc.freeze, gc.enable


def settle() -> None:
    """Called once before the program: what lies about by then is none of its garbage."""
    _enable()
    _set_threshold(_OBJECTS, 10, 10)
    _collect()
    _freeze()


class Holder(Protocol):
    """A recorder, as far as it holds objects of the program's. `watches` are the types of its weak references."""

    watches: tuple[type, ...]

    def let_go(self) -> None:
        """Let go of what nothing else holds any more."""

    def forsake(self, among: set[int] | None, *, counted: bool = True) -> set[int]:
        """Let go of what otherwise only garbage holds, if its address is among those given; the addresses.

        Not of all of it where nobody counts what the collector finds.
        """

    def collected(self) -> None:
        """Forget what has died."""


@conceal
class Collector:
    """Lets objects die as if there were no recorder."""

    def __init__(self, holder: Holder) -> None:
        """`holder` is the run's recorder."""
        self._holder = holder
        self.let_go = holder.let_go
        self.watches = holder.watches

    def collect(self, generation: int = 2, *, counted: bool = True) -> int:
        """As `gc.collect`; if nobody wants its result, it need not be `counted` exactly.

        Finalizers are recorded like other code, so the recorder may have taken hold again of what it had let go of, and
        the collector have left it: that needs another turn.
        """
        gone = self._holder.forsake(None, counted=counted)
        count = _collect(generation)
        if gone and self._holder.forsake(gone):
            count += _collect(generation)
        self._holder.collected()
        return count


def adjust(collector: Collector, module: Any) -> None:
    """`gc`, once the program imports it: it says what it always says."""
    state: dict[str, Any] = {"enabled": True, "threshold": _NATURAL}

    def set_threshold(*thresholds: int) -> None:
        state["threshold"] = (*thresholds, *state["threshold"][len(thresholds) :])[:3]

    functions: dict[str, Callable[..., Any]] = {
        "collect": lambda generation=2: collector.collect(generation),
        "enable": lambda: state.update(enabled=True),
        "disable": lambda: state.update(enabled=False),
        "isenabled": lambda: state["enabled"],
        "get_threshold": lambda: state["threshold"],
        "set_threshold": set_threshold,
        "get_count": lambda: (0, 0, 0),
        "get_freeze_count": lambda: 0,
    }
    for name, function in functions.items():
        setattr(module, name, builtin(function, getattr(module, name)))


def adjust_weak(collector: Collector, module: Any) -> None:
    """`_weakref`: only the program's own weak references are counted and listed."""
    list_all, watches = module.getweakrefs, collector.watches

    def getweakrefs(value: Any, /) -> list[Any]:
        return [each for each in list_all(value) if type(each) not in watches]

    module.getweakrefcount = builtin(lambda value, /: len(getweakrefs(value)), module.getweakrefcount)
    module.getweakrefs = builtin(getweakrefs, list_all)
