"""The garbage collector: it runs when the program asks, or when memory would run out, not in between.

When the automatic collector runs depends on how many objects were made so far, the runner's own among them, and it
changed within 3.14; so cyclic garbage would die at another step on another machine. Here it dies at `gc.collect()`, at
the exit, or after so many objects that no lesson gets there with something that shows.
"""

from __future__ import annotations

import gc
from typing import Any

from tracepane.record.hidden import builtin
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


def adjust(module: Any) -> None:
    """`gc`, once the program imports it: it says what it always says."""
    state: dict[str, Any] = {"enabled": True, "threshold": _NATURAL}

    def set_threshold(*thresholds: int) -> None:
        state["threshold"] = (*thresholds, *state["threshold"][len(thresholds) :])[:3]

    functions = {
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
