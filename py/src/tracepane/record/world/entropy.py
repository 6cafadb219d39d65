"""Chance, the same in every run: one seeded stream behind `os.urandom`, `random`, `uuid`, `secrets` and `tempfile`."""

from __future__ import annotations

import os
import posix
from typing import Any

import _sha2  # type: ignore[import-not-found] # it has no stub

from tracepane.record.hidden import builtin, conceal, hidden
from tracepane.record.own import BUILTINS

globals()["__builtins__"] = BUILTINS

NODE = 0x02_00_00_00_00_01  # a locally administered address, where uuid would look for the machine's


@conceal
class Entropy:
    """An endless stream of bytes, by counting through SHA-256."""

    def __init__(self, seed: bytes = b"tracepane") -> None:
        """The same seed gives the same stream."""
        self._seed = seed
        self._count = 0

    def read(self, size: int) -> bytes:
        """The next `size` bytes; each call starts a new block, so streams do not depend on how they are cut."""
        blocks = []
        for _ in range(-(-size // 32)):
            self._count += 1
            blocks.append(_sha2.sha256(self._seed + self._count.to_bytes(8, "big")).digest())
        return b"".join(blocks)[:size]


def install(entropy: Entropy) -> None:
    """Replace `os.urandom`, under `posix` too; `adjust` does the modules that draw from elsewhere."""

    def urandom(size: int, /) -> bytes:
        size = size.__index__()
        if size < 0:
            raise ValueError("negative argument not allowed")
        return entropy.read(size)

    os.urandom = posix.urandom = builtin(urandom, os.urandom)


def adjust_random(entropy: Entropy, module: Any) -> None:
    """`random`: a generator without a seed is seeded in C, past `os.urandom`; seed it here instead."""
    seed = module.Random.seed

    def seeded(self: Any, a: Any = None, version: int = 2) -> None:
        if a is None:
            a = int.from_bytes(entropy.read(32), "big")
        seed(self, a, version)

    seeded.__name__, seeded.__qualname__, seeded.__module__ = "seed", "Random.seed", "random"
    seeded.__doc__ = seed.__doc__
    module.Random.seed = hidden(seeded)
    module.seed = module._inst.seed
    module._inst.seed()


def adjust_uuid(module: Any) -> None:
    """`uuid`: no machine address, no C library that reads clock and chance by itself."""
    module._generate_time_safe = module._UuidCreate = None
    module._node = NODE
