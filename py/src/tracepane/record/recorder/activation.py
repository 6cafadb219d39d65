"""What is known of one frame of a traced code while it lasts."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from tracepane.record.bytecode.code import Code
from tracepane.record.bytecode.lines import Stretch
from tracepane.record.own import BUILTINS
from tracepane.record.recorder.entry import Entry
from tracepane.record.recorder.namespace import Namespace

globals()["__builtins__"] = BUILTINS


DEEPEST = 25  # frames that looking at an event takes at most, and some that hide


Trace = Callable[[types.FrameType, str, Any], None]
NONE: Any = {}  # shared by all that have none, and never written to


class Activation:
    """`number` is the frame's id, `address` the frame object's while it runs.

    `refs` and `free` are the locals and free variables as last recorded (of a shared one its cell's ref), `atoms` what
    they were bound to where that is an atom, `stretch` the code that runs now, `epoch` the heap's when everything that
    the frame sees was last looked at; `calm` is the same, or −2 where events need the long way. `depth` counts Python
    frames. `called` is the stretch in which a traced function was called last; `busy`: code that is not traced, or a
    function in C that may change anything, has run since the last event or runs still. `line` is where the frame stood
    when `lined` was to run, where that was not as simple as the stretch itself tells.
    """

    # Those that are seldom set are the class's, which makes an activation far cheaper than slots would. CPython sets an
    # attribute several times as fast as long as its class has none of that name.
    namespace: Any = None
    spy: Any = None
    exception: BaseException | None = None
    started = tight = busy = False
    line = 0
    lined: Stretch | None = None
    free: dict[str, int] = NONE
    cells: dict[str, Entry] = NONE
    names: Namespace
    # quick.py's and local.py's: the local trace function, and what it calls.
    trace: Trace
    ordinarily: Trace
    carefully: Trace
    begin: Callable[[types.FrameType, int, int], None]
    meet: Callable[[types.FrameType, int], int]
    target: Callable[[Stretch, str], int]
    store: Callable[[Stretch, types.FrameType], int]

    def __init__(self, code: Code) -> None:
        self.code = code
        self.stretch: Stretch = code.entry
        self.refs: dict[str, int] = {}
        self.atoms: dict[str, Any] = {}
        self.variables: Any = None
        self.called: Stretch | None = None
        self.epoch, self.calm = -1, -2
        self.number = -1
        self.address = self.depth = 0

    def stands(self) -> int:
        """The line at which the frame stands, 0 for none."""
        return self.line if self.lined is self.stretch else self.stretch.line
