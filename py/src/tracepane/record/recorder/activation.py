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


class Activation:
    """`number` is the frame's id, `line` where it stands, `address` the frame object's while it runs.

    `refs` and `free` are the locals and free variables as last recorded (of a shared one its cell's ref), `atoms` what
    they were bound to where that is an atom, `stretch` the code that runs now, `epoch` the heap's when everything that
    the frame sees was last looked at. `depth` counts Python frames, `odd` says that events need the long way.
    """

    __slots__ = (
        "address", "atoms", "called", "cells", "code", "depth", "epoch", "exception", "free", "line", "names",
        "namespace", "number", "odd", "refs", "spy", "started", "stretch", "tight",
    )  # fmt: skip

    names: Namespace
    # Both are local.py's: the local trace function, and whether what ran may have changed objects.
    trace: Callable[[types.FrameType, str, Any], None]
    changed: Callable[[Stretch], bool]

    def __init__(self, code: Code) -> None:
        self.code = code
        self.number = -1
        self.line = self.address = self.depth = 0
        self.epoch = -1
        self.namespace: Any = None
        self.spy: Any = None
        self.exception: BaseException | None = None
        self.stretch: Stretch = code.entry
        self.called = self.started = self.tight = False
        self.odd = True
        self.refs: dict[str, int] = {}
        self.free: dict[str, int] = {}
        self.atoms: dict[str, Any] = {}
        self.cells: dict[str, Entry] = {}
