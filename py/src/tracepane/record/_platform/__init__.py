"""Which runtime this is, decided once: `platform` is the one module of the two that fits."""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from tracepane.record._platform import browser as platform
else:
    from tracepane.record._platform import native as platform

__all__ = ["platform"]
