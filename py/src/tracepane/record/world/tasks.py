"""Tasks, futures and timers of `asyncio` in the order of their creation, where else addresses or chance would decide.

`asyncio`, and programs, keep tasks in sets: those of a TaskGroup, the done and the pending, all that are left at the
end. The order of a set is that of the hashes, which are addresses, so siblings would be cancelled in another order in
every run. Timers that are due at the same moment are rare on a real clock, and their order is that of a heap; on the
simulated clock, which does not move while the program computes, they are the rule.
"""

from __future__ import annotations

import itertools
from typing import Any

from tracepane.record.hidden import builtin, hidden
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS


def numbered(base: Any) -> Any:
    """A class like `base`, a future or task in C, with numbers for hashes."""
    numbers: dict[int, int] = {}  # by address, so that the objects have no attribute for it
    count = itertools.count()
    initialise = base.__init__

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        numbers[id(self)] = next(count)
        initialise(self, *args, **options)

    def __hash__(self: Any) -> int:
        return numbers[id(self)]

    namespace = {"__init__": hidden(__init__), "__hash__": hidden(__hash__), "__slots__": (), "__doc__": base.__doc__}
    return type(base.__name__, (base,), namespace | {"__module__": base.__module__})


def keep_order(timer: Any) -> None:
    """Of timers that are due at the same moment the one comes first that was made first."""
    numbers: dict[int, int] = {}
    count = itertools.count()
    initialise, earlier = timer.__init__, timer.__lt__

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        numbers[id(self)] = next(count)
        initialise(self, *args, **options)

    def __lt__(self: Any, other: Any) -> Any:
        if isinstance(other, timer) and self._when == other._when:
            return numbers[id(self)] < numbers[id(other)]
        return earlier(self, other)

    timer.__init__, timer.__lt__ = hidden(__init__), hidden(__lt__)


def adjust(module: Any) -> Any:
    """`asyncio`, once it is loaded; the class of the futures that its loop makes."""
    tasks = module.tasks
    module.Task = tasks.Task = numbered(tasks.Task)
    module.eager_task_factory = tasks.eager_task_factory = tasks.create_eager_task_factory(tasks.Task)
    # Coroutines are no tasks yet when `as_completed` takes them; this keeps the order in which they were given.
    tasks.set = builtin(lambda items=None: set() if items is None else dict.fromkeys(items), set)
    keep_order(module.events.TimerHandle)
    return numbered(module.Future)
